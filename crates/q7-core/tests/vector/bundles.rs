//! Random bundles: every slot works on the state before the bundle, then all results are there at once.

use q7_core::{Access, Limits, Machine, MemoryMap, NoHost, Observer, Stop};
use q7_isa::{Bundle, Flags, FormatId, Instruction, Isa, Opcode, OpcodeId, Operands, PlacementId, Unplaced};

use crate::families::{UNKNOWN, member};
use crate::model::{Outcome, apply};
use crate::operands::{Call, draw, prepare};
use crate::state::{State, WINDOW};
use crate::support::Random;

const PC: u32 = 0x0010_0000;

/// The placements of the families in each slot of a format.
fn choices(isa: &Isa, format: FormatId, wanted: fn(&Opcode) -> bool) -> Vec<Vec<PlacementId>> {
    let slots = &isa.format(format).slots;
    let mut choices = vec![Vec::new(); slots.len()];
    let known =
        |opcode: &&Opcode| member(opcode) && !UNKNOWN.contains(&opcode.mnemonic.as_str()) && wanted(opcode);
    for opcode in isa.opcodes().iter().filter(known) {
        for &placement in &opcode.placements {
            if let Some(index) = slots.iter().position(|&slot| slot == isa.placement(placement).slot) {
                choices[index].push(placement);
            }
        }
    }
    choices
}

/// FS, FCR and FSR are no operands; what sets them as a whole stays alone with what else writes them.
fn sets_state(opcode: &Opcode) -> bool {
    let name = opcode.mnemonic.as_str();
    ["movfsv", "movscfv", "wur."].iter().any(|part| name.contains(part))
}

/// May raise a flag. Which of the two wins beside a write of FSR nobody says.
fn raises(opcode: &Opcode) -> bool {
    let name = opcode.mnemonic.as_str();
    name.contains("xf") || name.ends_with(".h") || name.ends_with(".s")
}

/// Operands from few registers, so that the slots meet often.
fn draw_near(isa: &Isa, opcode: &Opcode, placement: PlacementId, random: &mut Random) -> Operands {
    let mut operands = draw(isa, opcode, placement, PC, random);
    for ((value, operand), window) in
        operands.iter_mut().zip(&opcode.operands).zip(&isa.placement(placement).windows)
    {
        let near = *value % 4;
        let free = operand.file.count() > 0 && operand.codec.encode(near, window.len() as u32, PC).is_some();
        *value = if free { near } else { *value };
    }
    operands
}

/// A bundle of the format with something in most slots, that writes no register twice and stores once.
fn random_bundle(isa: &Isa, format: FormatId, choices: &[Vec<PlacementId>], random: &mut Random) -> Bundle {
    let nop = isa.find("nop").unwrap();
    loop {
        let mut bundle =
            Bundle { format, length: isa.format(format).length, instructions: Default::default() };
        for (&slot, choices) in isa.format(format).slots.iter().zip(choices) {
            let mut instruction = Instruction { opcode: nop, slot, operands: Operands::new() };
            if !choices.is_empty() && random.below(5) > 0 {
                let placement = choices[random.below(choices.len() as u64) as usize];
                let opcode = isa.placement(placement).opcode;
                let operands = draw_near(isa, isa.opcode(opcode), placement, random);
                instruction = Instruction { opcode, slot, operands };
            }
            bundle.instructions.push(instruction);
        }
        let opcodes = || bundle.instructions.iter().map(|instruction| isa.opcode(instruction.opcode));
        let stores = opcodes().filter(|opcode| opcode.flags.contains(Flags::STORE)).count();
        let setters = opcodes().filter(|opcode| sets_state(opcode)).count();
        let twice = bundle.instructions.iter().any(|instruction| written_twice(isa, instruction));
        let states: Vec<&str> = opcodes()
            .map(|opcode| opcode.mnemonic.as_str())
            .filter(|name| name.starts_with("ivp_fs"))
            .collect();
        let twice = twice || (1..states.len()).any(|index| states[..index].contains(&states[index]));
        let flags = setters == 0 || states.is_empty() && !opcodes().any(raises);
        if stores < 2 && setters < 2 && flags && !twice && isa.register_conflict(&bundle).is_none() {
            return bundle;
        }
    }
}

