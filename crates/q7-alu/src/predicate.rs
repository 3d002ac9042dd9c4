//! Membership predicates over operations and dtypes as the headers give them. Where one of ours differs, its docstring
//! says so.
//!
//! They do not ask whether a generation has the operation or dtype at all; [`crate::legality::check`] does that first.
//!
//! Source: `tpb-alu-and-kernels/extra-alu-predicates.csv` and `extra-dtype-gates.csv`.

use crate::dtype::Dtype;
use crate::generation::Generation;
use crate::op::AluOp;
use AluOp::*;

/// `is_general_bitvec_op`: the nine bit operations every bit class takes.
pub const fn is_general_bitvec_op(op: AluOp) -> bool {
    matches!(op, Bypass | BitwiseNot | BitwiseAnd | BitwiseOr | BitwiseXor) || is_shift_op(op)
}

/// `is_bitvec_op`: the general nine and CRC32.
pub const fn is_bitvec_op(op: AluOp) -> bool {
    is_general_bitvec_op(op) || matches!(op, Crc32)
}

/// `is_shift_op`.
pub const fn is_shift_op(op: AluOp) -> bool {
    matches!(op, ArithShiftLeft | ArithShiftRight | LogicalShiftLeft | LogicalShiftRight)
}

/// The four operations that MARIANA added to the arithmetic set. SYMMETRIC_CLAMP is in no published set.
const fn is_mariana_arith_op(op: AluOp) -> bool {
    matches!(op, AbsMax | AbsMin | ReLu | Square)
}

/// `is_arith_op`: 26 operations, 30 from MARIANA on.
pub fn is_arith_op(op: AluOp, generation: Generation) -> bool {
    is_general_arith_op(op, generation)
        || matches!(op, Divide | Pow | Mod | Rsqrt | AddInt | MultInt | SubtractInt | DivideInt | ModInt)
}

/// `is_general_arith_op`: the arithmetic operations without divide, power, remainder, rsqrt and the integer band;
/// 17 operations, 21 from MARIANA on.
pub fn is_general_arith_op(op: AluOp, generation: Generation) -> bool {
    matches!(op, Bypass | Add | Subtract | Mult | Max | Min | LogicalAnd | LogicalOr | LogicalXor)
        || matches!(op, IsEq | IsGt | IsGe | IsLe | IsLt | IsNe | AbsoluteDiff | AbsoluteValue)
        || (generation >= Generation::Mariana && is_mariana_arith_op(op))
}

/// `is_valid_int_aluop`: 26 integer operations; the base-band MOD is one, the argument searches and ABS_VALUE_INT
/// are not.
pub const fn is_valid_int_aluop(op: AluOp) -> bool {
    (op.is_int_band() && !is_arg_search_op(op) && !matches!(op, AbsValueInt)) || matches!(op, Mod)
}

/// The argument searches AMAX/AMIN.
///
/// The header's `is_argmax_argmin_int_op` is known by name only; these four are its evident members.
pub const fn is_arg_search_op(op: AluOp) -> bool {
    matches!(op, AmaxInt | AminInt | AmaxUint | AminUint)
}

/// `is_valid_int_aluop_dve`: the 15 operations that the vector engine of MAVERICK accepts on integers.
pub const fn is_valid_int_aluop_dve(op: AluOp) -> bool {
    matches!(
        op,
        Bypass | AddInt | MultInt | SubtractInt | MaxInt | MinInt | AbsMaxInt | AbsMinInt | AbsDiffInt
    ) || matches!(op, IsEqualInt | IsGtInt | IsGeInt | IsLeInt | IsLtInt | IsNeInt)
}

/// Operations of both sign sets: all operands must agree in sign, whichever it is.
///
/// MULT_INT, DIVIDE_INT and MOD_INT belong here although the operation table calls them signed only.
pub const fn is_shared_sign_op(op: AluOp) -> bool {
    matches!(op, AddInt | MultInt | SubtractInt | DivideInt | ModInt | Mod | IsEqualInt | IsNeInt)
}

/// `is_signed_alu_op`: 17 operations that take signed operands.
pub const fn is_signed_alu_op(op: AluOp) -> bool {
    is_shared_sign_op(op)
        || matches!(op, AbsDiffInt | AbsMaxInt | AbsMinInt | MaxInt | MinInt)
        || matches!(op, IsGtInt | IsGeInt | IsLeInt | IsLtInt)
}

/// `is_unsigned_alu_op`: 17 operations that take unsigned operands.
pub const fn is_unsigned_alu_op(op: AluOp) -> bool {
    is_shared_sign_op(op)
        || matches!(op, DivideUint | ModUint | MultUint | MaxUint | MinUint)
        || matches!(op, IsGtUint | IsGeUint | IsLeUint | IsLtUint)
}

