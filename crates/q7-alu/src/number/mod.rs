//! Numbers: floating-point formats, fp32 arithmetic in the four rounding directions, conversions.

mod convert;
mod format;
pub mod fp32;

pub use convert::{
    Conversion, FloatToInt, Switches, convert, convert_flags, decode, encode, encode_flags, integer_to_fp32,
};
pub(crate) use convert::{FromFp32, integer_limits, integer_value, source_value};
pub use format::{FloatFormat, Fp8Config, Overflow, Specials};

use std::fmt;
use std::ops::{BitOr, BitOrAssign};
use std::str::FromStr;

use serde::Serialize;

/// Rounding direction of floating-point results. The discriminant is the mode code of the control register.
///
/// Source: `DECISIONS.md`, FP rounding modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[repr(u8)]
pub enum Rounding {
    /// RNE: to the nearest, ties to the even code.
    #[default]
    NearestEven = 0,
    /// RZ: toward zero.
    TowardZero = 1,
    /// RU: toward plus infinity.
    Up = 2,
    /// RD: toward minus infinity.
    Down = 3,
}

impl Rounding {
    /// All four by ascending code.
    pub const ALL: [Rounding; 4] =
        [Rounding::NearestEven, Rounding::TowardZero, Rounding::Up, Rounding::Down];

    /// The mode of a control register code (two bits).
    pub const fn from_code(code: u32) -> Rounding {
        Rounding::ALL[(code & 3) as usize]
    }

    /// The usual short name.
    pub const fn name(self) -> &'static str {
        ["RNE", "RZ", "RU", "RD"][self as usize]
    }

    /// Does a value of this sign move away from zero when it falls between two codes?
    pub(crate) const fn away_from_zero(self, negative: bool) -> bool {
        matches!((self, negative), (Rounding::Up, false) | (Rounding::Down, true))
    }
}

/// The text names no rounding mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rounding mode `{0}`: RNE, RZ, RU or RD")]
pub struct UnknownRounding(pub String);

impl FromStr for Rounding {
    type Err = UnknownRounding;

    fn from_str(text: &str) -> Result<Self, UnknownRounding> {
        let matching = |mode: &Rounding| mode.name().eq_ignore_ascii_case(text);
        Rounding::ALL.into_iter().find(matching).ok_or_else(|| UnknownRounding(text.to_owned()))
    }
}

/// IEEE exception flags, sticky. Bit order of the status register: `DECISIONS.md`, FSR.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Flags(pub u8);

impl Flags {
    /// No exception.
    pub const NONE: Flags = Flags(0);
    /// Signalling NaN, or a result that has no value.
    pub const INVALID: Flags = Flags(1);
    /// Finite number divided by zero.
    pub const DIVIDE_BY_ZERO: Flags = Flags(2);
    /// Rounded result beyond the largest number.
    pub const OVERFLOW: Flags = Flags(4);
    /// Inexact and below the smallest normal number, tested after rounding.
    pub const UNDERFLOW: Flags = Flags(8);
    /// Result differs from the exact one.
    pub const INEXACT: Flags = Flags(16);

    const NAMES: [(Flags, &str); 5] = [
        (Flags::INVALID, "invalid"),
        (Flags::DIVIDE_BY_ZERO, "divzero"),
        (Flags::OVERFLOW, "overflow"),
        (Flags::UNDERFLOW, "underflow"),
        (Flags::INEXACT, "inexact"),
    ];

    /// Are all flags of `other` set?
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// `self` if `condition` holds, else nothing.
    pub(crate) const fn when(self, condition: bool) -> Flags {
        if condition { self } else { Flags::NONE }
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<_> = Flags::NAMES.iter().filter(|(flag, _)| self.contains(*flag)).map(|f| f.1).collect();
        out.write_str(if set.is_empty() { "none" } else { "" })?;
        out.write_str(&set.join("|"))
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
