//! Population count and histogram steps.
//!
//! Sources: `predicate-shift-select-divide/spec-b11.md` and `spec-b24.md`, DECISIONS (Arithmetic).

use crate::compare::{eq, lt};
use crate::{Pred64, Vec512};

/// Bins of one block.
const BINS: usize = 32;

/// POPC2NX8: the number of ones in every byte.
#[inline(always)]
pub fn popc(v: Vec512) -> Vec512 {
    v.map(|byte: u8| byte.count_ones() as u8)
}

/// COUNTEQ4NX8 and its M forms: 16-bit lane `l` counts the bytes of `vs` and `vr` that equal `32 * block + l`,
/// `block` being the low three bits of the AR; also returns the AR for the next block (assumption A34).
///
/// `vbs` gates the bytes of `vs`, `vbr` those of `vr`; the forms without M use [`Pred64::ALL`], those with Z an AR
/// of 0.
#[inline(always)]
pub fn counteq(vs: Vec512, vr: Vec512, vbs: Pred64, vbr: Pred64, ar: u32) -> (Vec512, u32) {
    let counts = block_counts([(vs, vbs), (vr, vbr)], first_bin(ar));
    (Vec512::from_fn(|lane| counts[lane]), next_block(ar))
}

/// COUNTLE4NX8 and its M forms: as [`counteq`], but each lane counts the bytes less than or equal to its bin
/// (unsigned).
#[inline(always)]
pub fn countle(vs: Vec512, vr: Vec512, vbs: Pred64, vbr: Pred64, ar: u32) -> (Vec512, u32) {
    let (gated, first) = ([(vs, vbs), (vr, vbr)], first_bin(ar));
    let below =
        |(v, gate): (Vec512, Pred64)| (lt::<u8>(v, Vec512::splat(first)).bits() & gate.bits()).count_ones();
    let counts = block_counts(gated, first);
    let mut total = gated.into_iter().map(below).sum::<u32>() as u16;
    let sums = Vec512::from_fn(|lane| {
        total += counts[lane];
        total
    });
    (sums, next_block(ar))
}

#[inline(always)]
fn first_bin(ar: u32) -> u8 {
    BINS as u8 * (ar as u8 & 7)
}

#[inline(always)]
fn next_block(ar: u32) -> u32 {
    ar.wrapping_add(1) & 7
}

/// How many of the gated bytes are in each of the bins from `first` on. Few bytes are in one block of bins as a rule, and
/// those are looked up one by one.
#[inline(always)]
fn block_counts(gated: [(Vec512, Pred64); 2], first: u8) -> [u16; BINS] {
    let mut counts = [0; BINS];
    for (v, gate) in gated {
        let blocks = v.map(|byte: u8| byte & !(BINS as u8 - 1));
        let mut left = eq::<u8>(blocks, Vec512::splat(first)).bits() & gate.bits();
        while left != 0 {
            let byte = v.bytes()[left.trailing_zeros() as usize];
            counts[usize::from(byte) % BINS] += 1;
            left &= left - 1;
        }
    }
    counts
}
