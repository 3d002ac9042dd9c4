//! Makes random sequences.

use q7_isa::{File, Isa};

use super::batch::SCRATCH;
use super::mnemonics::Mnemonics;
use super::{Item, JUMP_TO_NEXT, Op, Sequence};
use crate::random::Random;

/// Instructions per sequence, not counting repetitions and set-up code.
const BUDGET: (i32, i32) = (20, 60);

/// Nesting of loops and calls.
const DEEPEST: u32 = 3;

/// Instructions in a loop or function at the most; keeps loop ends within the 255 bytes of LOOP.
const BODY: i32 = 14;

/// Sequence `index` of the run with this seed.
pub fn sequence(seed: u64, index: u64, mnemonics: &Mnemonics) -> Sequence {
    let mut random = Random::derived(seed, index);
    // a0 is left to calls.
    let base = random.between(1, 15);
    let inside = random.below(SCRATCH as u32 / 4) as i32 * 4;
    // Far below the scratch memory, large offsets are needed.
    let offset = if random.chance(70) { inside } else { -4 * random.between(1, 250) };
    let ar = std::array::from_fn(|_| random.word());
    let special = std::array::from_fn(|_| random.word());
    let scratch = std::array::from_fn(|_| random.uniform() as u8);
    let budget = random.between(BUDGET.0, BUDGET.1);
    let mut generator =
        Generator { isa: Isa::embedded(), random, mnemonics, base, offset, reserved: 1 << base, depth: 0 };
    let items = generator.items(budget);
    Sequence { index, ar, base, offset, special, scratch, items }
}

pub(super) struct Generator<'a> {
    pub(super) isa: &'static Isa,
    pub(super) random: Random,
    pub(super) mnemonics: &'a Mnemonics,
    pub(super) base: i32,
    pub(super) offset: i32,
    /// Registers that must not be written, as a bit set.
    reserved: u32,
    depth: u32,
}

/// An instruction without a literal.
pub(super) fn op(mnemonic: &'static str, operands: &[i32]) -> Op {
    Op { mnemonic, operands: operands.to_vec(), literal: None }
}

