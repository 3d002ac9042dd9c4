//! Numbers and names as text.

use std::cmp::Ordering;
use std::fmt;

use crate::dtype::{Dtype, Kind};
use crate::number::fp32::{BEYOND_LARGEST, range_flags};
use crate::number::{Conversion, Flags, decode, encode, encode_flags, fp32, integer_limits, integer_value};

/// Lower case without separators: the form in which names are compared.
pub(crate) fn squeeze(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The byte that `0x..` stands for; `None` for a text without the prefix.
pub(crate) fn code(text: &str) -> Option<Option<u8>> {
    let (radix, digits) = bit_prefix(text).filter(|&(radix, _)| radix == 16)?;
    Some(plain_digits(digits, radix).and_then(|digits| u8::from_str_radix(&digits, radix).ok()))
}

/// A remark that names what somebody may have meant by `text`, empty if nothing comes near. `names` are spellings and
/// the names to answer with.
pub(crate) fn similar(text: &str, names: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    const MOST: usize = 5;
    let wanted = squeeze(text);
    let slips = (1 + wanted.chars().count() / 4).min(3);
    let score = |name: &str| {
        let name = squeeze(name);
        let distance = strsim::damerau_levenshtein(&wanted, &name);
        match wanted.len() {
            2.. if name.starts_with(&wanted) => Some(0),
            _ if distance <= slips => Some(distance),
            3.. if name.contains(&wanted) => Some(slips + 1),
            _ => None,
        }
    };
    let mut scored: Vec<_> = names.filter_map(|(spelling, name)| Some((score(spelling)?, name))).collect();
    scored.sort_by_key(|&(score, _)| score);
    let mut near: Vec<&str> = Vec::new();
    for (_, name) in scored {
        if near.len() < MOST && !near.contains(&name) {
            near.push(name);
        }
    }
    if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) }
}

/// Why a text is no element of a dtype.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Neither a number nor a bit pattern.
    #[error("`{0}` is no value of {1}: {forms} is wanted", forms = forms(*.1))]
    Syntax(String, Dtype),
    /// Too large for the dtype.
    #[error("`{0}` does not fit {1} ({extent})", extent = Extent(*.1))]
    Range(String, Dtype),
    /// Bits of a float with a sign before them.
    #[error(
        "`{0}` is no value of {1}: 0x.. and 0b.. are bits, and take no sign unless the dtype is an integer"
    )]
    SignedBits(String, Dtype),
    /// The dtype holds no numbers.
    #[error("{0} holds no numbers")]
    NoNumber(Dtype),
}

fn forms(dtype: Dtype) -> &'static str {
    if dtype.is_int() {
        "an integer (-3, 1_000, -0x10) or its bits (0x2a, 0b10_1010)"
    } else {
        "a number (-3, 1.5, 2e-3, inf, nan) or its bits (0x2a, 0b10_1010)"
    }
}

/// What fits a dtype, in words.
struct Extent(Dtype);

impl fmt::Display for Extent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bits", self.0.bits())?;
        if self.0.is_int() {
            let (lowest, highest) = integer_limits(self.0);
            write!(out, ", {lowest} to {highest}")?;
        }
        Ok(())
    }
}

/// An element as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The element's bits.
    pub bits: u64,
    /// What was lost on the way from the decimal to the element.
    pub flags: Flags,
}

/// Reads an element: `0x..` and `0b..` are its bits, everything else its value (`-3`, `1.5`, `inf`, `nan`), rounded
/// once to the format as `conversion` says. Integers must fit; `-0x..` is the negative number. `_` may stand between
/// digits.
pub fn parse_value(text: &str, dtype: Dtype, conversion: &Conversion) -> Result<Reading, ValueError> {
    if !dtype.is_number() {
        return Err(ValueError::NoNumber(dtype));
    }
    let syntax = || ValueError::Syntax(text.to_owned(), dtype);
    let range = || ValueError::Range(text.to_owned(), dtype);
    let exact = |bits| Reading { bits, flags: Flags::NONE };
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if let Some((radix, digits)) = bit_prefix(magnitude) {
        let digits = plain_digits(digits, radix).ok_or_else(syntax)?;
        if negative && !dtype.is_int() {
            return Err(ValueError::SignedBits(text.to_owned(), dtype));
        }
        let bits = u64::from_str_radix(&digits, radix).map_err(|_| range())?;
        let element = if negative { integer_element(dtype, -i128::from(bits)) } else { Some(bits) };
        return element.filter(|bits| bits & !dtype.mask() == 0).map(exact).ok_or_else(range);
    }
    if dtype.is_int() {
        let digits = if negative { magnitude } else { text.strip_prefix('+').unwrap_or(text) };
        let digits = plain_digits(digits, 10).ok_or_else(syntax)?;
        let magnitude: i128 = digits.parse().map_err(|_| range())?;
        let value = if negative { -magnitude } else { magnitude };
        return integer_element(dtype, value).map(exact).ok_or_else(range);
    }
    let value = parse_decimal(text).ok_or_else(syntax)?;
    if dtype == Dtype::Fp32 {
        let nearest = value as f32;
        let error = value.partial_cmp(&f64::from(nearest)).unwrap_or(Ordering::Equal);
        let result = fp32::direct(nearest, error, conversion.rounding);
        let flags = range_flags(nearest, error, value, conversion.rounding);
        return Ok(Reading { bits: result.to_bits().into(), flags });
    }
    // Beyond the fp32 range `to_odd` leaves its largest number, which a format as wide may round to without overflow.
    let beyond = Flags::OVERFLOW.when(value.is_finite() && value.abs() >= BEYOND_LARGEST);
    let value = to_odd(value);
    let bits = encode(dtype, value, conversion).ok_or(ValueError::NoNumber(dtype))?;
    Ok(Reading { bits, flags: encode_flags(dtype, value, conversion) | beyond })
}

