//! A row of the vector file and the comparison of what it states with what an operation gives.

use q7_datapath::{FpFlags, Lane, Pred64, Vec512};
use serde_json::{Map, Value};

/// A word of stated width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    pub bits: u128,
    pub width: u32,
}

/// What one key of a row states.
#[derive(Clone, Debug)]
pub enum Stated {
    Word(Literal),
    Lanes(Vec<Literal>),
}

#[derive(Clone)]
pub struct Row {
    pub id: String,
    pub op: String,
    pub prose: bool,
    /// Lists are independent calls on scalars, not lanes.
    separate_calls: bool,
    inputs: Vec<(String, Stated)>,
    outputs: Vec<(String, Stated)>,
    flags: Vec<(String, bool)>,
}

/// What an operation gave, under the names that rows use for it.
#[derive(Default)]
pub struct Produced {
    values: Vec<(&'static str, Given)>,
    flags: Option<FpFlags>,
}

enum Given {
    /// A scalar.
    Word(u128),
    /// A vector and the width of its lanes.
    Lanes(Vec<u64>),
    /// A boolean vector and the bits in a group.
    Pred(Pred64, u32),
}

/// The result of a run; an error says which operand the row does not have in the expected form.
pub type Outcome = Result<Produced, String>;

/// Why a row does not hold.
#[derive(Debug)]
pub enum Problem {
    /// The row and the table name different operands or results: nothing was compared.
    Form(String),
    /// The operation gives something else than the row states.
    Differs(String),
}

impl Row {
    pub fn parse(line: &str) -> Self {
        let value: Value = serde_json::from_str(line).expect("a JSON object per line");
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let flags = value["flags"].as_object().into_iter().flatten();
        Self {
            id: text("id").expect("every row has an id"),
            op: text("op").expect("every row has an op"),
            prose: value["prose"].as_bool().unwrap_or(false),
            separate_calls: text("note").is_some_and(|note| note.contains("one call per element")),
            inputs: stated(value["in"].as_object()),
            outputs: stated(value["out"].as_object()),
            flags: flags.map(|(name, set)| (name.clone(), set.as_u64() == Some(1))).collect(),
        }
    }

    /// The calls of the operation that the row describes: one, unless its lists are independent calls.
    pub fn calls(&self) -> Vec<Self> {
        let lengths = self.inputs.iter().chain(&self.outputs).filter_map(|(_, stated)| match stated {
            Stated::Lanes(lanes) => Some(lanes.len()),
            Stated::Word(_) => None,
        });
        match lengths.min() {
            Some(calls) if self.separate_calls => (0..calls).map(|k| self.call(k)).collect(),
            _ => vec![self.clone()],
        }
    }

    fn call(&self, k: usize) -> Self {
        let element = |(name, stated): &(String, Stated)| {
            let stated = match stated {
                Stated::Lanes(lanes) => Stated::Word(lanes[k]),
                word => word.clone(),
            };
            (name.clone(), stated)
        };
        Self {
            inputs: self.inputs.iter().map(element).collect(),
            outputs: self.outputs.iter().map(element).collect(),
            ..self.clone()
        }
    }