fn written_twice(isa: &Isa, instruction: &Instruction) -> bool {
    let operands = || isa.opcode(instruction.opcode).operands.iter().zip(&instruction.operands).enumerate();
    operands().any(|(a, (first, number))| {
        operands().any(|(b, (second, other))| {
            let same = a < b && first.file == second.file && number == other && first.file.count() > 0;
            same && first.direction.writes() && second.direction.writes()
        })
    })
}

/// Takes over what changed from one state to another.
fn overlay(result: &mut State, before: &State, after: &State) {
    macro_rules! each {
        ($($field:ident)*) => {$(
            for ((to, old), new) in result.$field.iter_mut().zip(&before.$field).zip(&after.$field) {
                if old != new {
                    *to = *new;
                }
            }
        )*};
    }
    each!(ar vec wvec vbool valign pr fs gvr memory);
    result.br ^= before.br ^ after.br;
    result.fcr ^= before.fcr ^ after.fcr;
    result.fsr = result.fsr & !(before.fsr & !after.fsr) | (after.fsr & !before.fsr);
}

/// The state after a bundle, or none if it leaves the window or has an operand without a meaning.
fn model(isa: &Isa, bundle: &Bundle, before: &State) -> Option<State> {
    let mut result = before.clone();
    for instruction in &bundle.instructions {
        let opcode = isa.opcode(instruction.opcode);
        if opcode.mnemonic == "nop" {
            continue;
        }
        let mut after = before.clone();
        match apply(&Call::new(opcode, &instruction.operands), &mut after) {
            Outcome::Done => overlay(&mut result, before, &after),
            Outcome::Missing => panic!("{}: no model", opcode.mnemonic),
            Outcome::Outside | Outcome::Unknown => return None,
        }
    }
    Some(result)
}

fn halt(isa: &Isa) -> Vec<u8> {
    let opcode: OpcodeId = isa.find("halt").unwrap();
    let halt = Unplaced { opcode, operands: Operands::from_iter([0]) };
    isa.encode(&isa.choose_format(&[halt], PC).unwrap(), PC).unwrap().to_vec()
}

/// Counts bundles and keeps the stores.
#[derive(Default)]
struct Watching {
    bundles: u32,
    stores: Vec<Access>,
}

impl Observer for Watching {
    fn issue(&mut self, _cycle: u64, _pc: u32, _bundle: Option<&Bundle>) {
        self.bundles += 1;
    }
    fn memory_access(&mut self, access: Access) {
        if access.store {
            self.stores.push(access);
        }
    }
}

impl Watching {
    /// True if every byte that differs was stored before the observer's eyes.
    fn explains(&self, before: &State, after: &State) -> bool {
        let changed = (0..before.memory.len()).filter(|&k| before.memory[k] != after.memory[k]);
        changed.map(|k| WINDOW + k as u32).all(|address| {
            self.stores.iter().any(|store| (store.address..store.address + store.size).contains(&address))
        })
    }
}

/// The ways a bundle can run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Runner {
    /// Just decoded: no access is known to work.
    First,
    /// Once more: what has worked before is known to work.
    Again,
    /// Before the eyes of an observer.
    Observed,
}

const RUNNERS: [Runner; 3] = [Runner::First, Runner::Again, Runner::Observed];

