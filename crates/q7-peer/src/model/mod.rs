//! An exact model of the base instruction set, written from its description and apart from the fast
//! code: unbounded integers reduced at the end, booleans as truth values, memory as bytes, and
//! register windows as an unbounded row of panes that is never spilled.
//!
//! Decoding is `q7-isa`'s (checked by the disassembly peers). Source of the facts: the pages
//! `core-isa/spec-b25.md` to `spec-b29.md` of the reference; exclusives: `xea3/corrections.csv`.

mod alu;
mod flow;
mod memory;
mod state;

use std::collections::{BTreeMap, HashMap};

use q7_isa::{Isa, Operands};

use memory::Bytes;

/// Why the model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Exit call with this status.
    Exit(u32),
    /// HALT with its immediate.
    Halted(i32),
    /// Division by zero.
    DivideByZero,
    /// A load or store that is not aligned.
    Misaligned(u32),
    /// Bytes that are no single instruction, or one that the model does not know.
    Unknown(String),
    /// As many instructions as [`Model::run`] was allowed.
    Limit,
}

#[derive(Clone, Debug)]
struct Decoded<'isa> {
    mnemonic: &'isa str,
    operands: Operands,
    length: u32,
}

/// The state of the model.
#[derive(Clone, Debug)]
pub struct Model<'isa> {
    isa: &'isa Isa,
    panes: Vec<[u32; 8]>,
    pane: usize,
    booleans: [bool; 16],
    /// Shift amount register.
    pub sar: u32,
    /// Loop begin.
    pub lbeg: u32,
    /// Loop end.
    pub lend: u32,
    /// Loop count.
    pub lcount: u32,
    /// Thread pointer.
    pub threadptr: u32,
    /// MISC0 and MISC1.
    pub misc: [u32; 2],
    /// Address of the next instruction.
    pub pc: u32,
    /// How often each mnemonic was executed.
    pub executed: BTreeMap<&'isa str, u64>,
    /// What was written by host calls.
    pub output: Vec<u8>,
    reserved: Option<u32>,
    exclusive_result: bool,
    memory: Bytes,
    decoded: HashMap<u32, Decoded<'isa>>,
}

impl<'isa> Model<'isa> {
    /// All registers and all of memory zero.
    pub fn new(isa: &'isa Isa) -> Model<'isa> {
        Model {
            isa,
            panes: vec![[0; 8]; 2],
            pane: 0,
            booleans: [false; 16],
            sar: 0,
            lbeg: 0,
            lend: 0,
            lcount: 0,
            threadptr: 0,
            misc: [0; 2],
            pc: 0,
            executed: BTreeMap::new(),
            output: Vec::new(),
            reserved: None,
            exclusive_result: false,
            memory: Bytes::default(),
            decoded: HashMap::new(),
        }
    }

    /// Reads a visible AR.
    pub fn ar(&self, register: i32) -> u32 {
        let register = register as usize;
        self.panes[self.pane + register / 8][register % 8]
    }

    /// Writes a visible AR.
    pub fn set_ar(&mut self, register: i32, value: u32) {
        let register = register as usize;
        self.panes[self.pane + register / 8][register % 8] = value;
    }

    /// The sixteen visible ARs.
    pub fn ars(&self) -> [u32; 16] {
        std::array::from_fn(|register| self.ar(register as i32))
    }

    /// The booleans as the special register BR.
    pub fn br(&self) -> u32 {
        (0..16).map(|bit| u32::from(self.booleans[bit]) * (1 << bit)).sum()
    }

    /// Sets the booleans from the low 16 bits of a word.
    pub fn set_br(&mut self, word: u32) {
        self.booleans = std::array::from_fn(|bit| word / (1 << bit) % 2 == 1);
    }

    /// Copies bytes into memory.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) {
        self.decoded.clear();
        for (offset, &byte) in bytes.iter().enumerate() {
            self.memory.set(address.wrapping_add(offset as u32), byte);
        }
    }

    /// Copies bytes out of memory.
    pub fn read_bytes(&self, address: u32, length: usize) -> Vec<u8> {
        (0..length).map(|offset| self.memory.get(address.wrapping_add(offset as u32))).collect()
    }

