//! Integer operations with a second result in a `vbool`, printed first: the `b` variants.
//!
//! Source: `vector-alu/spec-b03.md`. The flag fills the whole group of its lane.

use crate::{Lane, Pred64, Vec512, alu};

/// The lanes of the two values for which `condition` holds.
#[inline(always)]
pub(crate) fn lanes_where<L: Lane>(b: Vec512, c: Vec512, condition: impl Fn(L, L) -> bool) -> Pred64 {
    Pred64::from_mask(b.zip(c, |b: L, c: L| L::mask(condition(b, c))))
}

/// BMAX, BMAXU: maximum, flag `b > c`; signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn bmax<L: Lane>(b: Vec512, c: Vec512) -> (Pred64, Vec512) {
    (lanes_where::<L>(b, c, |b, c| b > c), alu::max::<L>(b, c))
}

/// BMIN, BMINU: minimum, flag `b < c`; signed or unsigned by type; 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn bmin<L: Lane>(b: Vec512, c: Vec512) -> (Pred64, Vec512) {
    (lanes_where::<L>(b, c, |b, c| b < c), alu::min::<L>(b, c))
}

/// BABS: absolute value, flag `b < 0`; the minimum stays itself (assumption A7); signed 8-, 16-, 32-bit lanes.
#[inline(always)]
pub fn babs<L: Lane>(b: Vec512) -> (Pred64, Vec512) {
    (lanes_where::<L>(b, b, |b, _| b < L::ZERO), alu::abs::<L>(b))
}

/// BABSSUB, BABSSUBU: `|b - c|` modulo 2^w, flag `b < c`; signed or unsigned by type; 8- and 16-bit lanes.
/// The signed difference wraps as in ABSSUB (assumption D16).
#[inline(always)]
pub fn babssub<L: Lane>(b: Vec512, c: Vec512) -> (Pred64, Vec512) {
    (lanes_where::<L>(b, c, |b, c| b < c), alu::abssub::<L>(b, c))
}

/// BADDNORM: `b + c`, halved where it leaves 16 signed bits; the flag marks those lanes.
#[inline(always)]
pub fn baddnorm(b: Vec512, c: Vec512) -> (Pred64, Vec512) {
    // Exact mean where the sum overflows: see `alu::avg`.
    let overflow = |b: i16, c: i16| b.checked_add(c).is_none();
    let halved = alu::avg::<i16>(b, c);
    normalized(lanes_where(b, c, overflow), halved, alu::add::<i16>(b, c))
}

/// BSUBNORM: `b - c`, halved where it leaves 16 signed bits; the flag marks those lanes.
#[inline(always)]
pub fn bsubnorm(b: Vec512, c: Vec512) -> (Pred64, Vec512) {
    let overflow = |b: i16, c: i16| b.checked_sub(c).is_none();
    // b - c = b + !c + 1, and the mean that rounds up adds the one.
    let halved = alu::avgr::<i16>(b, c.map(|c: i16| !c));
    normalized(lanes_where(b, c, overflow), halved, alu::sub::<i16>(b, c))
}

#[inline(always)]
fn normalized(overflow: Pred64, halved: Vec512, wrapped: Vec512) -> (Pred64, Vec512) {
    (overflow, overflow.mask::<i16>().blend(halved, wrapped))
}

/// BXORABSSUBU: `|b - c|` of unsigned 8-bit lanes; the incoming flag is inverted where `b < c`.
#[inline(always)]
pub fn bxorabssubu(b: Vec512, c: Vec512, flag: Pred64) -> (Pred64, Vec512) {
    let (less, difference) = babssub::<u8>(b, c);
    (Pred64::from_bits(flag.bits() ^ less.bits()), difference)
}