    fn input(&self, name: &str) -> Result<&Stated, String> {
        let found = self.inputs.iter().find(|(key, _)| key == name);
        found.map(|(_, stated)| stated).ok_or_else(|| format!("no operand {name}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.input(name).is_ok()
    }

    /// A scalar operand with the width it is stated at.
    pub fn literal(&self, name: &str) -> Result<Literal, String> {
        match self.input(name)? {
            Stated::Word(literal) => Ok(*literal),
            Stated::Lanes(_) => Err(format!("operand {name} is a list")),
        }
    }

    /// The low bits of a scalar operand.
    pub fn word(&self, name: &str) -> Result<u64, String> {
        self.literal(name).map(|literal| literal.bits as u64)
    }

    /// A list operand.
    pub fn list(&self, name: &str) -> Result<Vec<u64>, String> {
        match self.input(name)? {
            Stated::Word(_) => Err(format!("operand {name} is no list")),
            Stated::Lanes(lanes) => Ok(lanes.iter().map(|lane| lane.bits as u64).collect()),
        }
    }

    /// A vector operand: a word stands in every lane, a list from lane 0 up, `name[k]` in lane k alone.
    pub fn vec<L: Lane>(&self, name: &str) -> Result<Vec512, String> {
        let single = |(key, stated): &(String, Stated)| match (lane_of(key, name), stated) {
            (Some(lane), Stated::Word(literal)) => Some((lane, literal.bits)),
            _ => None,
        };
        let singles: Vec<_> = self.inputs.iter().filter_map(single).collect();
        if !singles.is_empty() {
            let place =
                |v: Vec512, &(lane, bits): &(usize, u128)| v.with_lane(lane, L::truncated(bits as u64));
            return Ok(singles.iter().fold(Vec512::ZERO, place));
        }
        Ok(match self.input(name)? {
            Stated::Word(literal) => Vec512::splat(L::truncated(literal.bits as u64)),
            Stated::Lanes(lanes) => {
                let width = lanes.first().map_or(0, |lane| lane.width as usize / 8);
                if lanes.len() * width > 64 {
                    return Err(format!("operand {name} is longer than a register"));
                }
                // Lists may use another lane width than the operation: place their bytes.
                let bytes: Vec<u8> =
                    lanes.iter().flat_map(|lane| lane.bits.to_le_bytes()[..width].to_vec()).collect();
                Vec512::from_low_bytes(&bytes)
            }
        })
    }

    /// A boolean vector operand: 64 bits as they are, a narrower one as the group of every lane.
    pub fn pred<L: Lane>(&self, name: &str) -> Result<Pred64, String> {
        let literal = self.literal(name)?;
        let group = literal.bits as u64 & ((1 << L::BYTES) - 1);
        Ok(Pred64::from_bits(match literal.width {
            64 => literal.bits as u64,
            _ => group.wrapping_mul(Pred64::ALL.lowest::<L>()),
        }))
    }

    /// Compares everything the row states.
    pub fn check(&self, produced: &Produced) -> Result<(), Problem> {
        if self.outputs.is_empty() && self.flags.is_empty() {
            return Err(Problem::Form("the row states nothing".into()));
        }
        for (name, stated) in &self.outputs {
            produced.check(name, stated)?;
        }
        for (name, set) in &self.flags {
            let flag = match name.as_str() {
                "invalid" => FpFlags::INVALID,
                "divzero" => FpFlags::DIV_ZERO,
                "overflow" => FpFlags::OVERFLOW,
                "underflow" => FpFlags::UNDERFLOW,
                "inexact" => FpFlags::INEXACT,
                _ => return Err(Problem::Form(format!("unknown flag {name}"))),
            };
            let Some(flags) = produced.flags else {
                return Err(Problem::Form("the operation gives no flags".into()));
            };
            let raised = flags.contains(flag);
            if raised != *set {
                return Err(Problem::Differs(format!("flag {name}: stated {set}, raised {raised}")));
            }
        }
        Ok(())
    }
}

impl Produced {
    pub fn word(name: &'static str, word: impl Into<u128>) -> Self {
        Self::default().and_word(name, word)
    }

    pub fn vec<L: Lane>(name: &'static str, v: Vec512) -> Self {
        Self::default().and_vec::<L>(name, v)
    }

    pub fn pred<L: Lane>(name: &'static str, pred: Pred64) -> Self {
        Self::default().and_pred::<L>(name, pred)
    }

    pub fn and_word(mut self, name: &'static str, word: impl Into<u128>) -> Self {
        self.values.push((name, Given::Word(word.into())));
        self
    }

    pub fn and_vec<L: Lane>(mut self, name: &'static str, v: Vec512) -> Self {
        self.values.push((name, Given::Lanes(v.lanes::<L::Unsigned>().map(L::Unsigned::extended).collect())));
        self
    }

    pub fn and_list(mut self, name: &'static str, list: Vec<u64>) -> Self {
        self.values.push((name, Given::Lanes(list)));
        self
    }

    pub fn and_pred<L: Lane>(mut self, name: &'static str, pred: Pred64) -> Self {
        self.values.push((name, Given::Pred(pred, L::BYTES as u32)));
        self
    }

    pub fn and_flags(mut self, flags: FpFlags) -> Self {
        self.flags = Some(flags);
        self
    }

    fn check(&self, name: &str, stated: &Stated) -> Result<(), Problem> {
        let (given, lane) = self
            .values
            .iter()
            .find_map(|(key, given)| match lane_of(name, key) {
                Some(lane) => Some((given, Some(lane))),
                None => (*key == name).then_some((given, None)),
            })
            .ok_or_else(|| Problem::Form(format!("the table gives no {name}")))?;
        let got = match (given, stated, lane) {
            (Given::Word(word), Stated::Word(_), None) => vec![*word],
            (Given::Lanes(lanes), Stated::Word(_), Some(lane)) if lane < lanes.len() => {
                vec![lanes[lane].into()]
            }
            (Given::Lanes(lanes), _, None) => lanes.iter().map(|&lane| lane.into()).collect(),
            (Given::Pred(pred, group), Stated::Word(word), None) => groups(*pred, *group, word.width),
            _ => return Err(Problem::Form(format!("{name}: a word against a list"))),
        };
        let differs = |got: &u128, word: &Literal| *got != word.bits;
        let wrong = match stated {
            Stated::Word(word) => got.iter().any(|got| differs(got, word)),
            Stated::Lanes(words) => {
                words.len() > got.len() || got.iter().zip(words).any(|(got, word)| differs(got, word))
            }
        };
        if wrong {
            Err(Problem::Differs(format!("{name}: stated {stated:x?}, got {got:x?}")))
        } else {
            Ok(())
        }
    }
}

/// The groups of a predicate as a statement of `width` bits sees them: the whole register for 64 bits, else every
/// group; a single bit states a group of equal bits.
fn groups(pred: Pred64, group: u32, width: u32) -> Vec<u128> {
    if width == 64 {
        return vec![pred.bits().into()];
    }
    let mask = (1u64 << group) - 1;
    (0..64 / group)
        .map(|k| {
            let bits = pred.bits() >> (k * group) & mask;
            if width == 1 && bits == mask { 1 } else { bits.into() }
        })
        .collect()
}

/// The lane that `key` names: 4 for `out[4]` and the name `out`.
fn lane_of(key: &str, name: &str) -> Option<usize> {
    key.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

fn stated(object: Option<&Map<String, Value>>) -> Vec<(String, Stated)> {
    object
        .into_iter()
        .flatten()
        .map(|(key, value)| {
            let stated = match value {
                Value::Array(lanes) => Stated::Lanes(lanes.iter().map(literal).collect()),
                word => Stated::Word(literal(word)),
            };
            (key.clone(), stated)
        })
        .collect()
}

fn literal(value: &Value) -> Literal {
    let text = value.as_str().expect("a literal is a string");
    let (hex, width) = text.split_once(':').expect("a literal states its width");
    Literal {
        bits: u128::from_str_radix(hex.trim_start_matches("0x"), 16).expect("a literal is hex"),
        width: width.parse().expect("a width is a number"),
    }
}
