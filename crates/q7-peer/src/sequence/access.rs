//! Random loads, stores and exclusive accesses inside the scratch memory.

use super::Op;
use super::batch::SCRATCH;
use super::generate::{Generator, op};

/// Width in bytes and largest offset of a load or store.
fn shape(mnemonic: &str) -> (i32, i32) {
    let digits: String = mnemonic.chars().skip(1).take_while(char::is_ascii_digit).collect();
    let width = digits.parse::<i32>().unwrap_or(32) / 8;
    (width, if mnemonic.ends_with(".n") { 60 } else { 255 * width })
}

impl Generator<'_> {
    /// A load or store, with what makes its address.
    pub(super) fn memory(&mut self) -> Vec<Op> {
        let mnemonic = *self.random.pick(&self.mnemonics.memory);
        let (width, most) = shape(mnemonic);
        let place = self.place(width);
        let value = if mnemonic.starts_with('l') { self.target() } else { self.source() };
        let direct = place - self.offset;
        match self.random.below(4) {
            0..2 if (0..=most).contains(&direct) => vec![op(mnemonic, &[value, self.base, direct])],
            2 if self.offset >= 0 => self.indexed(mnemonic, value, width, most),
            _ => {
                let offset = self.random.between(0, most / width) * width;
                let (pointer, mut ops) = self.pointer(direct - offset);
                ops.push(op(mnemonic, &[value, pointer, offset]));
                ops
            }
        }
    }

    /// An aligned offset into the scratch memory.
    fn place(&mut self, width: i32) -> i32 {
        self.random.between(0, SCRATCH as i32 / width - 1) * width
    }

    /// A register with the base plus a distance, and what computes it.
    fn pointer(&mut self, distance: i32) -> (i32, Vec<Op>) {
        let register = self.target();
        let ops = match distance {
            -128..128 if self.random.chance(50) => vec![op("addi", &[register, self.base, distance])],
            -2048..2048 => {
                let add = *self.random.pick(&["add", "add.n"]);
                vec![op("movi", &[register, distance]), op(add, &[register, register, self.base])]
            }
            _ => {
                let low = distance - (distance & !0xff);
                vec![
                    op("movi", &[register, low]),
                    op("addmi", &[register, register, distance - low]),
                    op("add", &[register, register, self.base]),
                ]
            }
        };
        (register, ops)
    }

    /// An access whose address depends on data: a field of a register, scaled, is the index.
    fn indexed(&mut self, mnemonic: &'static str, value: i32, width: i32, most: i32) -> Vec<Op> {
        let room = SCRATCH as i32 - self.offset;
        let bits = self.random.between(1, 4);
        let span = width << bits;
        if span > room {
            return vec![op(mnemonic, &[value, self.base, 0])];
        }
        let offset = self.random.between(0, (room - span).min(most) / width) * width;
        let (index, from, shift) = (self.target(), self.source(), self.random.between(0, 31));
        let scale = match width {
            1 => *self.random.pick(&["add", "add.n"]),
            2 => "addx2",
            _ => "addx4",
        };
        vec![
            op("extui", &[index, from, shift, bits]),
            op(scale, &[index, index, self.base]),
            op(mnemonic, &[value, index, offset]),
        ]
    }

    /// An exclusive load, perhaps something that breaks the reservation, an exclusive store, its outcome.
    pub(super) fn exclusive(&mut self) -> Vec<Op> {
        let place = self.place(4);
        let (pointer, mut ops) = self.pointer(place - self.offset);
        // The address must survive the loads.
        let other = |generator: &mut Self| loop {
            let register = generator.target();
            if register != pointer {
                return register;
            }
        };
        let (loaded, outcome) = (other(self), other(self));
        if self.random.chance(85) {
            ops.push(op("l32ex", &[loaded, pointer]));
        }
        match self.random.below(4) {
            0 => ops.push(op("clrex", &[])),
            1 => ops.push(op("s32i", &[loaded, pointer, 0])),
            2 => ops.push(op("s32ex", &[loaded, pointer])),
            _ => {}
        }
        let stored = self.source();
        ops.push(op("s32ex", &[stored, pointer]));
        ops.push(op("getex", &[outcome]));
        ops
    }
}
