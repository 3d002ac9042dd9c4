//! Independent models of the evaluator, written from the tables and not from the code under test: exact integers, and
//! exact numbers by enumeration for the narrow formats; fp32 by the LLVM soft float.
#![allow(dead_code)] // every test binary uses a part

pub mod floats;
pub mod formats;
pub mod integers;

/// A small reproducible generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Boundary values of a width, as bits.
pub fn integer_edges(bits: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let top = 1u64 << (bits - 1);
    let mut edges = vec![0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100];
    edges.extend([
        top,
        top - 1,
        top - 2,
        top + 1,
        mask,
        mask - 1,
        mask - 2,
        mask >> 1 >> 1,
        0x5555_5555_5555_5555,
    ]);
    edges.extend([
        bits as u64,
        bits as u64 - 1,
        bits as u64 + 1,
        top >> 1,
        0xAAAA_AAAA_AAAA_AAAA,
        0x8000_0001,
    ]);
    edges.iter_mut().for_each(|edge| *edge &= mask);
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Boundary values of fp32, as bits.
pub fn fp32_edges() -> Vec<u32> {
    let positive: [u32; 30] = [
        0x0000_0000,
        0x0000_0001,
        0x0000_0002,
        0x007F_FFFF,
        0x0080_0000,
        0x0080_0001,
        0x00FF_FFFF,
        0x0100_0000,
        0x3380_0000,
        0x3F00_0000,
        0x3F7F_FFFF,
        0x3F80_0000,
        0x3F80_0001,
        0x3FC0_0000,
        0x4000_0000,
        0x4040_0000,
        0x40A0_0000,
        0x4B00_0001,
        0x4B7F_FFFF,
        0x4B80_0000,
        0x4F00_0000,
        0x5F00_0000,
        0x7EFF_FFFF,
        0x7F00_0000,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7F80_0001,
        0x7FBF_FFFF,
        0x7FC0_0000,
        0x7FC1_2345,
    ];
    positive.into_iter().flat_map(|bits| [bits, bits | 0x8000_0000]).collect()
}
