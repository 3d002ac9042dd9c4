//! Floating-point formats by fields, and their exact relation to fp32, the hub every narrow number passes through.
//!
//! Source: `tpb-dtypes-and-patterns/extra-fp-formats.csv`, `spec-cast-to-new-dtype.md`, `extra-fp8-config.csv`,
//! `extra-e2m1-codes.csv`; what they leave open: `docs/assumptions-alu.md`.

use super::{Flags, Rounding};

/// Which codes are no finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// All-ones exponent: infinity with a zero mantissa, otherwise NaN.
    Ieee,
    /// Only the all-ones code (per sign) is NaN; no infinity.
    NanOnly,
    /// Every code is a number.
    None,
}

/// What an encoder does with a value beyond the largest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// As IEEE says for the rounding direction.
    Ieee,
    /// Largest number when [`Fp8Config::saturate`] is set, which is the default.
    Config,
    /// Always the largest number.
    Saturate,
}

/// The two switches of the FP8 encoders.
///
/// Source: `tpb-dtypes-and-patterns/extra-fp8-config.csv` (default word 0x0001).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fp8Config {
    /// Overflow gives the largest number instead of infinity or NaN.
    pub saturate: bool,
    /// E4M3fn overflow without saturation gives signed zero instead of NaN; E5M2 NaN keeps its sign.
    pub secondary: bool,
}

impl Default for Fp8Config {
    fn default() -> Self {
        Fp8Config { saturate: true, secondary: false }
    }
}

/// A floating-point format of at most 32 bits whose values are all fp32 values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Usual name.
    pub name: &'static str,
    /// Bits of the exponent field.
    pub exponent_bits: u32,
    /// Stored bits of the mantissa.
    pub mantissa_bits: u32,
    /// Exponent bias.
    pub bias: u32,
    /// Has a sign bit above the exponent.
    pub signed: bool,
    /// Codes that are not finite.
    pub specials: Specials,
    /// Encoding of too large values.
    pub overflow: Overflow,
    /// Nearest-even encoding flushes what lies below the smallest subnormal to zero instead of rounding it (A41).
    pub flush_tiny: bool,
    /// Unused low bits of the container (FP32R only).
    pub padding: u32,
}

const fn format(name: &'static str, exponent_bits: u32, mantissa_bits: u32) -> FloatFormat {
    FloatFormat {
        name,
        exponent_bits,
        mantissa_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        signed: true,
        specials: Specials::Ieee,
        overflow: Overflow::Ieee,
        flush_tiny: false,
        padding: 0,
    }
}

const fn fp8(name: &'static str, exponent_bits: u32, specials: Specials) -> FloatFormat {
    FloatFormat {
        specials,
        overflow: Overflow::Config,
        flush_tiny: true,
        ..format(name, exponent_bits, 7 - exponent_bits)
    }
}

const fn finite(name: &'static str, exponent_bits: u32, mantissa_bits: u32) -> FloatFormat {
    FloatFormat {
        specials: Specials::None,
        overflow: Overflow::Saturate,
        ..format(name, exponent_bits, mantissa_bits)
    }
}

const fn scale(name: &'static str, exponent_bits: u32) -> FloatFormat {
    FloatFormat {
        signed: false,
        specials: Specials::NanOnly,
        overflow: Overflow::Config,
        ..format(name, exponent_bits, 8 - exponent_bits)
    }
}

