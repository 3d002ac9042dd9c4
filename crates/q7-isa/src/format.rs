//! Framing: which format a bundle has, and how long it is.

use crate::spec::Certainty;
use crate::{FormatId, SlotId};

/// A loaded format.
#[derive(Clone, Debug, PartialEq)]
pub struct Format {
    /// Name, such as `x24` or `N0`.
    pub name: String,
    /// Length in bytes: 2, 3, 8 or 16.
    pub length: u8,
    /// Selector bits of the first little-endian 32-bit word.
    pub mask: u32,
    /// Their value.
    pub match_value: u32,
    /// Slots in issue order.
    pub slots: Vec<SlotId>,
    /// How well the row is known.
    pub certainty: Certainty,
}

/// Format by (byte 3 bits 4:0, byte 0 bits 3:0), which together hold every selector bit.
#[derive(Clone, Debug)]
pub(crate) struct Framing {
    table: Box<[u8; 64 * 16]>,
}

const ILLEGAL: u8 = u8::MAX;

fn index(word0: u32) -> usize {
    ((word0 >> 24 & 0x3f) << 4 | word0 & 0xf) as usize
}

impl Framing {
    /// Compiles the ladder of masks; the first format that matches wins.
    pub(crate) fn new(formats: &[Format]) -> Framing {
        let mut table = Box::new([ILLEGAL; 64 * 16]);
        for high in 0..64u32 {
            for low in 0..16u32 {
                let word0 = high << 24 | low;
                if let Some(format) =
                    formats.iter().position(|format| word0 & format.mask == format.match_value)
                {
                    table[index(word0)] = format as u8;
                }
            }
        }
        Framing { table }
    }

    /// The selector bits that the table looks at.
    pub(crate) const SELECTOR: u32 = 0x3f00_000f;

    pub(crate) fn format(&self, word0: u32) -> Option<FormatId> {
        match self.table[index(word0)] {
            ILLEGAL => None,
            format => Some(FormatId(format)),
        }
    }
}
