//! Published byte strings: their text must assemble to them.

use std::fmt::Write;

use q7_asm::{LinkOptions, Options, build, parse_bundle};
use q7_isa::Isa;

struct Row {
    bytes: Vec<u8>,
    text: String,
    pc: u32,
}

/// The rows of `bundles-base.csv`; the address stands in the note (`at pc 0x2e65`).
fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../q7-isa/tests/data/bundles-base.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            let digits: Vec<u8> = row[0].chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
            let pc = row[5].split("0x").nth(1).and_then(|rest| {
                let rest: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
                row[5].contains("at ").then(|| u32::from_str_radix(&rest, 16).ok())?
            });
            Row {
                bytes: digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect(),
                text: row[1].to_string(),
                pc: pc.unwrap_or(0),
            }
        })
        .collect()
}

/// Texts that name a label of the page, which has no address here.
fn names_a_label(text: &str) -> bool {
    text.contains(" .L") || text.contains(['<', '('])
}

#[test]
fn published_text_gives_the_published_bytes() {
    let isa = Isa::embedded();
    let mut compared = 0;
    for Row { bytes, text, pc } in rows() {
        if names_a_label(&text) {
            continue;
        }
        let bundle = parse_bundle(isa, &text, pc).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(isa.encode(&bundle, pc).unwrap().as_slice(), bytes, "{text} at {pc:#x}");
        compared += 1;
    }
    assert!(compared >= 258, "{compared}");
}

#[test]
fn parsing_is_the_inverse_of_printing() {
    let isa = Isa::embedded();
    for Row { bytes, pc, .. } in rows() {
        let bundle = isa.decode(&bytes, pc).unwrap();
        let text = isa.bundle_text(&bundle).to_string();
        assert_eq!(parse_bundle(isa, &text, pc), Ok(bundle.clone()), "{text}");
        assert_eq!(parse_bundle(isa, &format!("{{ {text} }}"), pc), Ok(bundle), "{{ {text} }}");
    }
}

/// Every placement that stands alone, with random operands.
#[test]
fn everything_printed_parses_back() {
    let isa = Isa::embedded();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut compared = 0;
    for placement in isa.placements() {
        let format = isa.format(isa.slot(placement.slot).format);
        if format.slots.len() > 1 {
            continue;
        }
        for _ in 0..40 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let word = placement.template | (state >> 32 & !placement.mask);
            let pc = (state >> 20) as u32;
            // Some fields have values without a meaning.
            let Ok(bundle) = isa.decode(&word.to_le_bytes()[..format.length.into()], pc) else { continue };
            let text = isa.bundle_text(&bundle).to_string();
            assert_eq!(parse_bundle(isa, &text, pc), Ok(bundle), "{text} at {pc:#x}");
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// The same through the assembler and linker: one source with every row at its address.
#[test]
fn a_source_of_all_published_bytes() {
    let isa = Isa::embedded();
    for Row { bytes, pc, .. } in rows() {
        let bundle = isa.decode(&bytes, pc).unwrap();
        let mut source = String::new();
        // `_` keeps `movi` from becoming a literal load; the published ones all fit anyway.
        writeln!(source, ".space {}\n_{}", pc % 4, isa.bundle_text(&bundle)).unwrap();
        let options = LinkOptions { base: 0, ..LinkOptions::default() };
        let options = LinkOptions { sections: [(".text".into(), pc & !15)].into(), ..options };
        let source = format!(".space {}\n{source}", pc % 16 / 4 * 4);
        let linked = build(isa, "row.s", &source, &Options::default(), &options).unwrap();
        assert_eq!(&linked.section_bytes(".text")[pc as usize % 16..], bytes, "{source}");
    }
}
