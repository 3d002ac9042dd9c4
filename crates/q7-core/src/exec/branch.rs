//! Branches, jumps, call0 calls and zero-overhead loops (`core-isa/spec-b26.md`, `spec-b28.md`).

use super::{Flow, Row, ending};
use crate::core::Core;
use crate::op::{Exit, Op};

/// Branch on a condition of the core.
macro_rules! branch {
    (|$core:ident, $op:ident| $condition:expr) => {{
        fn run($core: &mut Core, $op: &Op) -> Exit {
            if $condition { Exit::TAKEN } else { Exit::NEXT }
        }
        ending(threaded!(run), Flow::Conditional)
    }};
}

/// Branch on two ARs: operands s, t, label.
macro_rules! branch2 {
    (|$s:ident, $t:ident| $condition:expr) => {
        branch!(|core, op| {
            let ($s, $t) = (core.ar(op.r[0]), core.ar(op.r[1]));
            $condition
        })
    };
}

/// Branch on an AR and a number: operands s, immediate, label.
macro_rules! branch_imm {
    (|$s:ident, $imm:ident| $condition:expr) => {
        branch!(|core, op| {
            let ($s, $imm) = (core.ar(op.r[0]), op.imm);
            $condition
        })
    };
}

/// Branch on the sign or zero of an AR: operands s, label.
macro_rules! branch_zero {
    (|$s:ident| $condition:expr) => {
        branch!(|core, op| {
            let $s = core.ar(op.r[0]) as i32;
            $condition
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("beq", branch2!(|s, t| s == t)),
    ("bne", branch2!(|s, t| s != t)),
    ("blt", branch2!(|s, t| (s as i32) < t as i32)),
    ("bge", branch2!(|s, t| s as i32 >= t as i32)),
    ("bltu", branch2!(|s, t| s < t)),
    ("bgeu", branch2!(|s, t| s >= t)),
    ("bany", branch2!(|s, t| s & t != 0)),
    ("bnone", branch2!(|s, t| s & t == 0)),
    ("ball", branch2!(|s, t| !s & t == 0)),
    ("bnall", branch2!(|s, t| !s & t != 0)),
    ("bbc", branch2!(|s, t| s >> (t & 31) & 1 == 0)),
    ("bbs", branch2!(|s, t| s >> (t & 31) & 1 == 1)),
    ("bbci", branch_imm!(|s, bit| s >> (bit & 31) & 1 == 0)),
    ("bbsi", branch_imm!(|s, bit| s >> (bit & 31) & 1 == 1)),
    ("beqi", branch_imm!(|s, imm| s as i32 == imm)),
    ("bnei", branch_imm!(|s, imm| s as i32 != imm)),
    ("blti", branch_imm!(|s, imm| (s as i32) < imm)),
    ("bgei", branch_imm!(|s, imm| s as i32 >= imm)),
    ("bltui", branch_imm!(|s, imm| s < imm as u32)),
    ("bgeui", branch_imm!(|s, imm| s >= imm as u32)),
    ("beqz", branch_zero!(|s| s == 0)),
    ("beqz.n", branch_zero!(|s| s == 0)),
    ("bnez", branch_zero!(|s| s != 0)),
    ("bnez.n", branch_zero!(|s| s != 0)),
    ("bltz", branch_zero!(|s| s < 0)),
    ("bgez", branch_zero!(|s| s >= 0)),
    ("bt", branch!(|core, op| core.boolean(op.r[0]))),
    ("bf", branch!(|core, op| !core.boolean(op.r[0]))),
    ("j", ending(threaded!(|_core, _op| Exit::TAKEN), Flow::Unconditional)),
    ("jx", ending(threaded!(|core, op| core.go(core.ar(op.r[0]))), Flow::Unconditional)),
    ("call0", ending(threaded!(call0), Flow::Unconditional)),
    ("callx0", ending(threaded!(callx0), Flow::Unconditional)),
    ("ret", ending(threaded!(ret), Flow::Unconditional)),
    ("ret.n", ending(threaded!(ret), Flow::Unconditional)),
    ("loop", ending(threaded!(loop_always), Flow::Loop)),
    ("loopnez", ending(threaded!(loopnez), Flow::Loop)),
    ("loopgtz", ending(threaded!(loopgtz), Flow::Loop)),
];

fn call0(core: &mut Core, op: &Op) -> Exit {
    core.ar[0] = op.next_pc();
    Exit::TAKEN
}

fn callx0(core: &mut Core, op: &Op) -> Exit {
    let target = core.ar(op.r[0]);
    core.ar[0] = op.next_pc();
    core.go(target)
}

fn ret(core: &mut Core, _op: &Op) -> Exit {
    core.go_or_tailchain(core.ar[0])
}

/// LBEG, LEND and LCOUNT are written even when the body is skipped (docs/assumptions.md, X5).
fn set_loop(core: &mut Core, op: &Op) -> u32 {
    let count = core.ar(op.r[0]);
    core.lbeg = op.next_pc();
    core.lend = op.target;
    core.lcount = count.wrapping_sub(1);
    count
}

fn loop_always(core: &mut Core, op: &Op) -> Exit {
    set_loop(core, op);
    Exit::NEXT
}

fn loopnez(core: &mut Core, op: &Op) -> Exit {
    if set_loop(core, op) == 0 { Exit::TAKEN } else { Exit::NEXT }
}

fn loopgtz(core: &mut Core, op: &Op) -> Exit {
    if set_loop(core, op) as i32 <= 0 { Exit::TAKEN } else { Exit::NEXT }
}
