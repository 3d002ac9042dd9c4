//! The FLIX formats: layouts, round trips of every placement, strictness.

mod common;

use std::collections::HashSet;

use common::instruction;
use proptest::prelude::*;
use q7_isa::{Bundle, DecodeError, Instruction, Isa, Operands, PlacementId, SlotId, Unplaced, spec};

/// A bundle that holds the instruction in its slot and `nop` elsewhere.
fn wrap(isa: &Isa, instruction: Instruction) -> Bundle {
    let format = isa.slot(instruction.slot).format;
    let nop = isa.find("nop").unwrap();
    let fill = |slot: SlotId| Instruction { opcode: nop, slot, operands: Operands::new() };
    let instructions = isa
        .format(format)
        .slots
        .iter()
        .map(|&slot| if slot == instruction.slot { instruction.clone() } else { fill(slot) })
        .collect();
    Bundle { format, length: isa.format(format).length, instructions }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn every_placement_round_trips(raw in prop::array::uniform8(any::<u32>()), pc in any::<u32>()) {
        let isa = Isa::embedded();
        let pc = pc & 0x3fff_ffff;
        for index in 0..isa.placements().len() {
            let id = PlacementId(index as u16);
            let instruction = instruction(isa, id, &raw, pc);
            let opcode = isa.opcode(instruction.opcode);
            for (operand, value) in opcode.operands.iter().zip(&instruction.operands) {
                if operand.file.count() > 0 {
                    prop_assert!((0..i32::from(operand.file.count())).contains(value));
                }
            }
            let slot = instruction.slot;
            let bundle = wrap(isa, instruction);
            let bytes = isa.encode(&bundle, pc).unwrap();
            prop_assert_eq!(isa.decode(&bytes, pc), Ok(bundle), "{} in {}", opcode.mnemonic, isa.slot(slot).name);
        }
    }

    #[test]
    fn full_bundles_round_trip(raw in prop::collection::vec(any::<u32>(), 5 * 9), pc in any::<u32>()) {
        // A random placement in every slot of every format.
        let isa = Isa::embedded();
        for format in isa.formats() {
            let instructions = format.slots.iter().enumerate().map(|(index, &slot)| {
                let raw = &raw[index * 9..][..9];
                let own: Vec<PlacementId> = (0..isa.placements().len())
                    .map(|id| PlacementId(id as u16))
                    .filter(|&id| isa.placement(id).slot == slot)
                    .collect();
                let id = own[raw[8] as usize % own.len()];
                instruction(isa, id, raw[..8].try_into().unwrap(), pc)
            });
            let format_id = isa.find_format(&format.name).unwrap();
            let bundle =
                Bundle { format: format_id, length: format.length, instructions: instructions.collect() };
            let bytes = isa.encode(&bundle, pc).unwrap();
            prop_assert_eq!(isa.decode(&bytes, pc), Ok(bundle));
        }
    }
}

#[test]
fn every_mnemonic_has_a_placement_and_every_slot_is_filled() {
    let isa = Isa::embedded();
    for opcode in isa.opcodes() {
        assert!(!opcode.placements.is_empty(), "{}", opcode.mnemonic);
        let slots: HashSet<SlotId> = opcode.placements.iter().map(|&id| isa.placement(id).slot).collect();
        assert_eq!(slots.len(), opcode.placements.len(), "{}", opcode.mnemonic);
    }
    let nop = isa.find("nop").unwrap();
    for (index, slot) in isa.slots().iter().enumerate() {
        let holds_nop = isa.placement_in(nop, SlotId(index as u8)).is_some();
        assert_eq!(holds_nop, !slot.name.starts_with("Inst16"), "{}", slot.name);
    }
}

#[test]
fn exact_formats_close_exactly() {
    // isa/slots.csv: F0 F1 F3 F7 N0 N1 N2 close; F2 lacks 1 bit, F4 2, F6 3, F11 1.
    let isa = Isa::embedded();
    for format in isa.formats().iter().filter(|format| format.slots.len() > 1) {
        let owned: u32 = format.slots.iter().map(|&slot| u32::from(isa.slot(slot).width)).sum();
        let spare = u32::from(format.length) * 8 - format.mask.count_ones() - owned;
        let expected = match format.name.as_str() {
            "F2" | "F11" => 1,
            "F4" => 2,
            "F6" => 3,
            _ => 0,
        };
        assert_eq!(spare, expected, "{}", format.name);
        let mut bits: HashSet<u8> = HashSet::new();
        for &slot in &format.slots {
            assert_eq!(isa.slot(slot).gather.len(), isa.slot(slot).width as usize);
            assert!(isa.slot(slot).gather.iter().all(|&bit| bits.insert(bit)), "{}", format.name);
        }
    }
}

