//! `q7sim isa show`

use std::io::{self, Write};

use q7_isa::{Isa, Opcode, PlacementId};
use serde_json::{Value, json};

use crate::status::Failure;

/// Prints all that is known of an instruction.
///
/// # Errors
/// If there is none of that name.
pub fn show(isa: &Isa, mnemonic: &str, json: bool) -> Result<u8, Failure> {
    let mnemonic = mnemonic.to_lowercase();
    let id = isa.find(&mnemonic).ok_or_else(|| unknown(isa, &mnemonic))?;
    let opcode = isa.opcode(id);
    let semantics = q7_core::semantics(isa)[id.0 as usize].name();
    if json {
        return super::print_json(&json!({
            "mnemonic": opcode.mnemonic,
            "summary": opcode.summary,
            "category": opcode.category,
            "batch": opcode.batch,
            "operands": super::operands(opcode),
            "operands_certainty": opcode.operands_certainty.name(),
            "flags": opcode.flags.names().collect::<Vec<_>>(),
            "use_stages": opcode.use_stages,
            "def_stages": opcode.def_stages,
            "semantics": semantics,
            "certainty": opcode.certainty.name(),
            "source": opcode.source,
            "placements": opcode.placements.iter().map(|&id| placement_json(isa, id)).collect::<Value>(),
        }));
    }
    crate::print(|output| print(isa, opcode, semantics, output))
}

fn unknown(isa: &Isa, mnemonic: &str) -> Failure {
    let similar: Vec<&str> = isa
        .opcodes()
        .iter()
        .map(|opcode| opcode.mnemonic.as_str())
        .filter(|other| other.contains(mnemonic) || mnemonic.contains(other))
        .take(8)
        .collect();
    let hint = if similar.is_empty() { String::new() } else { format!("; there are {}", similar.join(", ")) };
    Failure::usage(format!("no instruction `{mnemonic}`{hint}"))
}

/// Slot bits, most significant first: `15:12|3`.
fn window(bits: &[u8]) -> String {
    let runs = bits.chunk_by(|high, low| *high == low + 1);
    let text = |run: &[u8]| match run {
        [bit] => bit.to_string(),
        [first, .., last] => format!("{first}:{last}"),
        [] => String::new(),
    };
    runs.map(text).collect::<Vec<_>>().join("|")
}

fn placement_json(isa: &Isa, id: PlacementId) -> Value {
    let placement = isa.placement(id);
    json!({
        "slot": isa.slot(placement.slot).name,
        "template": format!("{:#x}", placement.template),
        "mask": format!("{:#x}", placement.mask),
        "windows": placement.windows.iter().map(|bits| window(bits)).collect::<Vec<_>>(),
        "certainty": isa.encoding_certainty(id).name(),
        "template_certainty": placement.certainty.name(),
        "windows_certainty": placement.windows_certainty.name(),
        "membership_certainty": placement.membership.name(),
    })
}

fn print(isa: &Isa, opcode: &Opcode, semantics: &str, output: &mut dyn Write) -> io::Result<()> {
    let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    writeln!(output, "{}", opcode.mnemonic)?;
    for (name, value) in [
        ("meaning", opcode.summary.clone()),
        ("category", opcode.category.clone()),
        ("batch", opcode.batch.clone()),
        ("flags", opcode.flags.names().collect::<Vec<_>>().join(", ")),
        ("read at", opcode.use_stages.clone()),
        ("written at", opcode.def_stages.clone()),
        ("semantics", semantics.to_owned()),
        ("certainty", opcode.certainty.name().to_owned()),
        ("source", opcode.source.clone()),
    ] {
        writeln!(output, "  {name:11} {}", or_dash(&value))?;
    }
    writeln!(output, "  {:11} {}", "operands", opcode.operands_certainty.name())?;
    for operand in super::operands(opcode) {
        writeln!(output, "    {operand}")?;
    }
    writeln!(output, "  {:11} template            encoding    template    windows     membership", "slots")?;
    for &id in &opcode.placements {
        let placement = isa.placement(id);
        let windows: Vec<String> = placement.windows.iter().map(|bits| window(bits)).collect();
        writeln!(
            output,
            "    {:13} {:<#18x}  {:11} {:11} {:11} {:11} {}",
            isa.slot(placement.slot).name,
            placement.template,
            isa.encoding_certainty(id).name(),
            placement.certainty.name(),
            placement.windows_certainty.name(),
            placement.membership.name(),
            windows.join(" ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_runs_of_bits() {
        for (bits, text) in [
            (&[15, 14, 13, 12][..], "15:12"),
            (&[9, 8, 3], "9:8|3"),
            (&[7], "7"),
            (&[0, 1], "0|1"),
            (&[], ""),
        ] {
            assert_eq!(window(bits), text);
        }
    }
}
