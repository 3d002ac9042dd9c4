//! The sequencer's scalar path: register ALU operations and branch comparisons.
//!
//! Source: `tpb-alu-and-kernels/spec-alu-op-matrix.md` (evaluator, firmware sites);
//! `firmware-seq-and-pool/spec-error-handler.md` (division by zero is fatal);
//! `tpb-compiler-encodings/extra-branch-compare.csv`, `spec-sp-sync-encoding.md` (branches).

use serde::Serialize;

use crate::dtype::Dtype;
use crate::evaluate::{Domain, Dtypes, EvalError, IntDivision, Mode, Plan, State};
use crate::generation::Generation;
use crate::legality::Site;
use crate::op::AluOp;
use crate::predicate::is_valid_64b_int_dtype;

/// Where the second operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `R[d] = OP(R[s0], R[s1])`.
    Registers,
    /// `R[d] = OP(R[s0], imm)`.
    Immediate,
}

/// Evaluates a register operation on elements of `dtype`.
///
/// As [`crate::evaluate()`], with the sequencer's own limits: one dtype throughout, 64-bit elements are integers only,
/// an integer division by zero stops the machine (A18), and rejections name the source line of the form at hand.
pub fn scalar(
    op: AluOp,
    a: u64,
    b: u64,
    dtype: Dtype,
    generation: Generation,
    form: Form,
    state: &mut State,
) -> Result<u64, EvalError> {
    let site = Site::of_op(dtype, form == Form::Immediate);
    let mode = Mode { int_division: IntDivision::Halt, ..state.mode };
    let plan = Plan::new(op, Dtypes::all(dtype), generation, mode).map_err(|error| match error {
        EvalError::Op { op, .. } => EvalError::Op { op, site },
        other => other,
    })?;
    if is_valid_64b_int_dtype(dtype) && plan.domain() == Domain::Fp32 {
        return Err(EvalError::Op { op, site });
    }
    plan.element(a, b, state)
}

/// A relation that a branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
}

impl Relation {
    /// All six in the order of their codes.
    pub const ALL: [Relation; 6] =
        [Relation::Lt, Relation::Le, Relation::Eq, Relation::Ne, Relation::Ge, Relation::Gt];

    /// The ALU comparison behind it.
    pub const fn alu_op(self) -> AluOp {
        match self {
            Relation::Lt => AluOp::IsLt,
            Relation::Le => AluOp::IsLe,
            Relation::Eq => AluOp::IsEq,
            Relation::Ne => AluOp::IsNe,
            Relation::Ge => AluOp::IsGe,
            Relation::Gt => AluOp::IsGt,
        }
    }

    /// The opposite relation (of numbers; a NaN makes all but [`Relation::Ne`] false).
    pub const fn negated(self) -> Relation {
        match self {
            Relation::Lt => Relation::Ge,
            Relation::Le => Relation::Gt,
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
        }
    }
}

/// The comparison of a branch: always, or a relation of a register with an immediate or another register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchCompare {
    /// Unconditional.
    Always,
    /// A relation, and where its right operand comes from.
    Test(Relation, Form),
}

impl BranchCompare {
    /// The comparison of a wire code: 0 always, 1..=6 against the immediate, 9..=14 against a register.
    pub fn from_wire_code(code: u8) -> Option<BranchCompare> {
        let (form, base) = match code {
            0 => return Some(BranchCompare::Always),
            1..=6 => (Form::Immediate, 1),
            9..=14 => (Form::Registers, 9),
            _ => return None,
        };
        Some(BranchCompare::Test(Relation::ALL[usize::from(code - base)], form))
    }

    /// The wire code.
    pub const fn wire_code(self) -> u8 {
        match self {
            BranchCompare::Always => 0,
            BranchCompare::Test(relation, Form::Immediate) => relation as u8 + 1,
            BranchCompare::Test(relation, Form::Registers) => relation as u8 + 9,
        }
    }

    /// The compiler's ordinal; "always" has none.
    pub const fn bir_ordinal(self) -> Option<u8> {
        match self {
            BranchCompare::Always => None,
            BranchCompare::Test(relation, Form::Immediate) => Some(relation as u8),
            BranchCompare::Test(relation, Form::Registers) => Some(relation as u8 + 6),
        }
    }

    /// The opposite comparison, for the other successor; "always" has none.
    pub const fn negated(self) -> Option<BranchCompare> {
        match self {
            BranchCompare::Always => None,
            BranchCompare::Test(relation, form) => Some(BranchCompare::Test(relation.negated(), form)),
        }
    }

    /// Is the branch taken? Operands are compared at the width and sign of `dtype`, by the ALU's own comparison.
    pub fn taken(
        self,
        left: u64,
        right: u64,
        dtype: Dtype,
        generation: Generation,
        state: &mut State,
    ) -> Result<bool, EvalError> {
        match self {
            BranchCompare::Always => Ok(true),
            BranchCompare::Test(relation, form) => {
                let result = scalar(relation.alu_op(), left, right, dtype, generation, form, state)?;
                Ok(result != 0) // a float result is 0.0 or 1.0
            }
        }
    }
}
