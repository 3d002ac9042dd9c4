//! Random number generators.
//!
//! Source: `tpb-more-kernels/spec-rng-xorwow-sw.md`, `extra-xorwow-state.csv`, `spec-rng-lfsr-dispatch.md`;
//! `tpb-compiler-encodings/extra-rng-constants.csv`; `tpb-more-kernels/extra-rng-per-gen.csv`.

use q7_alu::Generation;

/// A generator by its wire code (RAND_ALGORITHM).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Algorithm {
    /// 32-bit shift register.
    Lfsr = 0,
    /// PCG32.
    Pcg32 = 1,
    /// Philox 4x32-10.
    Philox = 2,
    /// XORWOW.
    Xorwow = 3,
}

impl Algorithm {
    /// The generator of a code.
    pub const fn from_code(code: u32) -> Option<Algorithm> {
        match code {
            0 => Some(Algorithm::Lfsr),
            1 => Some(Algorithm::Pcg32),
            2 => Some(Algorithm::Philox),
            3 => Some(Algorithm::Xorwow),
            _ => None,
        }
    }

    /// Do the POOL kernels from MARIANA on set and read the state of their shift registers, and not that of XORWOW?
    /// They ask only whether the code is 0. (CAYMAN's ask for bit 0 of the code, and do nothing where it is clear.)
    pub const fn uses_lfsr_state(self) -> bool {
        matches!(self, Algorithm::Lfsr)
    }

    /// Has the POOL engine of `generation` the generator?
    pub fn on_pool(self, generation: Generation) -> bool {
        match self {
            Algorithm::Lfsr => generation >= Generation::Mariana,
            Algorithm::Xorwow => generation >= Generation::Cayman,
            Algorithm::Pcg32 | Algorithm::Philox => false,
        }
    }
}

/// XORWOW: one of the 16 independent lanes of the POOL kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the words have no other names
pub struct Xorwow {
    pub x: u32,
    pub y: u32,
    pub z: u32,
    pub w: u32,
    pub v: u32,
    /// The Weyl sequence.
    pub d: u32,
}

impl Default for Xorwow {
    /// The kernel's own seeds. Of `d` only the low half is known (T1).
    fn default() -> Xorwow {
        Xorwow { x: 123_456_789, y: 362_436_069, z: 521_288_629, w: 88_675_123, v: 5_783_321, d: 0xC934 }
    }
}

impl Xorwow {
    /// Lanes of the kernel's state.
    pub const LANES: usize = 16;
    /// Words of a lane's state.
    pub const WORDS: usize = 6;
    /// Step of the Weyl sequence.
    pub const WEYL: u32 = 362_437;

    /// Bytes of the kernel's state: word by word, each for all lanes.
    pub const STATE_BYTES: usize = Xorwow::LANES * Xorwow::WORDS * size_of::<u32>();

    /// A state from its words, in the order x, y, z, w, v, d. A restored state of zeros would stay there: its first
    /// word becomes 1.
    pub const fn restored(words: [u32; Xorwow::WORDS]) -> Xorwow {
        let [x, y, z, w, v, d] = words;
        let x = if x | y | z | w | v == 0 { 1 } else { x };
        Xorwow { x, y, z, w, v, d }
    }

    /// The words, in the order x, y, z, w, v, d.
    pub const fn words(self) -> [u32; Xorwow::WORDS] {
        [self.x, self.y, self.z, self.w, self.v, self.d]
    }

    /// The next 32 bits.
    pub const fn draw(&mut self) -> u32 {
        let t = self.x ^ (self.x >> 2);
        (self.x, self.y, self.z, self.w) = (self.y, self.z, self.w, self.v);
        self.v = (self.v ^ (self.v << 4)) ^ (t ^ (t << 1));
        self.d = self.d.wrapping_add(Xorwow::WEYL);
        self.v.wrapping_add(self.d)
    }
}

/// Sign and exponent of the numbers in [1, 2).
pub const UNIT: u32 = 127 << 23;

/// Mantissa of an fp32 number.
pub const MANTISSA: u32 = (1 << 23) - 1;

/// A number in [0, 1) from 32 random bits: the low 23 as the mantissa of a number in [1, 2), less 1
/// (`tpb-compiler-encodings/spec-rng-encoding.md`).
pub const fn uniform(bits: u32) -> f32 {
    f32::from_bits(bits & MANTISSA | UNIT) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marsaglia's generator ("Xorshift RNGs", 2003) with its own Weyl seed, worked out with unbounded integers, and
    /// its first outputs as the npm package `seedrandom` 3.0.5 (`lib/xorwow.js`) gives them from the same state.
    #[test]
    fn draws_are_those_of_the_recurrence() {
        let mut lane = Xorwow { d: 6_615_241, ..Xorwow::default() };
        let mut known = lane;
        assert_eq!(
            [(); 5].map(|()| known.draw()),
            [246_875_399, 3_690_007_200, 1_264_581_005, 3_906_711_041, 1_866_187_943]
        );
        let low = |value: u128| value & 0xFFFF_FFFF;
        let mut words = [123_456_789u128, 362_436_069, 521_288_629, 88_675_123, 5_783_321];
        for step in 1..=1000u128 {
            let t = words[0] ^ (words[0] / 4);
            let newest = low(words[4] ^ (words[4] * 16)) ^ low(t ^ (t * 2));
            words.rotate_left(1);
            words[4] = newest;
            assert_eq!(u128::from(lane.draw()), low(newest + 6_615_241 + 362_437 * step), "step {step}");
        }
    }

    #[test]
    fn generations_brought_generators() {
        let on_pool = |algorithm: Algorithm| {
            [Generation::Sunda, Generation::Cayman, Generation::Mariana, Generation::Maverick]
                .map(|generation| algorithm.on_pool(generation))
        };
        assert_eq!(on_pool(Algorithm::Lfsr), [false, false, true, true]);
        assert_eq!(on_pool(Algorithm::Xorwow), [false, true, true, true]);
        assert_eq!(on_pool(Algorithm::Philox), [false; 4]);
    }

    #[test]
    fn a_dead_state_is_revived() {
        assert_eq!(Xorwow::restored([0, 0, 0, 0, 0, 7]).words(), [1, 0, 0, 0, 0, 7]);
        assert_eq!(Xorwow::restored([0, 0, 0, 0, 9, 7]).words(), [0, 0, 0, 0, 9, 7]);
    }

    #[test]
    fn uniform_numbers_stay_below_one() {
        assert_eq!(uniform(0), 0.0);
        assert_eq!(uniform(0xFF80_0000), 0.0);
        assert_eq!(uniform(0x0040_0000), 0.5);
        assert_eq!(uniform(u32::MAX), 1.0 - 1.0 / 8_388_608.0);
    }
}
