//! Runs the operations of one bundle.

use std::mem;

use crate::core::Core;
use crate::op::{Exit, NOTHING, Op};
use crate::registers::{RegisterSet, Scratch};

/// `Op::id` of the operations that lead a careful bundle. Each checks an access, and while all of them are sure to work
/// the bundle runs like a simple one; a single one that only asks for care may stand for them.
pub(crate) const CAREFUL: u16 = u16::MAX - 2;

/// `Op::id` of the operation that leads a buffered bundle.
pub(crate) const BUFFERED: u16 = u16::MAX - 3;

/// `Op::id` of the operation that stands before each of a buffered bundle: the bundle takes its set from the next one.
pub(crate) const RESULTS: u16 = u16::MAX - 4;

/// `Op::id` of an operation that copies a register.
pub(crate) const COPYING: u16 = u16::MAX - 5;

/// Register sets, named by `Op::target` of the operations that lead.
pub(crate) type Sets = [RegisterSet];

/// An operation of a block whose register sets are counted from `first` on.
pub(crate) fn renumbered(op: &Op, first: u32) -> Op {
    let names_set = matches!(op.id, CAREFUL | BUFFERED | RESULTS);
    Op { target: if names_set { op.target + first } else { op.target }, ..*op }
}

/// Leads a bundle that is not simple.
pub(crate) fn ask(_core: &mut Core, _op: &Op) -> Exit {
    Exit::BUNDLE
}

/// Runs all operations of a bundle, its leading operation included, and gives how it leaves the block
/// and by which operation.
pub(crate) fn run<'a>(core: &mut Core, ops: &'a [Op], sets: &Sets) -> (Exit, &'a Op) {
    let set = |lead: &Op| sets[lead.target as usize];
    match ops[0].id {
        CAREFUL => {
            let leads = ops.iter().take_while(|op| op.id == CAREFUL).count();
            let mut before = mem::take(&mut core.scratch.before);
            before.clear();
            core.save(set(&ops[0]), &mut before);
            let (exit, op) = in_order(core, &ops[leads..]);
            if exit == Exit::FAULT || exit == Exit::REQUEST {
                core.restore(&before);
            }
            core.scratch.before = before;
            (exit, op)
        }
        BUFFERED => {
            let mut scratch = mem::take(&mut core.scratch);
            scratch.before.clear();
            core.save(set(&ops[0]), &mut scratch.before);
            let left = buffered(core, &mut scratch, &ops[1..], set);
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
fn buffered<'a>(
    core: &mut Core,
    scratch: &mut Scratch,
    ops: &'a [Op],
    set: impl Fn(&Op) -> RegisterSet,
) -> (Exit, &'a Op) {
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
        core.save(set(own), &mut scratch.results);
        core.restore(&scratch.before);
        if exit != Exit::NEXT && (outcome.0 == Exit::NEXT || exit != Exit::SYNC) {
            outcome = if outcome.0 == Exit::SYNC { (leave_by(core, exit, op), op) } else { (exit, op) };
        }
    }
    core.merge(&scratch.results, fsr);
    outcome
}
