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

/// The execution order of a bundle: indices of its instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub order: Vec<usize>,
    pub mode: Mode,
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
    let name = opcode.mnemonic.strip_suffix(".w15").unwrap_or(&opcode.mnemonic);
    for (mnemonics, reads, writes) in IMPLICIT {
        if mnemonics.contains(&name) {
            effects.reads = effects.reads.with(*reads);
            effects.writes = effects.writes.with(*writes);
        }
    }
    if floating(name) {
        effects.writes = effects.writes.with(RegisterSet::FSR);
    }
    if opcode.flags.contains(Flags::LOOP) {
        effects.writes = effects.writes.with(RegisterSet::LOOP);
    }
    effects
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
            Plan { order, mode: if last_fault == 0 { Mode::Simple } else { Mode::Careful(undo) } }
        }
        None => {
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by_key(|&index| (all[index].ends, all[index].stores, !all[index].faults));
            let writes = all.iter().fold(RegisterSet(0), |set, effects| set.with(effects.writes));
            Plan { order, mode: Mode::Buffered(writes) }
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
