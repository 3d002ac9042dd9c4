//! Conversions between element types through the fp32 hub.
//!
//! Source: `tpb-alu-and-kernels/spec-dtype-model.md`, `spec-cast-copy.md`;
//! `tpb-dtypes-and-patterns/spec-cast-to-new-dtype.md`, `extra-cast-int-saturation.csv`.

use super::format::{Fp8Config, Overflow};
use super::fp32::direct;
use super::{Flags, Rounding};
use crate::dtype::Dtype;

/// How a number becomes an integer. Two consumers, two rules (`DECISIONS.md`, casts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatToInt {
    /// Kernels: toward zero, then clamped; NaN gives the largest number, as the core's truncation does (assumption L10).
    #[default]
    Truncate,
    /// Compiler constant folding and its simulator: nearest even, then clamped; NaN by its sign.
    NearestEven,
}

/// Everything a conversion may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// Direction of every rounding to a floating-point number.
    pub rounding: Rounding,
    /// FP8 encoder switches.
    pub fp8: Fp8Config,
    /// Rounding to integers.
    pub to_int: FloatToInt,
}

/// Which switches of a [`Conversion`] can change a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Switches {
    /// [`Conversion::rounding`].
    pub rounding: bool,
    /// [`Conversion::to_int`].
    pub to_int: bool,
    /// [`Fp8Config::saturate`].
    pub saturate: bool,
}

impl Switches {
    /// Those that matter to [`encode`].
    pub fn of_encoding(dtype: Dtype) -> Switches {
        let format = dtype.float_format();
        Switches {
            rounding: format.is_some(),
            to_int: dtype.is_int(),
            saturate: format.is_some_and(|format| format.overflow == Overflow::Config),
        }
    }

    /// Those that matter to [`convert`].
    pub fn of_conversion(from: Dtype, to: Dtype) -> Switches {
        if from == to {
            return Switches::default();
        }
        let encoding = Switches::of_encoding(to);
        // The way into fp32 rounds what has more bits than an fp32 mantissa.
        let wide = from.is_int() && from.bits() > 24;
        Switches {
            rounding: encoding.rounding || wide,
            // Integers are whole already.
            to_int: encoding.to_int && from.is_float(),
            ..encoding
        }
    }
}

/// An integer that fp32 values are cut to.
pub(crate) trait FromFp32: Copy {
    fn from_fp32(value: f32, rule: FloatToInt) -> Self;
}

macro_rules! from_fp32 {
    ($($ty:ty)*) => {$(
        impl FromFp32 for $ty {
            #[inline(always)]
            fn from_fp32(value: f32, rule: FloatToInt) -> $ty {
                // `as` cuts toward zero and clamps; only NaN needs care.
                match rule {
                    FloatToInt::Truncate => if value.is_nan() { <$ty>::MAX } else { value as $ty },
                    FloatToInt::NearestEven if value.is_nan() => {
                        if value.is_sign_negative() { <$ty>::MIN } else { <$ty>::MAX }
                    }
                    FloatToInt::NearestEven => value.round_ties_even() as $ty,
                }
            }
        }
    )*};
}
from_fp32!(i8 u8 i16 u16 i32 u32 i64 u64);

/// An integer as fp32.
#[inline(always)]
pub fn integer_to_fp32(value: i128, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    direct(nearest, value.cmp(&(nearest as i128)), rounding)
}

/// The number that the low bits of an element mean, extended by the sign of its dtype. Integers only.
pub(crate) const fn integer_value(dtype: Dtype, bits: u64) -> i128 {
    let bits = bits & dtype.mask();
    let top = 1u64 << (dtype.bits() - 1);
    if dtype.is_signed_int() && bits & top != 0 {
        bits as i128 - dtype.mask() as i128 - 1
    } else {
        bits as i128
    }
}

/// The smallest and the largest number of an integer dtype.
pub(crate) const fn integer_limits(dtype: Dtype) -> (i128, i128) {
    let lowest = if dtype.is_signed_int() { -(dtype.mask() as i128 / 2 + 1) } else { 0 };
    (lowest, lowest + dtype.mask() as i128)
}

