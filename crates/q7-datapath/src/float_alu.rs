//! Floating-point operations that do not round: sign, exponent, class, minimum and maximum.
//!
//! Sources: `vector-alu/spec-b02.md`, `semantics-and-validation/spec-fp-soft-float.md`,
//! `semantics-from-kernels/semantics.md` section 9. Denormals are never flushed.

use crate::float::{is_nan, is_signaling, magnitude, total_key, value_key};
use crate::{Float, FpFlags, Lane, Pred64, Vec512};

/// ABS: the sign bit cleared, NaN included; no flags.
#[inline(always)]
pub fn abs<F: Float>(b: Vec512) -> Vec512 {
    b.map(magnitude::<F>)
}

/// NEG: the sign bit inverted, NaN included; no flags.
#[inline(always)]
pub fn neg<F: Float>(b: Vec512) -> Vec512 {
    b.map(|b: F::Bits| b ^ F::SIGN)
}

/// ADDEXP: `a` with the exponent of `b` added (biased, modulo the field) and its sign multiplied in; no special
/// cases, no flags. `a` is the old destination.
#[inline(always)]
pub fn addexp<F: Float>(a: Vec512, b: Vec512) -> Vec512 {
    a.zip(b, add_exponent::<F>)
}

/// ADDEXPM: as [`addexp`], with exponent and sign taken from the upper fraction bits of `b`, where MKDADJ and
/// MKSADJ leave the second half of a large adjustment. The fp16 field positions are by analogy (assumption D3).
#[inline(always)]
pub fn addexpm<F: Float>(a: Vec512, b: Vec512) -> Vec512 {
    a.zip(b, |a, b: F::Bits| add_exponent::<F>(a, b << (F::EXPONENT_BITS + 1)))
}

#[inline(always)]
fn add_exponent<F: Float>(a: F::Bits, b: F::Bits) -> F::Bits {
    let exponent = (a & F::INFINITY).wrapping_add(b & F::INFINITY).wrapping_sub(F::ONE) & F::INFINITY;
    let fraction = a & !(F::SIGN | F::INFINITY);
    ((a ^ b) & F::SIGN) | exponent | fraction
}

/// CLSFY: a class mask in the low byte of each lane: bit 0 sign, 1 zero, 2 subnormal, 3 normal, 4 infinity, 5 NaN,
/// 6 signaling NaN, 7 finite (`semantics-and-validation/spec-predicate-classify.md`).
#[inline(always)]
pub fn clsfy<F: Float>(b: Vec512) -> Vec512 {
    b.map(class_of::<F>)
}

#[inline(always)]
fn class_of<F: Float>(x: F::Bits) -> F::Bits {
    let size = magnitude::<F>(x);
    let smallest_normal = F::Bits::truncated(1 << F::FRACTION_BITS);
    let (zero, finite) = (size == F::Bits::ZERO, size < F::INFINITY);
    let subnormal = size < smallest_normal;
    let bit = |position: u64, set: bool| F::Bits::mask(set) & F::Bits::truncated(1 << position);
    bit(0, x & F::SIGN != F::Bits::ZERO)
        | bit(1, zero)
        | bit(2, subnormal & !zero)
        | bit(3, finite & !subnormal)
        | bit(4, size == F::INFINITY)
        | bit(5, is_nan::<F>(x))
        | bit(6, is_signaling::<F>(x))
        | bit(7, finite)
}

/// MAX: `b` where it is greater, else `c`, so `c` with any NaN and with equal values; result bits unchanged.
/// Invalid on any NaN.
#[inline(always)]
pub fn max<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    plain::<F>(b, c, active, |b, c| value_key::<F>(b) > value_key::<F>(c))
}

/// MIN: `b` where it is less, else `c`, so `c` with any NaN and with equal values; result bits unchanged.
/// Invalid on any NaN.
#[inline(always)]
pub fn min<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    plain::<F>(b, c, active, |b, c| value_key::<F>(b) < value_key::<F>(c))
}

#[inline(always)]
fn plain<F: Float>(
    b: Vec512,
    c: Vec512,
    active: Pred64,
    first: impl Fn(F::Bits, F::Bits) -> bool,
) -> (Vec512, FpFlags) {
    let nan = b.zip(c, |b, c| F::Bits::mask(is_nan::<F>(b) | is_nan::<F>(c)));
    let chosen = b.zip(c, |b, c| if first(b, c) & !is_nan::<F>(b) & !is_nan::<F>(c) { b } else { c });
    (chosen, FpFlags::invalid_in::<F>(nan, active))
}

/// MAXNUM: the larger number, -0 below +0; a number beats NaN; of two NaNs the second, unchanged (assumption D4).
/// Invalid on a signaling NaN.
#[inline(always)]
pub fn maxnum<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    number::<F>(b, c, active, |b, c| total_key::<F>(b) > total_key::<F>(c))
}

/// MINNUM: the smaller number, -0 below +0; a number beats NaN; of two NaNs the second, unchanged (assumption D4).
/// Invalid on a signaling NaN.
#[inline(always)]
pub fn minnum<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    number::<F>(b, c, active, |b, c| total_key::<F>(b) < total_key::<F>(c))
}

#[inline(always)]
fn number<F: Float>(
    b: Vec512,
    c: Vec512,
    active: Pred64,
    first: impl Fn(F::Bits, F::Bits) -> bool,
) -> (Vec512, FpFlags) {
    let signaling = b.zip(c, |b, c| F::Bits::mask(is_signaling::<F>(b) | is_signaling::<F>(c)));
    let chosen = b.zip(c, |b, c| if !is_nan::<F>(b) & (is_nan::<F>(c) | first(b, c)) { b } else { c });
    (chosen, FpFlags::invalid_in::<F>(signaling, active))
}
