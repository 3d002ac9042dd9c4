//! Brings the texts of several disassemblers into one form.

/// The text in the form that all disassemblers are compared in: one space behind the mnemonic, `, `
/// between operands, every number in decimal and modulo 2^32, labels without their symbols, a group of booleans named
/// by its first register.
pub fn normalise(text: &str) -> String {
    let text = text.trim();
    let (mnemonic, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let mut out = mnemonic.to_owned();
    for (index, operand) in
        operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).enumerate()
    {
        out += if index == 0 { " " } else { ", " };
        out += &normalise_operand(operand);
    }
    out
}

fn normalise_operand(operand: &str) -> String {
    // objdump prints addresses with a symbol in hexadecimal, without a prefix, and behind the address
    // of a literal its value.
    let base = if operand.contains(" <") { 16 } else { 10 };
    let operand = operand.split_once(' ').map_or(operand, |(number, _remarks)| number);
    let (sign, magnitude) = match operand.strip_prefix('-') {
        Some(magnitude) => (-1, magnitude),
        None => (1, operand),
    };
    let number = match magnitude.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => i64::from_str_radix(magnitude, base),
    };
    match number {
        Ok(number) => ((sign * number) as u32).to_string(),
        Err(_) if operand.starts_with('b') => operand.split([':', '.']).next().unwrap_or_default().to_owned(),
        Err(_) => operand.to_owned(),
    }
}

/// A printed instruction: its address and its normalised text.
pub type Line = (u32, String);

/// The instructions in the output of the QEMU monitor's `x /Ni`; the echo of the commands is skipped.
pub fn parse_qemu(output: &str) -> Vec<Line> {
    let lines = output.lines().filter_map(|line| {
        let (address, text) = line.strip_prefix("0x")?.split_once(": ")?;
        Some((u32::from_str_radix(address, 16).ok()?, normalise(text)))
    });
    lines.collect()
}

/// The instructions in the output of `objdump -d`.
pub fn parse_objdump(output: &str) -> Vec<Line> {
    let lines = output.lines().filter_map(|line| {
        let mut columns = line.splitn(3, '\t');
        let address = columns.next()?.trim().strip_suffix(':')?;
        let (_bytes, text) = (columns.next()?, columns.next()?);
        Some((u32::from_str_radix(address, 16).ok()?, normalise(text)))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_number_is_one() {
        for (text, expected) in [
            ("addmi\ta1, a3, 7680", "addmi a1, a3, 7680"),
            ("addmi a1, a3, 0x1e00", "addmi a1, a3, 7680"),
            ("movi a2, -0x100", "movi a2, 4294967040"),
            ("movi a2, 0xffffff00", "movi a2, 4294967040"),
            ("j\t100074 <main+0x4>", "j 1048692"),
            ("l32r a6, 100024 <_start-0x34> (101414 <in_used>)", "l32r a6, 1048612"),
            ("l32r a5, 0x102df0 (0x2ee29d59)", "l32r a5, 1060336"),
            ("all4 b7, b0:b1:b2:b3", "all4 b7, b0"),
            ("any8 b7, b8..b15", "any8 b7, b8"),
            ("ret.n", "ret.n"),
        ] {
            assert_eq!(normalise(text), expected);
        }
    }

    #[test]
    fn peers_are_parsed() {
        assert_eq!(parse_qemu("(qemu) x /1i 0x10\n0x00000010:  nop.n\n"), [(16, "nop.n".to_owned())]);
        let listing = "\n00000000 <.data>:\n       3:\ta0b160        \tabs\ta11, a10\n\t...\n";
        assert_eq!(parse_objdump(listing), [(3, "abs a11, a10".to_owned())]);
    }
}
