//! Free code space: the smallest template that no other placement of a slot accepts.

/// The fixed part of a placement: the slot bits that are not operands, and their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fixed {
    pub mask: u64,
    pub template: u64,
}

impl Fixed {
    /// True if some word is accepted by both.
    pub(super) fn overlaps(self, other: Fixed) -> bool {
        (self.template ^ other.template) & self.mask & other.mask == 0
    }
}

/// The smallest template over the bits of `mask` whose words none of `taken` accepts.
///
/// Decides the bits of `mask` from the top, zero first. At every step the conflicts are the taken
/// placements that agree with all bits decided so far; a branch without conflicts is free, a branch
/// in which a conflict fixes none of the open bits is hopeless.
pub(super) fn smallest_free(mask: u64, taken: &[Fixed]) -> Option<u64> {
    let conflicts: Vec<Fixed> = taken.to_vec();
    search(mask, 0, &conflicts)
}

fn search(open: u64, template: u64, conflicts: &[Fixed]) -> Option<u64> {
    if conflicts.is_empty() {
        return Some(template);
    }
    if conflicts.iter().any(|other| other.mask & open == 0) {
        return None;
    }
    let bit = 63 - open.leading_zeros();
    let rest = open & !(1 << bit);
    for value in 0..2u64 {
        let agreeing: Vec<Fixed> = conflicts
            .iter()
            .copied()
            .filter(|other| other.mask >> bit & 1 == 0 || other.template >> bit & 1 == value)
            .collect();
        if let Some(found) = search(rest, template | value << bit, &agreeing) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hole_is_found() {
        // A 4-bit slot; 00xx and 0100 are taken, the new placement fixes the upper two bits.
        let taken = [Fixed { mask: 0b1100, template: 0 }, Fixed { mask: 0b1111, template: 0b0100 }];
        assert_eq!(smallest_free(0b1100, &taken), Some(0b1000));
        assert_eq!(smallest_free(0b1111, &taken), Some(0b0101));
        let full = [Fixed { mask: 0b1000, template: 0 }, Fixed { mask: 0b1000, template: 0b1000 }];
        assert_eq!(smallest_free(0b1111, &full), None);
    }
}
