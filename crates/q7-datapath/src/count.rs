//! Population count and histogram steps.
//!
//! Sources: `predicate-shift-select-divide/spec-b11.md` and `spec-b24.md`, DECISIONS (Arithmetic).

use crate::{Pred64, Vec512};

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
    let counts = histogram(vs, vr, vbs, vbr);
    let first = first_bin(ar);
    (Vec512::from_fn(|lane| counts[first + lane]), next_block(ar))
}

/// COUNTLE4NX8 and its M forms: as [`counteq`], but each lane counts the bytes less than or equal to its bin
/// (unsigned).
#[inline(always)]
pub fn countle(vs: Vec512, vr: Vec512, vbs: Pred64, vbr: Pred64, ar: u32) -> (Vec512, u32) {
    let counts = histogram(vs, vr, vbs, vbr);
    let first = first_bin(ar);
    let mut total: u16 = counts[..first].iter().sum();
    let sums = Vec512::from_fn(|lane| {
        total += counts[first + lane];
        total
    });
    (sums, next_block(ar))
}

#[inline(always)]
fn first_bin(ar: u32) -> usize {
    32 * (ar as usize & 7)
}

#[inline(always)]
fn next_block(ar: u32) -> u32 {
    ar.wrapping_add(1) & 7
}

#[inline(always)]
fn histogram(vs: Vec512, vr: Vec512, vbs: Pred64, vbr: Pred64) -> [u16; 256] {
    let mut counts = [0; 256];
    for (v, gate) in [(vs, vbs), (vr, vbr)] {
        for (lane, &byte) in v.bytes().iter().enumerate() {
            counts[usize::from(byte)] += u16::from(gate.lane::<u8>(lane));
        }
    }
    counts
}
