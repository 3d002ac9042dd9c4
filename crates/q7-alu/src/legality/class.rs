//! Instruction classes and what each accepts.

use std::str::FromStr;

use serde::Serialize;

use super::{Engine, is_integer_op};
use crate::dtype::Dtype;
use crate::evaluate::Dtypes;
use crate::generation::Generation;
use crate::op::{AluOp, Sources};
use crate::predicate::*;
use crate::text::squeeze;

macro_rules! classes {
    ($(#[doc = $what:literal] $variant:ident $name:literal,)*) => {
        /// A class of instructions with one contract about operations and dtypes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum OpClass {
            $(#[doc = $what] $variant,)*
        }

        impl OpClass {
            /// Every class.
            pub const ALL: [OpClass; 13] = [$(OpClass::$variant,)*];

            /// Lower-case name with hyphens, as on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(OpClass::$variant => $name,)* }
            }
        }
    };
}

classes! {
    /// Two tensors (0x41).
    TensorTensorArith "tensor-tensor-arith",
    /// Two tensors, bits (0x51).
    TensorTensorBitvec "tensor-tensor-bitvec",
    /// A tensor and one or two scalars (0x43, 0x44).
    TensorScalarArith "tensor-scalar-arith",
    /// A tensor and one or two scalars, bits (0x53, 0x54).
    TensorScalarBitvec "tensor-scalar-bitvec",
    /// Scalar then tensor (0x9d).
    ScalarTensorTensorArith "scalar-tensor-tensor-arith",
    /// Scalar then tensor, bits (0x9e).
    ScalarTensorTensorBitvec "scalar-tensor-tensor-bitvec",
    /// Recurrence over two tensors (0xe5).
    Scan "scan",
    /// Reduction along free axes (0x42, 0x83).
    ReduceArith "reduce-arith",
    /// Reduction along free axes, bits (0x52, 0x84).
    ReduceBitvec "reduce-bitvec",
    /// Running result (0x4e).
    CumulativeArith "cumulative-arith",
    /// Running result, bits (0x5e).
    CumulativeBitvec "cumulative-bitvec",
    /// Scalar operation with an accumulator (0x9a, 0xe6).
    CacheReduce "cache-reduce",
    /// Window pooling (0x45): ADD stands for the average.
    Pool "pool",
}

use OpClass::*;

impl OpClass {
    /// A class of bit operations.
    pub const fn is_bitvec(self) -> bool {
        matches!(
            self,
            TensorTensorBitvec
                | TensorScalarBitvec
                | ScalarTensorTensorBitvec
                | ReduceBitvec
                | CumulativeBitvec
        )
    }

    /// The second operand is a scalar: the register-immediate form.
    pub(super) const fn takes_scalar(self) -> bool {
        matches!(self, TensorScalarArith | TensorScalarBitvec | CacheReduce)
    }

    /// The classes of two chained operations that test how shifts compose.
    pub(super) const fn has_shift_rule(self) -> bool {
        matches!(self, TensorScalarBitvec | ScalarTensorTensorBitvec)
    }

    /// Does the class take `op` (in first place, where there are two)?
    pub fn accepts(self, op: AluOp, generation: Generation) -> bool {
        match self {
            TensorTensorArith => {
                is_general_arith_op(op, generation) || op == AluOp::Pow || is_valid_int_aluop(op)
            }
            TensorScalarArith => op == AluOp::Rsqrt || self.accepts_second(op, generation),
            ScalarTensorTensorArith | Scan | CacheReduce => is_general_arith_op(op, generation),
            // Any operation of the enum passes here, and this is the only class that takes SYMMETRIC_CLAMP.
            ReduceArith => !is_bitvec_op(op) || op == AluOp::Bypass,
            CumulativeArith => {
                is_arith_op(op, generation) && !matches!(op, AluOp::Divide | AluOp::Pow | AluOp::Mod)
            }
            Pool => matches!(op, AluOp::Max | AluOp::Add),
            TensorTensorBitvec | ScalarTensorTensorBitvec => is_general_bitvec_op(op),
            TensorScalarBitvec | ReduceBitvec | CumulativeBitvec => is_bitvec_op(op),
        }
    }

