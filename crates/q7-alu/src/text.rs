//! Numbers and names as text.

use crate::dtype::{Dtype, Kind};
use crate::number::{Conversion, decode, encode, integer_value};

/// Lower case without separators: the form in which names are compared.
pub(crate) fn squeeze(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Why a text is no element of a dtype.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Neither a number nor a bit pattern.
    #[error("`{0}` is neither a number nor a bit pattern (0x.., 0b..)")]
    Syntax(String),
    /// Too large for the dtype.
    #[error("`{0}` does not fit {1}")]
    Range(String, Dtype),
    /// The dtype holds no numbers.
    #[error("{0} holds no numbers")]
    NoNumber(Dtype),
}

/// Reads an element: `0x..` and `0b..` are its bits, everything else its value (`-3`, `1.5`, `inf`, `nan`), rounded to
/// the format as `conversion` says. Integers must fit.
pub fn parse_value(text: &str, dtype: Dtype, conversion: &Conversion) -> Result<u64, ValueError> {
    if !dtype.is_number() {
        return Err(ValueError::NoNumber(dtype));
    }
    let syntax = || ValueError::Syntax(text.to_owned());
    let range = || ValueError::Range(text.to_owned(), dtype);
    let pattern = [("0x", 16), ("0b", 2)];
    if let Some((digits, radix)) =
        pattern.into_iter().find_map(|(prefix, radix)| Some((text.strip_prefix(prefix)?, radix)))
    {
        let signed = digits.starts_with('+');
        let bits = u64::from_str_radix(digits, radix).ok().filter(|_| !signed).ok_or_else(syntax)?;
        return if bits & !dtype.mask() == 0 { Ok(bits) } else { Err(range()) };
    }
    if dtype.is_int() {
        let value: i128 = text.parse().map_err(|_| syntax())?;
        let bits = value as u64 & dtype.mask();
        return if integer_value(dtype, bits) == value { Ok(bits) } else { Err(range()) };
    }
    let value: f32 = match dtype {
        Dtype::Fp32 => text.parse().map_err(|_| syntax())?,
        _ => to_odd(text.parse().map_err(|_| syntax())?),
    };
    encode(dtype, value, conversion).ok_or(ValueError::NoNumber(dtype))
}

/// The fp32 number that rounds to a shorter format as `value` itself does: what does not fit is cut off, and the last
/// bit set instead (rounding to odd).
fn to_odd(value: f64) -> f32 {
    let near = value as f32;
    if value.is_nan() || f64::from(near) == value {
        return near;
    }
    let beyond = f64::from(near).abs() > value.abs();
    f32::from_bits((near.to_bits() - u32::from(beyond)) | 1)
}

/// The value of an element: a decimal integer, or the shortest decimal that reads back as the same fp32 number.
pub fn format_value(dtype: Dtype, bits: u64) -> String {
    if dtype.is_int() {
        return integer_value(dtype, bits).to_string();
    }
    match decode(dtype, bits, Conversion::default().rounding) {
        Some(value) if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) && value.is_finite() => {
            format!("{value:e}")
        }
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// The bits in hexadecimal, as wide as the element.
pub fn format_bits(dtype: Dtype, bits: u64) -> String {
    let digits = dtype.bits().div_ceil(4).max(1) as usize;
    format!("{:#0width$x}", bits & dtype.mask(), width = digits + 2)
}

/// The bits in binary, floating-point fields apart: sign, exponent, mantissa (and unused bits).
pub fn format_fields(dtype: Dtype, bits: u64) -> String {
    let widths = match dtype.float_format() {
        Some(format) => {
            vec![u32::from(format.signed), format.exponent_bits, format.mantissa_bits, format.padding]
        }
        None => vec![dtype.bits()],
    };
    let mut left = dtype.bits();
    let mut fields = Vec::new();
    for width in widths.into_iter().filter(|&width| width > 0) {
        left -= width;
        let field = bits >> left & (u64::MAX >> (64 - width));
        fields.push(format!("{field:0width$b}", width = width as usize));
    }
    fields.join(" ")
}

/// One word for the kind of number.
pub const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::None => "none",
        Kind::Signed => "signed",
        Kind::Unsigned => "unsigned",
        Kind::Float => "float",
        Kind::Scale => "scale",
        Kind::Compressed => "compressed",
    }
}
