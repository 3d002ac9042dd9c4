//! Published byte strings: their text must assemble to them.

use std::collections::BTreeMap;
use std::fmt::Write;

use q7_asm::{LinkOptions, Options, build, parse_bundle};
use q7_isa::{Bundle, Instruction, Isa, Operands};

struct Row {
    bytes: Vec<u8>,
    text: String,
    pc: u32,
}

/// The rows of `bundles-base.csv`, the base instructions of `bundles.csv`.
fn rows() -> Vec<Row> {
    rows_of("bundles-base.csv")
}

/// The complete rows of a file; the address stands in the note (`at pc 0x2e65`).
fn rows_of(file: &str) -> Vec<Row> {
    let path = format!("{}/../q7-isa/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader
        .records()
        .map(Result::unwrap)
        .filter(|row| !matches!(&row[3], "suspicious" | "incomplete"))
        .map(|row| {
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

/// The choice of format is that of the published tools, or the format is forced; either way the text
/// gives the published bytes.
#[test]
fn published_bundles_come_from_their_text() {
    let isa = Isa::embedded();
    // By format: strings, those for which the automatic choice is the same.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for Row { bytes, text, pc } in rows_of("bundles.csv") {
        let decoded = isa.decode(&bytes, pc).unwrap();
        let format = isa.format(decoded.format).name.as_str();
        // A text with a label of its page is replaced by ours, which has the address.
        let symbolic = names_a_label(&text) || text.ends_with(" .") || text.contains(", end");
        let text = match symbolic {
            true => isa.bundle_text(&decoded).to_string(),
            false => text.trim_matches(['{', '}', ' ']).to_owned(),
        };
        let count = counts.entry(format).or_default();
        count.0 += 1;
        let chosen = parse_bundle(isa, &text, pc).unwrap_or_else(|error| panic!("{text}: {error}"));
        let same = chosen == decoded;
        count.1 += usize::from(same);
        let forced = format!("{{{format}: {text} }}");
        let bundle = parse_bundle(isa, &forced, pc).unwrap_or_else(|error| panic!("{forced}: {error}"));
        assert_eq!(isa.encode(&bundle, pc).unwrap().as_slice(), bytes, "{forced} at {pc:#x}");
    }
    let expected = [
        ("F0", (9, 9)),
        ("F2", (5, 5)),
        ("F4", (1, 1)),
        ("N0", (63, 63)),
        ("N1", (36, 36)),
        ("N2", (46, 46)),
        ("x16a", (7, 7)),
        ("x16b", (13, 13)),
        ("x24", (265, 265)),
    ];
    assert_eq!(counts, expected.into());
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

/// Every placement in the slots of wide formats, beside `nop`s, with random operands: to bytes, to
/// text, back to the same bundle in its own format.
#[test]
fn every_slot_comes_back_from_its_text() {
    let isa = Isa::embedded();
    let nop = isa.find("nop").unwrap();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 32) as u32
    };
    let mut compared = 0;
    for placement in isa.placements() {
        let format_id = isa.slot(placement.slot).format;
        let format = isa.format(format_id);
        if format.slots.len() == 1 {
            continue;
        }
        for _ in 0..4 {
            let pc = random();
            // Some fields have values without a meaning, and some values have two fields.
            let operands: Option<Operands> = isa
                .opcode(placement.opcode)
                .operands
                .iter()
                .zip(&placement.windows)
                .map(|(operand, window)| {
                    let width = window.len() as u32;
                    let mask = 1u32.checked_shl(width).map_or(u32::MAX, |top| top - 1);
                    operand.codec.decode(random() & mask, width, pc)
                })
                .collect();
            let Some(operands) = operands else { continue };
            let instructions = format.slots.iter().map(|&slot| match slot == placement.slot {
                true => Instruction { opcode: placement.opcode, slot, operands: operands.clone() },
                false => Instruction { opcode: nop, slot, operands: Operands::new() },
            });
            let bundle =
                Bundle { format: format_id, length: format.length, instructions: instructions.collect() };
            let bytes = isa.encode(&bundle, pc).unwrap();
            let Ok(decoded) = isa.decode(&bytes, pc) else { continue }; // A register that does not exist.
            assert_eq!(decoded, bundle);
            let text = format!("{{{}: {} }}", format.name, isa.bundle_text(&decoded));
            assert_eq!(parse_bundle(isa, &text, pc), Ok(decoded), "{text} at {pc:#x}");
            compared += 1;
        }
    }
    assert!(compared > 40_000, "{compared}");
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
