//! POOL (0x45) and MAX_POOL_SELECT (0x58): windows of consecutive elements of the source walk.
//!
//! Source: `tpb-alu-and-kernels/spec-avg-max-pool.md`; `tpb-dtypes-and-patterns/spec-pool-reduce-encoding.md`;
//! DECISIONS (average pool: sum, then scale; ascending order; reductions ignore NaN, A39, A40).

use q7_alu::Rounding;
use q7_alu::number::fp32::{FpOp, max_number, value};

/// The largest number of a window; negative infinity for an empty one.
pub fn maximum(window: &[f32]) -> f32 {
    window.iter().copied().fold(f32::NEG_INFINITY, max_number)
}

/// The sum of a window in walk order, then multiplied by `scale`; each step rounds to nearest even.
pub fn average(window: &[f32], scale: f32) -> f32 {
    let sum = window.iter().fold(0.0, |sum, &element| value(FpOp::Add, Rounding::NearestEven, sum, element));
    value(FpOp::Mult, Rounding::NearestEven, sum, scale)
}

/// The scale that the host supplies for averages: 1 / N of a window of N elements.
pub fn average_scale(elements: u32) -> f32 {
    value(FpOp::Divide, Rounding::NearestEven, 1.0, elements as f32)
}

/// Position of the largest number in a window, the first of equals (T2); `None` for one without numbers.
pub fn maximum_position(window: &[f32]) -> Option<usize> {
    let largest = maximum(window);
    window.iter().position(|&element| element == largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_fold_in_walk_order() {
        assert_eq!(maximum(&[]), f32::NEG_INFINITY);
        assert_eq!(maximum(&[-3.0, f32::NAN, -1.5, -2.0]), -1.5);
        assert_eq!(average(&[1.0, 2.0, 4.0, 9.0], average_scale(4)), 4.0);
        // 2^24 + 1 + 1: each addition of 1 is lost to rounding; in the other order they would count.
        assert_eq!(average(&[16_777_216.0, 1.0, 1.0], 1.0), 16_777_216.0);
        assert_eq!(average(&[1.0, 1.0, 16_777_216.0], 1.0), 16_777_218.0);
    }

    #[test]
    fn the_first_of_equals_is_selected() {
        assert_eq!(maximum_position(&[1.0, 7.0, 7.0]), Some(1));
        assert_eq!(maximum_position(&[-0.0, 0.0]), Some(0));
        assert_eq!(maximum_position(&[f32::NAN, 2.0]), Some(1));
        assert_eq!(maximum_position(&[f32::NAN]), None);
    }
}
