//! The integer engine: every operation on one lane type, and its loop over slices.
//!
//! One rule covers every width: the result is the exact one, cut to the width of the lane. So an 8-bit lane wraps
//! although the device computes it in 16-bit registers, and the magnitude of the smallest number is itself.
//!
//! Source: `tpb-alu-and-kernels/spec-alu-op-matrix.md` (numeric rules), `spec-tensor-tensor-64bit.md`.

use crate::op::AluOp;

macro_rules! int_ops {
    ($($variant:ident)*) => {
        /// An operation of the integer engine, without the sign (the lane type has it).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum IntOp { $($variant,)* }

        impl IntOp {
            /// The loop over slices of lanes; the operation is a constant in each.
            pub(super) fn kernel<L: Lane>(self) -> Kernel<L::Bits> {
                match self {
                    $(IntOp::$variant => |a, b, out| each::<L>(IntOp::$variant, a, b, out),)*
                }
            }
        }
    };
}

int_ops! {
    Pass Not ShiftLeft ShiftRight ShiftRightSigned And Or Xor LogicalAnd LogicalOr LogicalXor
    Add Subtract Mult Divide Modulo Max Min Eq Ne Gt Ge Le Lt AbsDiff Abs AbsMax AbsMin ReLu Square SymmetricClamp
    Crc ArgMax ArgMin
}

/// A loop over three slices of equal length.
pub(super) type Kernel<T> = fn(&[T], &[T], &mut [T]);

/// Which sign the operands have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// As their dtypes say.
    OfDtypes,
    /// Two's complement, whatever the dtypes say.
    Signed,
    /// Unsigned, whatever the dtypes say.
    Unsigned,
}

impl IntOp {
    /// The integer operation of an ALU operation and the sign it forces; `None` for the two that only fp32 knows.
    pub(super) const fn of(op: AluOp) -> Option<(IntOp, Sign)> {
        use Sign::{OfDtypes, Signed, Unsigned};
        Some(match op {
            AluOp::Bypass => (IntOp::Pass, OfDtypes),
            AluOp::BitwiseNot => (IntOp::Not, OfDtypes),
            AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft => (IntOp::ShiftLeft, OfDtypes),
            AluOp::ArithShiftRight => (IntOp::ShiftRightSigned, OfDtypes),
            AluOp::LogicalShiftRight => (IntOp::ShiftRight, OfDtypes),
            AluOp::BitwiseAnd => (IntOp::And, OfDtypes),
            AluOp::BitwiseOr => (IntOp::Or, OfDtypes),
            AluOp::BitwiseXor => (IntOp::Xor, OfDtypes),
            AluOp::LogicalAnd => (IntOp::LogicalAnd, OfDtypes),
            AluOp::LogicalOr => (IntOp::LogicalOr, OfDtypes),
            AluOp::LogicalXor => (IntOp::LogicalXor, OfDtypes),
            AluOp::Crc32 => (IntOp::Crc, OfDtypes),
            AluOp::Add | AluOp::AddInt => (IntOp::Add, OfDtypes),
            AluOp::Subtract | AluOp::SubtractInt => (IntOp::Subtract, OfDtypes),
            AluOp::Mult | AluOp::MultInt => (IntOp::Mult, OfDtypes),
            AluOp::MultUint => (IntOp::Mult, Unsigned),
            AluOp::Divide | AluOp::DivideInt => (IntOp::Divide, OfDtypes),
            AluOp::DivideUint => (IntOp::Divide, Unsigned),
            AluOp::Mod | AluOp::ModInt => (IntOp::Modulo, OfDtypes),
            AluOp::ModUint => (IntOp::Modulo, Unsigned),
            AluOp::Max => (IntOp::Max, OfDtypes),
            AluOp::MaxInt => (IntOp::Max, Signed),
            AluOp::MaxUint => (IntOp::Max, Unsigned),
            AluOp::Min => (IntOp::Min, OfDtypes),
            AluOp::MinInt => (IntOp::Min, Signed),
            AluOp::MinUint => (IntOp::Min, Unsigned),
            AluOp::IsEq | AluOp::IsEqualInt => (IntOp::Eq, OfDtypes),
            AluOp::IsNe | AluOp::IsNeInt => (IntOp::Ne, OfDtypes),
            AluOp::IsGt => (IntOp::Gt, OfDtypes),
            AluOp::IsGtInt => (IntOp::Gt, Signed),
            AluOp::IsGtUint => (IntOp::Gt, Unsigned),
            AluOp::IsGe => (IntOp::Ge, OfDtypes),
            AluOp::IsGeInt => (IntOp::Ge, Signed),
            AluOp::IsGeUint => (IntOp::Ge, Unsigned),
            AluOp::IsLe => (IntOp::Le, OfDtypes),
            AluOp::IsLeInt => (IntOp::Le, Signed),
            AluOp::IsLeUint => (IntOp::Le, Unsigned),
            AluOp::IsLt => (IntOp::Lt, OfDtypes),
            AluOp::IsLtInt => (IntOp::Lt, Signed),
            AluOp::IsLtUint => (IntOp::Lt, Unsigned),
            AluOp::AbsoluteDiff => (IntOp::AbsDiff, OfDtypes),
            AluOp::AbsDiffInt => (IntOp::AbsDiff, Signed),
            AluOp::AbsoluteValue => (IntOp::Abs, OfDtypes),
            AluOp::AbsValueInt => (IntOp::Abs, Signed),
            AluOp::AbsMax => (IntOp::AbsMax, OfDtypes),
            AluOp::AbsMaxInt => (IntOp::AbsMax, Signed),
            AluOp::AbsMin => (IntOp::AbsMin, OfDtypes),
            AluOp::AbsMinInt => (IntOp::AbsMin, Signed),
            AluOp::ReLu => (IntOp::ReLu, OfDtypes),
            AluOp::Square => (IntOp::Square, OfDtypes),
            AluOp::SymmetricClamp => (IntOp::SymmetricClamp, OfDtypes),
            AluOp::AmaxInt => (IntOp::ArgMax, Signed),
            AluOp::AminInt => (IntOp::ArgMin, Signed),
            AluOp::AmaxUint => (IntOp::ArgMax, Unsigned),
            AluOp::AminUint => (IntOp::ArgMin, Unsigned),
            AluOp::Pow | AluOp::Rsqrt => return None,
        })
    }

