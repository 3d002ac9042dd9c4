//! Replication of a lane, and lanes taken out of a vector.
//!
//! Sources: `load-store-move-gather/spec-b16.md`, `semantics-from-kernels/semantics.md` section 6. A lane number
//! is taken modulo the number of lanes.

use crate::{Lane, Pr64, Vec512};

#[inline(always)]
fn chosen<L: Lane>(v: Vec512, lane: u32) -> L {
    v.lane(lane as usize % L::LANES)
}

/// REP2NX8, REPNX16, REPN_2X32: lane `lane` in every lane.
#[inline(always)]
pub fn rep<L: Lane>(v: Vec512, lane: u32) -> Vec512 {
    Vec512::splat(chosen::<L>(v, lane))
}

/// EXTRNX16 (sign-extended: `i16`), EXTR2NX8 (zero-extended: `u8`), EXTRN_2X32: one lane in an AR.
#[inline(always)]
pub fn extr<L: Lane>(v: Vec512, lane: u32) -> u32 {
    chosen::<L>(v, lane).extended() as u32
}

/// EXTRVRN_2X32: the 32 bits at byte offset `index`. An index above 0x40 gives 0; bytes beyond the vector read
/// as 0 (assumption D10).
#[inline(always)]
pub fn extrvr(v: Vec512, index: u32) -> u32 {
    let byte = |k: u32| v.bytes().get(index.saturating_add(k) as usize).copied().unwrap_or(0);
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

/// EXTRPR2NX8, EXTRPRNX16, EXTRPRN_2X32 (unsigned lanes) and EXTRPR64N_4X64 (`u64`): one lane, zero-extended.
#[inline(always)]
pub fn extrpr<L: Lane>(v: Vec512, lane: u32) -> Pr64 {
    Pr64::from_bits(chosen::<L>(v, lane).extended())
}

/// EXTRPRVRN_2X32: the 32-bit lane that an AR names, zero-extended (assumption D11).
#[inline(always)]
pub fn extrprvr(v: Vec512, lane: u32) -> Pr64 {
    extrpr::<u32>(v, lane)
}

/// DEXTRPRN_2X32: 32-bit lane `high_lane` of `high` in the high word, lane `low_lane` of `low` in the low word.
#[inline(always)]
pub fn dextrpr(high: Vec512, low: Vec512, high_lane: u32, low_lane: u32) -> Pr64 {
    Pr64::from_words(chosen(high, high_lane), chosen(low, low_lane))
}
