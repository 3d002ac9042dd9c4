//! TENSOR_DEQUANTIZE (0x7B): how many words go in and come out. The codes are those of [`q7_alu::mx::Dequantize`].
//!
//! Source: `tpb-more-kernels/spec-tensor-dequantize.md`, `extra-dequant-formats.csv`.

use q7_alu::mx::Dequantize;

/// Source words of one group of eight words of result, when every eight codes have a scale byte.
pub const GROUP_WORDS: u32 = 5;

/// Whole groups in so many source words.
pub const fn groups(words: u32) -> u32 {
    words / GROUP_WORDS
}

/// Result words of so many source words (32 bits each); `None` for counts or combinations that the validator refuses.
///
/// A code becomes one FP8 byte. With `scaled`, four words of codes and one of scales make eight words.
pub fn result_words(format: Dequantize, scaled: bool, words: u32) -> Option<u32> {
    match (scaled, format.code_bits()) {
        (false, 4) => words.checked_mul(2),
        (false, _) => words.is_multiple_of(3).then_some(words / 3)?.checked_mul(4),
        (true, 4) => words.is_multiple_of(GROUP_WORDS).then_some(groups(words))?.checked_mul(8),
        (true, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_balance() {
        use Dequantize::{E2m1ToE5m2, E2m3ToE4m3, Int4ToE5m2, Nf4ToE4m3};
        for four_bits in [E2m1ToE5m2, Int4ToE5m2, Nf4ToE4m3] {
            assert_eq!(result_words(four_bits, false, 7), Some(14));
            assert_eq!(result_words(four_bits, true, 10), Some(16));
            assert_eq!(result_words(four_bits, true, 9), None);
        }
        assert_eq!(result_words(E2m3ToE4m3, false, 6), Some(8));
        assert_eq!(result_words(E2m3ToE4m3, false, 7), None);
        assert_eq!(result_words(E2m3ToE4m3, true, 15), None);
        assert_eq!(result_words(E2m1ToE5m2, false, u32::MAX), None);
    }
}
