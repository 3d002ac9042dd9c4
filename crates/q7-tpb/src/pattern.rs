//! Access patterns: strided walks over up to four dimensions.
//!
//! Source: `tpb-dtypes-and-patterns/extra-descriptor-layouts.csv`, `spec-mempattern-2d-3d.md`,
//! `spec-tensor4d-mempattern4d.md`; DECISIONS (TPB side, access patterns).

use crate::address::Addr4;

/// A pattern of `N` dimensions: TENSOR and MEM_PATTERN of instructions, `4 + 4 N` bytes.
///
/// Dimension 0 is the innermost. Steps count elements of the dtype (containers of x4 types); 0 repeats an element. An
/// unused dimension has step 1 and count 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern<const N: usize> {
    /// Address of the first element.
    pub start: Addr4,
    /// Elements from one index to the next, per dimension.
    pub step: [i16; N],
    /// Indices, per dimension: 1..=65535.
    pub num: [u16; N],
}

/// Why bytes are no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Too few bytes.
    #[error("an access pattern of {needed} bytes does not fit into {given}")]
    Short {
        /// Bytes of the pattern.
        needed: usize,
        /// Bytes there are.
        given: usize,
    },
    /// The address is that of an index vector: what follows is the data's address, not steps and counts.
    #[error("address word {0:#010x} is indirect: no steps and counts follow it")]
    Indirect(u32),
    /// A count of zero, which no shape register replaces.
    #[error("dimension {0} of an access pattern has no elements")]
    Empty(usize),
}

impl<const N: usize> Pattern<N> {
    /// Size in bytes. Instructions have room for one to four dimensions.
    pub const BYTES: usize = {
        assert!(N >= 1 && N <= 4);
        4 + 4 * N
    };

    /// A pattern of the given innermost dimensions, `(step, num)`; the others are unused.
    ///
    /// # Panics
    /// With more than `N` dimensions.
    pub fn new(start: Addr4, dimensions: &[(i16, u16)]) -> Self {
        assert!(dimensions.len() <= N, "{} dimensions in a pattern of {N}", dimensions.len());
        let mut pattern = Self { start, step: [1; N], num: [1; N] };
        for (k, &(step, num)) in dimensions.iter().enumerate() {
            (pattern.step[k], pattern.num[k]) = (step, num);
        }
        pattern
    }

    /// Reads a pattern: address, steps, counts. The indirect form has another layout and is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, PatternError> {
        let bytes = bytes
            .get(..Self::BYTES)
            .ok_or(PatternError::Short { needed: Self::BYTES, given: bytes.len() })?;
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let start = Addr4(u32::from(half(0)) | u32::from(half(2)) << 16);
        if start.is_indirect() {
            return Err(PatternError::Indirect(start.0));
        }
        let step = std::array::from_fn(|k| half(4 + 2 * k) as i16);
        let num: [u16; N] = std::array::from_fn(|k| half(4 + 2 * N + 2 * k));
        match num.iter().position(|&count| count == 0) {
            Some(dimension) if !start.is_shape_register() => Err(PatternError::Empty(dimension)),
            _ => Ok(Self { start, step, num }),
        }
    }

    /// The bytes of the pattern.
    pub fn encode(&self) -> impl Iterator<Item = u8> + '_ {
        let steps = self.step.iter().map(|&step| step as u16);
        let halves = steps.chain(self.num.iter().copied()).flat_map(u16::to_le_bytes);
        self.start.0.to_le_bytes().into_iter().chain(halves)
    }

    /// Elements that the walk visits.
    pub fn elements(&self) -> u64 {
        const { assert!(N <= 4, "four counts of 16 bits fit 64") };
        self.num.iter().map(|&count| u64::from(count)).product()
    }

    /// Element offsets from the start in the order of the walk: dimension 0 fastest.
    pub fn offsets(&self) -> impl Iterator<Item = i64> + use<N> {
        let Self { step, num, .. } = *self;
        let mut index = [0u16; N];
        (0..self.elements()).map(move |_| {
            let offset =
                index.iter().zip(step).map(|(&index, step)| i64::from(index) * i64::from(step)).sum();
            for k in 0..N {
                index[k] += 1;
                if index[k] < num[k] {
                    break;
                }
                index[k] = 0;
            }
            offset
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unused_dimensions_are_one_by_one() {
        let row = Pattern::<2>::new(Addr4(0), &[(64, 16), (1, 32)]);
        // tensor-descriptors: steps, then counts, from byte 4.
        assert_eq!(row.encode().skip(4).collect::<Vec<_>>(), [0x40, 0, 1, 0, 0x10, 0, 0x20, 0]);
        let single = Pattern::<1>::new(Addr4(0), &[]);
        assert_eq!(single.encode().skip(4).collect::<Vec<_>>(), [1, 0, 1, 0]);
        let back = Pattern::<2>::new(Addr4(0), &[(1, 1), (-1, 2)]);
        assert_eq!(back.encode().skip(6).take(2).collect::<Vec<_>>(), [0xFF, 0xFF]);
    }

    #[test]
    fn empty_and_short_patterns_are_refused() {
        let none = Pattern::<3>::new(Addr4(0), &[(1, 4), (1, 0)]);
        let bytes: Vec<u8> = none.encode().collect();
        assert_eq!(Pattern::<3>::decode(&bytes), Err(PatternError::Empty(1)));
        let indirect: Vec<u8> = Pattern { start: Addr4(0x2000_0100), ..none }.encode().collect();
        assert_eq!(Pattern::<3>::decode(&indirect), Err(PatternError::Indirect(0x2000_0100)));
        assert_eq!(Pattern::<3>::decode(&bytes[..15]), Err(PatternError::Short { needed: 16, given: 15 }));
        // A shape register supplies the counts.
        let dynamic = Pattern { start: Addr4(0x4000_0000), ..none };
        assert_eq!(Pattern::<3>::decode(&dynamic.encode().collect::<Vec<_>>()), Ok(dynamic));
        assert_eq!(dynamic.offsets().count(), 0);
    }

    proptest! {
        #[test]
        fn bytes_are_the_inverse(start: u32, step: [i16; 4], num in proptest::array::uniform4(1u16..)) {
            let pattern = Pattern { start: Addr4(start & !(1 << 29)), step, num };
            let bytes: Vec<u8> = pattern.encode().collect();
            prop_assert_eq!(bytes.len(), Pattern::<4>::BYTES);
            prop_assert_eq!(Pattern::<4>::decode(&bytes), Ok(pattern));
        }

        #[test]
        fn the_walk_is_four_nested_loops(step: [i16; 4], num in proptest::array::uniform4(1u16..5)) {
            let mut wanted = Vec::new();
            for w in 0..i64::from(num[3]) {
                for z in 0..i64::from(num[2]) {
                    for y in 0..i64::from(num[1]) {
                        for x in 0..i64::from(num[0]) {
                            let [sx, sy, sz, sw] = step.map(i64::from);
                            wanted.push(x * sx + y * sy + z * sz + w * sw);
                        }
                    }
                }
            }
            let walk: Vec<i64> = Pattern { start: Addr4(0), step, num }.offsets().collect();
            prop_assert_eq!(walk, wanted);
        }
    }
}
