//! Every base instruction alone, on q7-core and on the exact model: edge x edge and random operands.
//! Needs no peer program.

use q7_core::{Cause, Limits, Machine, MemoryMap, NoHost, Stop};
use q7_isa::{File, Flags, Isa};
use q7_peer::code;
use q7_peer::list::{self, Run};
use q7_peer::model::{self, Model};
use q7_peer::random::{EDGES, Random};

/// L32R reaches this far back.
const LITERALS: u32 = 0x4_0000;
const CODE: u32 = 0x0020_0000;
const MEMORY: u32 = 0x0030_0000;
const MEMORY_SIZE: u32 = 2048;

/// Encodings with random operands per mnemonic; they stand at distances of `STEP`.
const ENCODINGS: u32 = 48;
const STEP: u32 = 512;

/// Trials per mnemonic besides edge x edge.
const RANDOM_TRIALS: u32 = 3000;

/// One instruction with random operands at `pc`.
struct Encoding {
    pc: u32,
    length: u32,
    operands: Vec<i32>,
}

/// q7-core and the model in the same state.
struct Pair {
    machine: Machine<'static>,
    model: Model<'static>,
}

/// What an instruction reads.
struct Shape {
    mnemonic: &'static str,
    /// Operand indices of the ARs that are read, in order.
    sources: Vec<usize>,
    /// Operand indices of the base register and the offset of a load or store.
    address: Option<(usize, Option<usize>)>,
    /// Width of the access.
    width: u32,
}

impl Shape {
    fn of(mnemonic: &'static str) -> Shape {
        let opcode = Isa::embedded().opcode(code::opcode(Isa::embedded(), mnemonic));
        let is = |index: &usize, file: File| opcode.operands[*index].file == file;
        let indices = 0..opcode.operands.len();
        let sources =
            indices.clone().filter(|i| is(i, File::Ar) && opcode.operands[*i].direction.reads()).collect();
        let memory = opcode.flags.contains(Flags::LOAD) || opcode.flags.contains(Flags::STORE);
        let address = (memory && mnemonic != "l32r").then(|| (1, indices.clone().find(|i| is(i, File::Imm))));
        let width = match mnemonic {
            name if name.contains("16") => 2,
            name if name.contains('8') => 1,
            _ => 4,
        };
        Shape { mnemonic, sources, address, width }
    }
}

fn encodings(random: &mut Random, mnemonic: &str) -> (Vec<Encoding>, Vec<u8>) {
    let isa = Isa::embedded();
    let placement = isa.placement(code::single(isa, mnemonic));
    let length = u32::from(isa.format(isa.slot(placement.slot).format).length);
    let mut bytes = vec![0; (ENCODINGS * STEP) as usize];
    let mut list = Vec::new();
    while list.len() < ENCODINGS as usize {
        let at = list.len() as u32 * STEP;
        let word = placement.template | random.bits() & !placement.mask;
        let encoded = &word.to_le_bytes()[..length as usize];
        if let Ok(bundle) = isa.decode(&[encoded, &[0; 13]].concat(), CODE + at) {
            let operands: Vec<i32> = bundle.instructions[0].operands.to_vec();
            // SLLI by 32 has an encoding but no meaning; a jump to itself is a stop of its own.
            let itself = operands.last() == Some(&((CODE + at) as i32));
            if (mnemonic == "slli" && operands[2] == 32) || itself {
                continue;
            }
            bytes[at as usize..][..length as usize].copy_from_slice(encoded);
            list.push(Encoding { pc: CODE + at, length, operands });
        }
    }
    (list, bytes)
}

impl Pair {
    fn new(random: &mut Random) -> Pair {
        let machine = Machine::new(Isa::embedded(), &MemoryMap::default()).unwrap();
        let mut pair = Pair { machine, model: Model::new(Isa::embedded()) };
        for (address, size) in [(MEMORY, MEMORY_SIZE), (CODE - LITERALS, LITERALS)] {
            let bytes: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
            pair.load(address, &bytes);
        }
        pair
    }

