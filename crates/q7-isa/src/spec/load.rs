//! Reads `spec/*.csv`.

use std::collections::HashMap;
use std::path::Path;

use super::{
    Anchor, Certainty, CodecRow, CodecRule, Direction, File, Flags, FormatRow, IsaSpec, OpcodeRow,
    OperandRow, PlacementRow, SlotRow, SpecError,
};

/// Rows of one CSV file as maps from column name to cell, with a place for messages.
struct Table {
    name: String,
    rows: Vec<HashMap<String, String>>,
}

impl Table {
    fn read(directory: &Path, name: &str) -> Result<Table, SpecError> {
        let path = directory.join(name);
        let fail = |error: csv::Error| SpecError::new(path.display().to_string(), error.to_string());
        let mut reader = csv::Reader::from_path(&path).map_err(fail)?;
        let rows = reader.deserialize().collect::<Result<_, _>>().map_err(fail)?;
        Ok(Table { name: name.to_owned(), rows })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        // Line 1 holds the column names.
        self.rows
            .iter()
            .enumerate()
            .map(|(index, cells)| Row { place: format!("{}:{}", self.name, index + 2), cells })
    }
}

struct Row<'a> {
    place: String,
    cells: &'a HashMap<String, String>,
}

impl Row<'_> {
    fn error(&self, reason: impl Into<String>) -> SpecError {
        SpecError::new(&self.place, reason)
    }

    fn text(&self, column: &str) -> Result<&str, SpecError> {
        self.cells
            .get(column)
            .map(|cell| cell.trim())
            .ok_or_else(|| self.error(format!("no column {column}")))
    }

    fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, SpecError> {
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

    fn certainty(&self, column: &str) -> Result<Certainty, SpecError> {
        parse_certainty(self.text(column)?).ok_or_else(|| self.error(format!("{column}: unknown word")))
    }
}

fn parse_certainty(word: &str) -> Option<Certainty> {
    [Certainty::Observed, Certainty::Derived, Certainty::Likely, Certainty::Provisional]
        .into_iter()
        .find(|certainty| certainty.name() == word)
}

/// Reads and joins the CSV files of a spec directory.
///
/// # Errors
/// [`SpecError`] names the file, line and reason: missing columns, numbers out of range, operand
/// cells that do not follow the grammar `dir:file:role[:codec]`, windows that are no bit lists.
pub fn load_dir(directory: &Path) -> Result<IsaSpec, SpecError> {
    let mut spec = IsaSpec { name: "ncore2gp".into(), ..IsaSpec::default() };
    for row in Table::read(directory, "formats.csv")?.rows() {
        spec.formats.push(FormatRow {
            name: row.text("name")?.into(),
            length: row.number("length")?,
            mask: row.number("mask")?,
            match_value: row.number("match")?,
            slots: row.text("slots")?.split('|').map(str::to_owned).collect(),
            certainty: row.certainty("certainty")?,
        });
    }
    for row in Table::read(directory, "slots.csv")?.rows() {
        spec.slots.push(SlotRow {
            name: row.text("slot")?.into(),
            unit: row.text("unit")?.into(),
            width: row.number("width")?,
            published_opcodes: row.number("published_opcodes")?,
            gather: Vec::new(),
            gather_certainty: Vec::new(),
        });
    }
    for row in Table::read(directory, "codecs.csv")?.rows() {
        spec.codecs.push(CodecRow { name: row.text("name")?.into(), rule: codec_rule(&row)? });
    }
    for row in Table::read(directory, "opcodes.csv")?.rows() {
        let flags = row.text("flags")?.split('|').filter(|name| !name.is_empty()).try_fold(
            Flags::default(),
            |flags, name| {
                let bit = Flags::NAMES
                    .iter()
                    .position(|known| *known == name)
                    .ok_or_else(|| row.error(format!("unknown flag {name}")))?;
                Ok(Flags(flags.0 | 1 << bit))
            },
        )?;
        spec.opcodes.push(OpcodeRow {
            mnemonic: row.text("mnemonic")?.into(),
            batch: row.text("batch")?.into(),
            category: row.text("category")?.into(),
            operands: parse_operands(row.text("operands")?).map_err(|reason| row.error(reason))?,
            flags,
            use_stages: row.text("use_stages")?.into(),
            def_stages: row.text("def_stages")?.into(),
            summary: row.text("summary")?.into(),
            certainty: row.certainty("certainty")?,
            operands_certainty: row.certainty("operands_certainty")?,
            source: row.text("source")?.into(),
        });
    }
    for (file, provisional) in [("placements.csv", false), ("provisional.csv", true)] {
        for row in Table::read(directory, file)?.rows() {
            let template: i64 = row.number("template")?;
            let known = |column: &str| {
                if provisional { Ok(Certainty::Provisional) } else { row.certainty(column) }
            };
            spec.placements.push(PlacementRow {
                mnemonic: row.text("mnemonic")?.into(),
                slot: row.text("slot")?.into(),
                template: template as u64,
                windows: parse_windows(row.text("windows")?).map_err(|reason| row.error(reason))?,
                certainty: known("certainty")?,
                windows_certainty: known("windows_certainty")?,
                source: if provisional { String::new() } else { row.text("source")?.into() },
            });
        }
    }
    Ok(spec)
}

