//! Shifts and the shift amount register (`core-isa/spec-b25.md`).

use q7_datapath::scalar;

use super::{Row, straight};
use crate::core::Core;
use crate::op::{Exit, Op};

/// `SAR = f(s)`: operand s.
macro_rules! set_sar {
    (|$s:ident| $value:expr) => {
        operation!(|core, op| {
            let $s = core.ar(op.r[0]);
            core.sar = $value;
            Exit::NEXT
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("ssl", set_sar!(|s| 32 - (s & 31))),
    ("ssr", set_sar!(|s| s & 31)),
    ("ssa8l", set_sar!(|s| 8 * (s & 3))),
    ("ssa8b", set_sar!(|s| 32 - 8 * (s & 3))),
    ("ssai", straight(threaded!(ssai))),
    ("sll", straight(threaded!(sll))),
    ("srl", straight(threaded!(srl))),
    ("sra", straight(threaded!(sra))),
    ("src", straight(threaded!(src))),
    ("slli", alu2i!(|s, amount| s.checked_shl(amount).unwrap_or(0))),
    ("srli", alu2i!(|t, amount| t >> (amount & 31))),
    ("srai", alu2i!(|t, amount| (t as i32 >> (amount & 31)) as u32)),
    ("extui", straight(threaded!(extui))),
];

fn ssai(core: &mut Core, op: &Op) -> Exit {
    core.sar = op.imm as u32;
    Exit::NEXT
}

/// The low word of `s:0` shifted right by SAR.
fn sll(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], scalar::funnel_right(core.ar(op.r[1]), 0, core.sar));
    Exit::NEXT
}

fn srl(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], scalar::shift_right(core.ar(op.r[1]), core.sar));
    Exit::NEXT
}

fn sra(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], scalar::shift_right_arithmetic(core.ar(op.r[1]), core.sar));
    Exit::NEXT
}

fn src(core: &mut Core, op: &Op) -> Exit {
    core.set_ar(op.r[0], scalar::funnel_right(core.ar(op.r[1]), core.ar(op.r[2]), core.sar));
    Exit::NEXT
}

fn extui(core: &mut Core, op: &Op) -> Exit {
    let (shift, width) = (u32::from(op.r[2]), u32::from(op.r[3]));
    core.set_ar(op.r[0], scalar::extui(core.ar(op.r[1]), shift, width));
    Exit::NEXT
}
