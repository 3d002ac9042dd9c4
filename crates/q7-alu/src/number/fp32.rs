//! fp32 operations in the four rounding directions.
//!
//! The host rounds to nearest even only. Every other direction follows from that result and the sign of its error,
//! which doubles tell exactly: sums by their rounding error, products and `quotient * divisor` because they fit.
//!
//! NaN rules are those of the core's vector operations (`DECISIONS.md`, FP NaN; `floating-point/spec-vfpu-ieee.md`):
//! a sum takes the first operand with the quiet bit set, a product the second NaN, a generated NaN is 0x7fc00000.

use std::cmp::Ordering;

use super::format::{is_signalling, is_tiny};
use super::{Flags, Rounding};

/// The NaN of an operation that has no value.
const DEFAULT_NAN: u32 = 0x7FC0_0000;
const QUIET: u32 = 0x0040_0000;
const SMALLEST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
/// The first power of two beyond the largest number.
pub(crate) const BEYOND_LARGEST: f64 = 2.0 * (1u128 << 127) as f64;

/// An fp32 operation of the floating-point hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FpOp {
    /// First operand, untouched.
    Pass,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Mult,
    /// Quotient, correctly rounded.
    Divide,
    /// `a > b ? a : b`: the second operand when either is NaN.
    Max,
    /// `a < b ? a : b`.
    Min,
    /// Both differ from zero; NaN does.
    LogicalAnd,
    /// One of them differs from zero.
    LogicalOr,
    /// Exactly one of them differs from zero.
    LogicalXor,
    /// Ordered equality.
    Eq,
    /// Ordered greater.
    Gt,
    /// Ordered greater or equal.
    Ge,
    /// Ordered less or equal.
    Le,
    /// Ordered less.
    Lt,
    /// Unordered inequality: true for NaN.
    Ne,
    /// Magnitude of the difference.
    AbsDiff,
    /// Magnitude.
    Abs,
    /// Power (assumption L6).
    Pow,
    /// Remainder with the sign of the dividend (assumption L7).
    Mod,
    /// Reciprocal of the rounded square root: two roundings (assumption L5).
    Rsqrt,
    /// [`FpOp::Max`] of the magnitudes.
    AbsMax,
    /// [`FpOp::Min`] of the magnitudes.
    AbsMin,
    /// `a > 0 ? a : +0`; NaN gives +0 (assumption L8).
    ReLu,
    /// Product with itself.
    Square,
    /// Sign of the first operand on the larger magnitude; zero and NaN stay (assumption L9).
    SymmetricClamp,
}

/// The value of an operation.
#[inline(always)]
pub fn value(op: FpOp, mode: Rounding, a: f32, b: f32) -> f32 {
    let truth = |condition: bool| f32::from(u8::from(condition));
    match op {
        FpOp::Pass => a,
        FpOp::Add => add(a, b, mode),
        FpOp::Subtract => subtract(a, b, mode),
        FpOp::Mult => multiply(a, b, mode),
        FpOp::Divide => divide(a, b, mode),
        FpOp::Max => select(a > b, a, b),
        FpOp::Min => select(a < b, a, b),
        FpOp::LogicalAnd => truth((a != 0.0) & (b != 0.0)),
        FpOp::LogicalOr => truth((a != 0.0) | (b != 0.0)),
        FpOp::LogicalXor => truth((a != 0.0) ^ (b != 0.0)),
        FpOp::Eq => truth(a == b),
        FpOp::Gt => truth(a > b),
        FpOp::Ge => truth(a >= b),
        FpOp::Le => truth(a <= b),
        FpOp::Lt => truth(a < b),
        FpOp::Ne => truth(a != b),
        FpOp::AbsDiff => subtract(a, b, mode).abs(),
        FpOp::Abs => a.abs(),
        FpOp::Pow => power(a, b, mode),
        FpOp::Mod => remainder(a, b),
        FpOp::Rsqrt => divide(1.0, square_root(a, mode), mode),
        FpOp::AbsMax => select(a.abs() > b.abs(), a.abs(), b.abs()),
        FpOp::AbsMin => select(a.abs() < b.abs(), a.abs(), b.abs()),
        FpOp::ReLu => select(a > 0.0, a, 0.0),
        FpOp::Square => multiply(a, a, mode),
        FpOp::SymmetricClamp => {
            let magnitude = select(a.abs() > b.abs(), a.abs(), b.abs());
            select((a == 0.0) | a.is_nan(), a, magnitude.copysign(a))
        }
    }
}

