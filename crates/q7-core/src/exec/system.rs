//! Traps, host calls, fences, exception dispatch, caches and debug access
//! (`core-isa/spec-b28.md`, `spec-b29.md`, `spec-b30.md`, `xea3/instructions.csv`).

use super::Row;
use crate::core::Request;
use crate::exception::{Cause, Exception};
use crate::op::Exit;
use crate::special::Ps;

/// Always raises.
macro_rules! trap {
    (|$op:ident| $cause:expr) => {
        operation!(|core, $op| core.raise(Exception::new($cause)))
    };
}

/// Has no effect that this machine models: accesses complete in order, and there is no data cache,
/// no instruction cache state and no branch target buffer to see.
macro_rules! no_effect {
    () => {
        operation!(|_core, _op| Exit::NEXT)
    };
}

/// As `no_effect!`, faulting in ring 1.
macro_rules! privileged_no_effect {
    () => {
        privileged!(|_core, _op| Exit::NEXT)
    };
}

/// Reads 0 from a structure that this machine does not model: operands t, s.
macro_rules! privileged_reads_zero {
    () => {
        privileged!(|core, op| {
            core.set_ar(op.r[0], 0);
            Exit::NEXT
        })
    };
}

/// One step of exception dispatch.
macro_rules! dispatch {
    ($method:ident) => {
        privileged!(|core, op| attempt!(core, core.$method(op)))
    };
}

pub(super) const TABLE: &[Row] = &[
    ("ill", trap!(|_op| Cause::ILL)),
    ("ill.n", trap!(|_op| Cause::ILL)),
    ("syscall", trap!(|op| Cause::syscall(op.imm as u32))),
    ("break", trap!(|_op| Cause::BREAK)),
    ("break.n", trap!(|_op| Cause::BREAK_N)),
    ("break1", trap!(|_op| Cause::BREAK1)),
    // Debug mode is never entered, and outside of it these are illegal.
    ("rfdo", trap!(|_op| Cause::ILLEGAL_INSTRUCTION)),
    ("rfdd", trap!(|_op| Cause::ILLEGAL_INSTRUCTION)),
    ("simcall", operation!(|core, op| core.ask(op, Request::HostCall))),
    ("halt", operation!(|core, op| core.ask(op, Request::Halt(op.imm as u32)))),
    ("halt.n", operation!(|core, op| core.ask(op, Request::Halt(0)))),
    (
        "waiti",
        privileged!(|core, op| {
            core.special.ps.0 &= !Ps::DI;
            core.ask(op, Request::Wait)
        }),
    ),
    (
        "xps",
        privileged!(|core, op| {
            let (value, mask, old) = (core.ar(op.r[0]), core.ar(op.r[1]), core.special.ps.0);
            core.special.ps = Ps((old & !mask | value & mask) & Ps::WRITABLE);
            core.set_ar(op.r[0], old);
            core.sync(op)
        }),
    ),
    ("isync", operation!(|core, op| core.sync(op))),
    ("rsync", no_effect!()),
    ("esync", no_effect!()),
    ("dsync", no_effect!()),
    ("fsync", no_effect!()),
    ("memw", no_effect!()),
    ("extw", no_effect!()),
    ("excw", no_effect!()),
    ("ivp_scatterw", no_effect!()),
    ("ihi", no_effect!()),
    ("ipf", no_effect!()),
    ("iii", privileged_no_effect!()),
    ("sict", privileged_no_effect!()),
    ("sicw", privileged_no_effect!()),
    ("wbtb0", privileged_no_effect!()),
    ("wbtb1", privileged_no_effect!()),
    ("wbtb2", privileged_no_effect!()),
    ("lict", privileged_reads_zero!()),
    ("licw", privileged_reads_zero!()),
    ("rbtb0", privileged_reads_zero!()),
    ("rbtb1", privileged_reads_zero!()),
    ("rbtb2", privileged_reads_zero!()),
    (
        "lddr32.p",
        privileged!(|core, op| {
            let address = core.ar(op.r[0]);
            let value = attempt!(core, core.memory.load::<u32>(address));
            core.special.set_ddr(value);
            core.set_ar(op.r[0], address.wrapping_add(4));
            Exit::NEXT
        }),
    ),
    (
        "sddr32.p",
        privileged!(|core, op| {
            let address = core.ar(op.r[0]);
            let stored = attempt!(core, core.memory.store(address, core.special.ddr()));
            core.set_ar(op.r[0], address.wrapping_add(4));
            core.after_store(op, stored)
        }),
    ),
    ("s32e", dispatch!(s32e)),
    ("l32e", dispatch!(l32e)),
    ("s32si.x4", dispatch!(s32si)),
    ("s32stk", dispatch!(s32stk)),
    ("l32dis.it", dispatch!(l32dis_it)),
    ("l32dis.epc", dispatch!(l32dis_epc)),
    ("s32dis.h", privileged!(|core, op| core.s32dis_h(op))),
];
