//! Shifts, rotations and normalisation counts of lanes.
//!
//! Source: `predicate-shift-select-divide/spec-b12.md`. Amounts beyond the lane width give zero, or copies of the
//! sign where the shift is arithmetic.

use crate::{Lane, Vec512};

/// SLLI: left by an immediate; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn slli<L: Lane>(v: Vec512, amount: u32) -> Vec512 {
    v.map(|lane: L| lane.shift_left(amount))
}

/// SRLI: right with zero fill by an immediate; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn srli<L: Lane>(v: Vec512, amount: u32) -> Vec512 {
    v.map(|lane: L| lane.shift_right(amount))
}

/// SRAI: right with sign fill by an immediate; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn srai<L: Lane>(v: Vec512, amount: u32) -> Vec512 {
    v.map(|lane: L| lane.shift_right_arithmetic(amount))
}

/// ROTRI: rotated right by an immediate; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn rotri<L: Lane>(v: Vec512, amount: u32) -> Vec512 {
    v.map(|lane: L| lane.rotate_right(amount))
}

/// ROTR: rotated right by the lanes of `amounts` modulo the lane width; 16- and 32-bit lanes.
#[inline(always)]
pub fn rotr<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    v.zip(amounts, |lane: L, amount: L| lane.rotate_right(amount.unsigned().extended() as u32))
}

/// SLL: left by the lanes of `amounts`; a negative amount shifts right with zero fill; 16- and 32-bit lanes.
#[inline(always)]
pub fn sll<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    by_sign::<L>(v, amounts, L::shift_left, L::shift_right)
}

/// SRL: right with zero fill by the lanes of `amounts`; a negative amount shifts left; 16- and 32-bit lanes.
#[inline(always)]
pub fn srl<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    by_sign::<L>(v, amounts, L::shift_right, L::shift_left)
}

/// SRA: right with sign fill by the lanes of `amounts`; a negative amount shifts left; 16- and 32-bit lanes.
#[inline(always)]
pub fn sra<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    by_sign::<L>(v, amounts, L::shift_right_arithmetic, L::shift_left)
}

/// The whole amount lane counts as a signed number (assumption A8); its size saturates at the lane width.
#[inline(always)]
fn by_sign<L: Lane>(
    v: Vec512,
    amounts: Vec512,
    positive: impl Fn(L, u32) -> L,
    negative: impl Fn(L, u32) -> L,
) -> Vec512 {
    v.zip(amounts, |lane: L, amount: L::Signed| {
        let size = amount.magnitude().min(L::BITS);
        let (forward, backward) = (positive(lane, size), negative(lane, size));
        if amount < L::Signed::ZERO { backward } else { forward }
    })
}

/// Leaf `sls`: left by the lanes of `amounts`, clamped to the signed lane; a negative amount shifts right with sign
/// fill. The mnemonics that use it are not published.
#[inline(always)]
pub fn sls<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    v.zip(amounts, |lane: L::Signed, amount: L::Signed| {
        let size = amount.magnitude().min(L::BITS);
        if amount < L::Signed::ZERO {
            lane.shift_right_arithmetic(size)
        } else {
            saturated::<L::Signed>((lane.extended() as i64) << size)
        }
    })
}

/// Leaf `srs`: right by the lanes of `amounts` with half a unit added first, clamped to the signed lane; a negative
/// amount shifts left as [`sls`] does (assumption D7). The mnemonics that use it are not published.
#[inline(always)]
pub fn srs<L: Lane>(v: Vec512, amounts: Vec512) -> Vec512 {
    v.zip(amounts, |lane: L::Signed, amount: L::Signed| {
        let (size, wide) = (amount.magnitude().min(L::BITS), lane.extended() as i64);
        let half = if size == 0 { 0 } else { 1 << (size - 1) };
        saturated::<L::Signed>(if amount < L::Signed::ZERO { wide << size } else { (wide + half) >> size })
    })
}

#[inline(always)]
fn saturated<S: Lane>(wide: i64) -> S {
    S::truncated(wide.clamp(S::MIN.extended() as i64, S::MAX.extended() as i64) as u64)
}

/// NSA: number of redundant sign bits, width - 1 for 0 and -1; 16- and 32-bit lanes.
#[inline(always)]
pub fn nsa<L: Lane>(v: Vec512) -> Vec512 {
    v.map(|lane: L| {
        let zeros = (lane ^ lane.shift_right_arithmetic(L::BITS)).leading_zeros();
        L::truncated(u64::from(zeros - 1))
    })
}

/// NSAU: number of leading zeros, the width for 0; 16- and 32-bit lanes.
#[inline(always)]
pub fn nsau<L: Lane>(v: Vec512) -> Vec512 {
    v.map(|lane: L| L::truncated(lane.leading_zeros().into()))
}
