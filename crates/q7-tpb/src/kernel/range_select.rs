//! RANGE_SELECT (0xBC): elements whose index lies in a range, the others filled.
//!
//! Source: `tpb-more-kernels/spec-rangeselect.md`, `extra-wire-0xbc.csv`; DECISIONS (compares base + index).

use q7_alu::number::fp32::{FpOp, max_number, value};
use q7_alu::{AluOp, Rounding};

/// What stands where the index is out of range, and the start of the running maximum: the most negative number.
/// The instruction carries it and accepts no other.
pub const FILL: f32 = f32::MIN;

/// Largest index: base and base + count stay at or below it, so that an index is exact as fp32.
pub const LAST_INDEX: u32 = 1 << 24;

/// One end of the range: what the index is compared with, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    compare: FpOp,
    bound: f32,
}

impl Bound {
    /// A bound from the comparison of the instruction; `None` for other operations and for IS_NE, which it lacks.
    pub fn new(op: AluOp, bound: f32) -> Option<Bound> {
        use AluOp::{IsEq, IsGe, IsGt, IsLe, IsLt};
        let listed = matches!(op, IsEq | IsGt | IsGe | IsLe | IsLt);
        let compare = FpOp::of(op).filter(|_| listed)?;
        Some(Bound { compare, bound })
    }

    fn holds(self, index: f32) -> bool {
        value(self.compare, Rounding::NearestEven, index, self.bound) != 0.0
    }
}

/// Element `k` of the walk if `base + k` satisfies both bounds, else [`FILL`]. `None` if an index would exceed
/// [`LAST_INDEX`].
pub fn select(source: &[f32], base: u32, bounds: [Bound; 2]) -> Option<impl Iterator<Item = f32> + '_> {
    let count = u32::try_from(source.len()).ok()?;
    base.checked_add(count).filter(|&end| end <= LAST_INDEX)?;
    Some(source.iter().zip(base..).map(move |(&element, index)| {
        let inside = bounds.iter().all(|end| end.holds(index as f32));
        if inside { element } else { FILL }
    }))
}

/// The largest result, after `accumulator` (start with [`FILL`]).
pub fn reduce(accumulator: f32, results: impl Iterator<Item = f32>) -> f32 {
    results.fold(accumulator, max_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_compared_not_the_element() {
        let bound = |op, bound| Bound::new(op, bound).unwrap();
        let bounds = [bound(AluOp::IsGe, 101.0), bound(AluOp::IsLt, 103.0)];
        let results: Vec<f32> = select(&[9.0, -8.0, 7.0, 6.0], 100, bounds).unwrap().collect();
        assert_eq!(results, [FILL, -8.0, 7.0, FILL]);
        assert_eq!(reduce(FILL, results.into_iter()), 7.0);
        assert_eq!(reduce(FILL, select(&[1.0], 5, bounds).unwrap()), FILL);
        let nothing = [bounds[0], bound(AluOp::IsEq, f32::NAN)];
        assert_eq!(select(&[1.0], 101, nothing).unwrap().collect::<Vec<_>>(), [FILL]);
    }

    #[test]
    fn only_exact_indices_and_five_comparisons() {
        assert_eq!(Bound::new(AluOp::IsNe, 0.0), None);
        assert_eq!(Bound::new(AluOp::Max, 0.0), None);
        let bounds = [Bound::new(AluOp::IsGe, 0.0).unwrap(); 2];
        assert!(select(&[1.0], LAST_INDEX - 1, bounds).is_some());
        assert!(select(&[1.0], LAST_INDEX, bounds).is_none());
        assert!(select(&[1.0], u32::MAX, bounds).is_none());
    }
}
