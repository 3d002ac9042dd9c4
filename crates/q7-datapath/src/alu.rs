//! Integer arithmetic on lanes: add, subtract, negate, absolute value, minimum, maximum, mean, multiply by sign.
//!
//! Sources: `vector-alu/spec-b01.md`, `spec-cas-arith-sem.md`,
//! `semantics-and-validation/spec-group-semantics-i.md`. Nothing here raises flags.

use crate::{Lane, Vec512};

/// ADD: `b + c` modulo 2^w; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn add<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, L::wrapping_add)
}

/// SUB: `b - c` modulo 2^w; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn sub<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, L::wrapping_sub)
}

/// ADDS: `b + c` clamped to the lane; the instruction has signed 16-bit lanes.
#[inline(always)]
pub fn adds<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, L::saturating_add)
}

/// SUBS: `b - c` clamped to the lane; the instruction has signed 16-bit lanes.
#[inline(always)]
pub fn subs<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, L::saturating_sub)
}

/// NEG: `-b` modulo 2^w, the minimum stays itself; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn neg<L: Lane>(b: Vec512) -> Vec512 {
    b.map(|b: L| L::ZERO.wrapping_sub(b))
}

/// NEGS: `-b`, the minimum becomes the maximum; signed 16-bit lanes.
#[inline(always)]
pub fn negs<L: Lane>(b: Vec512) -> Vec512 {
    b.map(|b: L| L::ZERO.saturating_sub(b))
}

/// ABS: absolute value of signed lanes, the minimum stays itself; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn abs<L: Lane>(b: Vec512) -> Vec512 {
    b.map(|b: L| if b < L::ZERO { L::ZERO.wrapping_sub(b) } else { b })
}

/// ABSS: absolute value of signed lanes, the minimum becomes the maximum; 16-bit lanes.
#[inline(always)]
pub fn abss<L: Lane>(b: Vec512) -> Vec512 {
    b.map(|b: L| if b < L::ZERO { L::ZERO.saturating_sub(b) } else { b })
}

/// MIN, MINU: the smaller lane, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn min<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| b.min(c))
}

/// MAX, MAXU: the larger lane, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn max<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| b.max(c))
}

/// ABSSUB, ABSSUBU: `|b - c|` modulo 2^w, signed or unsigned by type, never clamped; 8- and 16-bit lanes.
#[inline(always)]
pub fn abssub<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| b.max(c).wrapping_sub(b.min(c)))
}

/// ABSSSUB: `|b - c|` clamped to the lane; signed 16-bit lanes.
#[inline(always)]
pub fn absssub<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| b.max(c).saturating_sub(b.min(c)))
}

/// AVG, AVGU: `(b + c) >> 1` of the exact sum, rounded down; signed or unsigned by type.
#[inline(always)]
pub fn avg<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    // b + c = 2 (b & c) + (b ^ c), so the halves never leave the lane.
    b.zip(c, |b: L, c: L| (b & c).wrapping_add((b ^ c) >> 1))
}

/// AVGR, AVGRU: `(b + c + 1) >> 1` of the exact sum; signed or unsigned by type.
#[inline(always)]
pub fn avgr<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    // b + c = 2 (b | c) - (b ^ c).
    b.zip(c, |b: L, c: L| (b | c).wrapping_sub((b ^ c) >> 1))
}

/// MULSGN: `-c` where `b` is negative, else `c` (zero counts as positive), modulo 2^w; signed 16- and 32-bit lanes.
/// (DECISIONS, Arithmetic.)
#[inline(always)]
pub fn mulsgn<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| if b < L::ZERO { L::ZERO.wrapping_sub(c) } else { c })
}

/// MULSGNS: as [`mulsgn`], but the minimum negated becomes the maximum; signed 16-bit lanes.
#[inline(always)]
pub fn mulsgns<L: Lane>(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: L, c: L| if b < L::ZERO { L::ZERO.saturating_sub(c) } else { c })
}
