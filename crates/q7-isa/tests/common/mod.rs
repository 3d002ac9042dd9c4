//! What several test files share; each uses a part.

#![allow(dead_code)]

use q7_isa::{Instruction, Isa, Operand, Operands, PlacementId};

/// Address of a row: from its note (`at pc 0x2e65`, `at 0x95f2`), else 0.
pub fn pc_of(note: &str) -> u32 {
    note.split("0x").nth(1).filter(|_| note.starts_with("at ")).map_or(0, |digits| {
        let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        u32::from_str_radix(&digits[..end], 16).unwrap()
    })
}

/// Bytes of a hexadecimal string, in memory order.
pub fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// Without braces, with single spaces, with numbers in decimal: texts compare whatever base and
/// spacing a source prints.
pub fn normalise(text: &str) -> String {
    let mut out = String::new();
    let text = text.replace(['{', '}'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for word in text.split_inclusive([' ', ',', ';']) {
        let (number, rest) = word.split_at(word.trim_end_matches([' ', ',', ';']).len());
        let (sign, magnitude) = if number.starts_with("-0x") { number.split_at(1) } else { ("", number) };
        match magnitude.strip_prefix("0x").map(|digits| u32::from_str_radix(digits, 16)) {
            Some(Ok(value)) => out.push_str(&format!("{sign}{value}")),
            _ => out.push_str(number),
        }
        out.push_str(rest);
    }
    out
}

/// Rows whose text names a label: what stands around it is compared, the label by its distance.
pub fn is_symbolic(text: &str) -> bool {
    text.contains(['<', '('])
        || text.ends_with(" .")
        || text.contains(" .L")
        || text.ends_with(".+3")
        || text.contains(", end")
}

/// A value that the operand's field can hold at `pc`, chosen by `raw`.
pub fn operand_value(operand: &Operand, width: u32, raw: u32, pc: u32) -> i32 {
    let mask = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
    (0..=mask)
        .map(|step| raw.wrapping_add(step) & mask)
        .find_map(|field| {
            let value = operand.codec.decode(field, width, pc)?;
            operand.codec.encode(value, width, pc).map(|_| value)
        })
        .expect("some field has a value")
}

/// An instruction of a placement with operands chosen by `raw`.
pub fn instruction(isa: &Isa, id: PlacementId, raw: &[u32; 8], pc: u32) -> Instruction {
    let placement = isa.placement(id);
    let operands: Operands = isa
        .opcode(placement.opcode)
        .operands
        .iter()
        .zip(&placement.windows)
        .zip(raw)
        .map(|((operand, window), &raw)| operand_value(operand, window.len() as u32, raw, pc))
        .collect();
    Instruction { opcode: placement.opcode, slot: placement.slot, operands }
}
