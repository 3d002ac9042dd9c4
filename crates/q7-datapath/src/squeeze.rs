//! Index patterns that pack the true lanes of a predicate and spread them again.
//!
//! Sources: `predicate-shift-select-divide/spec-b24.md`, `semantics-from-kernels/semantics.md` section 10. The AR
//! result of both is the number of ones in the 64-bit predicate: the bytes of the true lanes. Unused lanes are 0
//! (assumption A33).

use crate::{Lane, Pred64, Vec512};

/// SQZ2N, SQZN, SQZN_2: lane `j` is the number of the `j`-th true lane.
#[inline(always)]
pub fn sqz<L: Lane>(pred: Pred64) -> (Vec512, u32) {
    let mut rest = pred.lowest::<L>();
    let mut pattern = Vec512::ZERO;
    for to in pattern.bytes_mut().chunks_exact_mut(L::BYTES) {
        if rest == 0 {
            break;
        }
        L::truncated(u64::from(rest.trailing_zeros()) / L::BYTES as u64).store(to);
        rest &= rest - 1;
    }
    (pattern, pred.bits().count_ones())
}

/// UNSQZ2N, UNSQZN, UNSQZN_2: true lane `k` is the number of true lanes below it.
#[inline(always)]
pub fn unsqz<L: Lane>(pred: Pred64) -> (Vec512, u32) {
    let mut below = 0;
    let pattern = Vec512::from_fn(|lane| {
        let holds = pred.lane::<L>(lane);
        let position = below;
        below += u64::from(holds);
        L::mask(holds) & L::truncated(position)
    });
    (pattern, pred.bits().count_ones())
}
