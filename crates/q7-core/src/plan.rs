//! How the instructions of one bundle execute one after the other as if at once.
//!
//! All slots read registers and memory as they were before the bundle, then all write. An order in which
//! every reader of a register comes before its writer does that without copies. Faults must leave
//! nothing half-written, so what can fault comes first where the order allows it.

use q7_isa::{Bundle, Flags, Isa, Opcode};

use crate::exec::{self, Flow};
use crate::registers::RegisterSet;

/// How a bundle runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In the planned order; at most the first operation can fault.
    Simple,
    /// In the planned order; on a fault the registers of the set are put back.
    Careful(RegisterSet),
    /// Each operation on the old values of the registers of the set; all results at the end.
    Buffered(RegisterSet),
}

impl Mode {
    /// True if every operation needs to know the registers that are its own to write.
    pub(crate) fn keeps_results(self) -> bool {
        matches!(self, Mode::Buffered(_))
    }
}

/// The execution order of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Indices of its instructions.
    pub order: Vec<usize>,
    pub mode: Mode,
    /// For each instruction, by its index, the registers that it writes and no higher slot does. FSR counts for all:
    /// flags add up.
    pub results: Vec<RegisterSet>,
}

impl Plan {
    /// The plan of a bundle with one instruction.
    pub(crate) fn alone() -> Plan {
        Plan { order: vec![0], mode: Mode::Simple, results: Vec::new() }
    }
}

/// What the planner knows of one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    reads: RegisterSet,
    writes: RegisterSet,
    stores: bool,
    faults: bool,
    ends: bool,
}

/// Registers that instructions use without naming them: (mnemonics, reads, writes).
const IMPLICIT: &[(&[&str], RegisterSet, RegisterSet)] = &[
    (&["sll", "srl", "sra", "src"], RegisterSet::SAR, RegisterSet(0)),
    (&["ssl", "ssr", "ssa8l", "ssa8b", "ssai"], RegisterSet(0), RegisterSet::SAR),
    (&["call0", "callx0"], RegisterSet(0), RegisterSet::A0),
    (&["call8", "callx8"], RegisterSet(0), RegisterSet::A8),
    (&["ret", "ret.n"], RegisterSet::A0, RegisterSet(0)),
    (
        &["ivp_movvfs", "ivp_borfs2n", "ivp_bnorfs2n", "movvfs", "borfs", "bnorfs"],
        RegisterSet::FS,
        RegisterSet(0),
    ),
    (&["ivp_movfsv", "movfsv"], RegisterSet(0), RegisterSet::FS),
    (&["ivp_fs0ltu2nx8"], RegisterSet(0), RegisterSet::fs(0)),
    (&["ivp_fs1ltu2nx8"], RegisterSet(0), RegisterSet::fs(1)),
    (&["ivp_fs2ltu2nx8"], RegisterSet(0), RegisterSet::fs(2)),
    (&["ivp_fs3ltu2nx8"], RegisterSet(0), RegisterSet::fs(3)),
    (&["ivp_fs4ltu2nx8"], RegisterSet(0), RegisterSet::fs(4)),
    (&["ivp_fs5ltu2nx8"], RegisterSet(0), RegisterSet::fs(5)),
    (&["ivp_fs6ltu2nx8"], RegisterSet(0), RegisterSet::fs(6)),
    (&["ivp_fs7ltu2nx8"], RegisterSet(0), RegisterSet::fs(7)),
    (&["wur.fcr", "ivp_movscfv", "movscfv"], RegisterSet(0), RegisterSet::FCR),
    (&["rur.fcr", "ivp_movvscf", "movvscf"], RegisterSet::FCR, RegisterSet(0)),
    (&["wur.fsr", "ivp_movscfv", "movscfv"], RegisterSet(0), RegisterSet::FSR),
    (&["rur.fsr", "ivp_movvscf", "movvscf"], RegisterSet::FSR, RegisterSet(0)),
];

/// Instructions that can fault without touching memory.
const FAULTING: &[&str] =
    &["quos", "quou", "rems", "remu", "ill", "syscall", "break", "entry", "retw", "movsp"];

fn effects(opcode: &Opcode, operands: &[i32], flow: Flow, implemented: bool) -> Effects {
    let mut effects = Effects {
        stores: opcode.flags.contains(Flags::STORE),
        ends: flow != Flow::Straight,
        ..Effects::default()
    };
    effects.faults = opcode.flags.contains(Flags::LOAD)
        || effects.stores
        || !implemented
        || !exec::has_meaning(opcode, operands)
        || opcode.flags.contains(Flags::PRIVILEGED)
        || FAULTING.contains(&opcode.mnemonic.as_str());
    for (operand, &value) in opcode.operands.iter().zip(operands) {
        let register = RegisterSet::of_operand(operand.file, value);
        if operand.direction.reads() {
            effects.reads = effects.reads.with(register);
        }
        if operand.direction.writes() {
            effects.writes = effects.writes.with(register);
        }
    }
    let (reads, writes) = unnamed(opcode);
    effects.reads = effects.reads.with(reads);
    effects.writes = effects.writes.with(writes);
    effects
}

