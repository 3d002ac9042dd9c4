//! Many sequences in one image: each starts from a state of its own and ends by storing all registers
//! into its record; the program then writes all records with one host call.

use q7_isa::Isa;

use super::{Item, JUMP_TO_NEXT, Op, Sequence};
use crate::code::{Assembled, Code, Label, Literal};
use crate::elf::Segment;
use crate::runner::Image;

/// Bytes of memory that a sequence may load and store.
pub const SCRATCH: usize = 256;

const CODE: u32 = 0x0010_0000;
const RECORDS: u32 = 0x0040_0000;

/// What a record holds in front of the scratch memory; one more word keeps it aligned to 16 bytes.
pub(super) const STATE: [&str; 23] = [
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "a7",
    "a8",
    "a9",
    "a10",
    "a11",
    "a12",
    "a13",
    "a14",
    "a15",
    "sar",
    "br",
    "lbeg",
    "lend",
    "lcount",
    "threadptr",
    "misc0",
];
pub(super) const STATE_BYTES: usize = 96;

/// Bytes per sequence in the output.
pub(super) const RECORD: usize = STATE_BYTES + SCRATCH;

/// One image.
pub struct Batch {
    /// The program.
    pub image: Image,
    code: Assembled,
    bodies: Vec<(Label, Label)>,
}

impl Batch {
    /// The image that runs the sequences one after the other.
    pub fn new(isa: &Isa, sequences: &[Sequence]) -> Batch {
        let mut emitter = Emitter { code: Code::new(isa), literals: Vec::new() };
        let mut bodies = Vec::new();
        let mut records = Vec::new();
        for sequence in sequences {
            let record = RECORDS + records.len() as u32;
            bodies.push(emitter.sequence(sequence, record));
            records.extend([0; STATE_BYTES]);
            records.extend(sequence.scratch);
        }
        emitter.finish(records.len() as u32);
        let code = emitter.code.assemble(CODE);
        assert!(CODE + (code.bytes.len() as u32) < RECORDS, "the code of a batch meets its records");
        let segments = vec![
            Segment { address: CODE, bytes: code.bytes.clone() },
            Segment { address: RECORDS, bytes: records },
        ];
        Batch { image: Image { segments, entry: CODE }, code, bodies }
    }

    /// The generated instructions of a sequence as text.
    pub fn listing(&self, isa: &Isa, index: usize) -> String {
        let (start, end) = self.bodies[index];
        let (mut at, end) = (self.code.address(start), self.code.address(end));
        let mut text = String::new();
        while at < end {
            let bytes = &self.code.bytes[(at - CODE) as usize..(end - CODE) as usize];
            // Padding behind jumps may decode to nothing.
            let (line, length) = match isa.decode(bytes, at) {
                Ok(bundle) => (isa.bundle_text(&bundle).to_string(), u32::from(bundle.length)),
                Err(_) => (format!(".byte {:#04x}", bytes[0]), 1),
            };
            text += &format!("  {at:#x}: {line}\n");
            at += length;
        }
        text
    }
}

struct Emitter<'isa> {
    code: Code<'isa>,
    /// Literals of the sequence under construction. L32R reaches back only, so they come first.
    literals: Vec<(Label, Literal)>,
}

