//! Floating-point comparisons into a `vbool`.
//!
//! Sources: `vector-alu/spec-b02.md`, `semantics-and-validation/spec-fp-soft-float.md` (table of predicates and
//! Invalid). All bits of a lane's group are written; -0 equals +0. The predicated forms keep the old flag in
//! false lanes ([`crate::predicate::merge_pred`]).

use crate::float::{is_nan, is_signaling, value_key};
use crate::{Float, FpFlags, Lane, Pred64, Vec512};

/// Compares with `holds(order of b and c, unordered)`. `QUIET` predicates raise Invalid on signaling NaNs only.
#[inline(always)]
fn compare<F: Float, const QUIET: bool>(
    b: Vec512,
    c: Vec512,
    active: Pred64,
    holds: impl Fn(<F::Bits as Lane>::Signed, <F::Bits as Lane>::Signed, bool) -> bool,
) -> (Pred64, FpFlags) {
    let invalid = b.zip(c, |b, c| {
        F::Bits::mask(if QUIET {
            is_signaling::<F>(b) | is_signaling::<F>(c)
        } else {
            is_nan::<F>(b) | is_nan::<F>(c)
        })
    });
    let result = b.zip(c, |b, c| {
        let unordered = is_nan::<F>(b) | is_nan::<F>(c);
        F::Bits::mask(holds(value_key::<F>(b), value_key::<F>(c), unordered))
    });
    (Pred64::from_mask(result), FpFlags::invalid_in::<F>(invalid, active))
}

/// OEQ: ordered and equal; quiet.
#[inline(always)]
pub fn oeq<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |b, c, unordered| !unordered & (b == c))
}

/// OLE: ordered and less or equal; Invalid on any NaN.
#[inline(always)]
pub fn ole<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, false>(b, c, active, |b, c, unordered| !unordered & (b <= c))
}

/// OLT: ordered and less; Invalid on any NaN.
#[inline(always)]
pub fn olt<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, false>(b, c, active, |b, c, unordered| !unordered & (b < c))
}

/// UEQ: unordered or equal; quiet.
#[inline(always)]
pub fn ueq<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |b, c, unordered| unordered | (b == c))
}

/// ULE: unordered or less or equal; quiet.
#[inline(always)]
pub fn ule<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |b, c, unordered| unordered | (b <= c))
}

/// ULEQ: as [`ule`], but Invalid on any NaN.
#[inline(always)]
pub fn uleq<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, false>(b, c, active, |b, c, unordered| unordered | (b <= c))
}

/// ULT: unordered or less; quiet.
#[inline(always)]
pub fn ult<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |b, c, unordered| unordered | (b < c))
}

/// ULTQ: as [`ult`], but Invalid on any NaN.
#[inline(always)]
pub fn ultq<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, false>(b, c, active, |b, c, unordered| unordered | (b < c))
}

/// UNEQ: unordered or different; quiet.
#[inline(always)]
pub fn uneq<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |b, c, unordered| unordered | (b != c))
}

/// UN: unordered, that is either operand is NaN; quiet.
#[inline(always)]
pub fn un<F: Float>(b: Vec512, c: Vec512, active: Pred64) -> (Pred64, FpFlags) {
    compare::<F, true>(b, c, active, |_, _, unordered| unordered)
}
