//! Evaluation of one ALU operation: `R[d] = OP(R[s0], R[s1])`, elementwise, for any dtypes that hold numbers.
//!
//! Legality is a separate question ([`crate::legality`]): the evaluator also answers for combinations that no
//! instruction accepts, as long as they mean something. It never swaps operands; an instruction's reverse flag is
//! the caller's business.
//!
//! A [`Plan`] fixes operation, dtypes and modes once. [`Plan::element`] evaluates one pair and collects exceptions,
//! [`Plan::run`] evaluates slices: it chooses its loops once per slice and collects no floating-point flags.
//!
//! Where the domain comes from (`DECISIONS.md`, TPB side): integers throughout run on the integer engine, everything
//! else passes through fp32: widen, one operation, narrow, each step rounded once.

mod integer;
mod slice;

pub use integer::crc32;
pub use slice::{Lanes, LanesMut};

use crate::dtype::Dtype;
use crate::generation::Generation;
use crate::legality::Site;
use crate::number::fp32::{self, FpOp};
use crate::number::{
    Conversion, Flags, Rounding, Switches, encode, encode_flags, integer_limits, integer_to_fp32,
    integer_value, source_value,
};
use crate::op::{AluOp, Sources};
use crate::predicate::is_bitvec_op;
use integer::{IntOp, Sign, apply_wide};

/// Dtypes of the operands and of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtypes {
    /// First operand.
    pub src0: Dtype,
    /// Second operand; ignored by operations with one.
    pub src1: Dtype,
    /// Result.
    pub out: Dtype,
}

impl Dtypes {
    /// The same dtype everywhere.
    pub const fn all(dtype: Dtype) -> Dtypes {
        Dtypes { src0: dtype, src1: dtype, out: dtype }
    }
}

/// Where an operation is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Exact integers, cut to the result's width.
    Integer,
    /// fp32.
    Fp32,
}

/// What an integer division by zero does (A18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IntDivision {
    /// Tensor kernels: the result is 0, and [`State::divided_by_zero`] tells the trace.
    #[default]
    ZeroWithNote,
    /// The sequencer's scalar path: stops with the firmware's error.
    Halt,
}

/// Modes an evaluation depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Rounding, FP8 switches and the rule for integers.
    pub conversion: Conversion,
    /// Integer division by zero.
    pub int_division: IntDivision,
    /// Forces a domain; `None` follows the dtypes. An engine without integer arithmetic asks for fp32 here.
    pub domain: Option<Domain>,
}

impl Mode {
    /// The default modes with another rounding direction.
    pub fn with_rounding(rounding: Rounding) -> Mode {
        Mode { conversion: Conversion { rounding, ..Conversion::default() }, ..Mode::default() }
    }
}

/// What evaluations leave behind; sticky.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Modes of the next evaluation.
    pub mode: Mode,
    /// Floating-point exceptions of single evaluations.
    pub flags: Flags,
    /// An integer division by zero gave 0.
    pub divided_by_zero: bool,
}

/// Why an evaluation has no result. The texts of the first two are the firmware's (`decode/alu_op.cpp`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The generation lacks the operation, or it has no meaning in the domain asked for.
    #[error("not supported op")]
    Op {
        /// The operation.
        op: AluOp,
        /// Where the firmware rejects it.
        site: Site,
    },
    /// The generation lacks the dtype, it holds no number, or the operation does not take it.
    #[error("not supported dtype")]
    Dtype {
        /// The dtype.
        dtype: Dtype,
        /// Where the firmware rejects it.
        site: Site,
    },
    /// Integer division by zero where that stops the machine (A18).
    #[error("Int Div Zero Error")]
    DivideByZero {
        /// Element at which it happened.
        index: usize,
    },
    /// A slice does not have the container or the length that the plan needs.
    #[error("slices do not fit: {what}")]
    Lanes {
        /// Which slice and what is wrong.
        what: &'static str,
    },
}