/// [`value`] to nearest even, except that a NaN result may be any NaN.
#[inline(always)]
pub(crate) fn value_or_any_nan(op: FpOp, a: f32, b: f32) -> f32 {
    match op {
        FpOp::Add => a + b,
        FpOp::Subtract => a - b,
        FpOp::Mult => a * b,
        FpOp::Divide => a / b,
        FpOp::AbsDiff => (a - b).abs(),
        FpOp::Square => a * a,
        other => value(other, Rounding::NearestEven, a, b),
    }
}

/// The exceptions of an operation.
pub fn flags(op: FpOp, mode: Rounding, a: f32, b: f32) -> Flags {
    let invalid_nan = Flags::INVALID.when(a.is_nan() || b.is_nan());
    let signalling = Flags::INVALID.when(is_signalling(a.to_bits()) || is_signalling(b.to_bits()));
    match op {
        FpOp::Add => sum_flags(a, b, mode),
        FpOp::Subtract | FpOp::AbsDiff => sum_flags(a, -b, mode),
        FpOp::Mult => product_flags(a, b, mode),
        FpOp::Square => product_flags(a, a, mode),
        FpOp::Divide => quotient_flags(a, b, mode),
        FpOp::Rsqrt => {
            let root = square_root(a, mode);
            let inexact = root.is_finite() && f64::from(root) * f64::from(root) != f64::from(a);
            let invalid = is_signalling(a.to_bits()) || (a < 0.0);
            Flags::INVALID.when(invalid) | Flags::INEXACT.when(inexact) | quotient_flags(1.0, root, mode)
        }
        FpOp::Max | FpOp::Min | FpOp::AbsMax | FpOp::AbsMin => invalid_nan,
        FpOp::Gt | FpOp::Ge | FpOp::Le | FpOp::Lt => invalid_nan,
        FpOp::ReLu | FpOp::SymmetricClamp => Flags::INVALID.when(a.is_nan()),
        FpOp::Eq | FpOp::Ne => signalling,
        FpOp::Mod => {
            signalling | Flags::INVALID.when((a.is_infinite() && !b.is_nan()) || (b == 0.0 && !a.is_nan()))
        }
        FpOp::Pow => power_flags(a, b, mode),
        FpOp::Pass | FpOp::Abs | FpOp::LogicalAnd | FpOp::LogicalOr | FpOp::LogicalXor => Flags::NONE,
    }
}

#[inline(always)]
fn select(condition: bool, yes: f32, no: f32) -> f32 {
    if condition { yes } else { no }
}

#[inline(always)]
fn add(a: f32, b: f32, mode: Rounding) -> f32 {
    let nearest = a + b;
    if mode == Rounding::NearestEven {
        return select(nearest.is_nan(), nan_of_sum(a, b), nearest);
    }
    if nearest.is_nan() {
        return nan_of_sum(a, b);
    }
    if nearest == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
        return if mode == Rounding::Down { -0.0 } else { 0.0 };
    }
    direct(nearest, sum_error(a, b, nearest), mode)
}

#[inline(always)]
fn subtract(a: f32, b: f32, mode: Rounding) -> f32 {
    // Not `add(a, -b)`: a NaN operand keeps its sign.
    let nearest = a - b;
    if nearest.is_nan() {
        return nan_of_sum(a, b);
    }
    if mode == Rounding::NearestEven { nearest } else { add(a, -b, mode) }
}

#[inline(always)]
fn multiply(a: f32, b: f32, mode: Rounding) -> f32 {
    let nearest = a * b;
    if mode == Rounding::NearestEven {
        return select(nearest.is_nan(), nan_of_product(a, b), nearest);
    }
    if nearest.is_nan() {
        return nan_of_product(a, b);
    }
    direct(nearest, product_error(a, b, nearest), mode)
}

