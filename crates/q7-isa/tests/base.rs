//! The base instruction set: published byte strings, round trips, and totality of the decoder.

mod common;

use common::{bytes_of, is_symbolic, normalise, pc_of};
use proptest::prelude::*;
use q7_isa::{DecodeError, File, Isa, spec};

#[test]
fn published_strings_decode_and_encode_back() {
    let isa = Isa::embedded();
    let mut reader = csv::Reader::from_path("tests/data/bundles-base.csv").unwrap();
    let (mut exact, mut symbolic) = (0, 0);
    for row in reader.records() {
        let row = row.unwrap();
        let (hex, text, note) = (&row[0], &row[1], &row[5]);
        let (bytes, pc) = (bytes_of(hex), pc_of(note));
        let bundle = isa.decode(&bytes, pc).unwrap_or_else(|error| panic!("{hex} {text}: {error}"));
        assert_eq!(bundle.length as usize, bytes.len(), "{hex}");
        let printed = isa.bundle_text(&bundle).to_string();
        if is_symbolic(text) {
            symbolic += 1;
            let known = printed.rsplit_once(' ').unwrap().0;
            assert!(text.starts_with(known), "{hex}: {printed} for {text}");
        } else {
            exact += 1;
            assert_eq!(normalise(&printed), normalise(text), "{hex} at {pc:#x}");
        }
        assert_eq!(isa.encode(&bundle, pc).unwrap().as_slice(), bytes, "{hex} {text}");
    }
    assert_eq!((exact, symbolic), (255, 30));
}

#[test]
fn symbolic_rows_have_the_published_distance() {
    // Distances stated in the notes of bundles.csv; target = pc + 4 + distance.
    let isa = Isa::embedded();
    for (hex, target) in [
        ("4713ff", 3u32),
        ("8c43", 8),
        ("cc23", 6),
        ("bca3", 62),
        ("7612fc", 0),
        ("768301", 5),
        ("769301", 5),
        ("850100", 28),
        ("c5ffff", 0),
        ("e5ffff", 0),
        ("c6fcff", u32::MAX - 8),
    ] {
        let bundle = isa.decode(&bytes_of(hex), 0).unwrap();
        assert_eq!(bundle.instructions[0].operands.last().copied(), Some(target as i32), "{hex}");
    }
}

#[test]
fn framing_follows_the_published_length_table() {
    // microarchitecture/extra-length-table.csv
    let isa = Isa::embedded();
    for high in 0..256u32 {
        for low in 0..16u32 {
            let expected = match low {
                0..=7 => Some(3),
                8..=0xd => Some(2),
                0xe => Some(16),
                _ => match high & 0xf {
                    7 | 0xf => None,
                    nibble if nibble % 2 == 0 => Some(8),
                    _ => Some(16),
                },
            };
            let framed = isa.frame(high << 24 | low).map(|id| isa.format(id).length);
            assert_eq!(framed, expected, "byte 3 {high:#x}, byte 0 {low:#x}");
        }
    }
}

#[test]
fn the_embedded_table_is_current() {
    let loaded = spec::load_dir("spec".as_ref()).unwrap();
    assert_eq!(loaded.to_bytes(), include_bytes!("../spec/isa.bin"), "run `cargo xtask isa`");
    for (slot, sum) in spec::kraft_sums(&loaded) {
        assert!(sum <= 1.0, "{slot}: {sum}");
    }
}

#[test]
fn absent_instructions_are_reserved() {
    // CALL12, CALLX4, RFE, RSIL and S32C1I do not exist on this core (xea3/instructions.csv).
    let isa = Isa::embedded();
    for word in [0x35u32, 0xd0, 0x3000, 0x6000, 0xe002] {
        let result = isa.decode(&word.to_le_bytes(), 0);
        assert!(matches!(result, Err(DecodeError::ReservedOpcode { .. })), "{word:#x}: {result:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_bytes_decode_or_fail_cleanly(bytes in prop::collection::vec(any::<u8>(), 0..20), pc in any::<u32>()) {
        let isa = Isa::embedded();
        match isa.decode(&bytes, pc) {
            Ok(bundle) => {
                let length = bundle.length as usize;
                prop_assert!(!isa.bundle_text(&bundle).to_string().is_empty());
                let encoded = isa.encode(&bundle, pc).unwrap();
                prop_assert_eq!(encoded.as_slice(), &bytes[..length]);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn every_x24_word_decodes_and_encodes_back_or_is_reserved() {
    let isa = Isa::embedded();
    let mut decoded = 0u32;
    for word in (0..1u32 << 24).filter(|word| word & 8 == 0).step_by(7) {
        if let Ok(bundle) = isa.decode(&word.to_le_bytes()[..3], 0x1000) {
            decoded += 1;
            assert_eq!(isa.encode(&bundle, 0x1000).unwrap().as_slice(), &word.to_le_bytes()[..3]);
        }
    }
    assert!(decoded > 500_000, "{decoded}");
}

#[test]
fn operand_files_have_registers_or_are_numbers() {
    for opcode in Isa::embedded().opcodes() {
        for operand in &opcode.operands {
            let number = matches!(operand.file, File::Imm | File::Label);
            assert_eq!(number, operand.file.count() == 0, "{}", opcode.mnemonic);
            assert_eq!(operand.file == File::Label, operand.codec.is_target(), "{}", opcode.mnemonic);
        }
    }
}