    /// Executes at most `limit` instructions.
    pub fn run(&mut self, limit: u64) -> Stop {
        for _ in 0..limit {
            if let Err(stop) = self.step() {
                return stop;
            }
        }
        Stop::Limit
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// Why execution does not go on; then nothing was changed, except that HALT passes.
    pub fn step(&mut self) -> Result<(), Stop> {
        let pc = self.pc;
        let Decoded { mnemonic, operands, length } = self.decode(pc)?;
        let next = pc.wrapping_add(length);
        let target = self.execute(mnemonic, &operands, next)?;
        *self.executed.entry(mnemonic).or_default() += 1;
        self.pc = match target {
            Some(target) => target,
            None if next == self.lend && self.lcount != 0 => {
                self.lcount -= 1;
                self.lbeg
            }
            None => next,
        };
        Ok(())
    }

    fn decode(&mut self, pc: u32) -> Result<Decoded<'isa>, Stop> {
        if let Some(decoded) = self.decoded.get(&pc) {
            return Ok(decoded.clone());
        }
        let bytes = self.read_bytes(pc, 16);
        let bundle =
            self.isa.decode(&bytes, pc).map_err(|error| Stop::Unknown(format!("{pc:#x}: {error}")))?;
        let [instruction] = bundle.instructions.as_slice() else {
            return Err(Stop::Unknown(format!("{pc:#x}: a bundle of several instructions")));
        };
        let decoded = Decoded {
            mnemonic: &self.isa.opcode(instruction.opcode).mnemonic,
            operands: instruction.operands.clone(),
            length: u32::from(bundle.length),
        };
        self.decoded.insert(pc, decoded.clone());
        Ok(decoded)
    }

    /// Executes an instruction; the address it transfers control to, if it does.
    fn execute(&mut self, mnemonic: &str, o: &[i32], next: u32) -> Result<Option<u32>, Stop> {
        if let Some(value) = alu::result(self, mnemonic, o)? {
            self.set_ar(o[0], value);
            return Ok(None);
        }
        if let Some(taken) = flow::condition(self, mnemonic, o) {
            return Ok(taken.then(|| o[o.len() - 1] as u32));
        }
        if self.change_state(mnemonic, o) || self.access_memory(mnemonic, o)? {
            return Ok(None);
        }
        if let Some(target) = self.transfer(mnemonic, o, next)? {
            return Ok(target);
        }
        Err(Stop::Unknown(format!("{mnemonic} at {:#x}", self.pc)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    const MINIMUM: u32 = 0x8000_0000;
    const MINUS_ONE: u32 = u32::MAX;

    /// Mnemonic, operands, a2, a3, SAR, then a1.
    type Known = (&'static str, &'static [i32], u32, u32, u32, u32);

    /// Results stated by hand, so that the model does not rest on its agreement with q7-core alone.
    #[test]
    fn known_results() {
        let rows: &[Known] = &[
            ("addx8", &[1, 2, 3], 0x2000_0001, 5, 0, 13),
            ("subx4", &[1, 2, 3], 1, 5, 0, MINUS_ONE),
            ("abs", &[1, 2], MINIMUM, 0, 0, MINIMUM),
            ("sext", &[1, 2, 7], 0x180, 0, 0, 0xffff_ff80),
            ("clamps", &[1, 2, 7], 200, 0, 0, 127),
            ("clamps", &[1, 2, 22], MINIMUM, 0, 0, 0xffc0_0000),
            ("nsa", &[1, 2], MINUS_ONE, 0, 0, 31),
            ("nsa", &[1, 2], 0x4000_0000, 0, 0, 0),
            ("nsau", &[1, 2], 0, 0, 0, 32),
            ("nsau", &[1, 2], 1, 0, 0, 31),
            ("mulsh", &[1, 2, 3], MINUS_ONE, 1, 0, MINUS_ONE),
            ("muluh", &[1, 2, 3], MINUS_ONE, MINUS_ONE, 0, 0xffff_fffe),
            ("mul16s", &[1, 2, 3], 0x1_ffff, 2, 0, 0xffff_fffe),
            ("quos", &[1, 2, 3], MINIMUM, MINUS_ONE, 0, MINIMUM),
            ("rems", &[1, 2, 3], -7i32 as u32, 2, 0, MINUS_ONE),
            ("srai", &[1, 2, 4], 0xffff_ff0f, 0, 0, 0xffff_fff0),
            ("extui", &[1, 2, 28, 8], 0xa000_0000, 0, 0, 10),
            ("sll", &[1, 2], 3, 0, 31, 6),
            ("src", &[1, 2, 3], 0x1234_5678, 0x9abc_def0, 16, 0x5678_9abc),
            ("sra", &[1, 2], MINIMUM, 0, 40, MINUS_ONE),
            ("addmi", &[1, 2, -256], 0, 0, 0, 0xffff_ff00),
            ("movi", &[1, -2048], 0, 0, 0, 0xffff_f800),
        ];
        for &(mnemonic, operands, a2, a3, sar, expected) in rows {
            let mut code = Code::new(Isa::embedded());
            code.op(mnemonic, operands);
            let mut model = Model::new(Isa::embedded());
            model.write_bytes(0x1000, &code.assemble(0x1000).bytes);
            (model.pc, model.sar) = (0x1000, sar);
            model.set_ar(2, a2);
            model.set_ar(3, a3);
            assert_eq!(model.step(), Ok(()));
            assert_eq!(model.ar(1), expected, "{mnemonic} {operands:?} of {a2:#x}, {a3:#x}");
        }
    }
}
