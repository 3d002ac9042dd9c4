//! Every published byte string decodes to its text and encodes back to its bytes.

mod common;

use std::collections::BTreeMap;

use common::{bytes_of, is_symbolic, normalise, pc_of};
use q7_isa::{Bundle, Instruction, Isa};

/// Strings that `isa/bundles.csv` marks as printed incompletely: memory bytes 8 to 15 of a bundle,
/// or a bundle of which one slot is not printed.
const INCOMPLETE: [(&str, &str); 8] = [
    ("0083cc8823190900", "only the upper half is printed"),
    ("00abc20832190700", "only the upper half is printed"),
    ("0f13049c945e9c02", "the second slot is not printed"),
    ("0f04049c945e9c02", "the second slot is not printed"),
    ("1f03049c945e9c02", "the second slot is not printed"),
    ("2f03049c945e9c02", "the second slot is not printed"),
    ("ff03049c945e9c02", "the second slot is not printed"),
    ("7f03049c945e9c02", "the second slot is not printed"),
];

#[test]
fn published_strings_decode_and_encode_back() {
    let isa = Isa::embedded();
    let mut reader = csv::Reader::from_path("tests/data/bundles.csv").unwrap();
    let mut exact: BTreeMap<String, usize> = BTreeMap::new();
    let mut incomplete = Vec::new();
    for row in reader.records() {
        let row = row.unwrap();
        let (hex, text, certainty, note) = (&row[0], &row[1], &row[3], &row[5]);
        if matches!(certainty, "suspicious" | "incomplete") {
            incomplete.push(hex.to_owned());
            continue;
        }
        let (bytes, pc) = (bytes_of(hex), pc_of(note));
        let bundle = isa.decode(&bytes, pc).unwrap_or_else(|error| panic!("{hex} {text}: {error}"));
        let printed = isa.bundle_text(&bundle).to_string();
        if is_symbolic(text) {
            let known = printed.split("; ").next().unwrap().rsplit_once(' ').unwrap().0;
            assert!(normalise(text).starts_with(&normalise(known)), "{hex}: {printed} for {text}");
        } else {
            assert_eq!(normalise(&printed), normalise(text), "{hex}");
        }
        assert_eq!(isa.encode(&bundle, pc).unwrap().as_slice(), bytes, "{hex} {text}");
        *exact.entry(isa.format(bundle.format).name.clone()).or_default() += 1;
    }
    assert_eq!(incomplete, INCOMPLETE.map(|(hex, _)| hex));
    let expected = [
        ("F0", 9),
        ("F2", 5),
        ("F4", 1),
        ("N0", 63),
        ("N1", 36),
        ("N2", 46),
        ("x16a", 7),
        ("x16b", 13),
        ("x24", 265),
    ];
    assert_eq!(exact, expected.map(|(format, count)| (format.to_owned(), count)).into());
}

#[test]
fn further_printed_strings_decode_and_encode_back() {
    let isa = Isa::embedded();
    // The second slot of the stores holds the known nop word (firmware-seq-and-pool/spec-b07.md).
    for (hex, text) in [
        ("0f13049c945e9c02", "ivp_sv2nx8_ip v1, a3, 0; nop"),
        ("0f04049c945e9c02", "ivp_sv2nx8_ip v0, a4, 0; nop"),
        ("1f03049c945e9c02", "ivp_sv2nx8_ip v0, a3, 64; nop"),
        ("2f03049c945e9c02", "ivp_sv2nx8_ip v0, a3, 128; nop"),
        ("ff03049c945e9c02", "ivp_sv2nx8_ip v0, a3, -64; nop"),
        ("7f03049c945e9c02", "ivp_sv2nx8_ip v0, a3, 0x1c0; nop"),
        // Printed in firmware-seq-and-pool/bundles-extra.csv.
        ("0ff86008006f9f02", "ivp_gatheran_2x32t gr0, a8, v31, vb0; nop; nop"),
    ] {
        let bundle = isa.decode(&bytes_of(hex), 0).unwrap();
        assert_eq!(isa.bundle_text(&bundle).to_string(), text);
        assert_eq!(isa.encode(&bundle, 0).unwrap().as_slice(), bytes_of(hex));
    }
    // Printed in tpb-remaining-kernels/bundles-extra.csv.
    for (hex, text) in [
        ("2f454802084d5132", "nop; nop; nop; ivp_recip0nxf16 v5, v1"),
        ("2f458922004d5132", "nop; nop; nop; ivp_rsqrt0nxf16 v6, v2"),
        ("2f451d02084d5132", "nop; nop; nop; recip0.s v4, v1"),
        ("2f4552f018585032", "nop; nop; nop; recipqli.s v17, v18"),
        // Printed in slot-encoding/extra-derived-n0-s3-words.csv.
        ("2f454390084c5132", "nop; nop; nop; rur.fsr a4"),
    ] {
        let bundle = isa.decode(&bytes_of(hex), 0).unwrap();
        assert_eq!(isa.bundle_text(&bundle).to_string(), text);
        assert_eq!(isa.encode(&bundle, 0).unwrap().as_slice(), bytes_of(hex));
    }
    // The target of this branch is not printed.
    let bundle = isa.decode(&bytes_of("6f03e03c2a00a202"), 0).unwrap();
    let text = isa.bundle_text(&bundle).to_string();
    assert!(text.starts_with("beqz.w15 a3, ") && text.ends_with("; ivp_gatherdnx16 v3, gr0"), "{text}");
}

#[test]
fn upper_halves_agree_with_the_bytes_printed() {
    let isa = Isa::embedded();
    let format = isa.find_format("F0").unwrap();
    let slots = &isa.format(format).slots;
    for (upper, instructions) in [
        (
            "0083cc8823190900",
            [("nop", vec![]), ("nop", vec![]), ("nop", vec![]), ("ivp_extrvrn_2x32", vec![3, 1, 2])],
        ),
        (
            "00abc20832190700",
            [
                ("ivp_lalign_i", vec![1, 2, 192]),
                ("ivp_lalign_i", vec![2, 2, 256]),
                ("nop", vec![]),
                ("ivp_movfsv", vec![0]),
            ],
        ),
    ] {
        let instructions = instructions.iter().zip(slots).map(|((mnemonic, operands), &slot)| Instruction {
            opcode: isa.find(mnemonic).unwrap(),
            slot,
            operands: operands.iter().copied().collect(),
        });
        let bundle = Bundle { format, length: 16, instructions: instructions.collect() };
        assert_eq!(isa.encode(&bundle, 0).unwrap()[8..], bytes_of(upper));
    }
}

#[test]
fn symbolic_rows_have_the_published_distance() {
    // Distances stated in the notes of bundles.csv: the loops end 6 bytes past PC + 4.
    let isa = Isa::embedded();
    for hex in ["6f03049c00169c02", "6f03049c00149c02", "6f03049c00129c02"] {
        let bundle = isa.decode(&bytes_of(hex), 0x1000).unwrap();
        assert_eq!(bundle.instructions[0].operands.last(), Some(&0x100a), "{hex}");
    }
}