#[test]
fn one_mnemonic_has_another_template_in_each_slot() {
    // The four published addi templates (core-isa/spec-libisa-table-schema.md).
    let isa = Isa::embedded();
    let addi = isa.find("addi").unwrap();
    let format = isa.format(isa.find_format("F0").unwrap());
    let templates = [0x10b6_0000, 0x0039_8000, 0x00c0_3000, 0x8688_0000];
    for (&slot, template) in format.slots.iter().zip(templates) {
        let zero = Instruction { opcode: addi, slot, operands: [0, 0, 0].into_iter().collect() };
        assert_eq!(isa.encode_slot(&zero, 0), Ok(template), "{}", isa.slot(slot).name);
        let some = Instruction { opcode: addi, slot, operands: [5, 6, -7].into_iter().collect() };
        let bundle = wrap(isa, some.clone());
        let decoded = isa.decode(&isa.encode(&bundle, 0).unwrap(), 0).unwrap();
        assert!(decoded.instructions.contains(&some));
    }
}

#[test]
fn the_worked_bundle() {
    // ivp_addnx16 v3, v1, v2 in N0 (docs/isa-encoding.md).
    let isa = Isa::embedded();
    let bytes = [0x2f, 0x45, 0xc1, 0x20, 0x00, 0x89, 0x51, 0x32];
    let bundle = isa.decode(&bytes, 0).unwrap();
    assert_eq!(isa.bundle_text(&bundle).to_string(), "nop; nop; nop; ivp_addnx16 v3, v1, v2");
    let words: Vec<u64> =
        bundle.instructions.iter().map(|instruction| isa.encode_slot(instruction, 0).unwrap()).collect();
    assert_eq!(words, [0x004a_0425, 0, 0, 0x6c48_0416]);
}

#[test]
fn two_writers_of_one_register_are_an_error_in_strict_mode() {
    let isa = Isa::embedded();
    let load =
        Unplaced { opcode: isa.find("ivp_lv2nx8_i").unwrap(), operands: [3, 2, 0].into_iter().collect() };
    let add = |vt| Unplaced {
        opcode: isa.find("ivp_addnx16").unwrap(),
        operands: [vt, 1, 2].into_iter().collect(),
    };
    let bytes = |vt| isa.encode(&isa.choose_format(&[load.clone(), add(vt)], 0).unwrap(), 0).unwrap();
    assert!(isa.decode_strict(&bytes(4), 0).is_ok());
    assert!(isa.decode(&bytes(3), 0).is_ok());
    let error = isa.decode_strict(&bytes(3), 0).unwrap_err();
    assert!(matches!(&error, DecodeError::RegisterConflict { register, .. } if register == "v3"), "{error}");
}

#[test]
fn bits_without_an_owner_must_be_zero() {
    let isa = Isa::embedded();
    let mut bytes = common::bytes_of("2f2534b3100420180685a00042010600");
    assert!(isa.decode(&bytes, 0).is_ok());
    bytes[15] |= 0x80;
    assert!(matches!(isa.decode(&bytes, 0), Err(DecodeError::ReservedBits { length: 16, .. })));
}

#[test]
fn errors_name_slot_and_word() {
    let isa = Isa::embedded();
    let mut bytes = [0x2f, 0x45, 0xc1, 0x20, 0x00, 0x89, 0x51, 0x32];
    bytes[7] |= 0x04; // the one-bit slot N0_S1 holds nop only
    let error = isa.decode(&bytes, 0).unwrap_err();
    assert_eq!(error.to_string(), "reserved opcode 0x1 in slot N0_S1_None");
    assert_eq!(error.length(), Some(8));
}

#[test]
fn the_lock_file_holds_only_what_is_not_known() {
    let loaded = spec::load_dir("spec".as_ref()).unwrap();
    spec::check(&loaded).unwrap();
    let text = std::fs::read_to_string("spec/provisional.csv").unwrap();
    let known: HashSet<(String, String)> = loaded
        .placements
        .iter()
        .filter(|row| row.certainty < q7_isa::Certainty::Provisional)
        .map(|row| (row.mnemonic.clone(), row.slot.clone()))
        .collect();
    let mut locked = HashSet::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split(',');
        let pair = (cells.next().unwrap().to_owned(), cells.next().unwrap().to_owned());
        assert!(!known.contains(&pair), "{line}");
        assert!(locked.insert(pair), "{line}");
    }
}
