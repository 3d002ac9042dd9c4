//! How the instructions of one bundle execute one after the other as if at once.
//!
//! All slots read registers and memory as they were before the bundle, then all write. An order in which
//! every reader of a register comes before its writer does that without copies. Faults must leave
//! nothing half-written, so what can fault comes first where the order allows it.

use q7_isa::{Bundle, Direction, File, Flags, Isa, Opcode, Operand};

use crate::exec::{self, Flow};
use crate::registers::RegisterSet;

/// How a bundle runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In the planned order; at most the first operation can fault.
    Simple,
    /// In the planned order; on a fault the registers of the set are put back. If all accesses behind the first
    /// operation are known to work beforehand, nothing needs to be put back.
    Careful(RegisterSet),
    /// Each operation on the old values of the registers of the set; all results at the end.
    Buffered(RegisterSet),
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
    /// The instructions of a careful bundle whose accesses can be checked beforehand, if those are all that matter.
    pub probes: Vec<usize>,
    /// For each instruction, by its index, the vec registers that it reads as they were kept before the bundle.
    pub copies: Vec<RegisterSet>,
}

impl Plan {
    /// The plan of a bundle with one instruction.
    pub(crate) fn alone() -> Plan {
        Plan {
            order: vec![0],
            mode: Mode::Simple,
            results: Vec::new(),
            probes: Vec::new(),
            copies: Vec::new(),
        }
    }

    /// The registers to copy before anything else.
    pub(crate) fn copied(&self) -> RegisterSet {
        self.copies.iter().copied().fold(RegisterSet(0), RegisterSet::with)
    }
}

/// What the operation of an instruction is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub flow: Flow,
    pub implemented: bool,
    /// Its accesses can be checked beforehand.
    pub probed: bool,
}

/// What the planner knows of one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    reads: RegisterSet,
    writes: RegisterSet,
    /// Those of `reads` that it could read from copies.
    copyable: RegisterSet,
    stores: bool,
    faults: bool,
    /// It faults by an access at the most, which can be checked beforehand.
    probed: bool,
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

fn effects(opcode: &Opcode, operands: &[i32], bound: Bound) -> Effects {
    let mut effects = Effects {
        stores: opcode.flags.contains(Flags::STORE),
        ends: bound.flow != Flow::Straight,
        ..Effects::default()
    };
    let otherwise = !bound.implemented
        || !exec::has_meaning(opcode, operands)
        || opcode.flags.contains(Flags::PRIVILEGED)
        || FAULTING.contains(&opcode.mnemonic.as_str());
    effects.faults = opcode.flags.contains(Flags::LOAD) || effects.stores || otherwise;
    effects.probed = bound.probed && !otherwise;
    let mut fixed = RegisterSet(0);
    for (operand, &value) in opcode.operands.iter().zip(operands) {
        let register = RegisterSet::of_operand(operand.file, value);
        if operand.direction.reads() {
            effects.reads = effects.reads.with(register);
            if !reads_copy(operand, value, register) {
                fixed = fixed.with(register);
            }
        }
        if operand.direction.writes() {
            effects.writes = effects.writes.with(register);
        }
    }
    effects.copyable = effects.reads.without(fixed);
    let (reads, writes) = unnamed(opcode);
    effects.reads = effects.reads.with(reads);
    effects.writes = effects.writes.with(writes);
    effects
}

