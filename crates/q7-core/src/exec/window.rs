//! Windowed calls and the window instructions (`xea3/spec-xea3.md` section 3, `core-isa/spec-b27.md`).

use super::{Flow, Row, ending, straight};
use crate::core::Core;
use crate::exception::Exception;
use crate::memory::Stored;
use crate::op::{Exit, Op};
use crate::special::Ps;

pub(super) const TABLE: &[Row] = &[
    ("call8", ending(threaded!(call8), Flow::Unconditional)),
    ("callx8", ending(threaded!(callx8), Flow::Unconditional)),
    ("entry", straight(threaded!(entry))),
    ("retw", ending(threaded!(retw), Flow::Unconditional)),
    ("retw.n", ending(threaded!(retw), Flow::Unconditional)),
    ("movsp", straight(threaded!(movsp))),
    ("spillw", straight(threaded!(spillw))),
    ("tossw", straight(threaded!(tossw))),
    (
        "rotw",
        privileged!(|core, op| {
            core.rotate_window(op.imm);
            Exit::NEXT
        }),
    ),
];

/// Links in a8 and makes room for the callee; a spill over decoded code ends the block.
#[inline(always)]
fn link(core: &mut Core, op: &Op) -> Result<Stored, Exception> {
    core.need_windows()?;
    let stored = core.make_room()?;
    core.ar[8] = op.next_pc();
    Ok(stored)
}

fn call8(core: &mut Core, op: &Op) -> Exit {
    match link(core, op) {
        Ok(Stored::Data) => Exit::TAKEN,
        Ok(Stored::Code) => {
            core.next_pc = op.target;
            Exit::SYNC
        }
        Err(exception) => core.raise(exception),
    }
}

fn callx8(core: &mut Core, op: &Op) -> Exit {
    let target = core.ar(op.r[0]);
    match link(core, op) {
        Ok(Stored::Data) => core.go(target),
        Ok(Stored::Code) => {
            core.next_pc = target;
            Exit::SYNC
        }
        Err(exception) => core.raise(exception),
    }
}

/// The new stack pointer is written in the callee's window, from the caller's register.
fn entry(core: &mut Core, op: &Op) -> Exit {
    attempt!(core, core.need_windows());
    let pointer = core.ar(op.r[0]).wrapping_sub(op.imm as u32);
    attempt!(core, core.check_stack_limit(pointer, core.special.ps.stack()));
    let mut stored = Stored::Data;
    if core.special.ps.entry_without_rotation() {
        core.special.ps.0 &= !Ps::ENTRYNR;
    } else {
        // Calls keep room; a program that enters without a call must not run over live frames.
        stored = attempt!(core, core.make_room());
        core.enter_window();
    }
    core.set_ar(op.r[0], pointer);
    if stored == Stored::Code { core.sync(op) } else { Exit::NEXT }
}

fn retw(core: &mut Core, _op: &Op) -> Exit {
    attempt!(core, core.need_windows());
    if core.windows.live() == 0 {
        attempt!(core, core.fill_caller());
    }
    let target = core.ar[0];
    core.leave_window();
    core.go_or_tailchain(target)
}

fn movsp(core: &mut Core, op: &Op) -> Exit {
    if core.windows.live() == 0 {
        attempt!(core, core.fill_caller());
    }
    let pointer = core.ar(op.r[1]);
    attempt!(core, core.check_stack_limit(pointer, core.special.ps.stack()));
    core.set_ar(op.r[0], pointer);
    Exit::NEXT
}

/// Spills all but the SAR youngest older frames.
fn spillw(core: &mut Core, op: &Op) -> Exit {
    attempt!(core, core.need_windows());
    let mut code = false;
    while core.windows.live() > core.sar {
        code |= attempt!(core, core.spill_oldest()) == Stored::Code;
    }
    if code { core.sync(op) } else { Exit::NEXT }
}

/// Drops all but the SAR youngest older frames without storing them.
fn tossw(core: &mut Core, _op: &Op) -> Exit {
    attempt!(core, core.need_windows());
    core.drop_frames(core.sar);
    Exit::NEXT
}