fn codec_rule(row: &Row<'_>) -> Result<CodecRule, SpecError> {
    let signed = row.number::<u8>("signed")? == 1;
    let (scale, bias) = (row.number("scale")?, row.number("bias")?);
    match row.text("kind")? {
        "linear" => Ok(CodecRule::Linear { signed, scale, bias }),
        "table" => row
            .text("table")?
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(CodecRule::Table)
            .map_err(|_| row.error("table: not a list of numbers")),
        "target" => {
            let anchor = match row.text("anchor")? {
                "pc" => Anchor::Pc,
                "pc_down" => Anchor::PcDown,
                "pc_up" => Anchor::PcUp,
                other => return Err(row.error(format!("unknown anchor {other}"))),
            };
            Ok(CodecRule::Target { anchor, signed, scale, bias })
        }
        other => Err(row.error(format!("unknown kind {other}"))),
    }
}

/// Parses `dir:file:role[:codec]; ...`.
fn parse_operands(cell: &str) -> Result<Vec<OperandRow>, String> {
    cell.split(';').map(str::trim).filter(|part| !part.is_empty()).map(parse_operand).collect()
}

fn parse_operand(text: &str) -> Result<OperandRow, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let (direction, file, role, codec) = match parts.as_slice() {
        [direction, file, role] => (*direction, *file, *role, "u"),
        [direction, file, role, codec] => (*direction, *file, *role, *codec),
        _ => return Err(format!("operand {text:?} is not dir:file:role[:codec]")),
    };
    let direction = match direction {
        "in" => Direction::In,
        "out" => Direction::Out,
        "inout" => Direction::InOut,
        other => return Err(format!("operand {text:?}: unknown direction {other:?}")),
    };
    let file = match file {
        "AR" => File::Ar,
        "BR" => File::Br,
        "BR4" => File::Br4,
        "BR8" => File::Br8,
        "vec" => File::Vec,
        "vbool" => File::Vbool,
        "valign" => File::Valign,
        "wvec" => File::Wvec,
        "gvr" => File::Gvr,
        "b32_pr" => File::B32Pr,
        "imm" => File::Imm,
        "label" => File::Label,
        other => return Err(format!("operand {text:?}: unknown file {other:?}")),
    };
    let named = role.starts_with(|c: char| c.is_ascii_lowercase())
        && role.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !named {
        return Err(format!("operand {text:?}: the role must be a plain name"));
    }
    Ok(OperandRow { direction, file, role: role.into(), codec: codec.into() })
}

/// Parses `15:12;20|7:4`: per operand a list of bit ranges, most significant first; `-` is a field
/// without bits.
fn parse_windows(cell: &str) -> Result<Vec<Vec<u8>>, String> {
    if cell.is_empty() {
        return Ok(Vec::new());
    }
    cell.split(';').map(|window| parse_window(window.trim())).collect()
}

fn parse_window(text: &str) -> Result<Vec<u8>, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operand_grammar_rejects_prose() {
        assert!(parse_operands("out:AR:arr; in:AR:ars; in:imm:simm8:s").is_ok());
        for bad in ["AR arr", "in:AR", "in:AR:arr (argument table)", "sideways:AR:arr", "in:XR:arr"] {
            assert!(parse_operands(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn windows_list_bits_from_the_top() {
        assert_eq!(parse_windows("20|7:4;-").unwrap(), vec![vec![20, 7, 6, 5, 4], vec![]]);
        assert!(parse_windows("4:7").is_err());
    }
}
