//! MAX8 (0x6C), MATCH_VALUE_LOAD (0x6D), FIND_INDEX8 (0x6E), MATCH_REPLACE8 (0x6F).
//!
//! Source: `tpb-more-kernels/spec-search-cluster.md`; DECISIONS (Max8 trio, A40).

/// Values that are searched at a time.
pub const VALUES: usize = 8;

/// The values that a channel searches for, and which of them were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchValues {
    /// Values in register order: the reverse of the order they are loaded in.
    pub values: [f32; VALUES],
    /// Values already found; they match no further element.
    pub matched: [bool; VALUES],
}

impl MatchValues {
    /// Loads values: element `k` into register `7 - k`. Nothing is matched.
    pub fn load(mut elements: [f32; VALUES]) -> MatchValues {
        elements.reverse();
        MatchValues { values: elements, matched: [false; VALUES] }
    }

    /// The first unmatched register that holds `element`, which becomes matched. NaN matches nothing.
    pub fn find(&mut self, element: f32) -> Option<usize> {
        let found = (0..VALUES).find(|&n| !self.matched[n] && self.values[n] == element)?;
        self.matched[found] = true;
        Some(found)
    }

    /// FIND_INDEX8: per register, the index of the element that it matches.
    pub fn indices(&mut self, elements: &[f32]) -> [Option<u32>; VALUES] {
        let mut indices = [None; VALUES];
        for (index, &element) in (0..).zip(elements) {
            if let Some(register) = self.find(element) {
                indices[register] = Some(index);
            }
        }
        indices
    }

    /// MATCH_REPLACE8: `immediate` in the place of every element that matches, the others as they are.
    pub fn replace(&mut self, elements: &mut [f32], immediate: f32) {
        for element in elements {
            if self.find(*element).is_some() {
                *element = immediate;
            }
        }
    }
}

/// MAX8: the eight largest elements, ascending. Equal ones count each; NaN never does (A40). With fewer than eight
/// numbers, negative infinities come first (T3).
pub fn max8(elements: &[f32]) -> [f32; VALUES] {
    let mut largest = [f32::NEG_INFINITY; VALUES];
    for &element in elements {
        if element > largest[0] {
            let place = largest.partition_point(|&kept| kept < element) - 1;
            largest[..=place].rotate_left(1);
            largest[place] = element;
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_values_are_found_in_turn() {
        // The public documentation's example of MATCH_REPLACE8, which finds as FIND_INDEX8 does; position i of its
        // result belongs to the i-th loaded value.
        let data = [1.0, 2.0, 3.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0];
        let mut keys = MatchValues::load([3.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]);
        let mut indices = keys.indices(&data);
        indices.reverse();
        assert_eq!(indices.map(Option::unwrap), [2, 10, 9, 8, 7, 6, 5, 4]);
        assert_eq!(keys.matched, [true; VALUES]);
    }

    #[test]
    fn replaces_the_first_match_of_each_value() {
        let mut keys = MatchValues::load([5.0, 5.0, f32::NAN, 0.0, 90.0, 91.0, 92.0, 93.0]);
        let mut data = [5.0, f32::NAN, -0.0, 5.0, 5.0, 0.0];
        keys.replace(&mut data, -7.0);
        assert!(data[1].is_nan());
        data[1] = 1.0;
        assert_eq!(data, [-7.0, 1.0, -7.0, -7.0, 5.0, 0.0]);
    }

    proptest! {
        #[test]
        fn max8_is_the_end_of_the_sorted_elements(elements in proptest::collection::vec(-20i8..20, 0..40)) {
            let elements: Vec<f32> = elements.into_iter().map(f32::from).collect();
            let mut sorted = [vec![f32::NEG_INFINITY; VALUES], elements.clone()].concat();
            sorted.sort_by(f32::total_cmp);
            let largest = max8(&elements);
            prop_assert_eq!(&largest[..], &sorted[sorted.len() - VALUES..]);
        }
    }
}