#[inline(always)]
fn divide(a: f32, b: f32, mode: Rounding) -> f32 {
    let nearest = a / b;
    if mode == Rounding::NearestEven {
        return select(nearest.is_nan(), nan_of_sum(a, b), nearest);
    }
    if nearest.is_nan() {
        return nan_of_sum(a, b);
    }
    direct(nearest, quotient_error(a, b, nearest), mode)
}

#[inline(always)]
fn square_root(a: f32, mode: Rounding) -> f32 {
    let nearest = a.sqrt();
    if nearest.is_nan() {
        return f32::from_bits(if a.is_nan() { a.to_bits() | QUIET } else { DEFAULT_NAN });
    }
    if mode == Rounding::NearestEven { nearest } else { direct(nearest, root_error(a, nearest), mode) }
}

#[inline(always)]
fn remainder(a: f32, b: f32) -> f32 {
    let result = a % b;
    select(result.is_nan(), nan_of_sum(a, b), result)
}

fn power(a: f32, b: f32, mode: Rounding) -> f32 {
    let wide = wide_power(a, b);
    if wide.is_nan() {
        return nan_of_sum(a, b);
    }
    let nearest = wide as f32;
    direct(nearest, compare(wide, f64::from(nearest)), mode)
}

/// The power in double precision, kept away from the ends of the double range: a power of finite numbers other than
/// zero is neither zero nor infinite, and must round like any other value beyond the fp32 range.
fn wide_power(a: f32, b: f32) -> f64 {
    let wide = libm::pow(f64::from(a), f64::from(b));
    if a == 0.0 || !a.is_finite() || !b.is_finite() {
        return wide;
    }
    wide.abs().clamp(1e-100, 1e100).copysign(wide)
}

fn power_flags(a: f32, b: f32, mode: Rounding) -> Flags {
    let wide = wide_power(a, b);
    if wide.is_nan() {
        let given = a.is_nan() || b.is_nan();
        let signalling = is_signalling(a.to_bits()) || is_signalling(b.to_bits());
        return Flags::INVALID.when(!given || signalling);
    }
    let pole = a == 0.0 && b < 0.0 && b.is_finite();
    if pole || a.is_infinite() || b.is_infinite() {
        return Flags::DIVIDE_BY_ZERO.when(pole);
    }
    let nearest = wide as f32;
    range_flags(nearest, compare(wide, f64::from(nearest)), wide, mode)
}

fn sum_flags(a: f32, b: f32, mode: Rounding) -> Flags {
    let nearest = a + b;
    let Some(special) = special_flags(a, b, nearest) else {
        return range_flags(nearest, sum_error(a, b, nearest), f64::from(a) + f64::from(b), mode);
    };
    special
}

fn product_flags(a: f32, b: f32, mode: Rounding) -> Flags {
    let nearest = a * b;
    let Some(special) = special_flags(a, b, nearest) else {
        return range_flags(nearest, product_error(a, b, nearest), f64::from(a) * f64::from(b), mode);
    };
    special
}

fn quotient_flags(a: f32, b: f32, mode: Rounding) -> Flags {
    let nearest = a / b;
    if b == 0.0 && a.is_finite() && a != 0.0 {
        return Flags::DIVIDE_BY_ZERO;
    }
    let Some(special) = special_flags(a, b, nearest) else {
        return range_flags(nearest, quotient_error(a, b, nearest), f64::from(a) / f64::from(b), mode);
    };
    special
}

/// Flags when an operand or the result is no number; `None` when all are ordinary.
fn special_flags(a: f32, b: f32, nearest: f32) -> Option<Flags> {
    if nearest.is_nan() {
        let given = a.is_nan() || b.is_nan();
        let signalling = is_signalling(a.to_bits()) || is_signalling(b.to_bits());
        return Some(Flags::INVALID.when(!given || signalling));
    }
    (a.is_infinite() || b.is_infinite()).then_some(Flags::NONE)
}

/// Overflow, underflow and inexact of a finite result. `exact` is the exact value, or its nearest double, which lies
/// on the same side of every bound used here.
pub(crate) fn range_flags(nearest: f32, error: Ordering, exact: f64, mode: Rounding) -> Flags {
    if error == Ordering::Equal {
        return Flags::NONE;
    }
    let overflow = direct(nearest, error, mode).is_infinite() || exact.abs() >= BEYOND_LARGEST;
    let underflow = is_tiny(exact, SMALLEST_NORMAL, 23, mode);
    Flags::INEXACT | Flags::OVERFLOW.when(overflow) | Flags::UNDERFLOW.when(underflow)
}

