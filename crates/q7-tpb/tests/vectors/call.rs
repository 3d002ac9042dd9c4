//! A call that a row states: its inputs, and the functions that take them.

use q7_alu::Rounding;
use serde_json::{Map, Value};

/// A JSON object.
pub type Object = Map<String, Value>;
/// Computes the outputs of one call from its inputs; `None` if the row does not have the inputs wanted.
pub type Call = fn(&Inputs) -> Option<Outputs>;
/// Results by the names that rows use for them.
pub type Outputs = Vec<(&'static str, u64)>;
/// A function and the names it goes by.
pub type Entry = (&'static [&'static str], Call);

/// The inputs of one call.
pub struct Inputs<'a> {
    pub row: &'a Object,
    /// Element of the arrays, in rows that list independent calls.
    pub index: Option<usize>,
    pub mode: Rounding,
}

impl Inputs<'_> {
    pub fn one(&self, key: &str) -> Option<u64> {
        match (self.row.get(key)?, self.index) {
            (Value::Array(elements), Some(index)) => literal(elements.get(index)?),
            (value, _) => literal(value),
        }
    }

    /// The first of several names an operand goes by.
    pub fn any(&self, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|key| self.one(key))
    }

    pub fn list(&self, key: &str) -> Option<Vec<u64>> {
        self.row.get(key)?.as_array()?.iter().map(literal).collect()
    }
}

/// `0x<hex>:<bits>`, or just hexadecimal.
pub fn literal(value: &Value) -> Option<u64> {
    let digits = value.as_str()?.split(':').next()?.strip_prefix("0x")?;
    u64::from_str_radix(digits, 16).ok()
}

/// The usual single result.
pub fn out(value: impl Into<u64>) -> Option<Outputs> {
    Some(vec![("out", value.into())])
}
