//! The 512-bit vector register value.

use core::array;
use core::fmt;

use crate::Lane;

/// The value of a `vec` register: 64 bytes, lane 0 in the lowest bytes, every lane little-endian
/// (`vector-alu/spec-b01.md`, Lanes).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Vec512([u8; 64]);

impl Vec512 {
    /// All bits clear.
    pub const ZERO: Self = Self([0; 64]);
    /// All bits set.
    pub const ONES: Self = Self([0xff; 64]);

    /// From the register image.
    #[inline(always)]
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The given bytes in the lowest positions, zeros above them.
    ///
    /// # Panics
    /// If there are more than 64 bytes.
    #[inline(always)]
    pub fn from_low_bytes(low: &[u8]) -> Self {
        let mut bytes = [0; 64];
        bytes[..low.len()].copy_from_slice(low);
        Self(bytes)
    }

    /// Lane `i` is `lane(i)`.
    #[inline(always)]
    pub fn from_fn<L: Lane>(mut lane: impl FnMut(usize) -> L) -> Self {
        let mut bytes = [0; 64];
        for (i, to) in bytes.chunks_exact_mut(L::BYTES).enumerate() {
            lane(i).store(to);
        }
        Self(bytes)
    }

    /// The given lanes from lane 0 up, zeros above them; further lanes are ignored.
    #[inline(always)]
    pub fn from_lanes<L: Lane>(lanes: impl IntoIterator<Item = L>) -> Self {
        let mut bytes = [0; 64];
        for (to, lane) in bytes.chunks_exact_mut(L::BYTES).zip(lanes) {
            lane.store(to);
        }
        Self(bytes)
    }

    /// The same value in every lane.
    #[inline(always)]
    pub fn splat<L: Lane>(lane: L) -> Self {
        Self::from_fn(|_| lane)
    }

    /// `lane` in lane 0, zeros in the others.
    #[inline(always)]
    pub fn lane_zero<L: Lane>(lane: L) -> Self {
        Self::from_lanes([lane])
    }

    /// The register image.
    #[inline(always)]
    pub const fn bytes(&self) -> &[u8; 64] {
        &self.0
    }

    /// The register image, for writing.
    #[inline(always)]
    pub const fn bytes_mut(&mut self) -> &mut [u8; 64] {
        &mut self.0
    }

    /// The lanes from lane 0 up.
    #[inline(always)]
    pub fn lanes<L: Lane>(&self) -> impl ExactSizeIterator<Item = L> {
        self.0.chunks_exact(L::BYTES).map(L::load)
    }

    /// Lane `index`.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn lane<L: Lane>(&self, index: usize) -> L {
        L::load(&self.0[index * L::BYTES..(index + 1) * L::BYTES])
    }

    /// This value with lane `index` replaced.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn with_lane<L: Lane>(mut self, index: usize, lane: L) -> Self {
        lane.store(&mut self.0[index * L::BYTES..(index + 1) * L::BYTES]);
        self
    }

    /// `f` of every lane. Both lane types have the same width.
    #[inline(always)]
    pub fn map<A: Lane, R: Lane>(self, f: impl Fn(A) -> R) -> Self {
        const { assert!(A::BYTES == R::BYTES) };
        let mut result = [0; 64];
        for (to, a) in result.chunks_exact_mut(R::BYTES).zip(self.0.chunks_exact(A::BYTES)) {
            f(A::load(a)).store(to);
        }
        Self(result)
    }

    /// `f` of every pair of lanes. The three lane types have the same width.
    #[inline(always)]
    pub fn zip<A: Lane, B: Lane, R: Lane>(self, other: Self, f: impl Fn(A, B) -> R) -> Self {
        const { assert!(A::BYTES == R::BYTES && B::BYTES == R::BYTES) };
        let mut result = [0; 64];
        let pairs = self.0.chunks_exact(A::BYTES).zip(other.0.chunks_exact(B::BYTES));
        for (to, (a, b)) in result.chunks_exact_mut(R::BYTES).zip(pairs) {
            f(A::load(a), B::load(b)).store(to);
        }
        Self(result)
    }

    /// Bitwise: `new` where this mask has ones, `old` where it has zeros.
    #[inline(always)]
    pub fn blend(self, new: Self, old: Self) -> Self {
        // Byte lanes become the host's byte blend; wider ones make the compiler take masks apart.
        let kept = self.zip(old, |mask: u8, old: u8| old & !mask);
        self.zip(new, |mask: u8, new: u8| new & mask).zip(kept, |new: u8, kept: u8| new | kept)
    }

    /// Bit `k` of the result is the top bit of byte `k`.
    #[inline(always)]
    pub fn byte_signs(&self) -> u64 {
        byte_signs(&self.0)
    }
}

/// The compiler turns no portable form of this into the one instruction that it is.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn byte_signs(bytes: &[u8; 64]) -> u64 {
    use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
    let quarter = |k: usize| {
        let quarter = &bytes[16 * k..16 * (k + 1)];
        // SAFETY: SSE2 belongs to every x86-64 target, and `quarter` holds the 16 bytes that are read.
        let signs = unsafe { _mm_movemask_epi8(_mm_loadu_si128(quarter.as_ptr().cast())) };
        u64::from(signs as u32) << (16 * k)
    };
    quarter(0) | quarter(1) | quarter(2) | quarter(3)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn byte_signs(bytes: &[u8; 64]) -> u64 {
    portable_byte_signs(bytes)
}

/// Eight bytes at a time: the multiplication moves the eight sign bits into the top byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_byte_signs(bytes: &[u8; 64]) -> u64 {
    let signs = |eight: &[u8]| {
        (u64::load(eight) >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    bytes.chunks_exact(8).enumerate().fold(0, |all, (k, eight)| all | signs(eight) << (8 * k))
}

impl Default for Vec512 {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Sixteen 32-bit words, lane 0 first.
impl fmt::Debug for Vec512 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: [u32; 16] = array::from_fn(|k| self.lane(k));
        write!(f, "Vec512({words:08x?})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_alias_little_endian() {
        let v = Vec512::from_fn(|k| k as u8);
        assert_eq!((v.lane::<u16>(0), v.lane::<u16>(31)), (0x0100, 0x3f3e));
        assert_eq!((v.lane::<u32>(1), v.lane::<u64>(7)), (0x0706_0504, 0x3f3e_3d3c_3b3a_3938));
        assert_eq!(v.with_lane(2, 0xabcdu16).lane::<u32>(1), 0x0706_abcd);
        assert_eq!(v.lanes::<u8>().len(), 64);
        assert_eq!(Vec512::from_lanes([7u32, 8]).bytes()[4..9], [8, 0, 0, 0, 0]);
    }

    #[test]
    fn byte_signs_name_the_bytes() {
        for set in [0, 1, 7, 8, 15, 16, 31, 32, 63] {
            let v = Vec512::ZERO.with_lane(set, 0x80u8);
            assert_eq!(v.byte_signs(), 1 << set);
            assert_eq!(portable_byte_signs(v.bytes()), 1 << set);
        }
        let v = Vec512::from_fn(|k| if k % 3 == 0 { 0xff } else { 0x7f_u8 });
        assert_eq!(v.byte_signs(), (0..64).filter(|k| k % 3 == 0).fold(0, |all, k| all | 1 << k));
        assert_eq!(portable_byte_signs(v.bytes()), v.byte_signs());
    }

    #[test]
    fn blend_is_bitwise() {
        let mask = Vec512::splat(0x0fu8);
        assert_eq!(mask.blend(Vec512::splat(0xabu8), Vec512::splat(0xcdu8)), Vec512::splat(0xcbu8));
    }
}
