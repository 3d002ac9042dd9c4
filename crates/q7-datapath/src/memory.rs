//! The data part of loads and stores: what stands between memory bytes and register lanes. Addresses are the
//! caller's; [`Align512`](crate::Align512) holds the streams.
//!
//! Sources: `load-store-move-gather/spec-b06.md`, `spec-cas-load-store.md`, `semantics-from-kernels/semantics.md`
//! section 1, DECISIONS (Memory). LV2NX8 and SV2NX8 move 64 bytes as they are, LS and SS the low bytes of a vector
//! ([`Vec512::from_low_bytes`]), LB and SB a predicate as a little-endian 64-bit word.

use crate::predicate::even_bits;
use crate::{HalfLane, Lane, Pred64, Vec512};

pub use crate::align::{first_bytes, funnel};

/// LVNX8S/U, LVN_2X16S/U, LANX8S/U ...: the low 32 bytes as lanes of type `H`, each extended to twice its width.
#[inline(always)]
pub fn widen<H: HalfLane>(low: Vec512) -> Vec512 {
    let (elements, _) = low.bytes().split_at(32);
    let mut result = Vec512::ZERO;
    let lanes = result.bytes_mut().chunks_exact_mut(H::Double::BYTES);
    for (to, from) in lanes.zip(elements.chunks_exact(H::BYTES)) {
        H::Double::truncated(H::load(from).extended()).store(to);
    }
    result
}

/// SVNX8U, SVN_2X16U, SANX8U ...: the low half of every lane, packed into the low 32 bytes.
#[inline(always)]
pub fn narrow_truncating<H: HalfLane>(v: Vec512) -> Vec512 {
    narrow::<H>(v, |lane| lane)
}

/// SVNX8S, SVN_2X16S, SANX8S, SSNX8S ...: every signed lane clamped to half its width, packed into the low 32 bytes
/// (assumption A24; for the single-element forms assumption D14).
#[inline(always)]
pub fn narrow_saturating<H: HalfLane>(v: Vec512) -> Vec512 {
    let least = H::Double::truncated(H::MIN.extended());
    let greatest = H::Double::truncated(H::MAX.extended());
    narrow::<H>(v, |lane| lane.clamp(least, greatest))
}

#[inline(always)]
fn narrow<H: HalfLane>(v: Vec512, limited: impl Fn(H::Double) -> H::Double) -> Vec512 {
    Vec512::from_lanes(v.lanes::<H::Double>().map(|lane| H::truncated(limited(lane).extended())))
}

/// LSNX8S, LSN_2X16S: one element, sign-extended into lane 0; the other lanes are zero.
#[inline(always)]
pub fn element<H: HalfLane>(element: H) -> Vec512 {
    Vec512::lane_zero(H::Double::truncated(element.extended()))
}

/// LSR2NX8, LSRNX16, LSRN_2X32, LSRN_4X64: one element in every lane.
#[inline(always)]
pub fn replicated<L: Lane>(element: L) -> Vec512 {
    Vec512::splat(element)
}

/// Leaf `wideldshift`: `N` bytes of a 64-byte line from byte `amount` modulo 64 on, whose lowest bit is ignored;
/// bytes beyond the line are 0 (assumption D10).
#[inline(always)]
pub fn line_element<const N: usize>(line: Vec512, amount: u32) -> [u8; N] {
    let start = amount as usize & 62;
    core::array::from_fn(|k| line.bytes().get(start + k).copied().unwrap_or(0))
}

/// Leaf `widestshift`: `N` bytes placed in a 64-byte line from byte `amount` modulo 64 on, with the byte enables.
#[inline(always)]
pub fn element_in_line<const N: usize>(element: [u8; N], amount: u32) -> (Vec512, u64) {
    let start = amount as usize % 64;
    let mut line = Vec512::ZERO;
    for (to, from) in line.bytes_mut()[start..].iter_mut().zip(element) {
        *to = from;
    }
    (line, crate::align::low_bits(N as u32) << start)
}

/// The byte count of LAV and SAV streams: signed, clamped to 0 .. the full access.
#[inline(always)]
pub fn stream_count(count: u32, full: u32) -> u32 {
    (count as i32).clamp(0, full as i32) as u32
}

/// SVNX8ST/UT, SVN_2X16ST/UT: bit `k` set means that memory byte `k` of the 32 is stored. (SV2NX8T: the predicate
/// itself.)
#[inline(always)]
pub fn narrow_enable<H: HalfLane>(pred: Pred64) -> u64 {
    // A group has one bit per register byte; memory has half as many bytes.
    even_bits(pred.replicated::<H::Double>().bits()).into()
}