/// `alu_shift_check`: a left shift followed by a right shift, or any arithmetic right shift, needs a 4-byte dtype.
pub const fn alu_shift_check(op0: AluOp, op1: AluOp, dtype: Dtype) -> bool {
    let left_then_right = matches!(op0, ArithShiftLeft | LogicalShiftLeft)
        && matches!(op1, ArithShiftRight | LogicalShiftRight);
    let arithmetic = matches!(op0, ArithShiftRight) || matches!(op1, ArithShiftRight);
    !(left_then_right || arithmetic) || dtype.bits() == 32
}

/// `is_valid_dtype`: the gate of the 32-bit paths.
///
/// The clauses about 4-bit and scale formats stand in the MAVERICK header only; MARIANA's FP4_EXP2 therefore passes.
/// Compressed forms are left out everywhere: one page says so, and they hold no number.
pub fn is_valid_dtype(dtype: Dtype, allow_fp32r: bool, generation: Generation) -> bool {
    let maverick_clause = generation >= Generation::Maverick
        && (matches!(dtype, Dtype::Fp4Exp2 | Dtype::Int4) || is_scale_dtype(dtype));
    dtype.exists_in(generation)
        && dtype.is_number()
        && (dtype != Dtype::Fp32r || allow_fp32r)
        && !is_valid_64b_int_dtype(dtype)
        && !maverick_clause
}

/// `is_valid_dtype_64`: the gate of the paths that may carry 64-bit integers, with a switch for each special dtype.
///
/// Its body has no clause about 4-bit and scale formats; compressed forms are left out as in [`is_valid_dtype`].
pub fn is_valid_dtype_64(
    dtype: Dtype,
    allow_fp32r: bool,
    allow_u64: bool,
    allow_i64: bool,
    generation: Generation,
) -> bool {
    let allowed = match dtype {
        Dtype::Fp32r => allow_fp32r,
        Dtype::Uint64 => allow_u64,
        Dtype::Int64 => allow_i64,
        _ => true,
    };
    dtype.exists_in(generation) && dtype.is_number() && allowed
}

/// `is_valid_int_dtype`: the eight whole-byte integers.
pub const fn is_valid_int_dtype(dtype: Dtype) -> bool {
    dtype.is_int() && dtype.bits() >= 8
}

/// `is_valid_int_dtype_datapath`: the whole-byte integers up to 32 bits.
pub const fn is_valid_int_dtype_datapath(dtype: Dtype) -> bool {
    is_valid_int_dtype(dtype) && dtype.bits() <= 32
}

/// `is_valid_fp_dtype_datapath`.
pub const fn is_valid_fp_dtype_datapath(dtype: Dtype, allow_fp32r: bool) -> bool {
    is_fp8_datapath(dtype)
        || matches!(dtype, Dtype::Fp16 | Dtype::Bfloat16 | Dtype::Fp32)
        || (allow_fp32r && matches!(dtype, Dtype::Fp32r))
}

/// The three FP8 formats that the datapath takes.
pub const fn is_fp8_datapath(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Fp8Exp3 | Dtype::Fp8Exp4 | Dtype::Fp8Exp5)
}

/// `is_valid_mx_dtype`: elements of a scaled block.
pub const fn is_valid_mx_dtype(dtype: Dtype) -> bool {
    is_fp8_datapath(dtype) || matches!(dtype, Dtype::Fp8Exp2 | Dtype::Fp4Exp2 | Dtype::Int4)
}

/// The four formats without a sign that only scale a block.
pub const fn is_scale_dtype(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Sfp8E5 | Dtype::Sfp8E6 | Dtype::Sfp8E7 | Dtype::Sfp8E8)
}

/// `is_signed_int`: the whole-byte two's complement integers.
pub const fn is_signed_int(dtype: Dtype) -> bool {
    dtype.is_signed_int() && dtype.bits() >= 8
}

/// `is_unsigned_int`.
pub const fn is_unsigned_int(dtype: Dtype) -> bool {
    dtype.is_unsigned_int()
}

/// `is_valid_32b_int_dtype`.
pub const fn is_valid_32b_int_dtype(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Int32 | Dtype::Uint32)
}

/// `is_valid_64b_int_dtype`.
pub const fn is_valid_64b_int_dtype(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Int64 | Dtype::Uint64)
}

/// `is_valid_dtype_for_sdma`: a valid dtype among the 16 basic codes.
pub fn is_valid_dtype_for_sdma(dtype: Dtype, allow_fp32r: bool, generation: Generation) -> bool {
    is_valid_dtype(dtype, allow_fp32r, generation) && dtype.fits_nibble()
}

/// The gate of register moves: raw 32-bit words.
///
/// Source: `tpb-alu-and-kernels/spec-move-dtype.md`.
pub const fn is_move_dtype(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Uint32 | Dtype::Int32 | Dtype::Fp32)
}
