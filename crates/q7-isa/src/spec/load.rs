//! Reads `spec/*.csv`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::table::{Row, Table, parse_windows};
use super::{
    Anchor, CategoryRow, Certainty, CodecRow, CodecRule, Direction, FamilyRow, File, Flags, FormatRow,
    IsaSpec, MembershipRow, OpcodeRow, OperandRow, PlacementRow, SlotRow, SpecError,
};

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
    spec.slots = slots(directory)?;
    for row in Table::read(directory, "codecs.csv")?.rows() {
        let bits = if row.text("bits")?.is_empty() { 0 } else { row.number("bits")? };
        spec.codecs.push(CodecRow { name: row.text("name")?.into(), bits, rule: codec_rule(&row)? });
    }
    for row in Table::read(directory, "categories.csv")?.rows() {
        let count =
            |column: &str| if row.text(column)?.is_empty() { Ok(None) } else { row.number(column).map(Some) };
        spec.categories.push(CategoryRow {
            name: row.text("category")?.into(),
            emitted: count("emitted")?,
            isa_wide: count("isa_wide")?,
        });
    }
    for row in Table::read(directory, "families.csv")?.rows() {
        let batches = row.text("batches")?.split('|').filter(|batch| !batch.is_empty());
        spec.families.push(FamilyRow {
            name: row.text("family")?.into(),
            batches: batches.map(str::to_owned).collect(),
            published: row.number("published")?,
        });
    }
    for row in Table::read(directory, "opcodes.csv")?.rows() {
        spec.opcodes.push(opcode(&row)?);
    }
    spec.placements = placements(directory)?;
    spec.membership = membership(directory)?;
    Ok(spec)
}

/// A (mnemonic, slot) pair.
pub(super) type Pair = (String, String);

fn pair(row: &Row<'_>) -> Result<Pair, SpecError> {
    Ok((row.text("mnemonic")?.to_owned(), row.text("slot")?.to_owned()))
}

/// `slots.csv` joined with `gathers.csv`.
fn slots(directory: &Path) -> Result<Vec<SlotRow>, SpecError> {
    let mut slots = Vec::new();
    for row in Table::read(directory, "slots.csv")?.rows() {
        slots.push(SlotRow {
            name: row.text("slot")?.into(),
            unit: row.text("unit")?.into(),
            width: row.number("width")?,
            published_opcodes: row.number("published_opcodes")?,
            gather: Vec::new(),
            gather_certainty: Vec::new(),
        });
    }
    for row in Table::read(directory, "gathers.csv")?.rows() {
        let name = row.text("slot")?;
        let slot = slots
            .iter_mut()
            .find(|slot| slot.name == name)
            .ok_or_else(|| row.error(format!("unknown slot {name}")))?;
        if row.number::<usize>("slot_bit")? != slot.gather.len() {
            return Err(row.error("slot bits must be listed in order"));
        }
        slot.gather.push(row.number("bundle_bit")?);
        slot.gather_certainty.push(row.certainty("certainty")?);
    }
    Ok(slots)
}

fn opcode(row: &Row<'_>) -> Result<OpcodeRow, SpecError> {
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
    Ok(OpcodeRow {
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
    })
}

/// Known placements, then the lock file's. A known placement supersedes a locked one.
fn placements(directory: &Path) -> Result<Vec<PlacementRow>, SpecError> {
    let windows = windows(directory)?;
    let mut placements = Vec::new();
    let mut known = HashSet::new();
    for (file, locked) in [("placements.csv", false), ("provisional.csv", true)] {
        for row in Table::read(directory, file)?.rows() {
            let pair = pair(&row)?;
            if locked && known.contains(&pair) {
                continue;
            }
            let fields = parse_windows(row.text("windows")?).map_err(|reason| row.error(reason))?;
            let windows_certainty = if locked {
                match windows.get(&pair) {
                    Some((printed, certainty)) if *printed == fields => *certainty,
                    _ => Certainty::Provisional,
                }
            } else {
                row.certainty("windows_certainty")?
            };
            placements.push(PlacementRow {
                mnemonic: pair.0.clone(),
                slot: pair.1.clone(),
                template: row.number::<i64>("template")? as u64,
                windows: fields,
                certainty: if locked { Certainty::Provisional } else { row.certainty("certainty")? },
                windows_certainty,
                source: if locked { String::new() } else { row.text("source")?.into() },
            });
            if !known.insert(pair) {
                return Err(row.error("listed twice"));
            }
        }
    }
    Ok(placements)
}

/// `membership.csv`: which opcode sits in which FLIX slot, and how well that is known.
fn membership(directory: &Path) -> Result<Vec<MembershipRow>, SpecError> {
    let mut membership = Vec::new();
    for row in Table::read(directory, "membership.csv")?.rows() {
        membership.push(MembershipRow {
            mnemonic: row.text("mnemonic")?.into(),
            certainty: row.certainty("certainty")?,
            slots: row.text("slots")?.split('|').map(str::to_owned).collect(),
        });
    }
    Ok(membership)
}

/// Operand windows of (mnemonic, slot) pairs, and how well they are known.
pub(super) type KnownWindows = HashMap<Pair, (Vec<Vec<u8>>, Certainty)>;

/// `windows.csv`: operand windows that are known although the template is not.
pub(super) fn windows(directory: &Path) -> Result<KnownWindows, SpecError> {
    let mut windows = HashMap::new();
    for row in Table::read(directory, "windows.csv")?.rows() {
        let fields = parse_windows(row.text("windows")?).map_err(|reason| row.error(reason))?;
        windows.insert(pair(&row)?, (fields, row.certainty("certainty")?));
    }
    Ok(windows)
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
    let file = File::from_name(file).ok_or_else(|| format!("operand {text:?}: unknown file {file:?}"))?;
    let named = role.starts_with(|c: char| c.is_ascii_lowercase())
        && role.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !named {
        return Err(format!("operand {text:?}: the role must be a plain name"));
    }
    Ok(OperandRow { direction, file, role: role.into(), codec: codec.into() })
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
}