/// What an instruction reads and writes without naming it.
fn unnamed(opcode: &Opcode) -> (RegisterSet, RegisterSet) {
    let (mut reads, mut writes) = (RegisterSet(0), RegisterSet(0));
    let name = opcode.mnemonic.strip_suffix(".w15").unwrap_or(&opcode.mnemonic);
    for (mnemonics, read, written) in IMPLICIT {
        if mnemonics.contains(&name) {
            reads = reads.with(*read);
            writes = writes.with(*written);
        }
    }
    if floating(name) {
        writes = writes.with(RegisterSet::FSR);
    }
    if opcode.flags.contains(Flags::LOOP) {
        writes = writes.with(RegisterSet::LOOP);
    }
    (reads, writes)
}

/// True if an instruction may raise floating-point flags: it names a lane format.
fn floating(mnemonic: &str) -> bool {
    mnemonic.contains("xf16")
        || mnemonic.contains("xf32")
        || mnemonic.ends_with(".h")
        || mnemonic.ends_with(".s")
}

/// True if `first` must execute before `second` (which stands in a higher slot if `in_order`): readers before writers,
/// what can fault before stores, which nothing takes back.
fn precedes(first: &Effects, second: &Effects, in_order: bool) -> bool {
    first.reads.meets(second.writes)
        || first.faults && second.stores && !first.stores
        || second.ends && !first.ends
        || in_order && first.writes.without(RegisterSet::FSR).meets(second.writes)
}

/// The registers that each instruction writes and none behind it does.
fn results(all: &[Effects]) -> Vec<RegisterSet> {
    let higher =
        |index: usize| all[index + 1..].iter().fold(RegisterSet(0), |set, next| set.with(next.writes));
    let own =
        |(index, effects): (usize, &Effects)| effects.writes.without(higher(index).without(RegisterSet::FSR));
    all.iter().enumerate().map(own).collect()
}

/// True if two instructions of a bundle write a register that they do not name, such as SAR; `Isa::register_conflict`
/// knows only the others.
pub(crate) fn unnamed_conflict(isa: &Isa, bundle: &Bundle) -> bool {
    let mut written = RegisterSet(0);
    bundle.instructions.iter().any(|instruction| {
        let writes = unnamed(isa.opcode(instruction.opcode)).1.without(RegisterSet::FSR);
        let conflict = written.meets(writes);
        written = written.with(writes);
        conflict
    })
}

/// Plans a bundle; `binding` gives the flow of each instruction and whether it has semantics.
pub(crate) fn plan(isa: &Isa, bundle: &Bundle, binding: impl Fn(usize) -> (Flow, bool)) -> Plan {
    let all: Vec<Effects> = bundle
        .instructions
        .iter()
        .enumerate()
        .map(|(index, instruction)| {
            let (flow, implemented) = binding(index);
            effects(isa.opcode(instruction.opcode), &instruction.operands, flow, implemented)
        })
        .collect();
    match order(&all) {
        Some(order) => {
            let last_fault = order.iter().rposition(|&index| all[index].faults).unwrap_or(0);
            let before = order[..last_fault].iter().map(|&index| all[index].writes);
            let undo = before.fold(RegisterSet(0), RegisterSet::with);
            let mode = if last_fault == 0 { Mode::Simple } else { Mode::Careful(undo) };
            Plan { order, mode, results: results(&all) }
        }
        None => {
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by_key(|&index| (all[index].ends, all[index].stores, !all[index].faults));
            let writes = all.iter().fold(RegisterSet(0), |set, effects| set.with(effects.writes));
            Plan { order, mode: Mode::Buffered(writes), results: results(&all) }
        }
    }
}

/// An order that keeps every `precedes`, what can fault first; `None` if there is a cycle.
fn order(all: &[Effects]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::with_capacity(all.len());
    while order.len() < all.len() {
        let free = |&index: &usize| {
            !order.contains(&index)
                && (0..all.len()).all(|other| {
                    other == index
                        || order.contains(&other)
                        || !precedes(&all[other], &all[index], other < index)
                })
        };
        let next = (0..all.len()).filter(free).min_by_key(|&index| (!all[index].faults, index))?;
        order.push(next);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(reads: u128, writes: u128) -> Effects {
        Effects { reads: RegisterSet(reads), writes: RegisterSet(writes), ..Effects::default() }
    }

    #[test]
    fn readers_come_before_writers() {
        assert_eq!(order(&[effects(0, 1), effects(1, 2)]), Some(vec![1, 0]));
        assert_eq!(order(&[effects(1, 2), effects(2, 1)]), None, "an exchange has no order");
        assert_eq!(order(&[effects(4, 4), effects(4, 2)]), Some(vec![1, 0]), "in-out after the other reader");
    }

    #[test]
    fn the_higher_slot_has_the_result() {
        let flags = RegisterSet::FSR.0;
        let all = [effects(0, 3 | flags), effects(0, 6), effects(0, 8 | flags)];
        assert_eq!(results(&all).iter().map(|set| set.0).collect::<Vec<_>>(), [1 | flags, 6, 8 | flags]);
    }

    #[test]
    fn faults_come_first_and_stores_behind_loads() {
        let load = Effects { faults: true, ..effects(1, 2) };
        let store = Effects { stores: true, faults: true, ..effects(4, 8) };
        let plain = effects(16, 32);
        assert_eq!(order(&[store, plain, load]), Some(vec![2, 0, 1]));
        let branch = Effects { ends: true, ..effects(1, 0) };
        assert_eq!(order(&[branch, plain]), Some(vec![1, 0]));
        assert_eq!(order(&[branch, effects(0, 1)]), None, "the branch would have to be first and last");
    }
}
