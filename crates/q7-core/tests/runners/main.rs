//! Random programs and bundles out of all placements, in memory that ends, that may not be written and that holds the
//! code itself, do the same in every way to run them.

#[path = "../common/mod.rs"]
mod common;
mod program;
mod state;
#[allow(dead_code)]
#[path = "../../../q7-datapath/tests/model/support.rs"]
mod support;

use std::collections::BTreeSet;

use q7_core::{
    Access, CONTROL_BASE, Exception, Limits, Machine, MemoryMap, NoHost, Observer, Register, Stop,
};
use q7_datapath::{Align512, Vec512};
use q7_isa::{Bundle, File, Flags, Instruction, Isa, Operands};

use program::Pool;
use state::State;
use support::Random;

const CODE: u32 = 0x0010_0000;
const CODE_SIZE: usize = 0x4000;
const DATA: u32 = 0x0018_0000;
const DATA_SIZE: usize = 0x3000;
const ROM: u32 = 0x0020_0000;
const MIRROR: u32 = 0x0050_0000;
const VECTORS: u32 = 0x0040_0000;
/// Shortly before the end of a page.
const ENTRY: u32 = CODE + 0x1e00;

const MAP: &str = "[[region]]\nname='code'\nbase=0x100000\nsize=0x4000\n\
    [[region]]\nname='data'\nbase=0x180000\nsize=0x3000\n\
    [[region]]\nname='rom'\nbase=0x200000\nsize=0x1000\npermissions='rx'\n\
    [[region]]\nname='vectors'\nbase=0x400000\nsize=0x1000\n\
    [[region]]\nname='mirror'\nbase=0x500000\nsize=0x4000\nalias='code'";

/// Goes on 3 bytes behind what faults; after a timer interrupt where it was, with the timer set anew.
const HANDLER: &str = ".section .vectors, \"ax\"
    .space 60
    rsr.exccause a14
    rsr.epc1 a15
    beqz a14, 1f
    addi a15, a15, 3
    j 2f
 1: movi a14, 0x200
    const16 a13, 0x12
    const16 a13, 0x2070
    wer a14, a13
    rsr.ccount a14
    addi a14, a14, 61
    wsr.ccompare0 a14
    const16 a13, 0x18
    const16 a13, 0x800
 2: movi a14, 0
    wsr.ms a14
    jx a15";

const TIMER: u32 = 28;

fn handler() -> Vec<u8> {
    let program = common::assemble(HANDLER);
    program.segments().iter().find(|segment| segment.address == 0).unwrap().data.to_vec()
}

/// What a machine starts with.
struct Start {
    seed: u64,
    ar: [u32; 16],
    /// Exceptions and timer interrupts are handled, the latter first at this cycle.
    timer: Option<u32>,
    lenient: bool,
    /// Data memory is full of this; otherwise it is random.
    pattern: Option<Vec<u8>>,
}

impl Start {
    /// Base registers point into data, to the ends of pages and regions, to memory that is read-only or not there, and
    /// to `code`.
    fn random(code: &[u32], random: &mut Random) -> Start {
        let mut ar = [0; 16];
        for (index, value) in ar.iter_mut().enumerate() {
            let place = code[random.below(code.len() as u64) as usize];
            *value = match (index, random.below(16)) {
                (14, _) => random.below(70) as u32,
                (8..14, 0) => ROM + random.below(0x1000) as u32,
                (8..14, 1) => place - CODE + MIRROR,
                (8..14, 2 | 7 | 8) => place,
                (8..14, 3) | (_, 0..4) => random.next() as u32,
                (8..14, 4) => DATA + DATA_SIZE as u32 - random.below(0x100) as u32,
                (8..14, 5) => DATA + 0x1000 - random.below(0x80) as u32,
                (8..14, 6) => DATA + random.below(DATA_SIZE as u64) as u32,
                (8..14, _) => DATA + 0x800 + random.below(0x400) as u32,
                (_, 4..8) => place,
                _ => random.below(6) as u32,
            };
            if (8..14).contains(&index) {
                *value &= [!0, !3, !63, !63][random.below(4) as usize];
            }
        }
        let timer = (random.below(2) == 0).then(|| 20 + random.below(50) as u32);
        Start { seed: random.next(), ar, timer, lenient: random.below(4) == 0, pattern: None }
    }

