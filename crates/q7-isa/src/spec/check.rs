//! Checks of a spec beyond what loading needs.

use std::collections::{HashMap, HashSet};

use super::{IsaSpec, SpecError};

/// The share of a slot's code space that its placements take: the sum over them of 2^-fixed bits.
///
/// Above 1 the placements cannot all be distinguished.
pub fn kraft_sum(spec: &IsaSpec, slot: &str) -> f64 {
    let width = spec.slots.iter().find(|row| row.name == slot).map_or(0, |row| row.width);
    spec.placements
        .iter()
        .filter(|row| row.slot == slot)
        .map(|row| {
            let free: usize = row.windows.iter().map(Vec::len).sum();
            (-(f64::from(width) - free as f64)).exp2()
        })
        .sum()
}

/// [`kraft_sum`] of every slot, in slot order.
pub fn kraft_sums(spec: &IsaSpec) -> Vec<(String, f64)> {
    spec.slots.iter().map(|row| (row.name.clone(), kraft_sum(spec, &row.name))).collect()
}

/// Checks what loading does not need: every member of a slot has an encoding there, no register
/// field can name a register that its file lacks, and the FLIX slots have a complete gather.
///
/// # Errors
/// [`SpecError`] names the first row at fault.
pub fn check(spec: &IsaSpec) -> Result<(), SpecError> {
    let placed: HashSet<(&str, &str)> =
        spec.placements.iter().map(|row| (row.mnemonic.as_str(), row.slot.as_str())).collect();
    for row in &spec.membership {
        for slot in &row.slots {
            if !placed.contains(&(row.mnemonic.as_str(), slot.as_str())) {
                let reason = format!("no encoding in {slot}: run `cargo xtask isa`");
                return Err(SpecError::new(format!("membership of {}", row.mnemonic), reason));
            }
        }
    }
    let operands: HashMap<&str, _> =
        spec.opcodes.iter().map(|row| (row.mnemonic.as_str(), &row.operands)).collect();
    for row in &spec.placements {
        let Some(operands) = operands.get(row.mnemonic.as_str()) else { continue };
        for (operand, window) in operands.iter().zip(&row.windows) {
            let registers = u32::from(operand.file.count());
            if registers > 0 && 1 << window.len() > registers {
                let reason = format!("operand {} has room for more than {registers} registers", operand.role);
                return Err(SpecError::new(format!("placement {} in {}", row.mnemonic, row.slot), reason));
            }
        }
    }
    for format in spec.formats.iter().filter(|format| format.slots.len() > 1) {
        for row in spec.slots.iter().filter(|row| format.slots.contains(&row.name)) {
            if row.gather.len() != usize::from(row.width) {
                return Err(SpecError::new(format!("slot {}", row.name), "incomplete gather"));
            }
        }
    }
    Ok(())
}
