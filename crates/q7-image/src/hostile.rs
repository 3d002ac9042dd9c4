//! Whatever the bytes are, parsing returns: no panic, no wrap, and memory in proportion to the file.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::Image;
use crate::fixture::good;

/// One way to damage a file.
#[derive(Debug, Clone)]
enum Damage {
    /// Exclusive-or one byte.
    Flip(Index, u8),
    /// Overwrite an aligned word, preferably with a number that sits on an edge.
    Word(Index, u32),
    /// Cut the end off.
    Truncate(Index),
    /// Copy a piece of the file over another place.
    Splice { from: Index, to: Index, length: Index },
    /// Insert bytes.
    Insert(Index, Vec<u8>),
}

impl Damage {
    fn apply(&self, file: &mut Vec<u8>) {
        if file.len() < 4 {
            return;
        }
        match self {
            Damage::Flip(at, mask) => {
                let at = at.index(file.len());
                file[at] ^= mask;
            }
            Damage::Word(at, word) => {
                let at = at.index(file.len() / 4) * 4;
                file[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
            Damage::Truncate(length) => file.truncate(length.index(file.len())),
            Damage::Splice { from, to, length } => {
                let (from, to) = (from.index(file.len()), to.index(file.len()));
                let length = length.index(file.len() - from.max(to)) + 1;
                file.copy_within(from..from + length, to);
            }
            Damage::Insert(at, bytes) => {
                let at = at.index(file.len());
                file.splice(at..at, bytes.iter().copied());
            }
        }
    }
}

fn edge_word() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        prop::sample::select(vec![
            0,
            1,
            2,
            16,
            32,
            40,
            52,
            0xffff,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_fff0,
            u32::MAX
        ]),
        0u32..0x400,
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), 1u8..).prop_map(|(at, mask)| Damage::Flip(at, mask)),
        4 => (any::<Index>(), edge_word()).prop_map(|(at, word)| Damage::Word(at, word)),
        1 => any::<Index>().prop_map(Damage::Truncate),
        2 => (any::<Index>(), any::<Index>(), any::<Index>())
            .prop_map(|(from, to, length)| Damage::Splice { from, to, length }),
        1 => (any::<Index>(), vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
    ]
}

/// Parses, uses what came out, and checks what the documentation promises about every image.
fn exercise(file: &[u8]) {
    let image = match Image::parse(file) {
        Ok(image) => image,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let limit = 16 * file.len();
    assert!(image.segments.iter().map(|segment| segment.data.len()).sum::<usize>() <= limit);
    // A byte that is not UTF-8 becomes a character of three bytes.
    assert!(image.symbols.iter().map(|symbol| symbol.name.len()).sum::<usize>() <= 3 * limit);
    assert!(image.sections.iter().map(|section| section.name.len()).sum::<usize>() <= 3 * limit);
    for (index, segment) in image.segments.iter().enumerate() {
        assert!(segment.memory_size > 0 && segment.data.len() as u64 <= u64::from(segment.memory_size));
        assert!(segment.load_range().end <= 1 << 32 && segment.virtual_range().end <= 1 << 32);
        for other in &image.segments[..index] {
            let (a, b) = (segment.load_range(), other.load_range());
            assert!(a.end <= b.start || b.end <= a.start);
        }
    }
    for symbol in &image.symbols {
        assert!(image.symbols.get(&symbol.name).is_some());
        for address in
            [symbol.address, symbol.address.wrapping_add(symbol.size), symbol.address.wrapping_sub(1)]
        {
            if let Some((found, offset)) = image.symbols.containing(address) {
                assert_eq!(found.address + offset, address);
            }
        }
    }
    for section in &image.sections {
        let _ = section.bytes(file);
    }
    let _ = image.check_fits(|start, length| start.checked_add(length).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_survived(damages in vec(damage(), 1..6)) {
        let mut file = good().build();
        for damage in &damages {
            damage.apply(&mut file);
        }
        exercise(&file);
    }

    #[test]
    fn random_bytes_are_survived(bytes in vec(any::<u8>(), 0..400)) {
        exercise(&bytes);
    }

    #[test]
    fn random_bytes_behind_a_good_identification_are_survived(bytes in vec(any::<u8>(), 0..400)) {
        // Up to e_machine, so that the tables are reached.
        let mut file = good().build()[..20].to_vec();
        file.extend(bytes);
        exercise(&file);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let file = good().build();
    for length in 0..file.len() {
        assert!(Image::parse(&file[..length]).is_err(), "{length:#x} bytes");
    }
}
