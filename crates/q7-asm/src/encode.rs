//! Pending bundles to bundles and bytes.

use arrayvec::ArrayVec;
use q7_isa::{Bundle, EncodeError, Instruction, Isa, Operands, Placement};

use crate::diagnostics::Fault;
use crate::expression::{Expression, Reason};
use crate::object::PendingBundle;

/// A number as an operand: signed and unsigned 32-bit numbers are the same bits.
pub(crate) fn operand_value(number: i64) -> Option<i32> {
    (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&number).then_some(number as i32)
}

/// Why a number is no operand.
fn out_of_range(isa: &Isa, placement: &Placement, operand: usize, number: i64, pc: u32) -> EncodeError {
    let opcode = isa.opcode(placement.opcode);
    let row = &opcode.operands[operand];
    let width = placement.windows[operand].len() as u32;
    EncodeError::OutOfRange {
        mnemonic: opcode.mnemonic.clone(),
        operand,
        role: row.role.clone(),
        value: if row.codec.is_target() { format!("{number:#x}") } else { number.to_string() },
        allowed: row.codec.range(width, pc),
    }
}

/// True if operand `index` of an instruction can hold `number`. Targets count only if `pc` is known.
pub(crate) fn operand_fits(
    isa: &Isa,
    placement: &Placement,
    index: usize,
    number: i64,
    pc: Option<u32>,
) -> bool {
    let operand = &isa.opcode(placement.opcode).operands[index];
    if operand.codec.is_target() && pc.is_none() {
        return true;
    }
    let width = placement.windows[index].len() as u32;
    operand_value(number).is_some_and(|value| operand.codec.encode(value, width, pc.unwrap_or(0)).is_some())
}

/// Checks the operands of an instruction that are known already, so that errors do not wait for the
/// linker. Targets count only if `pc` is known.
///
/// # Errors
/// The first operand that does not fit.
pub(crate) fn check(
    isa: &Isa,
    placement: &Placement,
    operands: &[Expression],
    pc: Option<u32>,
    constant: &dyn Fn(&Expression) -> Option<i64>,
) -> Result<(), EncodeError> {
    for (index, operand) in operands.iter().enumerate() {
        if let Some(number) = constant(operand)
            && !operand_fits(isa, placement, index, number, pc)
        {
            return Err(out_of_range(isa, placement, index, number, pc.unwrap_or(0)));
        }
    }
    Ok(())
}

/// Puts values in place of expressions. Two slots that write one register are an error, as they are to the core.
pub(crate) fn resolve(
    isa: &Isa,
    pending: &PendingBundle,
    pc: u32,
    value: &mut dyn FnMut(&Expression) -> Result<i64, Reason>,
) -> Result<Bundle, Fault> {
    let mut instructions = ArrayVec::new();
    for instruction in &pending.instructions {
        let placement = isa.placement_in(instruction.opcode, instruction.slot);
        let mut operands = Operands::new();
        for (index, expression) in instruction.operands.iter().enumerate() {
            let number = value(expression).map_err(|reason| Fault::new(instruction.span, reason))?;
            operands.push(match (operand_value(number), placement) {
                (Some(value), _) => value,
                (None, Some(placement)) => {
                    let error = out_of_range(isa, isa.placement(placement), index, number, pc);
                    return Err(Fault::new(instruction.span, error.to_string()));
                }
                (None, None) => {
                    return Err(Fault::new(instruction.span, format!("{number} has more than 32 bits")));
                }
            });
        }
        instructions.push(Instruction { opcode: instruction.opcode, slot: instruction.slot, operands });
    }
    let bundle = Bundle { format: pending.format, length: pending.length, instructions };
    match isa.register_conflict(&bundle) {
        Some(conflict) => Err(Fault::new(pending.instructions[0].span, conflict.to_string())),
        None => Ok(bundle),
    }
}

/// The bytes of a pending bundle at `pc`.
pub(crate) fn encode(
    isa: &Isa,
    pending: &PendingBundle,
    pc: u32,
    value: &mut dyn FnMut(&Expression) -> Result<i64, Reason>,
) -> Result<ArrayVec<u8, 16>, Fault> {
    let bundle = resolve(isa, pending, pc, value)?;
    isa.encode(&bundle, pc).map_err(|error| {
        // The slot at fault is not part of the error; the first instruction that fails alone is it.
        let culprit = bundle
            .instructions
            .iter()
            .position(|instruction| isa.encode_slot(instruction, pc).is_err())
            .unwrap_or(0);
        Fault::new(pending.instructions[culprit].span, error.to_string())
    })
}