    fn install(&self, machine: &mut Machine<'_>, entry: u32, code: &[u8], handler: &[u8]) {
        let mut random = Random::new(self.seed);
        machine.set_strict(!self.lenient);
        let core = &mut machine.core;
        let data: Vec<u8> = match &self.pattern {
            Some(pattern) => pattern.iter().copied().cycle().take(DATA_SIZE).collect(),
            None => (0..DATA_SIZE).map(|_| random.next() as u8).collect(),
        };
        core.memory.write_bytes(CODE, &[0; CODE_SIZE]).unwrap();
        core.memory.write_bytes(entry, code).unwrap();
        core.memory.write_bytes(DATA, &data).unwrap();
        core.memory.write_bytes(VECTORS, &[0; 0x100]).unwrap();
        core.special = Default::default();
        core.special.vecbase = VECTORS;
        core.windows = Default::default();
        core.dispatch = Default::default();
        core.interrupts = Default::default();
        if let Some(cycle) = self.timer {
            core.memory.write_bytes(VECTORS, handler).unwrap();
            core.interrupts.set_compare(0, cycle);
            core.interrupts.write(CONTROL_BASE + 4 * TIMER, 0x101);
        }
        (core.pc, core.cycle, core.ar) = (entry, 0, self.ar);
        (core.sar, core.br) = (5, random.next() as u32 & 0xffff);
        (core.lbeg, core.lend, core.lcount) = (0, 0, 0);
        core.vectors = Default::default();
        for (number, vec) in core.vectors.vec.iter_mut().enumerate() {
            let line = 64 * (number % 4);
            *vec = match &self.pattern {
                Some(_) => Vec512::from_low_bytes(&data[line..line + 64]),
                None => random.vec(16),
            };
        }
        core.vectors.vbool.fill_with(|| random.pred());
        core.vectors.valign.fill_with(|| Align512::from_line(random.vec(8)));
    }
}

fn bundles(count: u64) -> Limits {
    Limits { max_bundles: Some(count), ..Limits::default() }
}

/// Writes everything down.
#[derive(Default)]
struct Log {
    events: Vec<String>,
    retired: u64,
    interrupts: u32,
}

impl Observer for Log {
    fn issue(&mut self, cycle: u64, pc: u32, _bundle: Option<&Bundle>) {
        self.events.push(format!("{cycle} {pc:#x}"));
    }
    fn register_write(&mut self, register: Register, value: u32) {
        self.events.push(format!("{register} {value:#x}"));
    }
    fn vector_write(&mut self, prefix: &'static str, number: u8, bytes: &[u8]) {
        self.events.push(format!("{prefix}{number} {bytes:x?}"));
    }
    fn memory_access(&mut self, access: Access) {
        self.events.push(format!("{access:x?}"));
    }
    fn retire(&mut self) {
        self.retired += 1;
    }
    fn exception(&mut self, pc: u32, exception: Exception) {
        self.events.push(format!("{pc:#x} {exception:?}"));
    }
    fn interrupt(&mut self, pc: u32) {
        self.interrupts += 1;
        self.events.push(format!("{pc:#x} interrupt"));
    }
}

/// Runs up to a limit in steps, each observed or not.
fn in_steps(
    machine: &mut Machine<'_>,
    limit: u64,
    mut step: impl FnMut() -> u64,
    mut log: Option<&mut Log>,
) -> Stop {
    loop {
        let next = (machine.core.bundles() + step()).min(limit);
        let stop = match log.as_deref_mut() {
            Some(log) => machine.run_observed(&bundles(next), &mut NoHost, log),
            None => machine.run(&bundles(next), &mut NoHost),
        };
        assert!(stop != Stop::BundleLimit || machine.core.bundles() == next);
        if stop != Stop::BundleLimit || next == limit {
            return stop;
        }
    }
}

