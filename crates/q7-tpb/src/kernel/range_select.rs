//! RANGE_SELECT (0xBC): elements whose index lies in a range, the others filled.
//!
//! Source: `tpb-more-kernels/spec-rangeselect.md`, `extra-wire-0xbc.csv`; DECISIONS (compares base + index).

use q7_alu::number::fp32::max_number;
use q7_alu::sequencer::Relation;

/// What stands where the index is out of range, and the start of the running maximum: the most negative number.
/// The instruction carries it and accepts no other.
pub const FILL: f32 = f32::MIN;

/// One end of the range: index `relation` bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// How the index is compared; the instruction has no [`Relation::Ne`].
    pub relation: Relation,
    /// The right operand.
    pub bound: f32,
}

/// Element `k` of the walk if `base + k` satisfies both bounds, else [`FILL`]. Indices are exact: the validator keeps
/// them at or below 2^24.
pub fn select(source: &[f32], base: u32, bounds: [Bound; 2]) -> impl Iterator<Item = f32> + '_ {
    source.iter().zip(base..).map(move |(&element, index)| {
        if bounds.iter().all(|end| end.relation.holds(index as f32, end.bound)) { element } else { FILL }
    })
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
        let bounds =
            [Bound { relation: Relation::Ge, bound: 101.0 }, Bound { relation: Relation::Lt, bound: 103.0 }];
        let results: Vec<f32> = select(&[9.0, -8.0, 7.0, 6.0], 100, bounds).collect();
        assert_eq!(results, [FILL, -8.0, 7.0, FILL]);
        assert_eq!(reduce(FILL, results.into_iter()), 7.0);
        assert_eq!(reduce(FILL, select(&[1.0], 5, bounds)), FILL);
        let nothing = [bounds[0], Bound { relation: Relation::Eq, bound: f32::NAN }];
        assert_eq!(select(&[1.0], 101, nothing).collect::<Vec<_>>(), [FILL]);
    }
}