    /// A divisor of zero has no quotient.
    pub(super) const fn divides(self) -> bool {
        matches!(self, IntOp::Divide | IntOp::Modulo)
    }
}

/// A lane: its bits as an unsigned integer, and what an operation makes of two of them.
pub(super) trait Lane {
    /// The container.
    type Bits: Copy;

    /// One operation on two lanes.
    fn apply(op: IntOp, a: Self::Bits, b: Self::Bits) -> Self::Bits;
}

#[inline(always)]
fn each<L: Lane>(op: IntOp, a: &[L::Bits], b: &[L::Bits], out: &mut [L::Bits]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = L::apply(op, a, b);
    }
}

macro_rules! lanes {
    ($($lane:ident $bits:ident $signed:ident;)*) => {$(
        impl Lane for $lane {
            type Bits = $bits;

            #[inline(always)]
            fn apply(op: IntOp, a: $bits, b: $bits) -> $bits {
                let (x, y) = (a as $lane, b as $lane);
                #[allow(unused_comparisons)] // an unsigned lane is never negative
                let magnitude = |bits: $bits| if (bits as $lane) < 0 { bits.wrapping_neg() } else { bits };
                let number = |condition: bool| $bits::from(condition);
                match op {
                    IntOp::Pass => a,
                    IntOp::Not => !a,
                    // A17: a count of the width or more leaves zeros, or copies of the sign.
                    IntOp::ShiftLeft => a.checked_shl(shift_count(b.into())).unwrap_or(0),
                    IntOp::ShiftRight => a.checked_shr(shift_count(b.into())).unwrap_or(0),
                    IntOp::ShiftRightSigned => {
                        ((a as $signed) >> shift_count(b.into()).min($bits::BITS - 1)) as $bits
                    }
                    IntOp::And => a & b,
                    IntOp::Or => a | b,
                    IntOp::Xor => a ^ b,
                    IntOp::LogicalAnd => number((a != 0) & (b != 0)),
                    IntOp::LogicalOr => number((a != 0) | (b != 0)),
                    IntOp::LogicalXor => number((a != 0) ^ (b != 0)),
                    IntOp::Add => a.wrapping_add(b),
                    IntOp::Subtract => a.wrapping_sub(b),
                    IntOp::Mult => a.wrapping_mul(b),
                    // A18: zero here; the caller notes it or stops.
                    IntOp::Divide => if b == 0 { 0 } else { x.wrapping_div(y) as $bits },
                    IntOp::Modulo => if b == 0 { 0 } else { x.wrapping_rem(y) as $bits },
                    IntOp::Max => if x < y { b } else { a },
                    IntOp::Min => if y < x { b } else { a },
                    IntOp::Eq => number(a == b),
                    IntOp::Ne => number(a != b),
                    IntOp::Gt => number(x > y),
                    IntOp::Ge => number(x >= y),
                    IntOp::Le => number(x <= y),
                    IntOp::Lt => number(x < y),
                    IntOp::AbsDiff => if x < y { b.wrapping_sub(a) } else { a.wrapping_sub(b) },
                    IntOp::Abs => magnitude(a),
                    IntOp::AbsMax => magnitude(a).max(magnitude(b)),
                    IntOp::AbsMin => magnitude(a).min(magnitude(b)),
                    #[allow(unused_comparisons)]
                    IntOp::ReLu => if x < 0 { 0 } else { a },
                    IntOp::Square => a.wrapping_mul(a),
                    #[allow(unused_comparisons)]
                    IntOp::SymmetricClamp => {
                        let larger = magnitude(a).max(magnitude(b));
                        if a == 0 { 0 } else if x < 0 { larger.wrapping_neg() } else { larger }
                    }
                    IntOp::Crc => crc32(a.into(), &b.to_le_bytes()) as $bits,
                    IntOp::ArgMax => number(x < y),
                    IntOp::ArgMin => number(y < x),
                }
            }
        }
    )*};
}

lanes! {
    i8 u8 i8; u8 u8 i8; i16 u16 i16; u16 u16 i16; i32 u32 i32; u32 u32 i32; i64 u64 i64; u64 u64 i64;
}

/// A shift count is the unsigned value of the second operand; everything from 64 on is equally too much.
#[inline(always)]
fn shift_count(count: u64) -> u32 {
    count.min(64) as u32
}

/// CRC-32 with the reflected polynomial 0xEDB88320, all ones at the start and at the end (A19).
///
/// `previous` is the CRC of what came before, 0 at the start of a chain; the bytes follow it.
pub fn crc32(previous: u64, bytes: &[u8]) -> u64 {
    let mut crc = !(previous as u32);
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    u64::from(!crc)
}

/// One operation on 64-bit lanes, signed or not.
pub(super) fn apply_wide(op: IntOp, signed: bool, a: u64, b: u64) -> u64 {
    if signed { <i64 as Lane>::apply(op, a, b) } else { <u64 as Lane>::apply(op, a, b) }
}
