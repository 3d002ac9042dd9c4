//! Moves between register files.
//!
//! Sources: `load-store-move-gather/spec-b09.md`, `semantics-from-kernels/semantics.md` section 6, DECISIONS
//! (Encoding and operands). MOVVV, MOVPRPR, MOVWW and MALIGN are plain copies and need no function.

use crate::{Lane, Pr64, Pred64, Vec512};

/// MOVVA8/16/32: the low bits of an AR in every lane.
#[inline(always)]
pub fn movva<L: Lane>(ar: u32) -> Vec512 {
    Vec512::splat(L::truncated(ar.into()))
}

/// MOVAV8/16/32, MOVAVU8/16: lane 0 in an AR, sign- or zero-extended by the type.
#[inline(always)]
pub fn movav<L: Lane>(v: Vec512) -> u32 {
    v.lane::<L>(0).extended() as u32
}

/// MOVVINT8/16: an immediate in every lane.
#[inline(always)]
pub fn movvint<L: Lane>(immediate: i32) -> Vec512 {
    movva::<L>(immediate as u32)
}

/// MOVVINX16: 16-bit lane `l` is the immediate plus `l`: the only operation that can give the lane numbers which
/// the public sequence intrinsics need (assumption D8).
#[inline(always)]
pub fn movvinx16(immediate: i32) -> Vec512 {
    Vec512::from_fn(|lane| (immediate as u16).wrapping_add(lane as u16))
}

/// MOVPINT16, MOVPA16: the low 16 bits of an immediate or AR in the even 16-bit lanes; the odd ones keep the old
/// destination (assumption D9).
#[inline(always)]
pub fn movp16(old: Vec512, value: u32) -> Vec512 {
    Vec512::splat(0x0000_ffffu32).blend(Vec512::splat(value as u16), old)
}

/// MOVQINT16, MOVQA16: as [`movp16`] for the odd 16-bit lanes (assumption D9).
#[inline(always)]
pub fn movq16(old: Vec512, value: u32) -> Vec512 {
    Vec512::splat(0xffff_0000u32).blend(Vec512::splat(value as u16), old)
}

/// MOV2NX8T: `b` in true lanes, `c` in false ones; the old destination is not read. MOVNX16T is the same with
/// 16-bit lanes and the old destination as `c`.
#[inline(always)]
pub fn movt<L: Lane>(b: Vec512, c: Vec512, pred: Pred64) -> Vec512 {
    pred.mask::<L>().blend(b, c)
}

/// MOVPRA32: an AR, sign-extended to 64 bits.
#[inline(always)]
pub fn movpra32(ar: u32) -> Pr64 {
    Pr64::from_bits(i64::from(ar as i32) as u64)
}

/// MOVVPR: the register in 64-bit lane 0, zeros above (assumption A22).
#[inline(always)]
pub fn movvpr(pr: Pr64) -> Vec512 {
    Vec512::lane_zero(pr.bits())
}

/// MOVAB1: a boolean register as 0 or 1.
#[inline(always)]
pub fn movab1(br: bool) -> u32 {
    br.into()
}

/// MOVBA1: bit 0 of an AR.
#[inline(always)]
pub fn movba1(ar: u32) -> bool {
    ar & 1 != 0
}

/// MOVVFS: bit `n` of byte `k` is bit `k` of state FSn.
#[inline(always)]
pub fn movvfs(fs: [Pred64; 8]) -> Vec512 {
    fs.into_iter().enumerate().fold(Vec512::ZERO, |v, (n, state)| {
        v.zip(state.mask::<u8>(), |byte: u8, mask: u8| byte | (mask & 1 << n))
    })
}

/// MOVFSV: bit `k` of state FSn is bit `n` of byte `k`
/// (`semantics-and-validation/spec-predicate-classify.md`, FS bank).
#[inline(always)]
pub fn movfsv(v: Vec512) -> [Pred64; 8] {
    let plane = |n: u32| Pred64::from_mask(v.map(|byte: u8| byte << (7 - n)));
    [plane(0), plane(1), plane(2), plane(3), plane(4), plane(5), plane(6), plane(7)]
}
