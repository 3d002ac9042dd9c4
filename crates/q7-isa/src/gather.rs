//! Slot gathers: the bundle bits of a slot as a slot word, and back.
//!
//! A slot's bits lie scattered over its bundle, but in groups that all move by the same distance. Gathering
//! rotates and masks one 64-bit half of the bundle per group: fifteen of them at most, without tables.

/// The compiled gather of one slot.
#[derive(Clone, Debug)]
pub(crate) enum Gather {
    /// The slot word is the low bits of the bundle (formats with one slot).
    Low {
        /// The bits of the slot.
        mask: u64,
    },
    /// The slot bits are scattered.
    Scattered {
        /// The bits that move by one distance, for each distance.
        groups: Box<[Group]>,
        /// For each slot bit, the bundle bit that carries it.
        bits: Vec<u8>,
    },
    /// Where the slot bits lie is not known.
    Unknown,
}

/// Bits of one half of the bundle that move by the same distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Where they are in the slot word.
    mask: u64,
    /// The half: 0 or 1.
    half: u8,
    /// How far they rotate to the right.
    distance: u8,
}

impl Gather {
    /// Compiles the map from slot bit to bundle bit.
    pub(crate) fn scattered(bits: &[u8]) -> Gather {
        let mut groups: Vec<Group> = Vec::new();
        for (slot_bit, &bundle_bit) in bits.iter().enumerate() {
            let (half, distance) = (bundle_bit / 64, (bundle_bit % 64).wrapping_sub(slot_bit as u8) & 63);
            let known = groups.iter().position(|group| (group.half, group.distance) == (half, distance));
            let index = known.unwrap_or_else(|| {
                groups.push(Group { mask: 0, half, distance });
                groups.len() - 1
            });
            groups[index].mask |= 1 << slot_bit;
        }
        Gather::Scattered { groups: groups.into(), bits: bits.to_vec() }
    }

    /// The slot word in a bundle, or `None` if the layout is unknown.
    #[inline]
    pub(crate) fn gather(&self, bundle: u128) -> Option<u64> {
        match self {
            Gather::Low { mask } => Some(bundle as u64 & mask),
            Gather::Scattered { groups, .. } => {
                let halves = [bundle as u64, (bundle >> 64) as u64];
                let bits = |group: &Group| {
                    halves[usize::from(group.half & 1)].rotate_right(group.distance.into()) & group.mask
                };
                Some(groups.iter().fold(0, |word, group| word | bits(group)))
            }
            Gather::Unknown => None,
        }
    }

    /// The bundle bits of a slot word, or `None` if the layout is unknown.
    pub(crate) fn scatter(&self, word: u64) -> Option<u128> {
        match self {
            Gather::Low { mask } => Some(u128::from(word & mask)),
            Gather::Scattered { bits, .. } => Some(
                bits.iter()
                    .enumerate()
                    .fold(0, |bundle, (slot_bit, &bit)| bundle | u128::from(word >> slot_bit & 1) << bit),
            ),
            Gather::Unknown => None,
        }
    }

    /// All bundle bits that belong to the slot.
    #[cfg(test)]
    pub(crate) fn owned(&self) -> u128 {
        self.scatter(u64::MAX).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattering_undoes_gathering() {
        // N0_S3_ALU, isa/gathers.csv.
        let bits: Vec<u8> = [35, 22, 23, 25, 29, 30, 31, 32, 26, 28, 16, 17, 18, 19, 20]
            .into_iter()
            .chain(36..=49)
            .chain([60, 61, 63])
            .collect();
        let gather = Gather::scattered(&bits);
        // `ivp_addnx16 v3, v1, v2`: template 0x6c480000, B = 3, A = 1, C = 2.
        assert_eq!(gather.gather(0x3251_8900_20c1_452f), Some(0x6c48_0416));
        let bundle = gather.scatter(0x6c48_0416).unwrap();
        assert_eq!(bundle, 0x3251_8900_20c1_452f & gather.owned());
    }
}
