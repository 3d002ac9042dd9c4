//! Integer reductions across lanes.
//!
//! Sources: `vector-alu/spec-b08.md`, `predicate-shift-select-divide/spec-reduce-shift-shuffle.md`, DECISIONS
//! (Registers and lanes). A result stands in lane 0 at the result width, all other bits are zero (assumption A3).
//! Masked forms count true lanes only; with none of them the result is that of no lane (assumption A28).

use crate::{Lane, Pred64, Sum, Vec512, compare};

/// Where a reduction puts its result (assumption A3).
#[inline(always)]
pub(crate) fn placed<L: Lane>(result: L) -> Vec512 {
    Vec512::lane_zero(result)
}

/// RADD2NX8, RADDU2NX8 (16-bit result), RADDNX16, RADDUNX16 (32-bit), RADDN_2X32 (32-bit, modulo): the sum.
#[inline(always)]
pub fn radd<L: Sum>(v: Vec512) -> Vec512 {
    let total = v.lanes::<L>().map(L::extended).fold(0, u64::wrapping_add);
    placed(L::Total::truncated(total))
}

/// The masked forms of [`radd`]; 0 with no lane.
#[inline(always)]
pub fn raddt<L: Sum>(v: Vec512, pred: Pred64) -> Vec512 {
    radd::<L>(pred.mask::<L>().blend(v, Vec512::ZERO))
}

/// RADDSNX16: the exact sum of the signed lanes, clamped to 16 bits.
#[inline(always)]
pub fn radds(v: Vec512) -> Vec512 {
    let total: i32 = v.lanes::<i16>().map(i32::from).sum();
    placed(total.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
}

/// RADDSNX16T; 0 with no lane.
#[inline(always)]
pub fn raddst(v: Vec512, pred: Pred64) -> Vec512 {
    radds(pred.mask::<i16>().blend(v, Vec512::ZERO))
}

#[inline(always)]
fn largest<L: Lane>(v: &Vec512) -> L {
    v.lanes::<L>().fold(L::MIN, L::max)
}

#[inline(always)]
fn smallest<L: Lane>(v: &Vec512) -> L {
    v.lanes::<L>().fold(L::MAX, L::min)
}

/// RMAX, RMAXU: the largest lane, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn rmax<L: Lane>(v: Vec512) -> Vec512 {
    placed(largest::<L>(&v))
}

/// RMIN, RMINU: the smallest lane, signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn rmin<L: Lane>(v: Vec512) -> Vec512 {
    placed(smallest::<L>(&v))
}

/// The masked forms of [`rmax`]; the smallest value of the type with no lane.
#[inline(always)]
pub fn rmaxt<L: Lane>(v: Vec512, pred: Pred64) -> Vec512 {
    rmax::<L>(pred.mask::<L>().blend(v, Vec512::splat(L::MIN)))
}

/// The masked forms of [`rmin`]; the largest value of the type with no lane.
#[inline(always)]
pub fn rmint<L: Lane>(v: Vec512, pred: Pred64) -> Vec512 {
    rmin::<L>(pred.mask::<L>().blend(v, Vec512::splat(L::MAX)))
}

/// RBMAX, RBMAXU: the largest lane in every lane, and a flag in each lane that held it; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn rbmax<L: Lane>(v: Vec512) -> (Pred64, Vec512) {
    let all = Vec512::splat(largest::<L>(&v));
    (compare::eq::<L>(v, all), all)
}

/// RBMIN, RBMINU: the smallest lane in every lane, and a flag in each lane that held it; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn rbmin<L: Lane>(v: Vec512) -> (Pred64, Vec512) {
    let all = Vec512::splat(smallest::<L>(&v));
    (compare::eq::<L>(v, all), all)
}
