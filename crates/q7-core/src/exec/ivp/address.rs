//! The four addressing modes of vector memory instructions (`load-store-move-gather/spec-b06.md`): where
//! the access is, and what becomes of the base register.
//!
//! `BASE` is the operand index of the base register; the index register or the immediate follows it.

use crate::core::Core;
use crate::op::Op;

/// An addressing mode.
pub(super) trait Mode {
    /// Address of the access.
    fn address<const BASE: usize>(core: &Core, op: &Op) -> u32;
    /// Updates the base register after the access.
    fn update<const BASE: usize>(core: &mut Core, op: &Op);
}

/// `_i`: base + immediate; the base stays.
pub(super) struct I;
/// `_ip`: base; then base + immediate.
pub(super) struct Ip;
/// `_x`: base + index; the base stays.
pub(super) struct X;
/// `_xp`: base; then base + index.
pub(super) struct Xp;

impl Mode for I {
    #[inline(always)]
    fn address<const BASE: usize>(core: &Core, op: &Op) -> u32 {
        core.ar(op.r[BASE]).wrapping_add(op.imm as u32)
    }
    #[inline(always)]
    fn update<const BASE: usize>(_core: &mut Core, _op: &Op) {}
}

impl Mode for Ip {
    #[inline(always)]
    fn address<const BASE: usize>(core: &Core, op: &Op) -> u32 {
        core.ar(op.r[BASE])
    }
    #[inline(always)]
    fn update<const BASE: usize>(core: &mut Core, op: &Op) {
        core.set_ar(op.r[BASE], core.ar(op.r[BASE]).wrapping_add(op.imm as u32));
    }
}

impl Mode for X {
    #[inline(always)]
    fn address<const BASE: usize>(core: &Core, op: &Op) -> u32 {
        core.ar(op.r[BASE]).wrapping_add(core.ar(op.r[BASE + 1]))
    }
    #[inline(always)]
    fn update<const BASE: usize>(_core: &mut Core, _op: &Op) {}
}

impl Mode for Xp {
    #[inline(always)]
    fn address<const BASE: usize>(core: &Core, op: &Op) -> u32 {
        core.ar(op.r[BASE])
    }
    #[inline(always)]
    fn update<const BASE: usize>(core: &mut Core, op: &Op) {
        core.set_ar(op.r[BASE], core.ar(op.r[BASE]).wrapping_add(core.ar(op.r[BASE + 1])));
    }
}