impl EvalError {
    /// The firmware's text with the cause that it does not tell, on the generation that was asked.
    pub fn explain(&self, generation: Generation) -> String {
        let cause = match self {
            EvalError::Op { op, .. } if op.exists_in(generation) => {
                format!("{op} is computed only on integers or only in fp32")
            }
            EvalError::Op { op, .. } => format!("{op} exists from {} on, not in {generation}", op.since()),
            EvalError::Dtype { dtype, .. } if !dtype.is_number() => format!("{dtype} holds no numbers"),
            EvalError::Dtype { dtype, .. } if !dtype.exists_in(generation) => {
                format!("{dtype} exists from {} on, not in {generation}", dtype.since())
            }
            EvalError::Dtype { dtype, .. } if dtype.is_int() => {
                format!("no register holds both {dtype} and a signed operand")
            }
            EvalError::Dtype { dtype, .. } => format!("the operation takes integers, and not {dtype}"),
            EvalError::DivideByZero { .. } | EvalError::Lanes { .. } => return self.to_string(),
        };
        format!("{self}: {cause}")
    }
}

/// Evaluates one operation on two elements, given and returned as their low bits.
pub fn evaluate(
    op: AluOp,
    a: u64,
    b: u64,
    dtypes: Dtypes,
    generation: Generation,
    state: &mut State,
) -> Result<u64, EvalError> {
    Plan::new(op, dtypes, generation, state.mode)?.element(a, b, state)
}

/// An operation with its dtypes and modes, resolved.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    op: AluOp,
    dtypes: Dtypes,
    mode: Mode,
    path: Path,
}

#[derive(Clone, Copy, Debug)]
enum Path {
    Integer(IntegerPath),
    Fp32(FpOp),
}

/// How operands enter 64-bit lanes and the result leaves them.
#[derive(Clone, Copy, Debug)]
struct IntegerPath {
    op: IntOp,
    /// Lanes are signed.
    signed: bool,
    sign: Sign,
    /// Operands are bit strings, not numbers.
    raw: bool,
    /// The result is narrower than the widest operand: a narrowing conversion, which saturates (assumption L1).
    saturate: bool,
    /// Register width of the engine: 16, 32 or 64.
    engine_bits: u32,
}

impl Plan {
    /// Resolves an operation. Fails if `generation` lacks it or a dtype, or if the combination means nothing.
    pub fn new(op: AluOp, dtypes: Dtypes, generation: Generation, mode: Mode) -> Result<Plan, EvalError> {
        let site = Site::of_op(dtypes.out, false);
        if !op.exists_in(generation) {
            return Err(EvalError::Op { op, site });
        }
        let dtypes =
            if op.sources() == Sources::One { Dtypes { src1: dtypes.src0, ..dtypes } } else { dtypes };
        let unfit = |dtype: &Dtype| !dtype.is_number() || !dtype.exists_in(generation);
        if let Some(dtype) = [dtypes.src0, dtypes.src1, dtypes.out].into_iter().find(unfit) {
            return Err(EvalError::Dtype { dtype, site: Site::DTYPE });
        }
        let path = match domain(op, dtypes, mode)? {
            // No register holds the values of both (L16).
            Domain::Integer if !is_bitvec_op(op) && mixes_signs_of_64_bits(dtypes) => {
                return Err(EvalError::Dtype { dtype: Dtype::Uint64, site: Site::DTYPE });
            }
            Domain::Integer => IntOp::of(op).map(|(int_op, sign)| {
                Path::Integer(IntegerPath::new(int_op, sign, dtypes, is_raw(op, dtypes)))
            }),
            Domain::Fp32 => FpOp::of(op).map(Path::Fp32),
        };
        Ok(Plan { op, dtypes, mode, path: path.ok_or(EvalError::Op { op, site })? })
    }

    /// The operation.
    pub fn op(&self) -> AluOp {
        self.op
    }

    /// The dtypes; an operation with one operand shows it twice.
    pub fn dtypes(&self) -> Dtypes {
        self.dtypes
    }

    /// Where it is computed.
    pub fn domain(&self) -> Domain {
        match self.path {
            Path::Integer(_) => Domain::Integer,
            Path::Fp32(_) => Domain::Fp32,
        }
    }

