//! Slot gathers: the bundle bits of a slot as a slot word, and back.
//!
//! A slot's bits lie scattered over its bundle. Gathering looks each half byte of the bundle up in
//! a table compiled when the instruction set is loaded, so decoding never walks single bits. (Half
//! bytes, because the tables of all slots then fit the processor's caches.)

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
        /// The half bytes of the bundle that carry slot bits, and the slot bits of each value.
        tables: Box<[(u32, [u64; 16])]>,
        /// For each slot bit, the bundle bit that carries it.
        bits: Vec<u8>,
    },
    /// Where the slot bits lie is not known.
    Unknown,
}

impl Gather {
    /// Compiles the map from slot bit to bundle bit.
    pub(crate) fn scattered(bits: &[u8]) -> Gather {
        let mut tables: Vec<(u32, [u64; 16])> = Vec::new();
        for (slot_bit, &bundle_bit) in bits.iter().enumerate() {
            let shift = u32::from(bundle_bit / 4 * 4);
            let index = tables.iter().position(|(known, _)| *known == shift).unwrap_or_else(|| {
                tables.push((shift, [0; 16]));
                tables.len() - 1
            });
            for (value, entry) in tables[index].1.iter_mut().enumerate() {
                *entry |= ((value >> (bundle_bit % 4) & 1) as u64) << slot_bit;
            }
        }
        Gather::Scattered { tables: tables.into(), bits: bits.to_vec() }
    }

    /// The slot word in a bundle, or `None` if the layout is unknown.
    #[inline]
    pub(crate) fn gather(&self, bundle: u128) -> Option<u64> {
        match self {
            Gather::Low { mask } => Some(bundle as u64 & mask),
            Gather::Scattered { tables, .. } => {
                let halves = [bundle as u64, (bundle >> 64) as u64];
                let entry = |(shift, table): &(u32, [u64; 16])| {
                    table[(halves[(shift >> 6 & 1) as usize] >> (shift & 63) & 15) as usize]
                };
                Some(tables.iter().fold(0, |word, table| word | entry(table)))
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