impl FloatFormat {
    /// IEEE binary32.
    pub const FP32: FloatFormat = format("FP32", 8, 23);
    /// FP32R: 1-8-11, the low 12 bits of the 4-byte container are zero (A16).
    pub const FP32R: FloatFormat = FloatFormat { padding: 12, ..format("FP32R", 8, 11) };
    /// bfloat16.
    pub const BF16: FloatFormat = format("BF16", 8, 7);
    /// IEEE binary16.
    pub const FP16: FloatFormat = format("FP16", 5, 10);
    /// FP8 with two exponent bits: finite only (assumption L3).
    pub const E2M5: FloatFormat = finite("E2M5", 2, 5);
    /// FP8 with three exponent bits: bias 3, saturating (A15); infinity and NaN as in IEEE (assumption L2).
    pub const E3M4: FloatFormat = fp8("E3M4", 3, Specials::Ieee);
    /// FP8 with four exponent bits: E4M3fn, largest 448, one NaN (A14).
    pub const E4M3FN: FloatFormat = fp8("E4M3FN", 4, Specials::NanOnly);
    /// FP8 with five exponent bits: largest 57344, infinity and NaN.
    pub const E5M2: FloatFormat = fp8("E5M2", 5, Specials::Ieee);
    /// FP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; always saturates.
    pub const E2M1: FloatFormat = finite("E2M1", 2, 1);
    /// FP6 with two exponent bits, a code of dequantisation only.
    pub const E2M3: FloatFormat = finite("E2M3", 2, 3);
    /// Block scale 2^(code - 127); code 255 is NaN.
    pub const E8M0: FloatFormat = scale("E8M0", 8);
    /// Block scale with seven exponent bits (assumption L4).
    pub const E7M1: FloatFormat = scale("E7M1", 7);
    /// Block scale with six exponent bits (assumption L4).
    pub const E6M2: FloatFormat = scale("E6M2", 6);
    /// Block scale with five exponent bits (assumption L4).
    pub const E5M3: FloatFormat = scale("E5M3", 5);

    /// Width of the container in bits.
    pub const fn bits(&self) -> u32 {
        self.signed as u32 + self.exponent_bits + self.mantissa_bits + self.padding
    }

    /// A power of two without mantissa: code 0 is a number like the others, there is no zero.
    const fn is_power_of_two(&self) -> bool {
        self.mantissa_bits == 0
    }

    /// Code of the largest finite number, without padding.
    pub const fn max_code(&self) -> u32 {
        match self.specials {
            Specials::Ieee => self.infinity_code() - 1,
            Specials::NanOnly => self.magnitude_mask() - 1,
            Specials::None => self.magnitude_mask(),
        }
    }

    const fn magnitude_mask(&self) -> u32 {
        (1 << (self.exponent_bits + self.mantissa_bits)) - 1
    }

    const fn infinity_code(&self) -> u32 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    /// Code of the NaN that an encoder makes; zero where the format has none (source: NaN input of FP4).
    const fn nan_code(&self) -> u32 {
        match self.specials {
            Specials::Ieee => self.infinity_code() | 1 << (self.mantissa_bits - 1),
            Specials::NanOnly => self.magnitude_mask(),
            Specials::None => 0,
        }
    }

    /// Does the encoded NaN keep the sign? Printed for FP16 (yes) and FP4 (signed zero); BF16 and FP8 print none.
    const fn nan_keeps_sign(&self, config: Fp8Config) -> bool {
        match (self.specials, self.overflow) {
            (Specials::Ieee, Overflow::Ieee) => self.bias < 127 || self.padding != 0,
            (Specials::Ieee, _) => config.secondary,
            (Specials::NanOnly, _) => false,
            (Specials::None, _) => true,
        }
    }

    /// Smallest normal exponent as an fp32 exponent field.
    const fn min_exponent(&self) -> u32 {
        128 - self.bias
    }

