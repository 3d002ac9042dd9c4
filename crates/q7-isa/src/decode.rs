//! Bytes to bundles.

use arrayvec::ArrayVec;

use crate::isa::{Isa, Operand};
use crate::{FormatId, OpcodeId, PlacementId, SlotId};

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
    /// The opcode is known but an operand field holds a value without a meaning: a register that the
    /// file does not have, or an index beyond the end of a table.
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
    /// A bundle bit that no slot owns is set.
    #[error("format {format}: bundle bits {bits:#x} belong to no slot and must be zero")]
    ReservedBits {
        /// Format name.
        format: String,
        /// The bits that are set.
        bits: u128,
        /// Length of the bundle in bytes.
        length: u8,
    },
    /// Two instructions of the bundle write one register (only [`Isa::decode_strict`] says so).
    #[error("{} ({}) and {} ({}) both write {register}", writers[0].0, writers[0].1, writers[1].0, writers[1].1)]
    RegisterConflict {
        /// Slot name and mnemonic of the two instructions, in issue order.
        writers: Box<[(String, String); 2]>,
        /// The register, as the tools print it.
        register: String,
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
            | DecodeError::ReservedBits { length, .. }
            | DecodeError::RegisterConflict { length, .. }
            | DecodeError::UnknownLayout { length, .. } => Some(*length),
        }
    }
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
        let available = bytes.len().min(16);
        let raw = match bytes.first_chunk::<16>() {
            Some(chunk) => u128::from_le_bytes(*chunk),
            None => {
                let mut raw = [0u8; 16];
                raw[..available].copy_from_slice(bytes);
                u128::from_le_bytes(raw)
            }
        };
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
        if raw & self.reserved[id.0 as usize] != 0 && format.slots.len() > 1 {
            return Err(self.reserved_bits(id, raw));
        }
        let mut bundle = Bundle { format: id, length: format.length, instructions: ArrayVec::new() };
        for &slot in &format.slots {
            let plan = &self.slot_plans[slot.0 as usize];
            let Some(word) = plan.gather.gather(raw) else {
                return Err(self.unknown_layout(slot));
            };
            let Some(pattern) = plan.decision.find(word) else {
                return Err(self.reserved_opcode(slot, word));
            };
            let opcode = pattern.plan.opcode;
            bundle.instructions.push(Instruction { opcode, slot, operands: Operands::new() });
            let Some(instruction) = bundle.instructions.last_mut() else { continue };
            for (index, plan) in self.operands_of(pattern.plan).iter().enumerate() {
                let field = plan.field.extract(word);
                let value = if plan.plain {
                    Some(field as i32)
                } else {
                    self.codecs[plan.codec as usize].decode(field, u32::from(plan.field.width), pc)
                };
                match value {
                    Some(value) if (value as u32) < plan.limit || plan.limit == u32::MAX => {
                        instruction.operands.push(value);
                    }
                    _ => return Err(self.reserved_operand(pattern.placement, index as u8, field)),
                }
            }
        }
        Ok(bundle)
    }

    /// Decodes like [`Isa::decode`], and rejects bundles in which two slots write one register.
    ///
    /// # Errors
    /// [`DecodeError`] says which slot, which word and why.
    pub fn decode_strict(&self, bytes: &[u8], pc: u32) -> Result<Bundle, DecodeError> {
        let bundle = self.decode(bytes, pc)?;
        match self.register_conflict(&bundle) {
            Some(error) => Err(error),
            None => Ok(bundle),
        }
    }

    /// The register that two slots of a bundle write, as the error that [`Isa::decode_strict`]
    /// would yield. Sticky flags are no operands and never conflict.
    pub fn register_conflict(&self, bundle: &Bundle) -> Option<DecodeError> {
        for (index, later) in bundle.instructions.iter().enumerate().skip(1) {
            for (operand, &value) in self.written(later) {
                for earlier in &bundle.instructions[..index] {
                    let clash = self.written(earlier).any(|(other, &number)| {
                        other.file == operand.file && other.file.count() > 0 && number == value
                    });
                    if clash {
                        let writer = |instruction: &Instruction| {
                            let slot = self.slot(instruction.slot).name.clone();
                            (slot, self.opcode(instruction.opcode).mnemonic.clone())
                        };
                        return Some(DecodeError::RegisterConflict {
                            writers: Box::new([writer(earlier), writer(later)]),
                            register: format!("{}{value}", operand.file.prefix().unwrap_or_default()),
                            length: bundle.length,
                        });
                    }
                }
            }
        }
        None
    }

    fn written<'a>(&'a self, instruction: &'a Instruction) -> impl Iterator<Item = (&'a Operand, &'a i32)> {
        self.opcode(instruction.opcode)
            .operands
            .iter()
            .zip(&instruction.operands)
            .filter(|(operand, _)| operand.direction.writes())
    }

    fn slot_length(&self, slot: SlotId) -> u8 {
        self.format(self.slot(slot).format).length
    }

    #[cold]
    fn reserved_bits(&self, id: FormatId, raw: u128) -> DecodeError {
        let format = self.format(id);
        DecodeError::ReservedBits {
            format: format.name.clone(),
            bits: raw & self.reserved[id.0 as usize],
            length: format.length,
        }
    }

    #[cold]
    fn unknown_layout(&self, slot: SlotId) -> DecodeError {
        DecodeError::UnknownLayout {
            format: self.format(self.slot(slot).format).name.clone(),
            slot: self.slot(slot).name.clone(),
            length: self.slot_length(slot),
        }
    }

    #[cold]
    fn reserved_opcode(&self, slot: SlotId, word: u64) -> DecodeError {
        DecodeError::ReservedOpcode {
            slot: self.slot(slot).name.clone(),
            word,
            length: self.slot_length(slot),
        }
    }

    #[cold]
    fn reserved_operand(&self, id: PlacementId, operand: u8, field: u32) -> DecodeError {
        let placement = self.placement(id);
        DecodeError::ReservedOperand {
            slot: self.slot(placement.slot).name.clone(),
            mnemonic: self.opcode(placement.opcode).mnemonic.clone(),
            operand,
            field,
            length: self.slot_length(placement.slot),
        }
    }
}