    /// Does the class take these two operations together? Tensor-scalar instructions take operations of one kind:
    /// the general arithmetic, or the vector engine's integer operations; RSQRT stands alone.
    pub(super) fn accepts_both(self, op0: AluOp, op1: AluOp, generation: Generation) -> bool {
        let both = |takes: &dyn Fn(AluOp) -> bool| takes(op0) && takes(op1);
        self != TensorScalarArith
            || both(&|op| is_general_arith_op(op, generation))
            || both(&is_valid_int_aluop_dve)
            || (op0 == AluOp::Rsqrt && op1 == AluOp::Bypass)
    }

    /// Does the class take `op` in second place?
    pub fn accepts_second(self, op: AluOp, generation: Generation) -> bool {
        match self {
            TensorScalarArith => {
                is_general_arith_op(op, generation)
                    || (generation >= Generation::Maverick && is_valid_int_aluop_dve(op))
            }
            CacheReduce => {
                matches!(op, AluOp::Add | AluOp::Subtract | AluOp::Mult | AluOp::Max | AluOp::Min)
            }
            ScalarTensorTensorArith | Scan | TensorScalarBitvec | ScalarTensorTensorBitvec => {
                self.accepts(op, generation)
            }
            // One operation only.
            _ => op == AluOp::Bypass,
        }
    }

    /// The dtypes that count: the second operand only where it is a tensor and the operation reads it.
    pub(super) fn dtypes_of(self, op: AluOp, dtypes: Dtypes) -> [Option<Dtype>; 3] {
        let second = self.has_second_tensor() && op.sources() == Sources::Two && !self.is_count(op, dtypes);
        [Some(dtypes.src0), second.then_some(dtypes.src1), Some(dtypes.out)]
    }

    const fn has_second_tensor(self) -> bool {
        matches!(
            self,
            TensorTensorArith
                | TensorTensorBitvec
                | ScalarTensorTensorArith
                | ScalarTensorTensorBitvec
                | Scan
        )
    }

    /// The second operand is a UINT32 shift count of a 64-bit shift.
    fn is_count(self, op: AluOp, dtypes: Dtypes) -> bool {
        self == TensorTensorBitvec
            && is_shift_op(op)
            && is_valid_64b_int_dtype(dtypes.src0)
            && dtypes.src1 == Dtype::Uint32
    }

    /// The dtype contract.
    pub(super) fn accepts_dtypes(self, op: AluOp, dtypes: Dtypes, generation: Generation) -> bool {
        let [first, second, _] = self.dtypes_of(op, dtypes);
        let sources = |test: &dyn Fn(Dtype) -> bool| [first, second].into_iter().flatten().all(test);
        let out = dtypes.out;
        let narrow = |fp32r| move |dtype| is_valid_dtype(dtype, fp32r, generation);
        // SUNDA has no 64-bit family.
        let wide_exists = generation >= Generation::Cayman;
        let wide = |fp32r| move |dtype| is_valid_dtype_64(dtype, fp32r, wide_exists, wide_exists, generation);
        let same = second.is_none_or(|second| second == dtypes.src0) && dtypes.src0 == out;
        match self {
            TensorTensorArith => {
                sources(&wide(false)) && wide(true)(out) && self.all_wide_or_none(op, dtypes)
            }
            ReduceArith => sources(&wide(false)) && wide(true)(out) && arg_search_out(op, out),
            TensorTensorBitvec => {
                sources(&wide(false)) && is_valid_int_dtype(out) && same && (wide_exists || out.bits() < 64)
            }
            TensorScalarArith | ScalarTensorTensorArith | Scan | Pool => {
                sources(&narrow(false)) && narrow(true)(out)
            }
            CumulativeArith => {
                let listed = |dtype| dtype != Dtype::Fp4Exp2 && narrow(false)(dtype);
                sources(&listed) && (listed(out) || out == Dtype::Fp32r)
            }
            CacheReduce => {
                let short_int = |dtype| is_valid_int_dtype_datapath(dtype) && dtype.bits() <= 16;
                sources(&|dtype| is_valid_fp_dtype_datapath(dtype, false) || short_int(dtype))
                    && sources(&narrow(false))
                    && narrow(true)(out)
            }
            TensorScalarBitvec | ScalarTensorTensorBitvec | ReduceBitvec => {
                same && is_valid_int_dtype_datapath(out) && narrow(false)(out)
            }
            CumulativeBitvec => {
                let listed = matches!(out, Dtype::Uint8 | Dtype::Uint16 | Dtype::Uint32 | Dtype::Int32);
                let shift = op != AluOp::LogicalShiftRight || out == Dtype::Int32;
                same && listed && shift && narrow(false)(out)
            }
        }
    }

