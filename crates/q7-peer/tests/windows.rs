//! Windowed calls: random trees of calls on q7-core, whose panes spill, and on the exact model, whose
//! panes never end. Needs no peer program.

use q7_isa::Isa;
use q7_peer::code::{Code, Label, Literal};
use q7_peer::elf::Segment;
use q7_peer::random::Random;
use q7_peer::runner::{Core, Exact, Image, Pace, Runner};
use q7_peer::tool::say;

const CODE: u32 = 0x0010_0000;
const LOG: u32 = 0x0030_0000;
const STACK: u32 = 0x0080_0000;

/// Bytes that each function leaves in the log: a0..a7, its link, stack pointer and locals.
const ENTRY: u32 = 32;

/// Functions per program. Their longest chain is far beyond the eight panes.
const FUNCTIONS: usize = 60;

/// Frames that fit into registers.
const PANES: usize = 8;

/// A function is called from exactly one place, so that the tree of calls is the tree of functions.
struct Tree {
    children: Vec<Vec<usize>>,
    depth: usize,
}

impl Tree {
    fn new(random: &mut Random) -> Tree {
        let mut children = vec![Vec::new(); FUNCTIONS];
        let mut depths = vec![1; FUNCTIONS];
        for child in 1..FUNCTIONS {
            // Mostly a chain, with branches that return to the middle of it.
            let parent = if random.chance(75) { child - 1 } else { random.below(child as u32) as usize };
            children[parent].push(child);
            depths[child] = depths[parent] + 1;
        }
        Tree { children, depth: depths.into_iter().max().unwrap_or(0) }
    }
}

/// a2..a7: the arguments and locals of a function.
fn local(random: &mut Random) -> i32 {
    random.between(2, 7)
}

struct Program {
    code: Code<'static>,
    random: Random,
    literals: Vec<(Label, Literal)>,
    functions: Vec<Label>,
}

impl Program {
    fn load(&mut self, register: i32, literal: Literal) {
        let label = self.code.label();
        self.literals.push((label, literal));
        self.code.to("l32r", &[register], label);
    }

    /// Some arithmetic on the locals, some of it through the frame of `room` bytes.
    fn work(&mut self, room: i32) {
        for _ in 0..self.random.between(1, 5) {
            let [r, s, t] = [(); 3].map(|()| local(&mut self.random));
            match self.random.below(6) {
                0 => {
                    let value = self.random.word();
                    self.load(r, Literal::Value(value));
                }
                1 if room >= 4 => {
                    let place = 4 * self.random.between(0, room / 4 - 1);
                    self.code.op("s32i", &[s, 1, place]);
                    self.code.op("addi", &[s, s, 3]);
                    self.code.op("l32i", &[r, 1, place]);
                }
                _ => {
                    let mnemonic = *self.random.pick(&["add", "xor", "sub", "addx8", "mull", "or"]);
                    self.code.op(mnemonic, &[r, s, t]);
                }
            }
        }
    }

    /// Calls a function with six arguments made of locals, and folds what it left into the locals.
    fn call(&mut self, child: usize) {
        for argument in 10..16 {
            let (s, t) = (local(&mut self.random), local(&mut self.random));
            self.code.op("add", &[argument, s, t]);
        }
        let target = self.functions[child];
        if self.random.chance(50) {
            // The register of the link may hold the target.
            let register = self.random.between(8, 9);
            self.load(register, Literal::Address(target));
            self.code.op("callx8", &[register]);
        } else {
            self.code.to("call8", &[], target);
        }
        for register in self.random.between(8, 12)..16 {
            let r = local(&mut self.random);
            self.code.op("xor", &[r, r, register]);
        }
    }

    fn function(&mut self, number: usize, children: &[usize]) {
        self.code.align();
        self.code.place(self.functions[number]);
        // The 32 bytes below the caller's stack pointer belong to the spilled pane of its caller.
        let frame = 32 + 16 * self.random.between(0, 20);
        self.code.op("entry", &[1, frame]);
        if self.random.chance(25) {
            self.code.op("addi", &[8, 1, -16 * self.random.between(1, 8)]);
            self.code.op("movsp", &[1, 8]);
        }
        self.work(frame - 32);
        for &child in children {
            self.call(child);
            self.work(frame - 32);
        }
        self.log(number);
        let end = *self.random.pick(&["retw", "retw.n"]);
        self.code.op(end, &[]);
    }

    /// Writes a0..a7 to the log entry of a function.
    fn log(&mut self, number: usize) {
        self.load(8, Literal::Value(LOG + ENTRY * number as u32));
        for register in 0..8 {
            self.code.op("s32i", &[register, 8, 4 * register]);
        }
    }
}

