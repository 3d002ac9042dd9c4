//! Bytes to bundles.

use arrayvec::ArrayVec;

use crate::isa::{Isa, Placement};
use crate::{FormatId, OpcodeId, SlotId};

/// Most slots in one bundle (F3 and F11 have five).
pub const MAX_SLOTS: usize = 5;

/// Operand values in assembly order: register numbers, numbers, or absolute addresses as bit
/// patterns.
pub type Operands = ArrayVec<i32, 8>;

/// One instruction of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The opcode.
    pub opcode: OpcodeId,
    /// The slot it sits in.
    pub slot: SlotId,
    /// Its operands.
    pub operands: Operands,
}

/// One bundle: everything that issues in one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The format.
    pub format: FormatId,
    /// Length in bytes.
    pub length: u8,
    /// The instructions, in slot issue order.
    pub instructions: ArrayVec<Instruction, MAX_SLOTS>,
}

/// Why bytes are not a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No format has this selector (byte 0 nibble F with byte 3 nibble 7 or F).
    #[error("illegal format: selector bits of word {word0:#010x} match none")]
    IllegalFormat {
        /// First little-endian word.
        word0: u32,
    },
    /// The bytes end inside the bundle.
    #[error("truncated: the bundle has {needed} bytes, {available} are left")]
    Truncated {
        /// Length of the bundle, or the smallest number of bytes that would tell it.
        needed: u8,
        /// Bytes given.
        available: u8,
    },
    /// The slot word belongs to no opcode.
    #[error("reserved opcode {word:#x} in slot {slot}")]
    ReservedOpcode {
        /// Slot name.
        slot: String,
        /// Slot word.
        word: u64,
        /// Length of the bundle in bytes.
        length: u8,
    },
    /// The opcode is known but an operand field holds a value without a meaning.
    #[error("reserved value {field:#x} for operand {operand} of {mnemonic} in slot {slot}")]
    ReservedOperand {
        /// Slot name.
        slot: String,
        /// Mnemonic.
        mnemonic: String,
        /// Operand index in assembly order.
        operand: u8,
        /// Raw field.
        field: u32,
        /// Length of the bundle in bytes.
        length: u8,
    },
    /// The format is known, the place of its slot bits is not.
    #[error("format {format} ({length} bytes): the layout of slot {slot} is not known")]
    UnknownLayout {
        /// Format name.
        format: String,
        /// Slot name.
        slot: String,
        /// Length of the bundle in bytes.
        length: u8,
    },
}

impl DecodeError {
    /// Length of the bundle in bytes, if its format is known and complete.
    pub fn length(&self) -> Option<u8> {
        match self {
            DecodeError::IllegalFormat { .. } | DecodeError::Truncated { .. } => None,
            DecodeError::ReservedOpcode { length, .. }
            | DecodeError::ReservedOperand { length, .. }
            | DecodeError::UnknownLayout { length, .. } => Some(*length),
        }
    }
}

/// Collects the bits of an operand field, most significant first.
pub(crate) fn extract(word: u64, window: &[u8]) -> u32 {
    window.iter().fold(0, |field, &bit| field << 1 | (word >> bit & 1) as u32)
}

impl Isa {
    /// The format of the bundle whose first little-endian word is `word0` (missing bytes zero).
    ///
    /// Only byte 0 bits 3:0 and byte 3 bits 5:0 matter (`isa/formats.csv`). `None` if illegal.
    pub fn frame(&self, word0: u32) -> Option<FormatId> {
        self.framing.format(word0)
    }

    /// Decodes the bundle at the start of `bytes`, as it stands at address `pc`.
    ///
    /// # Errors
    /// [`DecodeError`] says which slot, which word and why.
    pub fn decode(&self, bytes: &[u8], pc: u32) -> Result<Bundle, DecodeError> {
        let mut raw = [0u8; 16];
        let available = bytes.len().min(16);
        raw[..available].copy_from_slice(&bytes[..available]);
        let raw = u128::from_le_bytes(raw);
        let truncated = |needed: u8| DecodeError::Truncated { needed, available: available as u8 };
        if available == 0 {
            return Err(truncated(2));
        }
        let word0 = raw as u32;
        // Nibbles E and F need byte 3 to tell the format; without it the bundle is cut off anyway.
        if word0 & 0xf >= 0xe && available < 4 {
            return Err(truncated(8));
        }
        let id = self.frame(word0).ok_or(DecodeError::IllegalFormat { word0 })?;
        let format = self.format(id);
        if available < format.length as usize {
            return Err(truncated(format.length));
        }
        let mut instructions = ArrayVec::new();
        for &slot_id in &format.slots {
            let slot = self.slot(slot_id);
            let word = if format.slots.len() == 1 {
                raw as u64 & ((1 << slot.width) - 1)
            } else {
                return Err(DecodeError::UnknownLayout {
                    format: format.name.clone(),
                    slot: slot.name.clone(),
                    length: format.length,
                });
            };
            let placement = self.decisions[slot_id.0 as usize].find(word).ok_or_else(|| {
                DecodeError::ReservedOpcode { slot: slot.name.clone(), word, length: format.length }
            })?;
            let placement = self.placement(placement);
            let operands = self.decode_operands(placement, word, pc).map_err(|(operand, field)| {
                DecodeError::ReservedOperand {
                    slot: slot.name.clone(),
                    mnemonic: self.opcode(placement.opcode).mnemonic.clone(),
                    operand,
                    field,
                    length: format.length,
                }
            })?;
            instructions.push(Instruction { opcode: placement.opcode, slot: slot_id, operands });
        }
        Ok(Bundle { format: id, length: format.length, instructions })
    }

    fn decode_operands(&self, placement: &Placement, word: u64, pc: u32) -> Result<Operands, (u8, u32)> {
        let mut operands = Operands::new();
        for (index, (operand, window)) in
            self.opcode(placement.opcode).operands.iter().zip(&placement.windows).enumerate()
        {
            let field = extract(word, window);
            let value = operand.codec.decode(field, window.len() as u32, pc);
            operands.push(value.ok_or((index as u8, field))?);
        }
        Ok(operands)
    }
}