/// True if an operand may name the copy of its register, which `copies` holds.
pub(crate) fn reads_copy(operand: &Operand, value: i32, copies: RegisterSet) -> bool {
    let register = RegisterSet::of_operand(operand.file, value);
    operand.file == File::Vec && operand.direction == Direction::In && copies.meets(register)
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

/// Plans a bundle; `bound` tells about the operation of each instruction.
pub(crate) fn plan(isa: &Isa, bundle: &Bundle, bound: impl Fn(usize) -> Bound) -> Plan {
    let all: Vec<Effects> = bundle
        .instructions
        .iter()
        .enumerate()
        .map(|(index, instruction)| {
            effects(isa.opcode(instruction.opcode), &instruction.operands, bound(index))
        })
        .collect();
    let results = results(&all);
    let Some((order, copies)) = order_with_copies(&all) else {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&index| (all[index].ends, all[index].stores, !all[index].faults));
        let writes = all.iter().fold(RegisterSet(0), |set, effects| set.with(effects.writes));
        return Plan { order, mode: Mode::Buffered(writes), results, probes: Vec::new(), copies: Vec::new() };
    };
    let last_fault = order.iter().rposition(|&index| all[index].faults).unwrap_or(0);
    if last_fault == 0 {
        return Plan { order, mode: Mode::Simple, results, probes: Vec::new(), copies };
    }
    let undo = order[..last_fault].iter().fold(RegisterSet(0), |set, &index| set.with(all[index].writes));
    let mut probes: Vec<usize> = order[1..].iter().copied().filter(|&index| all[index].faults).collect();
    if probes.iter().any(|&index| !all[index].probed) {
        probes.clear();
    }
    Plan { order, mode: Mode::Careful(undo), results, probes, copies }
}

/// An order, and the registers that each instruction reads from copies to make it possible: of one instruction if
/// that will do.
fn order_with_copies(all: &[Effects]) -> Option<(Vec<usize>, Vec<RegisterSet>)> {
    let written_elsewhere = |index: usize| {
        let others = all.iter().enumerate().filter(|(other, _)| *other != index);
        others.fold(RegisterSet(0), |set, (_, effects)| set.with(effects.writes))
    };
    let useful: Vec<RegisterSet> =
        (0..all.len()).map(|index| all[index].copyable.common(written_elsewhere(index))).collect();
    let none = vec![RegisterSet(0); all.len()];
    let of_one = (0..all.len()).filter(|&index| useful[index] != RegisterSet(0)).map(|index| {
        let mut copies = none.clone();
        copies[index] = useful[index];
        copies
    });
    std::iter::once(none.clone()).chain(of_one).chain(std::iter::once(useful.clone())).find_map(|copies| {
        let reading = |(effects, copies): (&Effects, &RegisterSet)| Effects {
            reads: effects.reads.without(*copies),
            ..*effects
        };
        let all: Vec<Effects> = all.iter().zip(&copies).map(reading).collect();
        Some((order(&all)?, copies))
    })
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
    use q7_isa::Unplaced;

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

    /// The plan of a bundle of memory operations, exchanges and the like, all of which can be checked beforehand.
    fn plan_of(instructions: &[(&str, &[i32])]) -> Plan {
        let isa = Isa::embedded();
        let unplaced: Vec<Unplaced> = instructions
            .iter()
            .map(|&(name, operands)| Unplaced {
                opcode: isa.find(name).unwrap(),
                operands: operands.iter().copied().collect(),
            })
            .collect();
        let bundle = isa.choose_format(&unplaced, 0).unwrap();
        plan(isa, &bundle, |_| Bound { flow: Flow::Straight, implemented: true, probed: true })
    }

    #[test]
    fn the_store_of_what_a_load_replaces_comes_second() {
        let plan = plan_of(&[("ivp_sv2nx8_ip", &[0, 2, 64]), ("ivp_lv2nx8_ip", &[0, 3, 64])]);
        let v0 = RegisterSet::of_operand(File::Vec, 0);
        assert_eq!((plan.order[..2].to_vec(), plan.probes, plan.copies[0]), (vec![1, 0], vec![0], v0));
        let a3 = RegisterSet::of_operand(File::Ar, 3);
        assert_eq!(plan.mode, Mode::Careful(v0.with(a3)));
    }

    #[test]
    fn exchanges_of_vectors_need_one_copy() {
        let plan = plan_of(&[("ivp_movvv", &[0, 1]), ("ivp_movvv", &[1, 0])]);
        assert_eq!(plan.mode, Mode::Simple);
        assert_eq!(plan.copies.iter().filter(|&&copies| copies != RegisterSet(0)).count(), 1);
        let plan = plan_of(&[("mov.n", &[2, 3]), ("mov.n", &[3, 2])]);
        assert!(matches!(plan.mode, Mode::Buffered(_)));
    }
}
