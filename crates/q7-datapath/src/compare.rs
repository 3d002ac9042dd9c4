//! Integer comparisons into a `vbool`.
//!
//! Source: `vector-alu/spec-b03.md`. All bits of a lane's group are written. Greater-than forms do not exist:
//! the operands are swapped. The FSnLTU operations are [`lt`] of unsigned bytes into state FSn.

use crate::alu_flag::lanes_where;
use crate::{Lane, Pred64, Vec512};

/// EQ: equal; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn eq<L: Lane>(b: Vec512, c: Vec512) -> Pred64 {
    lanes_where::<L>(b, c, |b, c| b == c)
}

/// NEQ: not equal; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn neq<L: Lane>(b: Vec512, c: Vec512) -> Pred64 {
    lanes_where::<L>(b, c, |b, c| b != c)
}

/// LT, LTU: less, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn lt<L: Lane>(b: Vec512, c: Vec512) -> Pred64 {
    lanes_where::<L>(b, c, |b, c| b < c)
}

/// LE, LEU: less or equal, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn le<L: Lane>(b: Vec512, c: Vec512) -> Pred64 {
    lanes_where::<L>(b, c, |b, c| b <= c)
}
