//! The 64-bit boolean vector value.

use core::fmt;

use crate::{Lane, Vec512};

/// The value of a `vbool` register: 1, 2, 4 or 8 bits per 8-, 16-, 32- or 64-bit lane (one per byte of the
/// vector). Operations that know lanes write all bits of a group alike and read the lowest one
/// (DECISIONS, Registers and lanes; `vector-alu/spec-b03.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Pred64(u64);

impl Pred64 {
    /// No lane.
    pub const NONE: Self = Self(0);
    /// Every lane.
    pub const ALL: Self = Self(!0);

    /// From the register image.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The register image.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Lane `i` is true where `lane(i)` is.
    #[inline(always)]
    pub fn from_fn<L: Lane>(mut lane: impl FnMut(usize) -> bool) -> Self {
        Self((0..L::LANES).fold(0, |bits, i| bits | u64::from(lane(i)) << (i * L::BYTES))).replicated::<L>()
    }

    /// From lanes of all ones (true) and zeros (false), as [`Lane::mask`] makes them.
    #[inline(always)]
    pub fn from_mask(mask: Vec512) -> Self {
        Self(mask.byte_signs())
    }

    /// Whether lane `index` is true: the lowest bit of its group.
    #[inline(always)]
    pub const fn lane<L: Lane>(self, index: usize) -> bool {
        self.0 >> (index * L::BYTES) & 1 != 0
    }

    /// The lowest bit of every group; the other bits are zero.
    #[inline(always)]
    pub const fn lowest<L: Lane>(self) -> u64 {
        // One bit every BYTES bits: 1 + 2^BYTES + 2^(2 BYTES) + ...
        self.0 & (u64::MAX / ((1 << L::BYTES) - 1))
    }

    /// The lowest bit of every group in all bits of the group.
    #[inline(always)]
    pub const fn replicated<L: Lane>(self) -> Self {
        Self(self.lowest::<L>() * ((1 << L::BYTES) - 1))
    }

    /// Number of true lanes.
    #[inline(always)]
    pub const fn true_lanes<L: Lane>(self) -> u32 {
        self.lowest::<L>().count_ones()
    }

    /// Lanes of all ones (true) and zeros (false).
    #[inline(always)]
    pub fn mask<L: Lane>(self) -> Vec512 {
        let bits = self.replicated::<L>().0.to_le_bytes();
        // Written as a bit test: that form becomes a vector comparison.
        Vec512::from_fn(|k| u8::mask(bits[k / 8] & 1 << (k % 8) != 0))
    }

    /// Whether any lane of `self` that is also in `active` is true.
    #[inline(always)]
    pub const fn any_of<L: Lane>(self, active: Self) -> bool {
        Self(self.0 & active.0).lowest::<L>() != 0
    }
}

impl fmt::Debug for Pred64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pred64({:#018x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_written_whole_and_read_at_their_lowest_bit() {
        let odd = Pred64::from_bits(0xaaaa_aaaa_aaaa_aaaa);
        assert!(!odd.lane::<i16>(3) && !odd.lane::<i32>(3) && odd.lane::<i8>(3));
        assert_eq!(odd.replicated::<u16>(), Pred64::NONE);
        assert_eq!(Pred64::from_bits(0x21).replicated::<u16>().bits(), 0x03);
        assert_eq!(Pred64::from_bits(0x21).replicated::<u32>().bits(), 0x0f);
        assert_eq!(Pred64::from_bits(0x11).replicated::<u32>().bits(), 0xff);
        assert_eq!(Pred64::from_bits(0x0101).replicated::<u64>().bits(), 0xffff);
        assert_eq!(Pred64::from_fn::<u16>(|lane| lane == 31).bits(), 0xc000_0000_0000_0000);
        assert_eq!(Pred64::ALL.true_lanes::<u32>(), 16);
    }

    #[test]
    fn masks_and_back() {
        let p = Pred64::from_bits(0x8000_0000_1234_5671);
        assert_eq!(Pred64::from_mask(p.mask::<u8>()), p);
        assert_eq!(Pred64::from_mask(p.mask::<u32>()), p.replicated::<u32>());
        assert_eq!(p.mask::<u16>().lane::<u16>(0), 0xffff);
        assert_eq!(Pred64::from_bits(2).mask::<u16>(), Vec512::ZERO);
    }
}