    /// Which switches of the modes can change the result.
    pub fn switches(&self) -> Switches {
        match self.domain() {
            Domain::Integer => Switches::default(),
            Domain::Fp32 => Switches { rounding: true, ..Switches::of_encoding(self.dtypes.out) },
        }
    }

    /// Evaluates one pair of elements, given and returned as their low bits, and adds to the state's sticky fields.
    /// The modes are those of the plan.
    pub fn element(&self, a: u64, b: u64, state: &mut State) -> Result<u64, EvalError> {
        match self.path {
            Path::Integer(path) => {
                let (result, by_zero) = path.element(a, b, self.dtypes);
                if by_zero && self.mode.int_division == IntDivision::Halt {
                    return Err(EvalError::DivideByZero { index: 0 });
                }
                state.divided_by_zero |= by_zero;
                Ok(result)
            }
            Path::Fp32(op) => Ok(self.fp32_element(op, a, b, &mut state.flags)),
        }
    }

    fn fp32_element(&self, op: FpOp, a: u64, b: u64, flags: &mut Flags) -> u64 {
        let conversion = &self.mode.conversion;
        let rounding = conversion.rounding;
        let mut load = |dtype: Dtype, bits: u64| {
            if dtype.is_int() {
                let value = integer_value(dtype, bits);
                *flags |= Flags::INEXACT.when(integer_to_fp32(value, rounding) as i128 != value);
            }
            source_value(dtype, bits, rounding).unwrap_or_default()
        };
        let a = load(self.dtypes.src0, a);
        let b = if self.op.sources() == Sources::Two { load(self.dtypes.src1, b) } else { 0.0 };
        let result = fp32::value(op, rounding, a, b);
        *flags |= fp32::flags(op, rounding, a, b) | encode_flags(self.dtypes.out, result, conversion);
        encode(self.dtypes.out, result, conversion).unwrap_or_default()
    }
}

/// Where an operation on these dtypes is computed.
fn domain(op: AluOp, Dtypes { src0, src1, out }: Dtypes, mode: Mode) -> Result<Domain, EvalError> {
    let bits_only = if op == AluOp::Bypass { src0 == out } else { is_bitvec_op(op) };
    let float = [src0, src1, out].into_iter().find(|dtype| !dtype.is_int());
    match float {
        _ if bits_only => Ok(Domain::Integer),
        Some(dtype) if op.is_int_band() || mode.domain == Some(Domain::Integer) => {
            Err(EvalError::Dtype { dtype, site: Site::DTYPE })
        }
        Some(_) => Ok(Domain::Fp32),
        None if op.is_int_band() => Ok(Domain::Integer),
        None if matches!(op, AluOp::Pow | AluOp::Rsqrt) => Ok(Domain::Fp32),
        None => Ok(mode.domain.unwrap_or(Domain::Integer)),
    }
}

/// One source is UINT64, the other signed.
fn mixes_signs_of_64_bits(Dtypes { src0, src1, .. }: Dtypes) -> bool {
    [(src0, src1), (src1, src0)].iter().any(|&(a, b)| a == Dtype::Uint64 && b.is_signed_int())
}

impl FpOp {
    /// The fp32 operation of an ALU operation; `None` for bit and integer operations.
    pub const fn of(op: AluOp) -> Option<FpOp> {
        Some(match op {
            AluOp::Bypass => FpOp::Pass,
            AluOp::Add => FpOp::Add,
            AluOp::Subtract => FpOp::Subtract,
            AluOp::Mult => FpOp::Mult,
            AluOp::Divide => FpOp::Divide,
            AluOp::Max => FpOp::Max,
            AluOp::Min => FpOp::Min,
            AluOp::LogicalAnd => FpOp::LogicalAnd,
            AluOp::LogicalOr => FpOp::LogicalOr,
            AluOp::LogicalXor => FpOp::LogicalXor,
            AluOp::IsEq => FpOp::Eq,
            AluOp::IsGt => FpOp::Gt,
            AluOp::IsGe => FpOp::Ge,
            AluOp::IsLe => FpOp::Le,
            AluOp::IsLt => FpOp::Lt,
            AluOp::IsNe => FpOp::Ne,
            AluOp::AbsoluteDiff => FpOp::AbsDiff,
            AluOp::AbsoluteValue => FpOp::Abs,
            AluOp::Pow => FpOp::Pow,
            AluOp::Mod => FpOp::Mod,
            AluOp::Rsqrt => FpOp::Rsqrt,
            AluOp::AbsMax => FpOp::AbsMax,
            AluOp::AbsMin => FpOp::AbsMin,
            AluOp::ReLu => FpOp::ReLu,
            AluOp::Square => FpOp::Square,
            AluOp::SymmetricClamp => FpOp::SymmetricClamp,
            _ => return None,
        })
    }
}

