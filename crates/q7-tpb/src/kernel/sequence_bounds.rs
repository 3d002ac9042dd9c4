//! GET_SEQUENCE_BOUNDS (0xBE): where the segment of each element begins and ends.
//!
//! Source: `tpb-more-kernels/spec-get-sequence-bounds.md`, `extra-external-crosscheck.md`; DECISIONS (per-element
//! segment bounds).

/// Bounds of the element's segment: first index, and the index after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// First index; the number of elements for padding.
    pub start: i64,
    /// Index after the last; -1 for padding.
    pub end: i64,
}

/// The bounds of every element from the segment ids, fp32 or INT32. Neighbours of equal id form a segment; id 0 is
/// padding.
pub fn bounds<T: PartialEq + Default>(ids: &[T]) -> Vec<Bounds> {
    let padding = Bounds { start: ids.len() as i64, end: -1 };
    let mut all = Vec::with_capacity(ids.len());
    let mut start = 0;
    for segment in ids.chunk_by(|left, right| left == right) {
        let end = start + segment.len();
        let here = Bounds { start: start as i64, end: end as i64 };
        all.extend(segment.iter().map(|id| if *id == T::default() { padding } else { here }));
        start = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_end_where_the_id_changes() {
        let pairs: Vec<_> = bounds(&[0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 0.0])
            .into_iter()
            .map(|Bounds { start, end }| (start, end))
            .collect();
        assert_eq!(pairs, [(8, -1), (1, 4), (1, 4), (1, 4), (4, 6), (4, 6), (6, 7), (8, -1)]);
        // Ids that fp32 could not tell apart.
        let ends = bounds(&[16_777_216i32, 16_777_217]).iter().map(|bounds| bounds.end).collect::<Vec<_>>();
        assert_eq!(ends, [1, 2]);
        assert_eq!(bounds::<f32>(&[]), []);
    }
}
