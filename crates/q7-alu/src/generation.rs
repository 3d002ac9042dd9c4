//! Chip generations: which operations and dtypes exist where.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A chip generation, oldest first. The order is the order of growth: a later one has all that an earlier one has.
///
/// Source: `tpb-alu-and-kernels/extra-alu-gen-counts.csv` (generation and core version), `extra-dtypes.csv` (Tonga).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Generation {
    /// Known only through its dtype set; its ALU operations are not published.
    Tonga,
    /// Core version 2.
    Sunda,
    /// Core version 3.
    Cayman,
    /// Core version 4.
    Mariana,
    /// Core version 4, second edition; same numbers as [`Generation::Mariana`].
    MarianaPlus,
    /// Core version 5.
    Maverick,
}

impl Generation {
    /// Every generation, oldest first.
    pub const ALL: [Generation; 6] = [
        Generation::Tonga,
        Generation::Sunda,
        Generation::Cayman,
        Generation::Mariana,
        Generation::MarianaPlus,
        Generation::Maverick,
    ];

    /// The generations whose ALU operations are known.
    pub const WITH_ALU: [Generation; 5] = [
        Generation::Sunda,
        Generation::Cayman,
        Generation::Mariana,
        Generation::MarianaPlus,
        Generation::Maverick,
    ];

    /// Itself, if its ALU operations are known.
    pub fn with_alu(self) -> Result<Generation, NoAluOperations> {
        if Generation::WITH_ALU.contains(&self) { Ok(self) } else { Err(NoAluOperations(self)) }
    }

    /// Upper-case name, as the headers spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Generation::Tonga => "TONGA",
            Generation::Sunda => "SUNDA",
            Generation::Cayman => "CAYMAN",
            Generation::Mariana => "MARIANA",
            Generation::MarianaPlus => "MARIANA_PLUS",
            Generation::Maverick => "MAVERICK",
        }
    }

    /// Core version number (`v2` is SUNDA); TONGA is taken as 1.
    pub const fn core_version(self) -> u32 {
        match self {
            Generation::Tonga => 1,
            Generation::Sunda => 2,
            Generation::Cayman => 3,
            Generation::Mariana | Generation::MarianaPlus => 4,
            Generation::Maverick => 5,
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The generation has no published ALU operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ALU operations of {0} are not published, only its dtypes")]
pub struct NoAluOperations(pub Generation);

/// The text names no generation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown generation `{0}`: TONGA, SUNDA (v2), CAYMAN (v3), MARIANA (v4), MARIANA_PLUS (v4+), MAVERICK (v5)"
)]
pub struct UnknownGeneration(pub String);

impl FromStr for Generation {
    type Err = UnknownGeneration;

    /// Reads a name (any case) or `v2` .. `v5`, `v4+`.
    fn from_str(text: &str) -> Result<Self, UnknownGeneration> {
        let wanted = match crate::text::squeeze(text) {
            plus if plus == "v4+" => "marianaplus".to_owned(),
            wanted => wanted,
        };
        Generation::ALL
            .into_iter()
            .find(|generation| {
                crate::text::squeeze(generation.name()) == wanted
                    || wanted == format!("v{}", generation.core_version())
            })
            .ok_or_else(|| UnknownGeneration(text.to_owned()))
    }
}
