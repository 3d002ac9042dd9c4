//! Operand fields: groups of slot-word bits, compiled from the windows of the spec.

/// Bits that move by the same distance between slot word and field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Group {
    /// Where they are in the field.
    mask: u32,
    /// How far they rotate to the right out of the slot word.
    distance: u8,
}

impl Group {
    #[inline]
    fn extract(self, word: u64) -> u32 {
        word.rotate_right(self.distance.into()) as u32 & self.mask
    }

    fn insert(self, field: u32) -> u64 {
        u64::from(field & self.mask).rotate_left(self.distance.into())
    }
}

/// Most groups that a field has without a heap allocation.
const INLINE: usize = 2;

/// A compiled operand window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// The first groups; unused ones are empty.
    inline: [Group; INLINE],
    /// Groups beyond them; hardly any field is scattered so much.
    more: Option<Box<[Group]>>,
    /// Width in bits.
    pub width: u8,
}

impl Field {
    /// Compiles a window: slot bits, most significant first.
    pub(crate) fn new(window: &[u8]) -> Field {
        let mut groups: Vec<Group> = Vec::new();
        for (to, &from) in window.iter().rev().enumerate() {
            let distance = from.wrapping_sub(to as u8) & 63;
            let bit = 1 << to;
            match groups.iter_mut().find(|group| group.distance == distance) {
                Some(group) => group.mask |= bit,
                None => groups.push(Group { mask: bit, distance }),
            }
        }
        let mut field = Field { width: window.len() as u8, ..Field::default() };
        for (inline, group) in field.inline.iter_mut().zip(&groups) {
            *inline = *group;
        }
        if groups.len() > INLINE {
            field.more = Some(groups[INLINE..].into());
        }
        field
    }

    fn groups(&self) -> impl Iterator<Item = &Group> {
        self.inline.iter().chain(self.more.iter().flatten())
    }

    /// The field of a slot word.
    #[inline]
    pub(crate) fn extract(&self, word: u64) -> u32 {
        let [first, second] = self.inline;
        let mut field = first.extract(word) | second.extract(word);
        if let Some(more) = &self.more {
            field |= more.iter().fold(0, |field, group| field | group.extract(word));
        }
        field
    }

    /// The slot-word bits of a field.
    pub(crate) fn insert(&self, field: u32) -> u64 {
        self.groups().fold(0, |word, group| word | group.insert(field))
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
