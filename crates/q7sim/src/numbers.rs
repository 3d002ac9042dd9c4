//! Numbers, places and files on the command line.

use std::path::PathBuf;

/// A number: decimal, `0x` hexadecimal or `0b` binary, with `_` between digits.
///
/// # Errors
/// The reason, without the text itself: clap prints that.
pub fn number(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, &lower[2..]),
        Some("0b") => (2, &lower[2..]),
        _ => (10, lower.as_str()),
    };
    let plain = digits.replace('_', "");
    let edges = digits.starts_with('_') || digits.ends_with('_');
    if plain.is_empty() || edges || !plain.chars().all(|digit| digit.is_digit(radix)) {
        return Err("not a number (12, 0x1f and 0b101 are, also with _ between digits)".into());
    }
    u64::from_str_radix(&plain, radix).map_err(|_| "does not fit into 64 bits".into())
}

/// A number of 32 bits.
///
/// # Errors
/// The reason.
pub fn word(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| "does not fit into 32 bits".into())
}

/// A number of 32 bits that may be negative, as its bit pattern.
///
/// # Errors
/// The reason.
pub fn signed_word(text: &str) -> Result<u32, String> {
    let Some(positive) = text.strip_prefix('-') else { return word(text) };
    let value = i64::try_from(number(positive)?).ok().and_then(|value| i32::try_from(-value).ok());
    value.map(|value| value as u32).ok_or_else(|| "does not fit into 32 bits".into())
}

/// A place in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An address.
    Address(u32),
    /// A symbol.
    Symbol(String),
}

/// `ADDR` or `SYMBOL`: what starts with a digit is an address.
///
/// # Errors
/// The reason.
pub fn place(text: &str) -> Result<Place, String> {
    match text.as_bytes().first() {
        None => Err("an address or a symbol is wanted".into()),
        Some(b'0'..=b'9') => word(text).map(Place::Address),
        Some(_) => Ok(Place::Symbol(text.into())),
    }
}

/// A file that belongs at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub address: u32,
    pub path: PathBuf,
}

/// `ADDR=FILE`
///
/// # Errors
/// The reason.
pub fn load(text: &str) -> Result<Load, String> {
    let (address, path) = split(text, "ADDR=FILE")?;
    Ok(Load { address: word(address)?, path: path.into() })
}

/// A piece of memory and the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    pub address: u32,
    pub length: u64,
    pub path: PathBuf,
}

/// `ADDR:LENGTH=FILE`
///
/// # Errors
/// The reason.
pub fn save(text: &str) -> Result<Save, String> {
    let (extent, path) = split(text, "ADDR:LEN=FILE")?;
    let (address, length) = extent.split_once(':').ok_or("ADDR:LEN=FILE is wanted")?;
    let length = number(length)?;
    if length > 1 << 32 {
        return Err("LEN is more than the address space".into());
    }
    Ok(Save { address: word(address)?, length, path: path.into() })
}

/// `NAME=ADDR`
///
/// # Errors
/// The reason.
pub fn section(text: &str) -> Result<(String, u32), String> {
    let (name, address) =
        text.rsplit_once('=').filter(|(name, _)| !name.is_empty()).ok_or("NAME=ADDR is wanted")?;
    Ok((name.into(), word(address)?))
}

fn split<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str), String> {
    text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or_else(|| format!("{form} is wanted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_all_forms() {
        for (text, value) in [
            ("0", 0),
            ("12", 12),
            ("010", 10),
            ("0x1F", 31),
            ("0X1f", 31),
            ("0b101", 5),
            ("0x4010_0000", 0x4010_0000),
            ("1_000_000", 1_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for text in [
            "",
            "x",
            "0x",
            "0b2",
            "0x_1",
            "1_",
            "+1",
            "0x+1",
            "-1",
            " 1",
            "1e3",
            "ü1",
            "18446744073709551616",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(word("0x1_0000_0000").is_err());
    }

    #[test]
    fn negative_words_are_bit_patterns() {
        for (text, value) in
            [("-1", u32::MAX), ("-0x80000000", 0x8000_0000), ("-0", 0), ("0xffffffff", u32::MAX)]
        {
            assert_eq!(signed_word(text), Ok(value), "{text}");
        }
        for text in ["-0x80000001", "--1", "-", "0x100000000", "-18446744073709551615"] {
            assert!(signed_word(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_and_files() {
        assert_eq!(place("main"), Ok(Place::Symbol("main".into())));
        assert_eq!(place("0x100"), Ok(Place::Address(0x100)));
        assert!(place("1f").is_err() && place("").is_err());
        assert_eq!(load("0x10=a=b"), Ok(Load { address: 16, path: "a=b".into() }));
        assert_eq!(save("16:0x20=f"), Ok(Save { address: 16, length: 32, path: "f".into() }));
        assert_eq!(section(".text=0x1000"), Ok((".text".into(), 0x1000)));
        for text in ["", "1", "1=", "=f", "1:2", "1:=f", ":1=f"] {
            assert!(load(text).is_err() || text == "1:2=f", "{text}");
            assert!(save(text).is_err(), "{text}");
        }
    }
}