    /// The fp32 bits of a code. Exact; NaN payloads move to the top of the fp32 mantissa.
    #[inline(always)]
    pub const fn decode(&self, code: u32) -> u32 {
        let code = code >> self.padding;
        let magnitude = code & self.magnitude_mask();
        let sign = if self.signed { code >> (self.exponent_bits + self.mantissa_bits) << 31 } else { 0 };
        if self.is_power_of_two() {
            return match magnitude {
                0 => 0x0040_0000,
                0xFF => 0x7FC0_0000,
                exponent => exponent << 23,
            };
        }
        let shifted = magnitude << (23 - self.mantissa_bits);
        if self.bias == 127 {
            return sign | shifted; // same exponents as fp32, subnormals and specials included
        }
        let special = match self.specials {
            Specials::Ieee => magnitude >= self.infinity_code(),
            Specials::NanOnly => magnitude == self.magnitude_mask(),
            Specials::None => false,
        };
        let normal = shifted + ((127 - self.bias) << 23);
        // A subnormal is the excess over the smallest normal number of a code one exponent higher.
        let base = self.min_exponent() << 23;
        let subnormal = (f32::from_bits(shifted + base) - f32::from_bits(base)).to_bits();
        let value = if magnitude >> self.mantissa_bits == 0 { subnormal } else { normal };
        let special_value = match self.specials {
            Specials::Ieee => shifted | 0x7F80_0000,
            _ => 0x7FC0_0000,
        };
        sign | if special { special_value } else { value }
    }

    /// The code of fp32 bits, rounded in direction `mode`.
    #[inline(always)]
    pub const fn encode(&self, value: u32, mode: Rounding, config: Fp8Config) -> u32 {
        let magnitude = value & 0x7FFF_FFFF;
        let negative = value >> 31 != 0;
        let sign = if self.signed { (value >> 31) << (self.exponent_bits + self.mantissa_bits) } else { 0 };
        let code = if magnitude > 0x7F80_0000 {
            self.nan_code() | if self.nan_keeps_sign(config) { sign } else { 0 }
        } else if negative && !self.signed {
            0 // no sign: the smallest code (assumption L4)
        } else {
            let rounded = self.round(magnitude, negative, mode);
            if rounded <= self.max_code() {
                rounded | sign
            } else {
                self.encode_overflow(magnitude == 0x7F80_0000, sign, negative, mode, config)
            }
        };
        code << self.padding
    }

    /// Magnitude code without a bound; everything above [`Self::max_code`] is an overflow.
    #[inline(always)]
    const fn round(&self, magnitude: u32, negative: bool, mode: Rounding) -> u32 {
        if self.is_power_of_two() {
            round_power_of_two(magnitude, mode)
        } else if matches!(mode, Rounding::NearestEven) {
            self.round_to_nearest(magnitude)
        } else {
            self.round_directed(magnitude, mode.away_from_zero(negative))
        }
    }

    /// Nearest even without a shift by a variable amount, which would keep loops from vectorising.
    #[inline(always)]
    const fn round_to_nearest(&self, magnitude: u32) -> u32 {
        let shift = 23 - self.mantissa_bits;
        // Adding a number whose last place is the smallest subnormal makes the host round to subnormals.
        let rounder = (self.min_exponent() + shift) << 23;
        let subnormal = (f32::from_bits(magnitude) + f32::from_bits(rounder)).to_bits().wrapping_sub(rounder);
        let normal = if shift == 0 { magnitude } else { round_shift_to_nearest(magnitude, shift) };
        let normal = normal.wrapping_sub((self.min_exponent() - 1) << self.mantissa_bits);
        let below_all = self.flush_tiny && magnitude >> 23 < self.min_exponent() - self.mantissa_bits;
        if below_all {
            0 // A41
        } else if magnitude >> 23 < self.min_exponent() {
            subnormal
        } else {
            normal
        }
    }

    /// Toward or away from zero.
    #[inline(always)]
    const fn round_directed(&self, magnitude: u32, away: bool) -> u32 {
        let field = magnitude >> 23;
        let exponent = if field == 0 { 1 } else { field };
        let significand = (magnitude & 0x7F_FFFF) | ((field != 0) as u32) << 23;
        let below = self.min_exponent().saturating_sub(exponent);
        let above = exponent.saturating_sub(self.min_exponent());
        // From 24 on, every significand lies between zero and one unit; the clamp keeps the shift in range.
        let wanted = 23 - self.mantissa_bits + below;
        let shift = if wanted < 24 { wanted } else { 24 };
        let increment = if away { (1 << shift) - 1 } else { 0 };
        (above << self.mantissa_bits) + ((significand + increment) >> shift)
    }

