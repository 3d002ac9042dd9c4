//! Checks of a spec beyond what loading needs.

use super::IsaSpec;

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
