//! Legality: may an instruction class run an operation on these dtypes, on this generation and engine?
//!
//! Every answer comes from the predicates of [`crate::predicate`], the class contracts and a handful of rules about
//! single operations; nothing is evaluated. Texts and source lines of a rejection are the firmware's own.
//!
//! Source: `tpb-alu-and-kernels/spec-alu-op-matrix.md`, `extra-alu-predicates.csv`, `spec-tensor-tensor.md`,
//! `spec-tensor-tensor-64bit.md`, `spec-tensor-scalar.md`, `spec-scalar-tensor-tensor.md`, `spec-tensor-reduce.md`;
//! `tpb-more-kernels/extra-validity.csv`.

mod class;

pub use class::OpClass;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::dtype::Dtype;
use crate::evaluate::Dtypes;
use crate::generation::Generation;
use crate::op::AluOp;
use crate::predicate::{
    alu_shift_check, is_arg_search_op, is_bitvec_op, is_signed_alu_op, is_signed_int, is_unsigned_alu_op,
    is_unsigned_int, is_valid_64b_int_dtype, is_valid_int_aluop, is_valid_int_dtype,
};

/// The engine that executes an instruction, where its rules differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// No engine asked: what the instruction class itself accepts.
    #[default]
    Any,
    /// The Q7 cores.
    Pool,
    /// The vector engine.
    Dve,
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        match crate::text::squeeze(text).as_str() {
            "any" => Ok(Engine::Any),
            "pool" | "gpsimd" | "q7" => Ok(Engine::Pool),
            "dve" | "vector" => Ok(Engine::Dve),
            _ => Err(UnknownEngine(text.to_owned())),
        }
    }
}

/// The text names no engine with ALU rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine `{0}`: any, pool or dve")]
pub struct UnknownEngine(pub String);

/// Where the firmware's evaluator rejects: a line of `decode/alu_op.cpp`.
///
/// Source: `tpb-alu-and-kernels/extra-alu-dispatch-switches.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// Source file.
    pub file: &'static str,
    /// Line.
    pub line: u32,
}

impl Site {
    /// Default of the 64-bit operation switch.
    pub const OP_64: Site = Site::line(141);
    /// Default of the 32-bit operation switch, register and immediate.
    pub const OP_IMMEDIATE: Site = Site::line(196);
    /// Default of the 32-bit operation switch with its 16-bit branch, two registers.
    pub const OP_REGISTERS: Site = Site::line(220);
    /// Default of the 64-bit dtype switch; the only dtype default that is known.
    pub const DTYPE: Site = Site::line(231);

    const fn line(line: u32) -> Site {
        Site { file: "decode/alu_op.cpp", line }
    }

    /// Where an unknown operation ends with this result dtype.
    pub const fn of_op(out: Dtype, immediate: bool) -> Site {
        match (is_valid_64b_int_dtype(out), immediate) {
            (true, _) => Site::OP_64,
            (false, true) => Site::OP_IMMEDIATE,
            (false, false) => Site::OP_REGISTERS,
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)
    }
}

/// Which rule a combination breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The generation does not have the operation.
    Generation,
    /// The class does not take the operation, or not in this place.
    Op,
    /// The class or the operation does not take a dtype.
    Dtype,
    /// Operands disagree with the sign the operation wants.
    Sign,
    /// 64-bit integers outside the integer operations and the bit operations.
    Wide,
    /// The composition rule of shifts.
    Shift,
    /// The engine does not run it.
    Engine,
}

/// A rejected combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Rejection {
    /// The operation at fault.
    pub op: AluOp,
    /// The class asked.
    pub class: OpClass,
    /// The engine asked.
    pub engine: Engine,
    /// The rule.
    pub reason: Reason,
    /// Line of the firmware.
    pub site: Site,
    /// The result is a 64-bit integer; the firmware's text depends on it.
    pub wide: bool,
}

impl fmt::Display for Rejection {
    /// The firmware's wording: two asserts of the evaluator, and the log lines of the Q7 kernels.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_op = matches!(self.reason, Reason::Generation | Reason::Op | Reason::Engine);
        if !of_op {
            return out.write_str("not supported dtype");
        }
        match (self.engine, self.class) {
            (Engine::Pool, OpClass::TensorTensorArith | OpClass::TensorTensorBitvec) if self.wide => {
                out.write_str("Unimplemented tensor-tensor ALU op")
            }
            (Engine::Pool, OpClass::TensorTensorArith | OpClass::TensorTensorBitvec) => {
                write!(out, "Unimplemented tensor-tensor ALU op({:#x})", self.op.code())
            }
            (Engine::Pool, OpClass::ReduceArith | OpClass::ReduceBitvec) => {
                out.write_str("unimplemented tensor-reduce ALU op")
            }
            _ => out.write_str("not supported op"),
        }
    }
}

/// May `class` run `op` on these dtypes?
///
/// For classes with two operations this asks for `op` in first place alone: with a bypass behind it where the class
/// takes one (the accumulating instructions do not), and, for RSQRT, with both immediates zero. [`check_pair`] asks
/// for both.
pub fn check(
    op: AluOp,
    class: OpClass,
    dtypes: Dtypes,
    generation: Generation,
    engine: Engine,
) -> Result<(), Rejection> {
    check_first(op, class, dtypes, generation, engine)?;
    if class.has_shift_rule() && !alu_shift_check(op, AluOp::Bypass, dtypes.src0) {
        return Err(rejection(op, class, dtypes, engine, Reason::Shift));
    }
    Ok(())
}

