//! Seeded operands, and lanes read and written bit by bit, apart from the code under test.

use q7_datapath::{Lane, Pred64, Vec512};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Any bits, or lanes of `width` bits near the ends and the middle of their range, or small numbers.
    pub fn vec(&mut self, width: u32) -> Vec512 {
        let style = self.below(4);
        let lanes: Vec<i128> = (0..512 / width)
            .map(|_| {
                let any = i128::from(self.next());
                let edge = [0, 1 << (width - 1), (1 << width) - 1][self.below(3) as usize];
                match style {
                    0 => any,
                    1 => edge + i128::from(self.below(5)) - 2,
                    2 => i128::from(self.below(2 * u64::from(width) + 3)) - i128::from(width) - 1,
                    _ if self.below(2) == 0 => any,
                    _ => edge,
                }
            })
            .collect();
        write(width, &lanes)
    }

    pub fn pred(&mut self) -> Pred64 {
        Pred64::from_bits(match self.below(6) {
            0 => 0,
            1 => !0,
            2 => self.next() & self.next() & self.next(),
            3 => 1 << self.below(64),
            _ => self.next(),
        })
    }
}

/// The vector and signedness of its lanes, for models that are written once for all widths.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub width: u32,
    pub signed: bool,
}

impl Shape {
    pub fn of<L: Lane>() -> Self {
        Self { width: L::BITS, signed: L::MIN != L::ZERO }
    }

    pub fn lowest(self) -> i128 {
        if self.signed { -(1 << (self.width - 1)) } else { 0 }
    }

    pub fn highest(self) -> i128 {
        if self.signed { (1 << (self.width - 1)) - 1 } else { (1 << self.width) - 1 }
    }

    pub fn clamp(self, value: i128) -> i128 {
        value.clamp(self.lowest(), self.highest())
    }

    pub fn read(self, v: Vec512) -> Vec<i128> {
        read(self.width, self.signed, v.bytes())
    }
}

/// The lanes of a register image.
pub fn read(width: u32, signed: bool, bytes: &[u8]) -> Vec<i128> {
    let bit = |position: usize| i128::from(bytes[position / 8] >> (position % 8) & 1);
    let width = width as usize;
    (0..8 * bytes.len() / width)
        .map(|lane| {
            let value: i128 = (0..width).map(|k| bit(lane * width + k) << k).sum();
            let negative = signed && bit(lane * width + width - 1) == 1;
            if negative { value - (1 << width) } else { value }
        })
        .collect()
}

/// The vector with these lanes, each modulo 2^width; missing ones are 0, surplus ones are dropped.
pub fn write(width: u32, lanes: &[i128]) -> Vec512 {
    let mut bytes = [0u8; 64];
    for (lane, value) in lanes.iter().take(512 / width as usize).enumerate() {
        for k in 0..width as usize {
            let position = lane * width as usize + k;
            bytes[position / 8] |= ((value >> k & 1) as u8) << (position % 8);
        }
    }
    Vec512::from_bytes(bytes)
}

/// Whether lane `lane` of `width` bits is true.
pub fn truth(pred: Pred64, width: u32, lane: usize) -> bool {
    pred.bits() >> (lane * width as usize / 8) & 1 == 1
}

/// The predicate with these lanes: as many equal bits per lane as it has bytes.
pub fn predicate(width: u32, lanes: &[bool]) -> Pred64 {
    let group = width as usize / 8;
    let bit = |k: usize| u64::from(lanes[k / group]) << k;
    Pred64::from_bits((0..64).map(bit).sum())
}