/// The program of a tree: a main function without ENTRY, and the functions of the tree.
fn program(random: Random, tree: &Tree) -> Image {
    let mut code = Code::new(Isa::embedded());
    let functions = (0..FUNCTIONS).map(|_| code.label()).collect();
    let start = code.label();
    code.to("j", &[], start);
    code.align();
    let mark = code.mark();
    let mut program = Program { code, random, literals: Vec::new(), functions };

    program.code.place(start);
    program.load(1, Literal::Value(STACK));
    for register in [0, 2, 3, 4, 5, 6, 7] {
        let value = program.random.word();
        program.load(register, Literal::Value(value));
    }
    program.call(0);
    program.log(FUNCTIONS);
    program.load(4, Literal::Value(LOG));
    program.load(5, Literal::Value(ENTRY * (FUNCTIONS as u32 + 1)));
    for (call, argument) in [(4, 1), (1, 0)] {
        program.code.op("movi", &[2, call]);
        program.code.op("movi", &[3, argument]);
        program.code.op("simcall", &[0]);
    }
    for (number, children) in tree.children.iter().enumerate() {
        program.function(number, children);
    }

    let body = program.code.cut(mark);
    for (label, literal) in program.literals {
        program.code.place(label);
        program.code.literal(literal);
    }
    program.code.append(body);
    let bytes = program.code.assemble(CODE).bytes;
    Image { segments: vec![Segment { address: CODE, bytes }], entry: CODE }
}

/// The first word of the log that differs.
fn difference(ours: &[u8], exact: &[u8]) -> String {
    let word = |log: &[u8], at: usize| log.get(at..at + 4).map(|word| [word[3], word[2], word[1], word[0]]);
    let at = (0..exact.len()).step_by(4).find(|&at| word(ours, at) != word(exact, at)).unwrap_or(exact.len());
    let (function, register) = (at / ENTRY as usize, at % ENTRY as usize / 4);
    format!("function {function}: a{register} is {:02x?}, should be {:02x?}", word(ours, at), word(exact, at))
}

#[test]
fn call_trees_agree_with_an_endless_file_of_panes() {
    let (exact, mut deepest, mut shallowest) = (Exact::default(), 0, usize::MAX);
    for index in 0..300 {
        let mut random = Random::derived(8, index);
        let tree = Tree::new(&mut random);
        deepest = deepest.max(tree.depth);
        shallowest = shallowest.min(tree.depth);
        let image = program(random, &tree);
        let expected = exact.run(&image).unwrap_or_else(|error| panic!("tree {index}: the model: {error}"));
        let pace = if index % 10 == 0 { Pace::Observed } else { Pace::Blocks };
        let ours = Core(pace).run(&image).unwrap_or_else(|error| panic!("tree {index}: {error}"));
        assert!(ours == expected, "tree {index}: {}", difference(&ours, &expected));
    }
    assert!(deepest > 3 * PANES && shallowest < 3 * PANES, "depths {shallowest} to {deepest}");
    let executed = exact.executed.borrow();
    for mnemonic in ["entry", "call8", "callx8", "retw", "retw.n", "movsp"] {
        assert!(executed[mnemonic] > 1000, "{mnemonic} was executed {} times", executed[mnemonic]);
    }
    say(&format!("windows: 300 trees of {FUNCTIONS} calls, depths {shallowest} to {deepest}"));
}

/// Ackermann's function: recursion that climbs up and down through many frames.
fn ackermann(m: i32, n: i32) -> Image {
    let mut code = Code::new(Isa::embedded());
    let [start, function, not_zero, inner, tail, stack, log] = [(); 7].map(|()| code.label());
    code.to("j", &[], start);
    code.align();
    for (label, value) in [(stack, STACK), (log, LOG)] {
        code.place(label);
        code.literal(Literal::Value(value));
    }
    code.place(start);
    code.to("l32r", &[1], stack);
    code.op("movi", &[10, m]);
    code.op("movi", &[11, n]);
    code.to("call8", &[], function);
    code.to("l32r", &[4], log);
    code.op("s32i", &[10, 4, 0]);
    code.op("movi", &[5, 4]);
    for (call, argument) in [(4, 1), (1, 0)] {
        code.op("movi", &[2, call]);
        code.op("movi", &[3, argument]);
        code.op("simcall", &[0]);
    }
    code.align();
    code.place(function);
    code.op("entry", &[1, 32]);
    code.to("bnez", &[2], not_zero);
    code.op("addi", &[2, 3, 1]);
    code.op("retw.n", &[]);
    code.place(not_zero);
    code.op("movi", &[11, 1]);
    code.to("beqz", &[3], tail);
    code.place(inner);
    code.op("mov.n", &[10, 2]);
    code.op("addi", &[11, 3, -1]);
    code.to("call8", &[], function);
    code.op("mov.n", &[11, 10]);
    code.place(tail);
    code.op("addi", &[10, 2, -1]);
    code.to("call8", &[], function);
    code.op("mov.n", &[2, 10]);
    code.op("retw", &[]);
    Image { segments: vec![Segment { address: CODE, bytes: code.assemble(CODE).bytes }], entry: CODE }
}

#[test]
fn deep_recursion_keeps_its_frames() {
    for (m, n, value) in [(0, 9, 10), (1, 40, 42), (2, 20, 43), (3, 5, 253u32)] {
        let image = ackermann(m, n);
        for pace in [Pace::Blocks, Pace::Stops, Pace::Observed] {
            assert_eq!(Core(pace).run(&image), Ok(value.to_le_bytes().to_vec()), "A({m}, {n}), {pace:?}");
        }
        assert_eq!(Exact::default().run(&image), Ok(value.to_le_bytes().to_vec()), "A({m}, {n})");
    }
}
