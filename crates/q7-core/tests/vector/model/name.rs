//! The naming grammar: what, on which lanes, under a predicate or not.

/// A mnemonic taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// What is done: `adds`, `maxu`, `oeq`.
    pub stem: &'a str,
    /// Bits of a lane.
    pub width: u32,
    /// Lanes hold floating-point words.
    pub float: bool,
    /// `t` form.
    pub predicated: bool,
}

/// Lane names: text, width, floating-point.
const LANES: [(&str, u32, bool); 5] = [
    ("n_2xf32", 32, true),
    ("n_2x32", 32, false),
    ("nxf16", 16, true),
    ("nx16", 16, false),
    ("2nx8", 8, false),
];

impl<'a> Name<'a> {
    pub fn parse(name: &'a str) -> Option<Name<'a>> {
        let split = |text: &'a str, predicated: bool| {
            LANES.iter().find_map(|&(lanes, width, float)| {
                let stem = text.strip_suffix(lanes)?;
                Some(Name { stem, width, float, predicated })
            })
        };
        split(name, false).or_else(|| split(name.strip_suffix('t')?, true))
    }
}

/// The mnemonic without `ivp_`; other spellings of an instruction become the one that the models know.
pub fn plain(mnemonic: &str) -> String {
    match mnemonic {
        "mov.h" | "mov.s" => "movvv".into(),
        "ivp_addnx16u" => "addnx16".into(),
        "ivp_extrpr" => "extrprn_2x32".into(),
        "ivp_dextrpr" => "dextrprn_2x32".into(),
        "ivp_svnx8ut" => "svnx8ut_i".into(),
        _ => match (mnemonic.strip_suffix(".h"), mnemonic.strip_suffix(".s")) {
            (Some(stem), _) => format!("{stem}nxf16"),
            (_, Some(stem)) => format!("{stem}n_2xf32"),
            _ => mnemonic.strip_prefix("ivp_").unwrap_or(mnemonic).into(),
        },
    }
}
