//! From an opcode to its handler.
//!
//! The sequencer jumps through a table of 178 entries; the POOL cores search their kernel table for a key.
//!
//! Source: `tpb-alu-and-kernels/spec-dispatch-hub.md`, `extra-seq-dispatch.csv`, `spec-decode-pool.md`,
//! `spec-main-loop.md`.

use std::ops::RangeInclusive;

/// Opcode of the sequencer's first table entry.
const FIRST: u8 = 0x41;

/// Opcodes that the sequencer handles (CAYMAN): 55 of the 178 entries of its table.
const HANDLED: [RangeInclusive<u8>; 20] = [
    0x41..=0x41,
    0x43..=0x47,
    0x49..=0x49,
    0x4D..=0x4D,
    0x51..=0x54,
    0x58..=0x58,
    0x67..=0x68,
    0x74..=0x74,
    0x77..=0x7E,
    0x92..=0x92,
    0x95..=0x96,
    0x9F..=0xAB,
    0xB0..=0xB3,
    0xB5..=0xB5,
    0xB8..=0xB8,
    0xBB..=0xBB,
    0xBD..=0xBF,
    0xE4..=0xE4,
    0xE7..=0xE7,
    0xF0..=0xF2,
];

/// Where the sequencer sends an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// To the handler at this index of its table.
    Handler(u32),
    /// To the default entry: the opcode is in the table's range without a handler.
    Default(u32),
    /// Past the table; the index as the sequencer computes it, wrapped at 32 bits.
    Rejected(u32),
}

impl Dispatch {
    /// Entries of the table.
    pub const ENTRIES: u32 = 178;

    /// Looks an opcode up as the CAYMAN sequencer does.
    pub fn of(opcode: u8) -> Dispatch {
        let index = u32::from(opcode).wrapping_sub(u32::from(FIRST));
        match index {
            Dispatch::ENTRIES.. => Dispatch::Rejected(index),
            _ if HANDLED.iter().any(|range| range.contains(&opcode)) => Dispatch::Handler(index),
            _ => Dispatch::Default(index),
        }
    }

    /// The table index, whether or not the table has it.
    pub const fn index(self) -> u32 {
        match self {
            Dispatch::Handler(index) | Dispatch::Default(index) | Dispatch::Rejected(index) => index,
        }
    }
}

/// First word of a kernel table record: what the POOL cores compare with an instruction.
/// `spec` tells the extended instructions of opcode 0xF0 apart and is 0 elsewhere.
pub const fn kernel_key(opcode: u8, spec: u8) -> u32 {
    (opcode as u32) << 24 | (spec as u32) << 16
}

/// External register that the HALT handler (0xA1) reads for interrupt `index`; above 38 it takes interrupt 0.
/// Bit 2 of the register chooses pause over halt.
pub const fn interrupt_register(index: u32) -> u32 {
    0x0012_2000 + 4 * if index > 38 { 0 } else { index }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_55_handlers() {
        let count = |kind: fn(&Dispatch) -> bool| (0..=u8::MAX).map(Dispatch::of).filter(kind).count();
        assert_eq!(count(|d| matches!(d, Dispatch::Handler(_))), 55);
        assert_eq!(count(|d| matches!(d, Dispatch::Default(_))), 123);
        assert_eq!(Dispatch::of(0x41), Dispatch::Handler(0));
        assert_eq!(Dispatch::of(0xF2), Dispatch::Handler(177));
        assert_eq!(Dispatch::of(0xF3), Dispatch::Rejected(178));
        assert_eq!(Dispatch::of(0x42), Dispatch::Default(1));
        assert_eq!(Dispatch::of(0x00), Dispatch::Rejected(0xFFFF_FFBF));
    }

    #[test]
    fn keys_are_first_words_of_records() {
        // Published records: 00 00 00 7e .. and 00 00 02 f0 ..
        assert_eq!(kernel_key(0x7E, 0).to_le_bytes(), [0, 0, 0, 0x7E]);
        assert_eq!(kernel_key(0xF0, 2).to_le_bytes(), [0, 0, 2, 0xF0]);
    }

    #[test]
    fn interrupts_above_38_count_as_0() {
        assert_eq!(
            [0, 1, 38, 39, u32::MAX].map(interrupt_register),
            [0x12_2000, 0x12_2004, 0x12_2098, 0x12_2000, 0x12_2000]
        );
    }
}
