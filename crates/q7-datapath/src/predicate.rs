//! Operations on `vbool` and boolean registers, and the merge of predicated forms.
//!
//! Sources: `predicate-shift-select-divide/spec-b11.md`, `vector-alu/spec-b08.md`,
//! `semantics-from-kernels/semantics.md` section 7, DECISIONS (Encoding and operands, Registers and lanes).

use crate::{Lane, Pred64, Vec512};

/// The predicated (`t`) form of any operation with a vector result: `new` in true lanes, the old destination in
/// the others.
#[inline(always)]
pub fn merge<L: Lane>(pred: Pred64, new: Vec512, old: Vec512) -> Vec512 {
    pred.mask::<L>().blend(new, old)
}

/// The predicated form of an operation with a `vbool` result: the groups of false lanes keep their old bits
/// (assumption A27).
#[inline(always)]
pub fn merge_pred<L: Lane>(pred: Pred64, new: Pred64, old: Pred64) -> Pred64 {
    let mask = pred.replicated::<L>().bits();
    Pred64::from_bits(new.bits() & mask | old.bits() & !mask)
}

/// ANDB: all 64 bits.
#[inline(always)]
pub fn andb(a: Pred64, b: Pred64) -> Pred64 {
    Pred64::from_bits(a.bits() & b.bits())
}

/// ORB: all 64 bits.
#[inline(always)]
pub fn orb(a: Pred64, b: Pred64) -> Pred64 {
    Pred64::from_bits(a.bits() | b.bits())
}

/// XORB: all 64 bits.
#[inline(always)]
pub fn xorb(a: Pred64, b: Pred64) -> Pred64 {
    Pred64::from_bits(a.bits() ^ b.bits())
}

/// ANDNOTB: the second operand inverted; all 64 bits.
#[inline(always)]
pub fn andnotb(a: Pred64, b: Pred64) -> Pred64 {
    Pred64::from_bits(a.bits() & !b.bits())
}

/// ORNOTB: the second operand inverted; all 64 bits.
#[inline(always)]
pub fn ornotb(a: Pred64, b: Pred64) -> Pred64 {
    Pred64::from_bits(a.bits() | !b.bits())
}

/// NOTB: all 64 bits.
#[inline(always)]
pub fn notb(a: Pred64) -> Pred64 {
    Pred64::from_bits(!a.bits())
}

/// MB: a copy; the roster page guesses otherwise, but the template leaves room for two registers only
/// (assumption D5).
#[inline(always)]
pub fn mb(a: Pred64) -> Pred64 {
    a
}

/// NOTB1 on a boolean register.
#[inline(always)]
pub fn notb1(a: bool) -> bool {
    !a
}

/// ANDNOTB1 on boolean registers: the second operand inverted.
#[inline(always)]
pub fn andnotb1(a: bool, b: bool) -> bool {
    a & !b
}

/// ORNOTB1 on boolean registers: the second operand inverted.
#[inline(always)]
pub fn ornotb1(a: bool, b: bool) -> bool {
    a | !b
}

/// JOINB: the lanes of two predicates as one predicate of half the lane width; `first` becomes the high half.
#[inline(always)]
pub fn joinb(first: Pred64, second: Pred64) -> Pred64 {
    Pred64::from_bits(u64::from(even_bits(first.bits())) << 32 | u64::from(even_bits(second.bits())))
}

/// EXTRACTBL: the low half of the lanes as a predicate of twice the lane width.
#[inline(always)]
pub fn extractbl(a: Pred64) -> Pred64 {
    Pred64::from_bits(doubled_bits(a.bits() as u32))
}

/// EXTRACTBH: the high half of the lanes as a predicate of twice the lane width.
#[inline(always)]
pub fn extractbh(a: Pred64) -> Pred64 {
    Pred64::from_bits(doubled_bits((a.bits() >> 32) as u32))
}

/// Bits 0, 2, 4 ... of `bits`, packed.
#[inline(always)]
pub(crate) fn even_bits(bits: u64) -> u32 {
    let mut x = bits & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
    x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Every bit of `bits` twice.
#[inline(always)]
fn doubled_bits(bits: u32) -> u64 {
    let mut x = u64::from(bits);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    x = (x | x << 1) & 0x5555_5555_5555_5555;
    x * 3
}

/// EXTBI: lane `l` is bit `k` (modulo the lane width) of lane `l`.
#[inline(always)]
pub fn extbi<L: Lane>(v: Vec512, k: u32) -> Pred64 {
    let bit = L::truncated(1 << (k % L::BITS));
    Pred64::from_mask(v.map(|lane: L| L::mask(lane & bit != L::ZERO)))
}

/// INJBI: bit `k` (modulo the lane width) of every lane of the old destination replaced by its predicate.
#[inline(always)]
pub fn injbi<L: Lane>(old: Vec512, pred: Pred64, k: u32) -> Vec512 {
    let bit = L::truncated(1 << (k % L::BITS));
    pred.mask::<L>().zip(old, |mask: L, old: L| (old & !bit) | (mask & bit))
}

/// LTR2N, LTRN, LTRN_2: lane `l` is true where `l` is below the count modulo the number of lanes, so that never
/// all lanes are.
#[inline(always)]
pub fn ltr<L: Lane>(count: u32) -> Pred64 {
    first_lanes::<L>(count % L::LANES as u32)
}

/// LTR2NI, LTRNI, LTRN_2I: as [`ltr`] with an immediate, which is not reduced: a count of all lanes or more gives
/// all of them (assumption D6).
#[inline(always)]
pub fn ltri<L: Lane>(count: u32) -> Pred64 {
    first_lanes::<L>(count)
}

/// LTRS2N, LTRSN, LTRSN_2: as [`ltr`] with a signed count that is clamped: none below 1, all lanes from their
/// number on.
#[inline(always)]
pub fn ltrs<L: Lane>(count: u32) -> Pred64 {
    first_lanes::<L>((count as i32).max(0) as u32)
}

#[inline(always)]
fn first_lanes<L: Lane>(count: u32) -> Pred64 {
    Pred64::from_bits(crate::align::low_bits(count.min(L::LANES as u32) * L::BYTES as u32))
}

/// RANDB2N, RANDBN, RANDBN_2: whether every lane is true. The result is one boolean register (assumption A23).
#[inline(always)]
pub fn randb<L: Lane>(a: Pred64) -> bool {
    a.lowest::<L>() == Pred64::ALL.lowest::<L>()
}

/// RORB2N, RORBN, RORBN_2: whether any lane is true. The result is one boolean register (assumption A23).
#[inline(always)]
pub fn rorb<L: Lane>(a: Pred64) -> bool {
    a.lowest::<L>() != 0
}

/// BORFS2N: the bitwise OR of states FS0..FS7.
#[inline(always)]
pub fn borfs(fs: [Pred64; 8]) -> Pred64 {
    fs.into_iter().fold(Pred64::NONE, orb)
}

/// BNORFS2N: the complement of [`borfs`].
#[inline(always)]
pub fn bnorfs(fs: [Pred64; 8]) -> Pred64 {
    notb(borfs(fs))
}
