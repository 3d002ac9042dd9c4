//! The 1536-bit accumulator value.

use core::fmt;

/// The value of a `wvec` register. Lane `k` of a view of `W` bits (24, 48 or 96) is bits
/// `[W*k + W-1 : W*k]`; the views alias contiguously (DECISIONS, Registers and lanes).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Wide1536([u8; 192]);

impl Wide1536 {
    /// All bits clear.
    pub const ZERO: Self = Self([0; 192]);

    /// From the register image.
    #[inline(always)]
    pub const fn from_bytes(bytes: [u8; 192]) -> Self {
        Self(bytes)
    }

    /// The register image.
    #[inline(always)]
    pub const fn bytes(&self) -> &[u8; 192] {
        &self.0
    }

    /// The register image, for writing.
    #[inline(always)]
    pub const fn bytes_mut(&mut self) -> &mut [u8; 192] {
        &mut self.0
    }

    /// Lane `index` of the 24-bit view (64 lanes), sign-extended.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn lane24(&self, index: usize) -> i32 {
        self.lane::<3>(index) as i32
    }

    /// Lane `index` of the 48-bit view (32 lanes), sign-extended.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn lane48(&self, index: usize) -> i64 {
        self.lane::<6>(index) as i64
    }

    /// Lane `index` of the 96-bit view (16 lanes), sign-extended.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn lane96(&self, index: usize) -> i128 {
        self.lane::<12>(index)
    }

    /// Replaces lane `index` of the 24-bit view by the low bits of `value`.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn set_lane24(&mut self, index: usize, value: i32) {
        self.set_lane::<3>(index, value.into());
    }

    /// Replaces lane `index` of the 48-bit view by the low bits of `value`.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn set_lane48(&mut self, index: usize, value: i64) {
        self.set_lane::<6>(index, value.into());
    }

    /// Replaces lane `index` of the 96-bit view by the low bits of `value`.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    pub fn set_lane96(&mut self, index: usize, value: i128) {
        self.set_lane::<12>(index, value);
    }

    #[inline(always)]
    fn lane<const BYTES: usize>(&self, index: usize) -> i128 {
        let mut low = [0; 16];
        low[16 - BYTES..].copy_from_slice(&self.0[index * BYTES..(index + 1) * BYTES]);
        i128::from_le_bytes(low) >> (128 - 8 * BYTES)
    }

    #[inline(always)]
    fn set_lane<const BYTES: usize>(&mut self, index: usize, value: i128) {
        self.0[index * BYTES..(index + 1) * BYTES].copy_from_slice(&value.to_le_bytes()[..BYTES]);
    }
}

impl Default for Wide1536 {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Thirty-two 48-bit lanes, lane 0 first.
impl fmt::Debug for Wide1536 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lanes: Vec<String> =
            (0..32).map(|k| format!("{:012x}", self.lane48(k) as u64 & 0xffff_ffff_ffff)).collect();
        write!(f, "Wide1536([{}])", lanes.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_alias_contiguously() {
        let mut w = Wide1536::ZERO;
        w.set_lane96(15, -2);
        assert_eq!((w.lane96(15), w.lane48(31), w.lane48(30)), (-2, -1, -2));
        assert_eq!((w.lane24(60), w.lane24(63), w.lane24(59)), (-2, -1, 0));
        w.set_lane24(61, 0x12_3456);
        assert_eq!(w.lane48(30), 0x1234_56ff_fffe);
        w.set_lane48(0, 0x7fff_ffff_ffff);
        assert_eq!((w.lane24(0), w.lane24(1), w.lane96(0)), (-1, 0x7f_ffff, 0x7fff_ffff_ffff));
    }
}
