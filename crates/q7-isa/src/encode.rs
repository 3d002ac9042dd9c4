//! Bundles to bytes: the exact inverse of decoding.

use arrayvec::ArrayVec;

use crate::decode::{Bundle, Instruction};
use crate::isa::Isa;

/// Why an instruction has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The opcode cannot sit in the slot.
    #[error("{mnemonic} has no placement in slot {slot}")]
    NoPlacement {
        /// Mnemonic.
        mnemonic: String,
        /// Slot name.
        slot: String,
    },
    /// Too few or too many operands.
    #[error("{mnemonic} takes {expected} operands, {given} given")]
    OperandCount {
        /// Mnemonic.
        mnemonic: String,
        /// Operands it takes.
        expected: usize,
        /// Operands given.
        given: usize,
    },
    /// An operand value that the field cannot hold.
    #[error("{mnemonic}: operand {} ({role}): {value} is not {allowed}", operand + 1)]
    OutOfRange {
        /// Mnemonic.
        mnemonic: String,
        /// Operand index in assembly order, from 0.
        operand: usize,
        /// Role of the operand.
        role: String,
        /// The value given (labels in hexadecimal).
        value: String,
        /// What the field can hold.
        allowed: String,
    },
    /// The instructions of a bundle do not fill the slots of its format in order.
    #[error("format {format} wants one instruction for each of its slots, in issue order")]
    SlotMismatch {
        /// Format name.
        format: String,
    },
    /// The format is known, the place of its slot bits is not.
    #[error("format {format}: the layout of its slots is not known")]
    UnknownLayout {
        /// Format name.
        format: String,
    },
}

impl Isa {
    /// The slot word of an instruction at `pc`.
    ///
    /// # Errors
    /// [`EncodeError`] if the slot, the number of operands or a value does not fit.
    pub fn encode_slot(&self, instruction: &Instruction, pc: u32) -> Result<u64, EncodeError> {
        let opcode = self.opcode(instruction.opcode);
        let id = self.placement_in(instruction.opcode, instruction.slot).ok_or_else(|| {
            EncodeError::NoPlacement {
                mnemonic: opcode.mnemonic.clone(),
                slot: self.slot(instruction.slot).name.clone(),
            }
        })?;
        let placement = self.placement(id);
        if instruction.operands.len() != opcode.operands.len() {
            return Err(EncodeError::OperandCount {
                mnemonic: opcode.mnemonic.clone(),
                expected: opcode.operands.len(),
                given: instruction.operands.len(),
            });
        }
        let mut word = placement.template;
        for (index, operand) in opcode.operands.iter().enumerate() {
            let plan = &self.operand_plans(id)[index];
            let width = u32::from(plan.field.width);
            let value = instruction.operands[index];
            let field = operand.codec.encode(value, width, pc).ok_or_else(|| {
                let label = operand.codec.is_target();
                EncodeError::OutOfRange {
                    mnemonic: opcode.mnemonic.clone(),
                    operand: index,
                    role: operand.role.clone(),
                    value: if label { format!("{value:#x}") } else { value.to_string() },
                    allowed: operand.codec.range(width, pc),
                }
            })?;
            word |= plan.field.insert(field);
        }
        Ok(word)
    }

    /// The bytes of a bundle at `pc`, in memory order.
    ///
    /// # Errors
    /// [`EncodeError`] if an instruction does not fit, or the format's layout is unknown.
    pub fn encode(&self, bundle: &Bundle, pc: u32) -> Result<ArrayVec<u8, 16>, EncodeError> {
        let format = self.format(bundle.format);
        let filled = bundle.instructions.iter().map(|instruction| instruction.slot);
        if !filled.eq(format.slots.iter().copied()) {
            return Err(EncodeError::SlotMismatch { format: format.name.clone() });
        }
        let mut raw = u128::from(format.match_value);
        if format.slots.len() == 1 {
            raw = 0;
        }
        for instruction in &bundle.instructions {
            let word = self.encode_slot(instruction, pc)?;
            raw |= self.slot_plans[instruction.slot.0 as usize]
                .gather
                .scatter(word)
                .ok_or_else(|| EncodeError::UnknownLayout { format: format.name.clone() })?;
        }
        Ok(raw.to_le_bytes()[..format.length as usize].iter().copied().collect())
    }

    /// Wraps an instruction of a one-slot format into a bundle.
    pub fn single(&self, instruction: Instruction) -> Bundle {
        let format = self.slot(instruction.slot).format;
        let mut instructions = ArrayVec::new();
        instructions.push(instruction);
        Bundle { format, length: self.format(format).length, instructions }
    }
}
