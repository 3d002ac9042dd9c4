//! The committed list `data/mnemonics.csv`: for every base mnemonic, what it is compared with, or why not.

use std::sync::LazyLock;

/// Who checks what an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Run {
    /// QEMU and the exact model, in random sequences.
    Qemu,
    /// The exact model only.
    Model,
    /// The exact model, in random trees of windowed calls.
    Windows,
    /// Nobody here.
    No,
}

/// Whether a disassembler prints an instruction as we do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// It prints the same.
    Same,
    /// The same, under another mnemonic.
    As(String),
    /// It does not.
    No,
}

/// One mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Mnemonic.
    pub mnemonic: String,
    /// Who checks what it does.
    pub run: Run,
    /// Text of the QEMU monitor.
    pub qemu: Text,
    /// Text of GNU objdump.
    pub objdump: Text,
    /// Why some comparison is not made.
    pub reason: String,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| parse(include_str!("../data/mnemonics.csv")));

/// All rows.
pub fn rows() -> &'static [Row] {
    &ROWS
}

fn parse(text: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|record| {
        let record = record.unwrap_or_else(|error| panic!("mnemonics.csv: {error}"));
        let run = match &record[1] {
            "qemu" => Run::Qemu,
            "model" => Run::Model,
            "windows" => Run::Windows,
            "-" => Run::No,
            other => panic!("mnemonics.csv: {}: run {other}", &record[0]),
        };
        let text = |column: usize| match &record[column] {
            "same" => Text::Same,
            "-" => Text::No,
            other => Text::As(other.into()),
        };
        Row { mnemonic: record[0].into(), run, qemu: text(2), objdump: text(3), reason: record[4].into() }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use q7_isa::Isa;

    use super::*;

    #[test]
    fn every_base_mnemonic_is_listed_once() {
        let isa = Isa::embedded();
        let base: BTreeSet<&str> = isa
            .opcodes()
            .iter()
            .filter(|opcode| isa.find(&opcode.mnemonic).and_then(|id| isa.single_placement(id)).is_some())
            .map(|opcode| opcode.mnemonic.as_str())
            .collect();
        let listed: Vec<&str> = rows().iter().map(|row| row.mnemonic.as_str()).collect();
        assert_eq!(listed, base.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_not_compared_has_a_reason() {
        for row in rows() {
            let complete = row.run == Run::Qemu && row.qemu == Text::Same && row.objdump == Text::Same;
            assert_eq!(complete, row.reason.is_empty(), "{}", row.mnemonic);
        }
    }
}
