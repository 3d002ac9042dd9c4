//! Runs the operations of one bundle.

use std::mem;

use crate::core::Core;
use crate::op::{Exit, NOTHING, Op};
use crate::plan::Mode;
use crate::registers::{RegisterSet, Scratch};

/// `Op::id` of the operation that leads a careful bundle; `r`, `imm` and `target` hold its register set.
pub(crate) const CAREFUL: u16 = u16::MAX - 2;

/// `Op::id` of the operation that leads a buffered bundle; the register set as above.
pub(crate) const BUFFERED: u16 = u16::MAX - 3;

/// `Op::id` of the operation that stands before each of a buffered bundle and holds the set of the registers that the
/// bundle takes from it.
pub(crate) const RESULTS: u16 = u16::MAX - 4;

/// The operation that leads a bundle which is not simple.
pub(crate) fn lead(mode: Mode, pc: u32, index: u8, length: u8) -> Op {
    let (id, set) = match mode {
        Mode::Simple => unreachable!("simple bundles have no leading operation"),
        Mode::Careful(set) => (CAREFUL, set),
        Mode::Buffered(set) => (BUFFERED, set),
    };
    holding(set, id, pc, index, length)
}

/// The operation that says what a buffered bundle takes from the next one.
pub(crate) fn results(set: RegisterSet, pc: u32, index: u8, length: u8) -> Op {
    holding(set, RESULTS, pc, index, length)
}

fn holding(set: RegisterSet, id: u16, pc: u32, index: u8, length: u8) -> Op {
    let (low, high) = (set.0 as u64, (set.0 >> 64) as u64);
    Op {
        run: single!(|_core, _op| Exit::BUNDLE),
        r: low.to_le_bytes(),
        imm: high as u32 as i32,
        target: (high >> 32) as u32,
        pc,
        id,
        index,
        length,
    }
}

/// The set that an operation of `holding` holds.
fn register_set(lead: &Op) -> RegisterSet {
    let high = u64::from(lead.imm as u32) | u64::from(lead.target) << 32;
    RegisterSet(u128::from(u64::from_le_bytes(lead.r)) | u128::from(high) << 64)
}

/// Runs all operations of a bundle, its leading operation included, and gives how it leaves the block
/// and by which operation.
pub(crate) fn run<'a>(core: &mut Core, ops: &'a [Op]) -> (Exit, &'a Op) {
    match ops[0].id {
        CAREFUL => {
            let mut before = mem::take(&mut core.scratch.before);
            before.clear();
            core.save(register_set(&ops[0]), &mut before);
            let (exit, op) = in_order(core, &ops[1..]);
            if exit == Exit::FAULT || exit == Exit::REQUEST {
                core.restore(&before);
            }
            core.scratch.before = before;
            (exit, op)
        }
        BUFFERED => {
            let mut scratch = mem::take(&mut core.scratch);
            scratch.before.clear();
            core.save(register_set(&ops[0]), &mut scratch.before);
            let left = buffered(core, &mut scratch, &ops[1..]);
            core.scratch = scratch;
            left
        }
        _ => in_order(core, ops),
    }
}

/// Goes on with the operations of a bundle of which one returned SYNC: the bundle is done first.
pub(crate) fn finish<'a>(core: &mut Core, synced: &'a Op, rest: &'a [Op]) -> (Exit, &'a Op) {
    let next_pc = core.next_pc;
    match in_order(core, rest) {
        (Exit::NEXT, _) => {
            core.next_pc = next_pc;
            (Exit::SYNC, synced)
        }
        (exit, op) => (leave_by(core, exit, op), op),
    }
}

/// An exit that changes the PC, as SYNC.
fn leave_by(core: &mut Core, exit: Exit, op: &Op) -> Exit {
    match exit {
        Exit::TAKEN => {
            core.next_pc = op.target;
            Exit::SYNC
        }
        Exit::INDIRECT => Exit::SYNC,
        other => other,
    }
}

fn in_order<'a>(core: &mut Core, ops: &'a [Op]) -> (Exit, &'a Op) {
    for (position, op) in ops.iter().enumerate() {
        match op.run_alone(core) {
            Exit::NEXT => {}
            Exit::SYNC => return finish(core, op, &ops[position + 1..]),
            exit => return (exit, op),
        }
    }
    (Exit::NEXT, ops.last().unwrap_or(&NOTHING))
}

/// Every operation sees the registers as they were (in `scratch.before`); all results are written at the end.
fn buffered<'a>(core: &mut Core, scratch: &mut Scratch, ops: &'a [Op]) -> (Exit, &'a Op) {
    scratch.results.clear();
    let fsr = core.special.fsr;
    let mut outcome = (Exit::NEXT, ops.last().unwrap_or(&NOTHING));
    for pair in ops.chunks_exact(2) {
        let (own, op) = (&pair[0], &pair[1]);
        let exit = op.run_alone(core);
        if exit == Exit::FAULT || exit == Exit::REQUEST {
            core.restore(&scratch.before);
            return (exit, op);
        }
        core.save(register_set(own), &mut scratch.results);
        core.restore(&scratch.before);
        if exit != Exit::NEXT && (outcome.0 == Exit::NEXT || exit != Exit::SYNC) {
            outcome = if outcome.0 == Exit::SYNC { (leave_by(core, exit, op), op) } else { (exit, op) };
        }
    }
    core.merge(&scratch.results, fsr);
    outcome
}