/// At once, observed, in steps, and in observed steps.
fn check_programs(rounds: u64, seed: u64) {
    let pool = Pool::new();
    let map = MemoryMap::from_toml(MAP).unwrap();
    let fresh = || Machine::new(pool.isa, &map).unwrap();
    let mut machines = [fresh(), fresh(), fresh(), fresh()];
    let handler = handler();
    let (mut executed, mut interrupts, mut rewritten) = (0, 0, 0);
    for round in 0..rounds {
        let mut random = Random::new(seed + round);
        let entry = ENTRY + [0, 0x100, 0x1f0][random.below(3) as usize];
        let mut start = Start::random(&[entry, entry + 64, entry + 256], &mut random);
        let program = pool.program(entry, start.lenient, &mut random);
        start.pattern = (random.below(2) == 0).then(|| program.code.clone());
        let limit = 40 + random.below(800);
        for machine in &mut machines {
            if machine.core.bundles() != machine.core.cycle {
                *machine = fresh();
            }
            start.install(machine, entry, &program.code, &handler);
        }
        let [whole, observed, stepped, watched] = &mut machines;
        let (mut log, mut log_of_steps) = (Log::default(), Log::default());
        let stop = whole.run(&bundles(limit), &mut NoHost);
        let others = [
            observed.run_observed(&bundles(limit), &mut NoHost, &mut log),
            in_steps(stepped, limit, || 1 + random.below(9), None),
            in_steps(watched, limit, || 1 + random.below(9), Some(&mut log_of_steps)),
        ];
        let text = || format!("round {round} to {limit}, {stop:?}:\n{}", program.text);
        let state = State::of(whole);
        for (name, machine, other) in [
            ("observed", observed, &others[0]),
            ("stepped", stepped, &others[1]),
            ("watched", watched, &others[2]),
        ] {
            let differences = state.differences(&State::of(machine));
            assert!(*other == stop && differences.is_empty(), "{name} {other:?}\n{differences}{}", text());
        }
        assert_eq!(log.events, log_of_steps.events, "{}", text());
        let refused = matches!(stop, Stop::NotImplemented { .. } | Stop::UnknownSemantics { .. });
        assert_eq!(log.retired, whole.core.bundles() + u64::from(refused), "{}", text());
        executed += whole.core.bundles();
        interrupts += log.interrupts;
        let code = &state.get("code")[(entry - CODE) as usize..][..program.code.len()];
        rewritten += u32::from(code != program.code);
    }
    println!("{executed} bundles, {interrupts} interrupts, {rewritten} programs rewrote themselves");
    assert!(executed > 100 * rounds && interrupts as u64 > rounds && u64::from(rewritten) > rounds / 50);
}

#[test]
fn programs_do_the_same_however_they_are_run() {
    check_programs(1000, 1);
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_do_the_same_however_they_are_run() {
    check_programs(50_000, 1_000_000);
}

/// What an instruction may write.
fn written(isa: &Isa, instruction: &Instruction) -> BTreeSet<String> {
    let opcode = isa.opcode(instruction.opcode);
    let mut names = BTreeSet::new();
    for (operand, &value) in opcode.operands.iter().zip(&instruction.operands) {
        let count = match operand.file {
            File::Br4 => 4,
            File::Br8 => 8,
            _ => 1,
        };
        if let Some(prefix) = operand.file.prefix().filter(|_| operand.direction.writes()) {
            names.extend((value..value + count).map(|number| format!("{prefix}{number}")));
        }
    }
    if ["ssl", "ssr", "ssa8l", "ssa8b", "ssai"].contains(&opcode.mnemonic.as_str()) {
        names.insert("sar".into());
    }
    names
}

/// The state after all slots of a bundle did their work on the state before it; `after` is that of each slot alone.
fn side_by_side<'a>(
    isa: &Isa,
    before: &State,
    next: u32,
    slots: impl IntoIterator<Item = (&'a Instruction, &'a State)>,
) -> State {
    let mut all = before.clone();
    all.set("pc", &next.to_le_bytes());
    for (instruction, after) in slots {
        let named = written(isa, instruction);
        for name in &named {
            all.set(name, after.get(name));
        }
        for name in before.differing(after).filter(|name| !named.contains(*name)) {
            let (old, new) = (before.get(name), after.get(name));
            match name {
                "fsr" => all.set(name, &[all.get(name)[0] | new[0] & !old[0], 0, 0, 0]),
                "code" | "data" => {
                    let merged = all.get(name).iter().zip(old.iter().zip(new));
                    let merged: Vec<u8> =
                        merged.map(|(all, (old, new))| if old == new { *all } else { *new }).collect();
                    all.set(name, &merged);
                }
                // The window does not turn in these bundles.
                "windows" => {}
                "pc" if new == next.to_le_bytes() => {}
                "pc" | "lbeg" | "lend" | "lcount" | "cycle" | "bundles" | "ccount" | "interrupts" => {
                    all.set(name, new);
                }
                _ if name.starts_with("fs") => all.set(name, new),
                _ => panic!("{} writes {name}", isa.opcode(instruction.opcode).mnemonic),
            }
        }
    }
    all
}

/// Instructions whose part in a bundle `side_by_side` cannot tell: they read a register that they are said to write
/// only, or write FS, FCR or FSR as a whole.
fn untold(mnemonic: &str) -> bool {
    let reads = ["ivp_movpa16", "ivp_movqa16", "ivp_movpint16", "ivp_movqint16"];
    reads.contains(&mnemonic) || ["movfsv", "scfv", "wur."].iter().any(|part| mnemonic.contains(part))
}