/// Bundles of one format; gives how many had slots that depend on each other.
fn check(isa: &'static Isa, format: FormatId, rounds: u32, wanted: fn(&Opcode) -> bool) -> u32 {
    let choices = choices(isa, format, wanted);
    let mut random = Random::new(u64::from(format.0) + 100);
    let mut machine = Machine::new(isa, &MemoryMap::default()).unwrap();
    let mut state = State::random(&mut random);
    let limits = Limits { max_bundles: Some(1_000_000), ..Limits::default() };
    let (mut done, mut dependent) = (0, 0);
    while done < rounds {
        let bundle = random_bundle(isa, format, &choices, &mut random);
        let order = if random.below(2) == 0 { [0, 1, 2, 3, 4] } else { [4, 3, 2, 1, 0] };
        for index in order.into_iter().filter(|&index| index < bundle.instructions.len()) {
            let instruction = &bundle.instructions[index];
            prepare(isa.opcode(instruction.opcode), &instruction.operands, &mut state, &mut random);
        }
        let Some(wanted) = model(isa, &bundle, &state) else { continue };
        let mut code = isa.encode(&bundle, PC).unwrap().to_vec();
        code.extend(halt(isa));
        machine.core.memory.write_bytes(PC, &code).unwrap();
        for runner in RUNNERS {
            state.install(&mut machine);
            machine.core.pc = PC;
            let mut watching = Watching::default();
            let stop = match runner {
                Runner::First | Runner::Again => machine.run(&limits, &mut NoHost),
                Runner::Observed => machine.run_observed(&limits, &mut NoHost, &mut watching),
            };
            let after = State::of(&machine);
            let seen =
                runner != Runner::Observed || watching.bundles == 2 && watching.explains(&state, &after);
            assert!(
                seen,
                "{}: {} bundles, {:?}",
                isa.bundle_text(&bundle),
                watching.bundles,
                watching.stores
            );
            assert!(
                stop == Stop::Halted(0) && after == wanted,
                "{} {runner:?}: {stop:?}\n{}",
                isa.bundle_text(&bundle),
                after.differences(&wanted)
            );
        }
        // One after the other the slots would have given something else.
        let mut sequential = state.clone();
        for instruction in bundle.instructions.iter().filter(|slot| !slot.operands.is_empty()) {
            apply(&Call::new(isa.opcode(instruction.opcode), &instruction.operands), &mut sequential);
        }
        dependent += u32::from(sequential != wanted);
        state = wanted;
        done += 1;
    }
    dependent
}

