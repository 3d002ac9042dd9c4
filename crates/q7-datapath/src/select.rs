//! Selection and permutation of lanes.
//!
//! Sources: `predicate-shift-select-divide/spec-b21.md`, `semantics-from-kernels/semantics.md` section 3,
//! DECISIONS (Encoding and operands).

use crate::predicate::merge;
use crate::{Lane, Pred64, Vec512};

/// Lane `i` of the pool that `low` and then `high` make is at byte `i * BYTES`.
#[inline(always)]
fn pool(high: Vec512, low: Vec512) -> [u8; 128] {
    let mut pool = [0; 128];
    pool[..64].copy_from_slice(low.bytes());
    pool[64..].copy_from_slice(high.bytes());
    pool
}

#[inline(always)]
fn pick<L: Lane>(pool: &[u8], index: L) -> L {
    let lanes = pool.len() / L::BYTES;
    let start = index.unsigned().extended() as usize % lanes * L::BYTES;
    L::load(&pool[start..start + L::BYTES])
}

/// SHFL2NX8, SHFLNX16, SHFLN_2X32: lane `k` is lane `control[k]` of `v`, modulo the number of lanes.
#[inline(always)]
pub fn shfl<L: Lane>(v: Vec512, control: Vec512) -> Vec512 {
    control.map(|index: L| pick(v.bytes(), index))
}

/// SEL2NX8, SELNX16, SELN_2X32: lane `k` is lane `control[k]` of the pool whose low half is `low` and whose high
/// half is `high`, modulo the number of lanes in the pool.
#[inline(always)]
pub fn sel<L: Lane>(high: Vec512, low: Vec512, control: Vec512) -> Vec512 {
    let pool = pool(high, low);
    control.map(|index: L| pick(&pool, index))
}

/// DSELNX16, DSELN_2X32: two selections from one pool, in the order of the assembly (`vu`, `vt`): by byte 1 and by
/// byte 0 of each control lane.
#[inline(always)]
pub fn dsel<L: Lane>(high: Vec512, low: Vec512, control: Vec512) -> (Vec512, Vec512) {
    let pool = pool(high, low);
    let by_byte =
        |byte: u32| control.map(|lane: L| pick(&pool, lane.shift_right(8 * byte) & L::truncated(0xff)));
    (by_byte(1), by_byte(0))
}

/// DSELNX16T, DSELN_2X32T: [`dsel`] under a predicate whose groups are split: the lower half of a group (its lowest
/// bit) gates `vt`, the upper half gates `vu`. Published for 16-bit lanes; for 32-bit lanes assumption D12.
#[inline(always)]
pub fn dselt<L: Lane>(
    high: Vec512,
    low: Vec512,
    control: Vec512,
    pred: Pred64,
    old: (Vec512, Vec512),
) -> (Vec512, Vec512) {
    let (vu, vt) = dsel::<L>(high, low, control);
    let upper = Pred64::from_bits(pred.bits() >> (L::BYTES / 2));
    (merge::<L>(upper, vu, old.0), merge::<L>(pred, vt, old.1))
}

/// The control lanes of a numbered pattern of SEL2NX8I (and of its slot-pinned forms), for [`sel`] of bytes.
/// `None`: nobody has published what the number means (DECISIONS, Semantics unknown).
#[inline(always)]
pub fn seli(number: u32) -> Option<Vec512> {
    match number {
        32 => Some(interleave::<2>(0)),
        33 => Some(interleave::<2>(32)),
        59 => Some(interleave::<1>(0)),
        60 => Some(interleave::<1>(32)),
        _ => None,
    }
}

/// Alternately a unit of the low and of the high operand, from byte `start` of both up.
fn interleave<const UNIT: usize>(start: usize) -> Vec512 {
    Vec512::from_fn(|byte| {
        let (unit, within) = (byte / UNIT, byte % UNIT);
        (64 * (unit % 2) + start + unit / 2 * UNIT + within) as u8
    })
}

/// The control lanes of a numbered pattern of SHFL2NX8I (and of its slot-pinned forms). No number is published.
#[inline(always)]
pub fn shfli(_number: u32) -> Option<Vec512> {
    None
}

/// The control lanes (`vu`, `vt`) of a numbered pattern of DSEL2NX8I or DSEL2NX8I_H. No number is published.
#[inline(always)]
pub fn dseli(_number: u32) -> Option<(Vec512, Vec512)> {
    None
}

/// The `vu` result of DSEL2NX8I_H: the lower half of the old destination is kept (assumption A35).
#[inline(always)]
pub fn upper_half(new: Vec512, old: Vec512) -> Vec512 {
    let mut result = old;
    result.bytes_mut()[32..].copy_from_slice(&new.bytes()[32..]);
    result
}

/// DCMPRS2NX8: every true byte lane takes the next byte of `v`, from byte 0 up; false ones take byte 63.
#[inline(always)]
pub fn dcmprs(v: Vec512, pred: Pred64) -> Vec512 {
    let mut next = 0;
    Vec512::from_fn(|lane| {
        if !pred.lane::<u8>(lane) {
            return v.bytes()[63];
        }
        next += 1;
        v.bytes()[(next - 1) % 64]
    })
}