/// True if two registers together point to the bytes of the bundle, which are not those of its slots alone.
fn sees_itself(ar: &[u32; 16]) -> bool {
    let near =
        |address: u32| [ENTRY, ENTRY - CODE + MIRROR].iter().any(|&own| address.abs_diff(own) < 0x2000);
    ar.iter().any(|&base| near(base) || ar.iter().any(|&index| near(base.wrapping_add(index))))
}

fn check_bundles(rounds: u64, seed: u64) {
    let pool = Pool::new();
    let isa = pool.isa;
    let nop = isa.find("nop").unwrap();
    let mut machine = Machine::new(isa, &MemoryMap::from_toml(MAP).unwrap()).unwrap();
    let (mut done, mut stopped) = (0, 0);
    for round in 0..rounds {
        let mut random = Random::new(seed + round);
        let bundle = pool.wide_bundle(ENTRY, &[ENTRY - 64, ENTRY + 96, ENTRY + 256], &mut random);
        let code = isa.encode(&bundle, ENTRY).unwrap();
        let mut loads =
            bundle.instructions.iter().map(|slot| isa.opcode(slot.opcode).flags.contains(Flags::LOAD));
        let loads = loads.any(|loads| loads);
        let start = Start::random(&[if loads { DATA } else { ENTRY }], &mut random);
        let start = Start { lenient: true, timer: None, pattern: Some(code.to_vec()), ..start };
        let names = || bundle.instructions.iter().map(|slot| isa.opcode(slot.opcode).mnemonic.as_str());
        let states = names().filter(|name| name.starts_with("ivp_fs")).count();
        if names().any(untold) || states > 1 || loads && sees_itself(&start.ar) {
            continue;
        }
        // Runs one bundle; `known` if the pages it touches are known already.
        let mut run = |code: &[u8], known: bool, log: Option<&mut Log>| {
            start.install(&mut machine, ENTRY, code, &[]);
            if !known {
                machine.run_observed(&bundles(0), &mut NoHost, &mut Log::default());
            }
            let own = |mut state: State| {
                let mut bytes = state.get("code").to_vec();
                bytes[(ENTRY - CODE) as usize..][..code.len()].fill(0);
                state.set("code", &bytes);
                state
            };
            let before = own(State::of(&machine));
            let stop = match log {
                Some(log) => machine.run_observed(&bundles(1), &mut NoHost, log),
                None => machine.run(&bundles(1), &mut NoHost),
            };
            (before, stop, own(State::of(&machine)))
        };
        let (mut stops, mut slots) = (Vec::new(), Vec::new());
        for instruction in bundle.instructions.iter().filter(|instruction| instruction.opcode != nop) {
            let mut alone = bundle.clone();
            for other in alone.instructions.iter_mut().filter(|other| other.slot != instruction.slot) {
                (other.opcode, other.operands) = (nop, Operands::new());
            }
            let Ok(code) = isa.encode(&alone, ENTRY) else { break };
            let (_, stop, after) = run(&code, true, None);
            if stop == Stop::BundleLimit {
                slots.push((instruction, after));
            } else {
                stops.push(stop);
            }
        }
        if slots.len() + stops.len() != names().filter(|&name| name != "nop").count() {
            // A slot that has no NOP.
            continue;
        }
        for (known, observed) in [(false, false), (true, false), (true, true)] {
            let (before, stop, after) = run(&code, known, observed.then(Log::default).as_mut());
            let next = ENTRY + u32::from(bundle.length);
            let slots = slots.iter().map(|(instruction, after)| (*instruction, after));
            let mut wanted = if stops.is_empty() { side_by_side(isa, &before, next, slots) } else { before };
            wanted.set("windows", after.get("windows"));
            if names().all(|name| name == "nop") {
                continue;
            }
            let text = || {
                format!("round {round} {known} {observed}: {} {stop:?} {stops:?}", isa.bundle_text(&bundle))
            };
            assert!(
                if stops.is_empty() { stop == Stop::BundleLimit } else { stops.contains(&stop) },
                "{}",
                text()
            );
            assert!(wanted == after, "{}\n{}", text(), wanted.differences(&after));
        }
        done += 1;
        stopped += u64::from(!stops.is_empty());
    }
    println!("{done} bundles, {stopped} stopped");
    assert!(done > rounds / 3 && stopped > rounds / 50, "{done} {stopped}");
}

#[test]
fn bundles_do_what_their_slots_do_side_by_side() {
    check_bundles(3000, 1);
}

#[test]
#[ignore = "takes minutes"]
fn many_bundles_do_what_their_slots_do_side_by_side() {
    check_bundles(300_000, 1_000_000);
}