    #[inline(always)]
    const fn encode_overflow(
        &self,
        infinite: bool,
        sign: u32,
        negative: bool,
        mode: Rounding,
        config: Fp8Config,
    ) -> u32 {
        let saturate = match self.overflow {
            Overflow::Saturate => true,
            Overflow::Config => config.saturate,
            Overflow::Ieee => {
                !infinite && !matches!(mode, Rounding::NearestEven) && !mode.away_from_zero(negative)
            }
        };
        match self.specials {
            _ if saturate => self.max_code() | sign,
            Specials::Ieee => self.infinity_code() | sign,
            Specials::NanOnly if config.secondary => sign,
            Specials::NanOnly | Specials::None => self.nan_code(),
        }
    }

    /// The exceptions of [`Self::encode`]. A NaN that the format cannot hold becomes a number, which is invalid.
    pub fn encode_flags(&self, value: u32, mode: Rounding, config: Fp8Config) -> Flags {
        let input = f32::from_bits(value);
        if input.is_nan() {
            return Flags::INVALID.when(is_signalling(value) || self.specials == Specials::None);
        }
        let result = f32::from_bits(self.decode(self.encode(value, mode, config)));
        let inexact = result != input;
        let unbounded = self.round(value & 0x7FFF_FFFF, value >> 31 != 0, mode);
        let overflow = inexact && input.is_finite() && unbounded > self.max_code();
        let underflow = inexact && self.is_tiny(value, mode);
        Flags::INEXACT.when(inexact) | Flags::OVERFLOW.when(overflow) | Flags::UNDERFLOW.when(underflow)
    }

    fn is_tiny(&self, value: u32, mode: Rounding) -> bool {
        let smallest = f64::from(f32::from_bits(self.min_exponent() << 23));
        !self.is_power_of_two()
            && is_tiny(f64::from(f32::from_bits(value)), smallest, self.mantissa_bits, mode)
    }
}

/// Tininess after rounding (A9): does `exact`, rounded to `mantissa_bits` with an unbounded exponent, stay below
/// the smallest normal number?
///
/// Just below that number the unit is half of what it is above, so the answer is a comparison with a threshold.
pub(crate) fn is_tiny(exact: f64, smallest_normal: f64, mantissa_bits: u32, mode: Rounding) -> bool {
    let magnitude = exact.abs();
    let unit = smallest_normal / f64::from(2u32 << mantissa_bits);
    match mode {
        Rounding::NearestEven => magnitude < smallest_normal - unit / 2.0,
        _ if mode.away_from_zero(exact < 0.0) => magnitude <= smallest_normal - unit,
        _ => magnitude < smallest_normal,
    }
}

/// Quiet bit clear in a NaN.
pub(crate) const fn is_signalling(bits: u32) -> bool {
    bits & 0x7FFF_FFFF > 0x7F80_0000 && bits & 0x0040_0000 == 0
}

/// `value >> shift` for a shift of at least 1, rounded to nearest even by the dropped bits.
#[inline(always)]
const fn round_shift_to_nearest(value: u32, shift: u32) -> u32 {
    (value + (1 << (shift - 1)) - 1 + ((value >> shift) & 1)) >> shift
}

/// Code of the power of two nearest to a magnitude; a tie goes to the even code.
const fn round_power_of_two(magnitude: u32, mode: Rounding) -> u32 {
    let exponent = magnitude >> 23;
    if exponent == 0 {
        // Below 2^-126: 2^-127 (code 0) or 2^-126 (code 1).
        let up = match mode {
            Rounding::NearestEven => magnitude > 0x0060_0000,
            Rounding::Up => magnitude > 0x0040_0000,
            Rounding::TowardZero | Rounding::Down => false,
        };
        return up as u32;
    }
    match mode {
        Rounding::NearestEven => round_shift_to_nearest(magnitude, 23),
        Rounding::Up => (magnitude + 0x7F_FFFF) >> 23,
        Rounding::TowardZero | Rounding::Down => exponent,
    }
}
