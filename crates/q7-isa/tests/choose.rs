//! The choice of format and slots.

mod common;

use common::bytes_of;
use q7_isa::{Bundle, FormatError, Isa, Operands, Unplaced};

fn op(mnemonic: &str, operands: &[i32]) -> Unplaced {
    let opcode = Isa::embedded().find(mnemonic).unwrap();
    Unplaced { opcode, operands: operands.iter().copied().collect::<Operands>() }
}

fn unplaced(bundle: &Bundle) -> Vec<Unplaced> {
    let strip = |instruction: &q7_isa::Instruction| Unplaced {
        opcode: instruction.opcode,
        operands: instruction.operands.clone(),
    };
    bundle.instructions.iter().map(strip).collect()
}

#[test]
fn published_narrow_bundles_are_what_is_chosen() {
    let isa = Isa::embedded();
    let nop = isa.find("nop").unwrap();
    let mut reader = csv::Reader::from_path("tests/data/bundles.csv").unwrap();
    let mut chosen = 0;
    for row in reader.records() {
        let row = row.unwrap();
        if matches!(&row[3], "suspicious" | "incomplete") {
            continue;
        }
        let bundle = isa.decode(&bytes_of(&row[0]), 0).unwrap();
        if bundle.length != 8 {
            continue;
        }
        // The list as printed, and the operations alone.
        let all = unplaced(&bundle);
        assert_eq!(isa.choose_format(&all, 0).unwrap(), bundle, "{}", &row[1]);
        let alone: Vec<Unplaced> = all.into_iter().filter(|op| op.opcode != nop).collect();
        assert_eq!(isa.choose_format(&alone, 0).unwrap(), bundle, "{}", &row[1]);
        chosen += 1;
    }
    assert_eq!(chosen, 145);
}

#[test]
fn the_smallest_format_wins() {
    let isa = Isa::embedded();
    let name = |ops: &[Unplaced]| {
        let bundle = isa.choose_format(ops, 0x1000).unwrap();
        isa.format(bundle.format).name.clone()
    };
    assert_eq!(name(&[op("add.n", &[1, 2, 3])]), "x16a");
    assert_eq!(name(&[op("add", &[1, 2, 3])]), "x24");
    assert_eq!(name(&[op("ivp_addnx16", &[1, 2, 3])]), "N0");
    assert_eq!(name(&[op("ivp_mulnx16", &[1, 2, 3])]), "N1");
    // A multiply beside an addition needs a wide format; the order of the list does not matter.
    let (mul, add) = (op("ivp_mulnx16", &[0, 1, 2]), op("ivp_addnx16", &[3, 1, 2]));
    let published = isa.decode(&bytes_of("2f450485b04a00904003464003190900"), 0).unwrap();
    assert_eq!(isa.choose_format(&[mul.clone(), add.clone()], 0).unwrap(), published);
    assert_eq!(isa.choose_format(&[add, mul], 0).unwrap(), published);
}

#[test]
fn slots_respect_the_range_of_their_fields() {
    // N0_S3_ALU knows five bits of the byte lane of extr2nx8, F0_S3_ALU all six.
    let isa = Isa::embedded();
    for (lane, format) in [(7, "N0"), (40, "F0")] {
        let bundle = isa.choose_format(&[op("ivp_extr2nx8", &[3, 1, lane])], 0).unwrap();
        assert_eq!(isa.format(bundle.format).name, format);
    }
}

#[test]
fn a_forced_format_is_kept() {
    let isa = Isa::embedded();
    let f0 = isa.find_format("F0").unwrap();
    let bundle = isa.place(f0, &[op("ivp_addnx16", &[3, 1, 2])], 0).unwrap();
    assert_eq!(isa.bundle_text(&bundle).to_string(), "nop; nop; nop; ivp_addnx16 v3, v1, v2");
    let error = isa.place(f0, &[op("ivp_divnx16s_4step", &[3, 2, 1, 0])], 0).unwrap_err();
    assert_eq!(error.to_string(), "ivp_divnx16s_4step cannot be placed: it sits only in F2_S2_Mul");
}

#[test]
fn errors_name_the_constraint_and_the_alternatives() {
    let isa = Isa::embedded();
    let error = isa.choose_format(&[op("ivp_addnx16", &[32, 1, 2])], 0).unwrap_err();
    assert!(matches!(error, FormatError::Operand { .. }), "{error}");
    let store = op("ivp_sv2nx8_i", &[1, 2, 0]);
    let error = isa.choose_format(&[store.clone(), store], 0).unwrap_err();
    let FormatError::NoFormat { nearest, .. } = &error else { panic!("{error}") };
    assert!(nearest.iter().any(|(format, left)| format == "F0" && left == &["ivp_sv2nx8_i"]), "{error}");
    let hint = "(`q7sim isa show MNEMONIC` prints the slots of each)";
    let text = format!("ivp_sv2nx8_i and ivp_sv2nx8_i cannot share a bundle {hint}");
    assert_eq!(error.to_string(), text);
    // The addition is in nobody's way.
    let [addition, multiply] = [op("ivp_addnx16", &[0, 1, 2]), op("ivp_mulnx16", &[0, 1, 2])];
    let f0 = isa.find_format("F0").unwrap();
    let error = isa.place(f0, &[addition, multiply.clone(), multiply], 0).unwrap_err();
    let text = format!("ivp_mulnx16 and ivp_mulnx16 cannot share a bundle of format F0 {hint}");
    assert_eq!(error.to_string(), text);
    let six = vec![op("nop", &[]); 6];
    assert_eq!(isa.choose_format(&six, 0), Err(FormatError::TooMany { count: 6, limit: 5 }));
}
