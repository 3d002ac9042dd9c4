//! Floating-point minimum and maximum across lanes.
//!
//! Sources: `vector-alu/spec-b08.md`, `predicate-shift-select-divide/spec-reduce-shift-shuffle.md`. NaN lanes do not
//! count, -0 is below +0, and a signaling NaN in an active lane raises Invalid. With no number in the active lanes
//! the result is the default NaN (A28 for no lane, assumption D13 for NaN lanes only) and no lane is flagged.
//! Result placement as in [`crate::reduce`].

use crate::float::{is_nan, is_signaling, total_key};
use crate::predicate::andb;
use crate::reduce::placed;
use crate::{Float, FpFlags, Lane, Pred64, Vec512};

type Key<F> = <<F as Float>::Bits as Lane>::Signed;

/// RMAXNUM (`active` all lanes) and its masked form: the largest number.
#[inline(always)]
pub fn rmaxnum<F: Float>(v: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    let (largest, flags) = largest::<F>(v, active);
    (placed(largest), flags)
}

/// RMINNUM (`active` all lanes) and its masked form: the smallest number.
#[inline(always)]
pub fn rminnum<F: Float>(v: Vec512, active: Pred64) -> (Vec512, FpFlags) {
    let (smallest, flags) = smallest::<F>(v, active);
    (placed(smallest), flags)
}

/// RBMAXNUM (`active` all lanes) and its masked form: the largest number in every lane, and a flag in each active
/// lane that held it.
#[inline(always)]
pub fn rbmaxnum<F: Float>(v: Vec512, active: Pred64) -> (Pred64, Vec512, FpFlags) {
    let (largest, flags) = largest::<F>(v, active);
    with_ties::<F>(v, active, largest, flags)
}

/// RBMINNUM (`active` all lanes) and its masked form: the smallest number in every lane, and a flag in each active
/// lane that held it.
#[inline(always)]
pub fn rbminnum<F: Float>(v: Vec512, active: Pred64) -> (Pred64, Vec512, FpFlags) {
    let (smallest, flags) = smallest::<F>(v, active);
    with_ties::<F>(v, active, smallest, flags)
}

#[inline(always)]
fn largest<F: Float>(v: Vec512, active: Pred64) -> (F::Bits, FpFlags) {
    let key = keys::<F>(v, active, Key::<F>::MIN).lanes::<Key<F>>().fold(Key::<F>::MIN, Key::<F>::max);
    (word::<F>(key), invalid::<F>(v, active))
}

#[inline(always)]
fn smallest<F: Float>(v: Vec512, active: Pred64) -> (F::Bits, FpFlags) {
    let key = keys::<F>(v, active, Key::<F>::MAX).lanes::<Key<F>>().fold(Key::<F>::MAX, Key::<F>::min);
    (word::<F>(key), invalid::<F>(v, active))
}

/// Ordering keys of the active numbers; `none` in the other lanes. `MIN` and `MAX` are keys of NaNs only.
#[inline(always)]
fn keys<F: Float>(v: Vec512, active: Pred64, none: Key<F>) -> Vec512 {
    let numbers = v.map(|x: F::Bits| if is_nan::<F>(x) { none } else { total_key::<F>(x) });
    active.mask::<F::Bits>().blend(numbers, Vec512::splat(none))
}

#[inline(always)]
fn word<F: Float>(key: Key<F>) -> F::Bits {
    if key == Key::<F>::MIN || key == Key::<F>::MAX {
        return F::DEFAULT_NAN;
    }
    total_key::<F>(key.unsigned()).unsigned()
}

#[inline(always)]
fn invalid<F: Float>(v: Vec512, active: Pred64) -> FpFlags {
    FpFlags::invalid_in::<F>(v.map(|x| F::Bits::mask(is_signaling::<F>(x))), active)
}

#[inline(always)]
fn with_ties<F: Float>(
    v: Vec512,
    active: Pred64,
    extremum: F::Bits,
    flags: FpFlags,
) -> (Pred64, Vec512, FpFlags) {
    let tied = Pred64::from_mask(v.map(|x: F::Bits| F::Bits::mask((x == extremum) & !is_nan::<F>(x))));
    (andb(tied, active.replicated::<F::Bits>()), Vec512::splat(extremum), flags)
}