/// Radix and digits of `0x..` and `0b..`.
fn bit_prefix(text: &str) -> Option<(u32, &str)> {
    let (prefix, digits) = text.split_at_checked(2)?;
    match prefix {
        "0x" | "0X" => Some((16, digits)),
        "0b" | "0B" => Some((2, digits)),
        _ => None,
    }
}

/// The digits without the `_` between them; `None` if anything else is there, or nothing.
fn plain_digits(text: &str, radix: u32) -> Option<String> {
    let groups = || text.split('_');
    let fits = |group: &str| !group.is_empty() && group.chars().all(|digit| digit.is_digit(radix));
    groups().all(fits).then(|| groups().collect())
}

fn integer_element(dtype: Dtype, value: i128) -> Option<u64> {
    let bits = value as u64 & dtype.mask();
    (integer_value(dtype, bits) == value).then_some(bits)
}

/// A decimal as a double rounded to odd: what does not fit is cut off, and the last bit set instead. Such a double
/// rounds to a shorter format as the decimal itself does, and lies on the same side of every number of that format.
fn parse_decimal(text: &str) -> Option<f64> {
    let between_digits = |place: usize| {
        [place - 1, place + 1].map(|at| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit))
    };
    if text.match_indices('_').any(|(place, _)| place == 0 || between_digits(place) != [true; 2]) {
        return None;
    }
    let text = text.replace('_', "");
    let near: f64 = text.parse().ok()?;
    let unsigned = text.trim_start_matches(['+', '-']);
    if unsigned.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return Some(near); // inf, nan
    }
    let order = match near.is_infinite() {
        true => Ordering::Less,
        // Enough digits for any double in full.
        false => Decimal::of(unsigned).cmp(&Decimal::of(&format!("{:.800e}", near.abs()))),
    };
    Some(match order {
        Ordering::Equal => near,
        Ordering::Less => f64::from_bits((near.to_bits() - 1) | 1),
        Ordering::Greater => f64::from_bits(near.to_bits() | 1),
    })
}

/// The magnitude `0.DIGITS * 10^point`, with neither leading nor trailing zeros: compares like the number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Decimal {
    /// Zero has no digits and the smallest point.
    point: i64,
    digits: String,
}

impl Decimal {
    /// Reads what the standard library has read as a float without a sign.
    fn of(text: &str) -> Decimal {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Decimal { point: i64::MIN, digits: String::new() };
        }
        // An exponent beyond i64 outweighs any number of digits.
        let huge = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let exponent = exponent.parse().unwrap_or(huge).clamp(i64::MIN / 2, i64::MAX / 2);
        let leading = all.len() - significant.len();
        let point = whole.len() as i64 - leading as i64 + exponent;
        Decimal { point, digits: significant.trim_end_matches('0').to_owned() }
    }
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

/// The value of an element: a decimal integer, or the shortest decimal that reads back as the same fp32 number. FP8
/// numbers are written in full: what lies below the smallest one reads as zero (A41), by however little.
pub fn format_value(dtype: Dtype, bits: u64) -> String {
    if dtype.is_int() {
        return integer_value(dtype, bits).to_string();
    }
    let Some(value) = decode(dtype, bits, Conversion::default().rounding) else { return String::new() };
    if dtype.float_format().is_some_and(|format| format.flush_tiny) {
        return f64::from(value).to_string();
    }
    if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) && value.is_finite() {
        return format!("{value:e}");
    }
    value.to_string()
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
