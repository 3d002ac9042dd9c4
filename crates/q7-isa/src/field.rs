//! Operand fields: runs of slot-word bits, compiled from the windows of the spec.

/// A run of adjacent slot bits that are adjacent in the field too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    /// Lowest slot bit.
    from: u8,
    /// Lowest field bit.
    to: u8,
    /// Number of bits.
    width: u8,
}

/// Most runs that a field has without a heap allocation.
const INLINE: usize = 3;

/// A compiled operand window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// The first runs; unused ones have width 0.
    inline: [Run; INLINE],
    /// Runs beyond them; hardly any field is scattered so much.
    more: Option<Box<[Run]>>,
    /// Width in bits.
    pub width: u8,
}

impl Field {
    /// Compiles a window: slot bits, most significant first.
    pub(crate) fn new(window: &[u8]) -> Field {
        let mut runs: Vec<Run> = Vec::new();
        for (to, &from) in window.iter().rev().enumerate() {
            match runs.last_mut() {
                Some(run) if run.from + run.width == from => run.width += 1,
                _ => runs.push(Run { from, to: to as u8, width: 1 }),
            }
        }
        let mut field = Field { width: window.len() as u8, ..Field::default() };
        for (inline, run) in field.inline.iter_mut().zip(&runs) {
            *inline = *run;
        }
        if runs.len() > INLINE {
            field.more = Some(runs[INLINE..].into());
        }
        field
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.inline.iter().chain(self.more.iter().flatten())
    }

    /// The field of a slot word.
    #[inline]
    pub(crate) fn extract(&self, word: u64) -> u32 {
        let part = |run: &Run| ((word >> run.from) as u32 & ((1u64 << run.width) - 1) as u32) << run.to;
        let [first, second, third] = &self.inline;
        let mut field = part(first) | part(second) | part(third);
        if let Some(more) = &self.more {
            field |= more.iter().fold(0, |field, run| field | part(run));
        }
        field
    }

    /// The slot-word bits of a field.
    pub(crate) fn insert(&self, field: u32) -> u64 {
        self.runs()
            .fold(0, |word, run| word | (u64::from(field) >> run.to & ((1 << run.width) - 1)) << run.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_windows_extract_and_insert() {
        // The 5-bit vector field 9:8|3:1 of the S3 ALU slots, and one of five runs.
        for (window, mask) in [(vec![9, 8, 3, 2, 1], 0x30e), (vec![16, 13, 12, 7, 5, 0], 0x130a1)] {
            let field = Field::new(&window);
            for value in 0..1 << window.len() {
                let word = field.insert(value);
                assert_eq!(word & !mask, 0);
                assert_eq!(field.extract(word | !mask), value);
            }
        }
        assert_eq!(Field::new(&[9, 8, 3, 2, 1]).extract(0x102), 0b01001);
    }
}
