//! Scalar arithmetic, logic and moves (`core-isa/spec-b25.md`, `spec-b28.md`, `spec-b29.md`).

use q7_datapath::scalar;

use super::{Row, straight};
use crate::core::Core;
use crate::op::{Exit, Op};

pub(super) const TABLE: &[Row] = &[
    ("add", alu3!(|s, t| s.wrapping_add(t))),
    ("add.n", alu3!(|s, t| s.wrapping_add(t))),
    ("addx2", alu3!(|s, t| (s << 1).wrapping_add(t))),
    ("addx4", alu3!(|s, t| (s << 2).wrapping_add(t))),
    ("addx8", alu3!(|s, t| (s << 3).wrapping_add(t))),
    ("sub", alu3!(|s, t| s.wrapping_sub(t))),
    ("subx2", alu3!(|s, t| (s << 1).wrapping_sub(t))),
    ("subx4", alu3!(|s, t| (s << 2).wrapping_sub(t))),
    ("subx8", alu3!(|s, t| (s << 3).wrapping_sub(t))),
    ("and", alu3!(|s, t| s & t)),
    ("or", alu3!(|s, t| s | t)),
    ("xor", alu3!(|s, t| s ^ t)),
    ("addi", alu2i!(|s, imm| s.wrapping_add(imm))),
    ("addi.n", alu2i!(|s, imm| s.wrapping_add(imm))),
    ("addmi", alu2i!(|s, imm| s.wrapping_add(imm))),
    ("neg", alu2!(|t| t.wrapping_neg())),
    ("abs", alu2!(|t| scalar::abs(t))),
    ("min", alu3!(|s, t| (s as i32).min(t as i32) as u32)),
    ("max", alu3!(|s, t| (s as i32).max(t as i32) as u32)),
    ("minu", alu3!(|s, t| s.min(t))),
    ("maxu", alu3!(|s, t| s.max(t))),
    ("salt", alu3!(|s, t| u32::from((s as i32) < t as i32))),
    ("saltu", alu3!(|s, t| u32::from(s < t))),
    ("sext", alu2i!(|s, top| scalar::sext(s, top))),
    ("clamps", alu2i!(|s, top| scalar::clamps(s, top))),
    ("nsa", alu2!(|s| scalar::nsa(s))),
    ("nsau", alu2!(|s| scalar::nsau(s))),
    ("mov.n", alu2!(|s| s)),
    ("mov.a", alu2!(|s| s)),
    ("movi", straight(threaded!(movi))),
    ("movi.n", straight(threaded!(movi))),
    ("const16", straight(threaded!(const16))),
    ("moveqz", move_if!(|t| t == 0)),
    ("movnez", move_if!(|t| t != 0)),
    ("movltz", move_if!(|t| (t as i32) < 0)),
    ("movgez", move_if!(|t| (t as i32) >= 0)),
    ("nop", operation!(|_core, _op| Exit::NEXT)),
    ("nop.n", operation!(|_core, _op| Exit::NEXT)),
];

fn movi(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], op.imm as u32);
    Exit::NEXT
}

/// Shifts the old value up by 16 and fills the low half, so that two of them build a constant.
fn const16(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], core.ar(op.r[0]) << 16 | op.imm as u32 & 0xffff);
    Exit::NEXT
}