/// May `class` run `op0` followed by `op1`? `zero_immediates`: both scalars are inline and zero.
///
/// Beyond each operation's own legality: a bypass in first place needs one behind it (tensor-scalar), RSQRT stands
/// only in first place, alone and with zero immediates, and shifts compose only on 4-byte dtypes.
pub fn check_pair(
    (op0, op1): (AluOp, AluOp),
    zero_immediates: bool,
    class: OpClass,
    dtypes: Dtypes,
    generation: Generation,
    engine: Engine,
) -> Result<(), Rejection> {
    check_first(op0, class, dtypes, generation, engine)?;
    let reject = |op, reason| Err(rejection(op, class, dtypes, engine, reason));
    if !op1.exists_in(generation) {
        return reject(op1, Reason::Generation);
    }
    if !class.accepts_second(op1, generation) || !class.accepts_both(op0, op1, generation) {
        return reject(op1, Reason::Op);
    }
    check_dtypes(op1, class, dtypes, generation).or_else(|reason| reject(op1, reason))?;
    if op1 != AluOp::Bypass && !class.runs_on(engine, op1, dtypes) {
        return reject(op1, Reason::Engine);
    }
    let tensor_scalar = matches!(class, OpClass::TensorScalarArith | OpClass::TensorScalarBitvec);
    if tensor_scalar && op0 == AluOp::Bypass && op1 != AluOp::Bypass {
        return reject(op0, Reason::Op);
    }
    if op0 == AluOp::Rsqrt && !(op1 == AluOp::Bypass && zero_immediates) {
        return reject(op0, Reason::Op);
    }
    if class.has_shift_rule() && !alu_shift_check(op0, op1, dtypes.src0) {
        return reject(op1, Reason::Shift);
    }
    Ok(())
}

fn rejection(op: AluOp, class: OpClass, dtypes: Dtypes, engine: Engine, reason: Reason) -> Rejection {
    let wide = is_valid_64b_int_dtype(dtypes.out);
    let site = match reason {
        Reason::Generation | Reason::Op | Reason::Engine => Site::of_op(dtypes.out, class.takes_scalar()),
        Reason::Dtype | Reason::Sign | Reason::Wide | Reason::Shift => Site::DTYPE,
    };
    Rejection { op, class, engine, reason, site, wide }
}

fn check_first(
    op: AluOp,
    class: OpClass,
    dtypes: Dtypes,
    generation: Generation,
    engine: Engine,
) -> Result<(), Rejection> {
    let reject = |reason| Err(rejection(op, class, dtypes, engine, reason));
    if !op.exists_in(generation) {
        return reject(Reason::Generation);
    }
    if !class.accepts(op, generation) {
        return reject(Reason::Op);
    }
    check_dtypes(op, class, dtypes, generation).or_else(reject)?;
    if !class.runs_on(engine, op, dtypes) { reject(Reason::Engine) } else { Ok(()) }
}

fn check_dtypes(op: AluOp, class: OpClass, dtypes: Dtypes, generation: Generation) -> Result<(), Reason> {
    if !class.accepts_dtypes(op, dtypes, generation) {
        return Err(Reason::Dtype);
    }
    let used = class.dtypes_of(op, dtypes);
    if used.iter().flatten().any(|&dtype| !op_takes(op, dtype)) {
        return Err(Reason::Dtype);
    }
    let has_wide = used.iter().flatten().any(|&dtype| is_valid_64b_int_dtype(dtype));
    if has_wide && !(is_integer_op(op) || class.is_bitvec()) {
        return Err(Reason::Wide);
    }
    if is_integer_op(op) && !signs_agree(op, &used) { Err(Reason::Sign) } else { Ok(()) }
}

/// The integer band and MOD.
pub(crate) fn is_integer_op(op: AluOp) -> bool {
    is_valid_int_aluop(op) || op.is_int_band()
}

/// Dtypes an operation has a meaning for, whatever class asks.
///
/// These are the rows of the published matrix that no class predicate forces: DIVIDE is floating point only, POW and
/// RSQRT need 16 bits or more, CRC32 takes 16- and 32-bit integers, bit and integer operations take integers.
fn op_takes(op: AluOp, dtype: Dtype) -> bool {
    match op {
        AluOp::Bypass => true,
        AluOp::Divide => dtype.is_float(),
        AluOp::Pow | AluOp::Rsqrt => dtype.is_float() && dtype.bits() >= 16,
        AluOp::Crc32 => is_valid_int_dtype(dtype) && matches!(dtype.bits(), 16 | 32),
        _ if is_bitvec_op(op) || is_integer_op(op) => is_valid_int_dtype(dtype),
        _ => true,
    }
}

/// The operation takes signed operands: the published set, and by their names the three it does not list.
pub(crate) fn takes_signed(op: AluOp) -> bool {
    is_signed_alu_op(op) || matches!(op, AluOp::AbsValueInt | AluOp::AmaxInt | AluOp::AminInt)
}

/// The operation takes unsigned operands: the published set, and by their names the two it does not list.
pub(crate) fn takes_unsigned(op: AluOp) -> bool {
    is_unsigned_alu_op(op) || matches!(op, AluOp::AmaxUint | AluOp::AminUint)
}

/// All operands are signed for a signed operation, unsigned for an unsigned one, and alike for a shared one. The
/// result of an argument search is a position and does not count.
fn signs_agree(op: AluOp, used: &[Option<Dtype>; 3]) -> bool {
    let counted = if is_arg_search_op(op) { &used[..2] } else { &used[..] };
    let all = |test: fn(Dtype) -> bool| counted.iter().flatten().all(|&dtype| test(dtype));
    (takes_signed(op) && all(is_signed_int)) || (takes_unsigned(op) && all(is_unsigned_int))
}
