//! Multiplication and division (`core-isa/spec-b26.md`).

use q7_datapath::scalar;

use super::Row;
use crate::exception::{Cause, Exception};
use crate::op::Exit;

/// `r = f(s, t)`, or a division by zero before anything is written.
macro_rules! divide {
    ($function:path) => {
        operation!(|core, op| match $function(core.ar(op.r[1]), core.ar(op.r[2])) {
            Some(value) => {
                core.set_ar(op.r[0], value);
                Exit::NEXT
            }
            None => core.raise(Exception::new(Cause::DIVIDE_BY_ZERO)),
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("mull", alu3!(|s, t| s.wrapping_mul(t))),
    ("muluh", alu3!(|s, t| scalar::muluh(s, t))),
    ("mulsh", alu3!(|s, t| scalar::mulsh(s, t))),
    ("mul16u", alu3!(|s, t| scalar::mul16u(s, t))),
    ("mul16s", alu3!(|s, t| scalar::mul16s(s, t))),
    ("quos", divide!(scalar::quos)),
    ("quou", divide!(scalar::quou)),
    ("rems", divide!(scalar::rems)),
    ("remu", divide!(scalar::remu)),
];