impl Generator<'_> {
    fn items(&mut self, mut budget: i32) -> Vec<Item> {
        let mut items = Vec::new();
        while budget > 0 {
            let (item, cost) = self.item(budget);
            items.push(item);
            budget -= cost;
        }
        items
    }

    /// An item and how many instructions it counts for.
    fn item(&mut self, budget: i32) -> (Item, i32) {
        let deeper = self.depth < DEEPEST && budget > 4;
        let item = match self.random.below(100) {
            0..5 if deeper => self.loop_item(budget),
            5..7 if deeper => self.manual_loop(budget),
            7..10 if deeper => self.countdown(budget),
            // A function keeps its return address in a0, so it calls no other.
            10..14 if deeper && self.may_write(0) => self.call(budget),
            14..16 => Item::JumpRegister { register: self.target(), skip: self.skip() },
            16..30 => self.branch(),
            30..48 => Item::Straight(self.memory()),
            48..53 => Item::Straight(self.divide()),
            53..58 => Item::Straight(self.shift_left()),
            58..61 => {
                let literal = Some(self.random.word());
                Item::Straight(vec![Op { mnemonic: "l32r", operands: vec![self.target()], literal }])
            }
            61 => self.stop_loop(),
            62..66 if self.mnemonics.model => Item::Straight(self.exclusive()),
            _ => {
                let mnemonic = *self.random.pick(&self.mnemonics.straight);
                Item::Straight(self.apart(mnemonic))
            }
        };
        let cost = cost(&item);
        (item, cost)
    }

    /// True if no enclosing item or access needs the register.
    fn may_write(&self, register: i32) -> bool {
        self.reserved >> register & 1 == 0
    }

    /// A register to write.
    pub(super) fn target(&mut self) -> i32 {
        loop {
            let register = self.source();
            if self.may_write(register) {
                return register;
            }
        }
    }

    /// A register to read.
    pub(super) fn source(&mut self) -> i32 {
        self.random.below(16) as i32
    }

    fn skip(&mut self) -> usize {
        self.random.below(4) as usize
    }

    /// The instruction with random operands, but without its label.
    pub(super) fn any(&mut self, mnemonic: &'static str) -> Op {
        let isa = self.isa;
        let opcode = crate::code::opcode(isa, mnemonic);
        let placement = isa.placement(crate::code::single(isa, mnemonic));
        let mut operands = Vec::new();
        for (operand, window) in isa.opcode(opcode).operands.iter().zip(&placement.windows) {
            operands.push(match operand.file {
                File::Label => continue,
                File::Ar if operand.direction.writes() => self.target(),
                File::Ar => self.source(),
                _ => loop {
                    let field = self.random.below(1 << window.len());
                    // SLLI by 32 has an encoding but no meaning.
                    let value = operand.codec.decode(field, window.len() as u32, 0);
                    if let Some(value) = value.filter(|&value| mnemonic != "slli" || value < 32) {
                        break value;
                    }
                },
            });
        }
        op(mnemonic, &operands)
    }

    /// The instruction with random operands, and for QEMU with jumps around it where QEMU 7.2 goes
    /// wrong within a stretch of code without jumps:
    /// * It keeps a copy of BR for each boolean and one for the special register, and reconciles them
    ///   at jumps only.
    /// * SRA and SRL behind SSL or SSA8B take SAR modulo 32, so that 32 counts as 0.
    fn apart(&mut self, mnemonic: &'static str) -> Vec<Op> {
        let op = self.any(mnemonic);
        let operands = &self.isa.opcode(crate::code::opcode(self.isa, mnemonic)).operands;
        let boolean = operands.iter().any(|operand| operand.file == File::Br && operand.direction.writes());
        let right = ["sra", "srl"].contains(&mnemonic);
        if self.mnemonics.model || !(boolean || right || mnemonic.ends_with(".br")) {
            return vec![op];
        }
        let jump = Op { mnemonic: JUMP_TO_NEXT, operands: Vec::new(), literal: None };
        vec![jump.clone(), op, jump]
    }

    fn branch(&mut self) -> Item {
        let (skip, out) = (self.skip(), self.random.chance(8));
        let branch = if self.random.chance(8) {
            op("j", &[])
        } else {
            let mnemonic = *self.random.pick(&self.mnemonics.branch);
            self.any(mnemonic)
        };
        Item::Branch { op: branch, skip, out }
    }

    /// Makes `body`, in which `register` is not written, from a part of the budget.
    fn body(&mut self, budget: i32, register: Option<i32>) -> Vec<Item> {
        let before = self.reserved;
        self.reserved |= register.map_or(0, |register| 1 << register);
        self.depth += 1;
        let budget = self.random.between(1, BODY.min(budget - 3));
        let items = self.items(budget);
        self.depth -= 1;
        self.reserved = before;
        items
    }

    fn loop_item(&mut self, budget: i32) -> Item {
        let mnemonic = *self.random.pick(&self.mnemonics.loops);
        let count = match mnemonic {
            // 0 means 2^32 repetitions.
            "loop" => self.random.between(1, 5),
            "loopnez" => self.random.between(0, 4),
            _ => self.random.between(-2, 4),
        };
        let register = self.target();
        Item::Loop { mnemonic, register, count, body: self.body(budget, None) }
    }

    fn manual_loop(&mut self, budget: i32) -> Item {
        let (exchange, register, count) = (self.random.chance(50), self.target(), self.random.between(0, 4));
        Item::ManualLoop { exchange, register, count, body: self.body(budget, None) }
    }

    fn countdown(&mut self, budget: i32) -> Item {
        let (register, count) = (self.target(), self.random.between(1, 4));
        Item::Countdown { register, count, body: self.body(budget, Some(register)) }
    }

    fn call(&mut self, budget: i32) -> Item {
        let register = if self.random.chance(50) { Some(self.target()) } else { None };
        let end = *self.random.pick(&["ret", "ret.n", "jx"]);
        Item::Call { register, body: self.body(budget, Some(0)), end }
    }

    /// Ends the loop that runs, if one does, after this pass.
    fn stop_loop(&mut self) -> Item {
        let register = self.target();
        let write = *self.random.pick(&["wsr.lcount", "xsr.lcount"]);
        Item::Straight(vec![op("movi.n", &[register, 0]), op(write, &[register])])
    }

    fn divide(&mut self) -> Vec<Op> {
        let mnemonic = *self.random.pick(&self.mnemonics.divide);
        let divisor = self.target();
        let set_up = if self.random.chance(50) {
            let value = self.random.word();
            Op { mnemonic: "l32r", operands: vec![divisor], literal: Some(value.max(1)) }
        } else {
            let value = self.random.between(1, 95);
            op("movi.n", &[divisor, if self.random.chance(50) { value } else { -1 }])
        };
        let (quotient, dividend) = (self.target(), self.source());
        vec![set_up, op(mnemonic, &[quotient, dividend, divisor])]
    }

    /// SLL with a defined amount: SAR above 32 has no published meaning for it.
    fn shift_left(&mut self) -> Vec<Op> {
        let set_up = *self.random.pick(&["ssl", "ssr", "ssa8l", "ssa8b", "ssai"]);
        let mut ops = vec![self.any(set_up), self.any("sll")];
        if self.mnemonics.model && self.random.chance(50) {
            ops.remove(0);
        }
        ops
    }
}

fn cost(item: &Item) -> i32 {
    match item {
        Item::Straight(ops) => ops.len() as i32,
        Item::Branch { .. } | Item::JumpRegister { .. } => 1,
        compound => 3 + compound.body().iter().map(cost).sum::<i32>(),
    }
}
