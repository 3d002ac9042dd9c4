//! Reproducible random numbers, biased towards the values where arithmetic breaks.

/// A SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Words at the borders of signs, halves, bytes and the ranges of CLAMPS and SEXT.
pub const EDGES: [u32; 28] = [
    0,
    1,
    2,
    3,
    7,
    8,
    0x1f,
    0x20,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x3f_ffff,
    0x40_0000,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xaaaa_aaaa,
    0xffc0_0000,
    0xffff_7fff,
    0xffff_ff80,
    0xffff_fffe,
    0xffff_ffff,
];

impl Random {
    /// A generator that always gives the same numbers for one seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for item `index` of a run, independent of its neighbours.
    pub fn derived(seed: u64, index: u64) -> Random {
        let mut random = Random(seed ^ index.wrapping_mul(0xa076_1d64_78bd_642f));
        random.bits();
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// 32 uniform bits.
    pub fn uniform(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.uniform()) * u64::from(limit)) >> 32) as u32
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there is at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// A word: often small, an edge or near a power of two, else uniform.
    pub fn word(&mut self) -> u32 {
        match self.below(10) {
            0..=1 => self.between(-34, 66) as u32,
            2..=3 => *self.pick(&EDGES),
            4 => (1u32 << self.below(32)).wrapping_add(self.between(-1, 1) as u32),
            5 => (!0u32 << self.below(32)).wrapping_add(self.between(-1, 1) as u32),
            _ => self.uniform(),
        }
    }
}