/// The result in direction `mode`, given the nearest one and how the exact value compares with it.
#[inline(always)]
pub(crate) fn direct(nearest: f32, exact: Ordering, mode: Rounding) -> f32 {
    let above = exact == Ordering::Greater;
    let below = exact == Ordering::Less;
    match mode {
        Rounding::NearestEven => nearest,
        Rounding::Up if above => nearest.next_up(),
        Rounding::Down if below => nearest.next_down(),
        Rounding::TowardZero if below && nearest > 0.0 => nearest.next_down(),
        Rounding::TowardZero if above && nearest < 0.0 => nearest.next_up(),
        _ => nearest,
    }
}

#[inline(always)]
fn compare(exact: f64, rounded: f64) -> Ordering {
    exact.partial_cmp(&rounded).unwrap_or(Ordering::Equal)
}

/// How `a + b` compares with `nearest`.
#[inline(always)]
fn sum_error(a: f32, b: f32, nearest: f32) -> Ordering {
    if nearest.is_infinite() && (a.is_infinite() || b.is_infinite()) {
        return Ordering::Equal;
    }
    let (a, b) = (f64::from(a), f64::from(b));
    let sum = a + b;
    // Knuth's two-sum: what the double sum lost.
    let b_part = sum - a;
    let lost = (a - (sum - b_part)) + (b - b_part);
    compare(sum, f64::from(nearest)).then(compare(lost, 0.0))
}

/// How `a * b` compares with `nearest`. The double product is exact.
#[inline(always)]
fn product_error(a: f32, b: f32, nearest: f32) -> Ordering {
    compare(f64::from(a) * f64::from(b), f64::from(nearest))
}

/// How `a / b` compares with `nearest`: by `a` and the exact double `nearest * b`.
#[inline(always)]
fn quotient_error(a: f32, b: f32, nearest: f32) -> Ordering {
    if a.is_infinite() || b.is_infinite() || b == 0.0 {
        return Ordering::Equal;
    }
    let order = compare(f64::from(a), f64::from(nearest) * f64::from(b));
    if b < 0.0 { order.reverse() } else { order }
}

#[inline(always)]
fn root_error(a: f32, nearest: f32) -> Ordering {
    compare(f64::from(a), f64::from(nearest) * f64::from(nearest))
}

/// NaN of a sum: the first operand with the quiet bit set, else the first NaN made quiet, else the default.
#[inline(always)]
fn nan_of_sum(a: f32, b: f32) -> f32 {
    let (a_bits, b_bits) = (a.to_bits(), b.to_bits());
    let first = a.is_nan() && (a_bits & QUIET != 0 || !(b.is_nan() && b_bits & QUIET != 0));
    let given = if first { a_bits } else { b_bits };
    f32::from_bits(if a.is_nan() | b.is_nan() { given | QUIET } else { DEFAULT_NAN })
}

/// NaN of a product: the second operand's NaN, else the first's, else the default.
#[inline(always)]
fn nan_of_product(a: f32, b: f32) -> f32 {
    let given = if b.is_nan() { b } else { a };
    f32::from_bits(if given.is_nan() { given.to_bits() | QUIET } else { DEFAULT_NAN })
}

/// The larger number; NaN only when both are, -0 below +0. Reductions and the eight-largest search ignore NaN this
/// way (A40), elementwise operations do not ([`FpOp::Max`]).
pub fn max_number(a: f32, b: f32) -> f32 {
    number_of(a, b, |a, b| a > b || (a == b && !a.is_sign_negative()))
}

/// The smaller number, NaN and zeros as in [`max_number`] (A40).
pub fn min_number(a: f32, b: f32) -> f32 {
    number_of(a, b, |a, b| a < b || (a == b && a.is_sign_negative()))
}

fn number_of(a: f32, b: f32, first_wins: impl Fn(f32, f32) -> bool) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => f32::from_bits(b.to_bits() | QUIET),
        (true, false) => b,
        (false, true) => a,
        (false, false) => select(first_wins(a, b), a, b),
    }
}
