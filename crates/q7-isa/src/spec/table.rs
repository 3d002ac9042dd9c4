//! CSV rows by column name, and the cells that several files share.

use std::collections::HashMap;
use std::path::Path;

use super::{Certainty, SpecError};

/// Rows of one CSV file as maps from column name to cell, with a place for messages.
pub(super) struct Table {
    name: String,
    rows: Vec<HashMap<String, String>>,
}

impl Table {
    pub(super) fn read(directory: &Path, name: &str) -> Result<Table, SpecError> {
        let path = directory.join(name);
        let fail = |error: csv::Error| SpecError::new(path.display().to_string(), error.to_string());
        let mut reader = csv::Reader::from_path(&path).map_err(fail)?;
        let rows = reader.deserialize().collect::<Result<_, _>>().map_err(fail)?;
        Ok(Table { name: name.to_owned(), rows })
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        // Line 1 holds the column names.
        self.rows
            .iter()
            .enumerate()
            .map(|(index, cells)| Row { place: format!("{}:{}", self.name, index + 2), cells })
    }
}

pub(super) struct Row<'a> {
    place: String,
    cells: &'a HashMap<String, String>,
}

impl Row<'_> {
    pub(super) fn error(&self, reason: impl Into<String>) -> SpecError {
        SpecError::new(&self.place, reason)
    }

    pub(super) fn text(&self, column: &str) -> Result<&str, SpecError> {
        self.cells
            .get(column)
            .map(|cell| cell.trim())
            .ok_or_else(|| self.error(format!("no column {column}")))
    }

    pub(super) fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, SpecError> {
        let cell = self.text(column)?;
        let parsed = match cell.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => cell.parse(),
        };
        parsed
            .ok()
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| self.error(format!("{column}: {cell:?} is not a number in range")))
    }

    pub(super) fn certainty(&self, column: &str) -> Result<Certainty, SpecError> {
        parse_certainty(self.text(column)?).ok_or_else(|| self.error(format!("{column}: unknown word")))
    }
}

fn parse_certainty(word: &str) -> Option<Certainty> {
    [Certainty::Observed, Certainty::Derived, Certainty::Likely, Certainty::Provisional]
        .into_iter()
        .find(|certainty| certainty.name() == word)
}

/// Parses `15:12;20|7:4`: per operand a list of bit ranges, most significant first; `-` is a field
/// without bits.
pub(super) fn parse_windows(cell: &str) -> Result<Vec<Vec<u8>>, String> {
    if cell.is_empty() {
        return Ok(Vec::new());
    }
    cell.split(';').map(|window| parse_window(window.trim())).collect()
}

pub(super) fn parse_window(text: &str) -> Result<Vec<u8>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let mut bits = Vec::new();
    for part in text.split('|') {
        let (high, low) = part.split_once(':').unwrap_or((part, part));
        match (high.parse::<u8>(), low.parse::<u8>()) {
            (Ok(high), Ok(low)) if high >= low && high < 64 => bits.extend((low..=high).rev()),
            _ => return Err(format!("window {text:?} is not a list of bit ranges")),
        }
    }
    Ok(bits)
}

/// The inverse of [`parse_windows`].
pub(super) fn print_windows(windows: &[Vec<u8>]) -> String {
    windows.iter().map(|window| print_window(window)).collect::<Vec<_>>().join(";")
}

fn print_window(window: &[u8]) -> String {
    let mut parts: Vec<(u8, u8)> = Vec::new();
    for &bit in window {
        match parts.last_mut() {
            Some((_, low)) if *low == bit + 1 => *low = bit,
            _ => parts.push((bit, bit)),
        }
    }
    if parts.is_empty() {
        return "-".into();
    }
    let texts: Vec<String> = parts
        .into_iter()
        .map(|(high, low)| if high == low { high.to_string() } else { format!("{high}:{low}") })
        .collect();
    texts.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_list_bits_from_the_top() {
        let windows = parse_windows("20|7:4;-").unwrap();
        assert_eq!(windows, vec![vec![20, 7, 6, 5, 4], vec![]]);
        assert_eq!(print_windows(&windows), "20|7:4;-");
        assert!(parse_windows("4:7").is_err());
    }
}
