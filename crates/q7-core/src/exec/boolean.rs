//! Booleans (`core-isa/spec-b28.md`).

use super::{Row, straight};
use crate::core::Core;
use crate::op::{Exit, Op};

/// `r = f(s, t)` on booleans.
macro_rules! boolean3 {
    (|$s:ident, $t:ident| $value:expr) => {
        operation!(|core, op| {
            let ($s, $t) = (core.boolean(op.r[1]), core.boolean(op.r[2]));
            core.set_boolean(op.r[0], $value);
            Exit::NEXT
        })
    };
}

/// `t = f(group)` on an aligned group of `$width` booleans.
macro_rules! reduce {
    ($width:literal, |$group:ident, $ones:ident| $value:expr) => {
        operation!(|core, op| {
            let $ones = (1u32 << $width) - 1;
            let $group = core.br >> (op.r[1] & 15) & $ones;
            core.set_boolean(op.r[0], $value);
            Exit::NEXT
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("andb", boolean3!(|s, t| s & t)),
    ("andbc", boolean3!(|s, t| s & !t)),
    ("orb", boolean3!(|s, t| s | t)),
    ("orbc", boolean3!(|s, t| s | !t)),
    ("xorb", boolean3!(|s, t| s ^ t)),
    ("all4", reduce!(4, |group, ones| group == ones)),
    ("all8", reduce!(8, |group, ones| group == ones)),
    ("any4", reduce!(4, |group, _ones| group != 0)),
    ("any8", reduce!(8, |group, _ones| group != 0)),
    ("movt", straight(threaded!(movt))),
    ("movf", straight(threaded!(movf))),
];

fn movt(core: &mut Core, op: &Op) -> Exit {
    if core.boolean(op.r[2]) {
        core.set_ar(op.r[0], core.ar(op.r[1]));
    }
    Exit::NEXT
}

fn movf(core: &mut Core, op: &Op) -> Exit {
    if !core.boolean(op.r[2]) {
        core.set_ar(op.r[0], core.ar(op.r[1]));
    }
    Exit::NEXT
}