/// Bit operations, and the bypass of a float as it is: operands are bit strings.
fn is_raw(op: AluOp, dtypes: Dtypes) -> bool {
    (is_bitvec_op(op) && op != AluOp::Bypass) || !dtypes.src0.is_int()
}

impl IntegerPath {
    fn new(op: IntOp, sign: Sign, dtypes: Dtypes, raw: bool) -> IntegerPath {
        let Dtypes { src0, src1, out } = dtypes;
        let signed = match sign {
            Sign::OfDtypes => src0.is_signed_int() || src1.is_signed_int(),
            forced => forced == Sign::Signed,
        };
        let widest = src0.bits().max(src1.bits());
        let engine_bits = match widest.max(out.bits()) {
            0..=16 => 16,
            17..=32 => 32,
            _ => 64,
        };
        IntegerPath { op, signed, sign, raw, saturate: !raw && out.bits() < widest, engine_bits }
    }

    /// The result, and whether it is a division by zero.
    fn element(&self, a: u64, b: u64, dtypes: Dtypes) -> (u64, bool) {
        let a = self.load_first(dtypes.src0, a);
        let b = self.load_second(dtypes.src1, b);
        let result = match self.op {
            // The chain eats as many bytes as the second operand has.
            IntOp::Crc => crc32(a, &b.to_le_bytes()[..dtypes.src1.bytes()]),
            op => apply_wide(op, self.signed, a, b),
        };
        (self.store(dtypes, result), self.op.divides() && b == 0)
    }

    /// The first operand as a 64-bit lane.
    #[inline(always)]
    fn load_first(&self, dtype: Dtype, bits: u64) -> u64 {
        extend(dtype, bits, if self.raw { self.op == IntOp::ShiftRightSigned } else { self.is_signed(dtype) })
    }

    /// The second operand as a 64-bit lane; a shift count has no sign.
    #[inline(always)]
    fn load_second(&self, dtype: Dtype, bits: u64) -> u64 {
        extend(dtype, bits, !self.raw && self.is_signed(dtype))
    }

    fn is_signed(&self, dtype: Dtype) -> bool {
        match self.sign {
            Sign::OfDtypes => dtype.is_signed_int(),
            forced => forced == Sign::Signed,
        }
    }

    /// A 64-bit lane as the low bits of the result.
    #[inline(always)]
    fn store(&self, dtypes: Dtypes, lane: u64) -> u64 {
        if self.raw {
            return lane & dtypes.src0.mask() & dtypes.out.mask();
        }
        if !self.saturate {
            return lane & dtypes.out.mask();
        }
        let unused = 64 - self.engine_bits;
        let value = if self.signed {
            i128::from((lane << unused) as i64 >> unused)
        } else {
            i128::from(lane << unused >> unused)
        };
        let (lowest, highest) = integer_limits(dtypes.out);
        value.clamp(lowest, highest) as u64 & dtypes.out.mask()
    }
}

/// The low bits of an element as 64 bits, with copies of its sign bit or zeros.
#[inline(always)]
fn extend(dtype: Dtype, bits: u64, signed: bool) -> u64 {
    let bits = bits & dtype.mask();
    let unused = 64 - dtype.bits().max(1);
    if signed { ((bits << unused) as i64 >> unused) as u64 } else { bits }
}