impl Emitter<'_> {
    fn load(&mut self, register: i32, literal: Literal) {
        let label = self.code.label();
        self.literals.push((label, literal));
        self.code.to("l32r", &[register], label);
    }

    /// Emits what `emit` does behind its literals, and a jump over them.
    fn with_literals<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let start = self.code.label();
        self.code.to("j", &[], start);
        self.code.align();
        let mark = self.code.mark();
        self.code.place(start);
        let result = emit(self);
        let body = self.code.cut(mark);
        for (label, literal) in std::mem::take(&mut self.literals) {
            self.code.place(label);
            self.code.literal(literal);
        }
        self.code.append(body);
        result
    }

    fn sequence(&mut self, sequence: &Sequence, record: u32) -> (Label, Label) {
        self.with_literals(|emitter| {
            emitter.set_up(sequence, record + STATE_BYTES as u32);
            let start = emitter.code.here();
            let end = emitter.code.label();
            emitter.body(&sequence.items, end, end);
            emitter.dump(record);
            (start, end)
        })
    }

    fn set_up(&mut self, sequence: &Sequence, scratch: u32) {
        let registers = ["wsr.sar", "wsr.br", "wur.threadptr", "wsr.misc0", "wsr.misc1"];
        for (mnemonic, &value) in registers.into_iter().zip(&sequence.special) {
            self.load(2, Literal::Value(value));
            self.code.op(mnemonic, &[2]);
        }
        // QEMU wants BR apart from booleans, see `Generator::apart`.
        self.jump_to_next();
        self.code.op("movi", &[2, 0]);
        for mnemonic in ["wsr.lcount", "wsr.lbeg", "wsr.lend"] {
            self.code.op(mnemonic, &[2]);
        }
        for register in 0..16 {
            let value = if register == sequence.base {
                scratch.wrapping_add(sequence.offset as u32)
            } else {
                sequence.ar[register as usize]
            };
            self.load(register, Literal::Value(value));
        }
    }

    /// Stores the state; MISC1 keeps a0 while it points to the record.
    fn dump(&mut self, record: u32) {
        self.jump_to_next();
        self.code.op("wsr.misc1", &[0]);
        self.load(0, Literal::Value(record));
        for register in 1..16 {
            self.code.op("s32i", &[register, 0, 4 * register]);
        }
        for (index, name) in STATE.iter().enumerate().filter(|(index, _)| !(1..16).contains(index)) {
            let mnemonic = match *name {
                "a0" => "rsr.misc1".to_owned(),
                "threadptr" => "rur.threadptr".to_owned(),
                name => format!("rsr.{name}"),
            };
            self.code.op(&mnemonic, &[1]);
            self.code.op("s32i", &[1, 0, 4 * index as i32]);
        }
    }

    fn finish(&mut self, length: u32) {
        const WRITE: i32 = 4;
        const EXIT: i32 = 1;
        const STDOUT: i32 = 1;
        self.with_literals(|emitter| {
            emitter.load(4, Literal::Value(RECORDS));
            emitter.load(5, Literal::Value(length));
            for (call, argument) in [(WRITE, STDOUT), (EXIT, 0)] {
                emitter.code.op("movi", &[2, call]);
                emitter.code.op("movi", &[3, argument]);
                emitter.code.op("simcall", &[0]);
            }
        });
    }

    /// Emits items and places `end` behind them; `out` is where branches out of the body go.
    fn body(&mut self, items: &[Item], end: Label, out: Label) {
        let mut starts: Vec<Label> = items.iter().map(|_| self.code.label()).collect();
        starts.push(end);
        for (index, item) in items.iter().enumerate() {
            self.code.place(starts[index]);
            let after = starts[index + 1];
            let skipping = |skip: usize| starts[(index + 1 + skip).min(items.len())];
            match item {
                Item::Straight(ops) => ops.iter().for_each(|op| self.op(op)),
                Item::Branch { op, skip, out: leaves } => {
                    let target = if *leaves { out } else { skipping(*skip) };
                    self.code.to_or(op.mnemonic, &op.operands, target, after);
                    if op.mnemonic.ends_with(".n") {
                        // The short branches cannot reach the instruction behind them.
                        self.code.op("nop.n", &[]);
                    }
                }
                Item::JumpRegister { register, skip } => {
                    self.load(*register, Literal::Address(skipping(*skip)));
                    self.code.op("jx", &[*register]);
                }
                compound => self.compound(compound, after),
            }
        }
        self.code.place(end);
    }

    fn jump_to_next(&mut self) {
        let next = self.code.label();
        self.code.to("j", &[], next);
        self.code.place(next);
    }

    fn op(&mut self, op: &Op) {
        match op.literal {
            _ if op.mnemonic == JUMP_TO_NEXT => self.jump_to_next(),
            Some(value) => self.load(op.operands[0], Literal::Value(value)),
            None => self.code.op(op.mnemonic, &op.operands),
        }
    }

    fn compound(&mut self, item: &Item, after: Label) {
        let end = self.code.label();
        match item {
            Item::Loop { mnemonic, register, count, body } => {
                self.code.op("movi", &[*register, *count]);
                self.code.to(mnemonic, &[*register], end);
                self.repeated(body, end, after);
            }
            Item::ManualLoop { exchange, register, count, body } => {
                let (begin, write) = (self.code.label(), if *exchange { "xsr" } else { "wsr" });
                self.load(*register, Literal::Address(begin));
                self.code.op(&format!("{write}.lbeg"), &[*register]);
                self.load(*register, Literal::Address(end));
                self.code.op(&format!("{write}.lend"), &[*register]);
                self.code.op("movi", &[*register, *count]);
                self.code.op(&format!("{write}.lcount"), &[*register]);
                self.code.op("isync", &[]);
                self.code.place(begin);
                self.repeated(body, end, after);
            }
            Item::Countdown { register, count, body } => {
                self.code.op("movi", &[*register, *count]);
                let top = self.code.here();
                self.body(body, end, after);
                self.code.op("addi", &[*register, *register, -1]);
                self.code.to("bnez", &[*register], top);
            }
            Item::Call { register, body, end: last } => {
                let function = self.code.label();
                match register {
                    Some(register) => {
                        self.load(*register, Literal::Address(function));
                        self.code.op("callx0", &[*register]);
                    }
                    None => self.code.to("call0", &[], function),
                }
                self.code.to("j", &[], after);
                self.code.align();
                self.code.place(function);
                self.body(body, end, after);
                let operands: &[i32] = if *last == "jx" { &[0] } else { &[] };
                self.code.op(last, operands);
            }
            Item::Straight(_) | Item::Branch { .. } | Item::JumpRegister { .. } => {}
        }
    }

    /// The body of a zero-overhead loop, which must not be empty.
    fn repeated(&mut self, body: &[Item], end: Label, after: Label) {
        if body.is_empty() {
            self.code.op("nop", &[]);
        }
        self.body(body, end, after);
    }
}