    fn load(&mut self, address: u32, bytes: &[u8]) {
        self.machine.core.memory.write_bytes(address, bytes).unwrap();
        self.model.write_bytes(address, bytes);
    }

    /// Sets all ARs, SAR, BR and the loop registers to random values in both.
    fn scatter(&mut self, random: &mut Random, encoding: &Encoding) {
        for register in 0..16 {
            self.set_ar(register, random.word());
        }
        let (core, model) = (&mut self.machine.core, &mut self.model);
        (core.sar, core.br) = (random.below(64), random.word() & 0xffff);
        (core.lbeg, core.lend, core.lcount) = (CODE + 4 * random.below(64), 0, random.below(3));
        if random.chance(15) {
            // The instruction ends a loop.
            core.lend = encoding.pc + encoding.length;
        }
        model.sar = core.sar;
        model.set_br(core.br);
        (model.lbeg, model.lend, model.lcount) = (core.lbeg, core.lend, core.lcount);
        (core.pc, model.pc) = (encoding.pc, encoding.pc);
    }

    fn set_ar(&mut self, register: i32, value: u32) {
        self.machine.core.ar[register as usize] = value;
        self.model.set_ar(register, value);
    }

    /// Executes one instruction in both; the outcomes in one form.
    fn step(&mut self) -> (model::Stop, model::Stop) {
        let limits = Limits { max_bundles: Some(self.machine.core.bundles() + 1), ..Limits::default() };
        let ours = match self.machine.run(&limits, &mut NoHost) {
            Stop::BundleLimit => model::Stop::Limit,
            Stop::Halted(number) => model::Stop::Halted(number as i32),
            Stop::Exception(exception) if exception.cause == Cause::DIVIDE_BY_ZERO => {
                model::Stop::DivideByZero
            }
            Stop::Exception(exception) if exception.cause == Cause::UNALIGNED_ACCESS => {
                model::Stop::Misaligned(exception.address.unwrap_or(0))
            }
            other => model::Stop::Unknown(format!("{other:?}")),
        };
        (ours, self.model.run(1))
    }

    /// The differences between the states, memory included where `address` says that it was accessed.
    fn differences(&mut self, address: Option<u32>) -> Vec<String> {
        let (core, model) = (&mut self.machine.core, &self.model);
        let mut found = Vec::new();
        let mut compare = |name: String, ours: u32, exact: u32| {
            if ours != exact {
                found.push(format!("{name} is {ours:#010x}, should be {exact:#010x}"));
            }
        };
        for register in 0..16 {
            compare(format!("a{register}"), core.ar[register], model.ar(register as i32));
        }
        let special = |name: &str| {
            let index = q7_core::REGISTERS.iter().position(|register| register.name == name).unwrap();
            core.read_special(index as u8, 0)
        };
        let names = ["sar", "br", "lbeg", "lend", "lcount", "misc0", "misc1"];
        let exact =
            [model.sar, model.br(), model.lbeg, model.lend, model.lcount, model.misc[0], model.misc[1]];
        for (name, exact) in names.into_iter().zip(exact) {
            compare(name.into(), special(name), exact);
        }
        compare("threadptr".into(), core.special.threadptr, model.threadptr);
        if let Some(address) = address.map(|address| address & !3) {
            let mut ours = [0; 4];
            core.memory.read_bytes(address, &mut ours).unwrap();
            let exact = model.read_bytes(address, 4);
            let exact = u32::from_le_bytes([exact[0], exact[1], exact[2], exact[3]]);
            compare(format!("memory {address:#x}"), u32::from_le_bytes(ours), exact);
        }
        found
    }
}

/// Gives the base register an address inside the memory, misaligned now and then.
fn aim(pair: &mut Pair, random: &mut Random, shape: &Shape, encoding: &Encoding) -> Option<u32> {
    let (base, offset) = shape.address?;
    let offset = offset.map_or(0, |index| encoding.operands[index]);
    let mut target = MEMORY + random.below(MEMORY_SIZE / shape.width) * shape.width;
    if shape.mnemonic.contains("ex") {
        // Exclusives must meet on few words.
        target = MEMORY + random.below(2) * 4;
    }
    if random.chance(10) {
        target = (target + random.below(4)).min(MEMORY + MEMORY_SIZE - 4);
    }
    pair.set_ar(encoding.operands[base], target.wrapping_sub(offset as u32));
    Some(target)
}