/// Bundles in which some slot cannot do its work: a base register points nowhere, or an operand has no published
/// meaning. Gives how many stopped, by exception and by unknown semantics.
fn check_stops(isa: &'static Isa, format: FormatId, rounds: u32, wanted: fn(&Opcode) -> bool) -> (u32, u32) {
    let choices = choices(isa, format, wanted);
    let mut random = Random::new(u64::from(format.0) + 200);
    let mut machine = Machine::new(isa, &MemoryMap::default()).unwrap();
    let mut state = State::random(&mut random);
    let limits = Limits { max_bundles: Some(1_000_000), ..Limits::default() };
    let (mut faults, mut unknown) = (0, 0);
    for _ in 0..rounds {
        let bundle = random_bundle(isa, format, &choices, &mut random);
        for instruction in &bundle.instructions {
            prepare(isa.opcode(instruction.opcode), &instruction.operands, &mut state, &mut random);
        }
        let calls: Vec<Call<'_>> = bundle
            .instructions
            .iter()
            .filter(|instruction| !instruction.operands.is_empty())
            .map(|instruction| Call::new(isa.opcode(instruction.opcode), &instruction.operands))
            .collect();
        for call in calls.iter().filter(|call| call.mnemonic.contains("_x") || call.mnemonic.contains("_i")) {
            if let Some(base) = call.find("ars").filter(|_| random.below(2) == 0) {
                state.ar[base as usize] = 0x5000_0000;
            }
        }
        let outcomes: Vec<Outcome> = calls.iter().map(|call| apply(call, &mut state.clone())).collect();
        // What stays inside the map would just go on elsewhere.
        let astray = calls.iter().zip(&outcomes).any(|(call, &outcome)| {
            let base = call.find("ars").map_or(0, |base| state.ar[base as usize]);
            let index = call.find("art").map_or(0, |index| state.ar[index as usize]);
            let far = |address: u32| machine.core.memory.covers(address & !0xff, 0x200);
            let offset = call.find("offset").unwrap_or(0) as u32;
            let addresses = [base, base.wrapping_add(index), base.wrapping_add(offset)];
            outcome == Outcome::Outside && addresses.into_iter().any(far)
        });
        if astray || outcomes.iter().all(|&outcome| outcome == Outcome::Done) {
            continue;
        }
        let mut code = isa.encode(&bundle, PC).unwrap().to_vec();
        code.extend(halt(isa));
        machine.core.memory.write_bytes(PC, &code).unwrap();
        // The second time the accesses of the other slots are known to work.
        for _ in 0..2 {
            state.install(&mut machine);
            machine.core.pc = PC;
            let stop = machine.run(&limits, &mut NoHost);
            match stop {
                Stop::Exception(_) if outcomes.contains(&Outcome::Outside) => faults += 1,
                Stop::UnknownSemantics { .. } if outcomes.contains(&Outcome::Unknown) => unknown += 1,
                _ => panic!("{}: {stop:?}, {outcomes:?}", isa.bundle_text(&bundle)),
            }
            let after = State::of(&machine);
            let text = || format!("{}: {stop:?}\n{}", isa.bundle_text(&bundle), after.differences(&state));
            assert!(after == state && machine.core.pc == PC, "{}", text());
        }
    }
    (faults, unknown)
}

/// Nothing of a bundle that stops has happened, whatever the other slots were about to do.
#[test]
fn stopped_bundles_leave_no_trace() {
    fn wanted(opcode: &Opcode) -> bool {
        let some =
            ["lv", "sv", "la2nx8", "ls", "2nx8i", "sav", "addnx16", "fs1", "olt", "movva", "movav", "movfsv"];
        let memory = opcode.flags.contains(Flags::LOAD) || opcode.flags.contains(Flags::STORE);
        memory || some.iter().any(|part| opcode.mnemonic.contains(part))
    }
    let isa = Isa::embedded();
    let counts = wide_formats(isa).into_iter().map(|format| check_stops(isa, format, 1000, wanted));
    let (faults, unknown) = counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    println!("{faults} exceptions, {unknown} unknown");
    assert!(faults > 2000 && unknown > 200, "{faults} {unknown}");
}

fn wide_formats(isa: &Isa) -> Vec<FormatId> {
    (0..isa.formats().len() as u8).map(FormatId).filter(|&id| isa.format(id).slots.len() > 1).collect()
}

#[test]
fn slots_of_random_bundles_do_not_see_each_other() {
    let isa = Isa::embedded();
    let wide = wide_formats(isa);
    let dependent: u32 = wide.iter().map(|&format| check(isa, format, 1000, |_| true)).sum();
    println!("{} formats, {dependent} of {} bundles with dependent slots", wide.len(), 1000 * wide.len());
    assert!(wide.len() == 11 && dependent > 2000, "{} formats, {dependent}", wide.len());
}

/// FS, FCR and FSR, which no operand names, and memory operations, which can make a bundle start again.
#[test]
fn states_without_a_name_are_read_before_they_are_written() {
    fn wanted(opcode: &Opcode) -> bool {
        let name = opcode.mnemonic.as_str();
        let states = ["fs", "scf", "olt", "ueq", "rbmaxnum", "lv2nx8_x"];
        states.iter().any(|part| name.contains(part))
    }
    let isa = Isa::embedded();
    let dependent: u32 = wide_formats(isa).iter().map(|&format| check(isa, format, 300, wanted)).sum();
    assert!(dependent > 300, "{dependent}");
}