/// The fp32 value of an element; integers wider than 24 bits round in direction `rounding`.
/// `None` for dtypes that hold no number.
pub fn decode(dtype: Dtype, bits: u64, rounding: Rounding) -> Option<f32> {
    match dtype.float_format() {
        Some(format) => Some(f32::from_bits(format.decode((bits & dtype.mask()) as u32))),
        None => dtype.is_int().then(|| integer_to_fp32(integer_value(dtype, bits), rounding)),
    }
}

/// The element of an fp32 value. `None` for dtypes that hold no number.
pub fn encode(dtype: Dtype, value: f32, conversion: &Conversion) -> Option<u64> {
    let rule = conversion.to_int;
    let bits = match dtype {
        Dtype::Fp32 => u64::from(value.to_bits()), // NaN payloads pass
        Dtype::Int4 => i8::from_fp32(value, rule).clamp(-8, 7) as u64,
        Dtype::Int8 => i8::from_fp32(value, rule) as u64,
        Dtype::Uint8 => u8::from_fp32(value, rule).into(),
        Dtype::Int16 => i16::from_fp32(value, rule) as u64,
        Dtype::Uint16 => u16::from_fp32(value, rule).into(),
        Dtype::Int32 => i32::from_fp32(value, rule) as u64,
        Dtype::Uint32 => u32::from_fp32(value, rule).into(),
        Dtype::Int64 => i64::from_fp32(value, rule) as u64,
        Dtype::Uint64 => u64::from_fp32(value, rule),
        _ => dtype.float_format()?.encode(value.to_bits(), conversion.rounding, conversion.fp8).into(),
    };
    Some(bits & dtype.mask())
}

/// The exceptions of [`encode`]. Integer results out of range and NaN count as invalid (assumption L10).
pub fn encode_flags(dtype: Dtype, value: f32, conversion: &Conversion) -> Flags {
    if dtype == Dtype::Fp32 {
        return Flags::NONE;
    }
    if let Some(format) = dtype.float_format() {
        return format.encode_flags(value.to_bits(), conversion.rounding, conversion.fp8);
    }
    let Some(bits) = encode(dtype, value, conversion) else { return Flags::NONE };
    let whole = match conversion.to_int {
        FloatToInt::Truncate => value.trunc(),
        FloatToInt::NearestEven => value.round_ties_even(),
    };
    let in_range = whole.is_finite() && whole as i128 == integer_value(dtype, bits);
    Flags::INVALID.when(!in_range) | Flags::INEXACT.when(in_range && whole != value)
}

/// The exceptions of [`convert`]: those of both steps, to fp32 and from it.
pub fn convert_flags(bits: u64, from: Dtype, to: Dtype, conversion: &Conversion) -> Flags {
    if from == to {
        return Flags::NONE;
    }
    let Some(value) = source_value(from, bits, conversion.rounding) else { return Flags::NONE };
    let lost = from.is_int() && value as i128 != integer_value(from, bits);
    Flags::INEXACT.when(lost) | encode_flags(to, value, conversion)
}

/// An element of one dtype as an element of another: identity for equal dtypes, otherwise through fp32, so that
/// integers beyond 2^24 lose their low bits. FP32R as a source counts with all its bits.
/// `None` when one of them holds no number.
pub fn convert(bits: u64, from: Dtype, to: Dtype, conversion: &Conversion) -> Option<u64> {
    if from == to {
        return from.is_number().then_some(bits & from.mask());
    }
    encode(to, source_value(from, bits, conversion.rounding)?, conversion)
}

/// [`decode`] with FP32R passed through unrounded, as a source is.
pub(crate) fn source_value(dtype: Dtype, bits: u64, rounding: Rounding) -> Option<f32> {
    let dtype = if dtype == Dtype::Fp32r { Dtype::Fp32 } else { dtype };
    decode(dtype, bits, rounding)
}