    /// The 64-bit arm of the tensor-tensor arithmetic: all operands or none.
    fn all_wide_or_none(self, op: AluOp, dtypes: Dtypes) -> bool {
        let wide = |dtype: Option<Dtype>| dtype.map(is_valid_64b_int_dtype);
        let [first, second, out] = self.dtypes_of(op, dtypes).map(wide);
        first == out && second.is_none_or(|second| Some(second) == out)
    }

    /// Does `engine` run it? Memory placement is not asked here.
    pub(super) fn runs_on(self, engine: Engine, op: AluOp, dtypes: Dtypes) -> bool {
        let used = self.dtypes_of(op, dtypes);
        let all = |test: fn(Dtype) -> bool| used.iter().flatten().all(|&dtype| test(dtype));
        let wide = used.iter().flatten().any(|&dtype| is_valid_64b_int_dtype(dtype));
        match (engine, self) {
            (Engine::Any, _) => true,
            (Engine::Dve, Pool) => false,
            (Engine::Dve, TensorTensorArith) => op != AluOp::Pow && !wide && !is_valid_int_aluop(op),
            (Engine::Dve, TensorTensorBitvec) => !wide,
            (Engine::Dve, TensorScalarArith | TensorScalarBitvec) => {
                !matches!(op, AluOp::Rsqrt | AluOp::Crc32)
            }
            // Which operations count as integer reductions is not published: the band (assumption L15).
            (Engine::Dve, ReduceArith) => !is_integer_op(op),
            (Engine::Dve, _) => true,
            (Engine::Pool, TensorTensorArith) => {
                matches!(op, AluOp::Pow | AluOp::Add | AluOp::Subtract | AluOp::Mult)
                    || (is_valid_int_aluop(op)
                        && (all(is_valid_32b_int_dtype) || all(is_valid_64b_int_dtype)))
            }
            (Engine::Pool, ReduceArith) => {
                is_integer_op(op) && is_valid_int_dtype(dtypes.src0) && dtypes.src0.bits() >= 32
            }
            (
                Engine::Pool,
                TensorTensorBitvec | TensorScalarArith | TensorScalarBitvec | ReduceBitvec | Pool,
            ) => true,
            (Engine::Pool, _) => false,
        }
    }
}

/// The position an argument search writes is UINT32.
fn arg_search_out(op: AluOp, out: Dtype) -> bool {
    !is_arg_search_op(op) || out == Dtype::Uint32
}

/// The text names no instruction class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown instruction class `{0}`")]
pub struct UnknownClass(pub String);

impl FromStr for OpClass {
    type Err = UnknownClass;

    fn from_str(text: &str) -> Result<Self, UnknownClass> {
        let wanted = squeeze(text);
        let named = |class: &OpClass| squeeze(class.name()) == wanted;
        OpClass::ALL.into_iter().find(named).ok_or_else(|| UnknownClass(text.to_owned()))
    }
}