fn check(pair: &mut Pair, random: &mut Random, mnemonic: &'static str) -> u32 {
    let shape = Shape::of(mnemonic);
    let (encodings, bytes) = encodings(random, mnemonic);
    pair.load(CODE, &bytes);
    let edges = EDGES.iter().flat_map(|&first| EDGES.iter().map(move |&second| Some([first, second])));
    let trials = edges.chain((0..RANDOM_TRIALS).map(|_| None));
    let mut count = 0;
    for given in trials {
        let encoding = random.pick(&encodings);
        pair.scatter(random, encoding);
        for (&operand, value) in shape.sources.iter().zip(given.into_iter().flatten()) {
            pair.set_ar(encoding.operands[operand], value);
        }
        let jumps = ["jx", "callx0", "ret", "ret.n"].contains(&mnemonic);
        if jumps {
            // Each new target is decoded, so they are few.
            for register in 0..16 {
                pair.set_ar(register, CODE + STEP * random.below(ENCODINGS));
            }
        }
        let address = aim(pair, random, &shape, encoding);
        let before = pair.model.ars();
        let (ours, exact) = pair.step();
        let context = || {
            let bundle = pair.machine.bundle_at(encoding.pc).unwrap();
            let text = Isa::embedded().bundle_text(&bundle).to_string();
            format!("{text} at {:#x}, registers before {before:x?}", encoding.pc)
        };
        assert_eq!(ours, exact, "{}", context());
        count += 1;
        if matches!(ours, model::Stop::Halted(_)) {
            // Stands at HALT or behind it.
            continue;
        }
        if ours == model::Stop::Limit {
            assert_eq!(pair.machine.core.pc, pair.model.pc, "{}: PC", context());
        }
        let context = context();
        let differences = pair.differences(address);
        assert!(differences.is_empty(), "{context}: {}", differences.join("; "));
    }
    count
}

#[test]
fn every_instruction_agrees_with_the_exact_model() {
    let mut random = Random::new(25);
    let mut pair = Pair::new(&mut random);
    let mut total = 0;
    for row in list::rows() {
        if matches!(row.run, Run::Qemu | Run::Model) && row.mnemonic != "simcall" {
            total += check(&mut pair, &mut random, &row.mnemonic);
        }
    }
    q7_peer::tool::say(&format!("every_instruction_agrees_with_the_exact_model: {total} trials"));
}

#[test]
fn exclusive_accesses_agree_with_the_exact_model() {
    // One instruction after the other, so that reservations and outcomes pass from one to the next.
    let mut random = Random::new(29);
    let mut pair = Pair::new(&mut random);
    let group = ["l32ex", "s32ex", "getex", "l32ex", "s32ex", "getex", "clrex", "s32i"];
    let mut images = Vec::new();
    for (index, mnemonic) in group.into_iter().enumerate() {
        let (mut list, bytes) = encodings(&mut random, mnemonic);
        let base = CODE + 0x1_0000 * (index as u32 + 1);
        list.iter_mut().for_each(|encoding| encoding.pc += base - CODE);
        pair.load(base, &bytes);
        images.push((Shape::of(mnemonic), list));
    }
    let mut outcomes = [0u32; 2];
    for _ in 0..20_000 {
        let (shape, list) = random.pick(&images);
        let encoding = random.pick(list);
        pair.scatter(&mut random, encoding);
        let address = aim(&mut pair, &mut random, shape, encoding);
        let (ours, exact) = pair.step();
        assert_eq!(ours, exact, "{} {:?}", shape.mnemonic, encoding.operands);
        let differences = pair.differences(address);
        assert!(differences.is_empty(), "{} {:?}: {differences:?}", shape.mnemonic, encoding.operands);
        if shape.mnemonic == "getex" {
            outcomes[(pair.model.ar(encoding.operands[0]) & 1) as usize] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 500), "exclusive stores fail and succeed: {outcomes:?}");
}
