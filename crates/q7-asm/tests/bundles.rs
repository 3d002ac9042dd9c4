//! Braces: choice of format and slots, on a small instruction set made for it.

use q7_asm::{LinkOptions, Options, build, parse_bundle};
use q7_isa::Isa;
use q7_isa::spec::{Certainty, IsaSpec, PlacementRow};

/// The real formats with a handful of placements: `F0` and `N2`, both with nops everywhere.
fn spec() -> IsaSpec {
    let mut spec = IsaSpec::from_bytes(include_bytes!("../../q7-isa/spec/isa.bin")).unwrap();
    spec.placements.retain(|row| row.slot.starts_with("Inst"));
    let mut place = |mnemonic: &str, slot: &str, template: u64, widths: &[u8]| {
        let mut next = 0;
        let windows = widths
            .iter()
            .map(|width| {
                next += width;
                (next - width..next).rev().collect()
            })
            .collect();
        spec.placements.push(PlacementRow {
            mnemonic: mnemonic.into(),
            slot: slot.into(),
            template: template << 20,
            windows,
            certainty: Certainty::Provisional,
            windows_certainty: Certainty::Provisional,
            source: String::new(),
        });
    };
    for slot in ["F0_S0_LdSt", "F0_S1_Ld", "F0_S2_Mul", "F0_S3_ALU", "N2_S0_LdSt", "N2_S1_Ld"] {
        place("nop", slot, 1, &[]);
    }
    for slot in ["F0_S0_LdSt", "F0_S3_ALU", "N2_S0_LdSt"] {
        place("add", slot, 2, &[4, 4, 4]);
    }
    // A short immediate in the short format.
    place("addi", "N2_S0_LdSt", 3, &[4, 4, 3]);
    place("addi", "F0_S0_LdSt", 3, &[4, 4, 8]);
    place("l32i", "F0_S1_Ld", 4, &[4, 4, 8]);
    place("l32i", "N2_S1_Ld", 4, &[4, 4, 8]);
    place("mull", "F0_S2_Mul", 5, &[4, 4, 4]);
    spec
}

fn isa() -> Isa {
    Isa::from_spec(&spec()).unwrap()
}

/// `format: slot operation; ...`
fn shape(isa: &Isa, text: &str) -> Result<String, String> {
    let bundle = parse_bundle(isa, text, 0).map_err(|error| error.message)?;
    let slots: Vec<String> = bundle
        .instructions
        .iter()
        .map(|instruction| {
            let slot = isa.slot(instruction.slot).name.split('_').nth(1).unwrap_or("only");
            format!("{slot} {}", isa.opcode(instruction.opcode).mnemonic)
        })
        .collect();
    Ok(format!("{}: {}", isa.format(bundle.format).name, slots.join("; ")))
}

#[test]
fn the_shortest_format_that_fits_is_chosen() {
    let isa = isa();
    for (text, expected) in [
        ("add a1, a2, a3", "x24: only add"),
        ("add a1, a2, a3;", "x24: only add"),
        ("{ add a1, a2, a3 }", "x24: only add"),
        ("{ add a1, a2, a3; nop }", "N2: S0 add; S1 nop"),
        ("{ nop; add a1, a2, a3 }", "N2: S0 add; S1 nop"),
        ("{ add a1, a2, a3; l32i a4, a5, 0 }", "N2: S0 add; S1 l32i"),
        ("{ l32i a4, a5, 0; add a1, a2, a3 }", "N2: S0 add; S1 l32i"),
        ("add a1, a2, a3; l32i a4, a5, 0", "N2: S0 add; S1 l32i"),
        // Order is kept where it can be.
        ("{F0: l32i a4, a5, 0; add a1, a2, a3 }", "F0: S0 nop; S1 l32i; S2 nop; S3 add"),
        ("{F0: add a1, a2, a3; l32i a4, a5, 0 }", "F0: S0 add; S1 l32i; S2 nop; S3 nop"),
        ("{ add a1, a2, a3; add a4, a5, a6 }", "F0: S0 add; S1 nop; S2 nop; S3 add"),
        ("{ nop; nop; nop; add a1, a2, a3 }", "F0: S0 nop; S1 nop; S2 nop; S3 add"),
        ("{ mull a1, a2, a3; l32i a4, a5, 0 }", "F0: S0 nop; S1 l32i; S2 mull; S3 nop"),
        // The immediate decides.
        ("{ addi a1, a2, 3; nop }", "N2: S0 addi; S1 nop"),
        ("{ addi a1, a2, 100; nop }", "F0: S0 addi; S1 nop; S2 nop; S3 nop"),
        ("{f0: nop }", "F0: S0 nop; S1 nop; S2 nop; S3 nop"),
    ] {
        assert_eq!(shape(&isa, text), Ok(expected.into()), "{text}");
    }
}

#[test]
fn refusals_say_why() {
    let isa = isa();
    for (text, expected) in [
        ("{ neg a1, a2; nop }", "neg cannot be placed: it sits only in Inst"),
        (
            "{ add a1, a2, a3; add a4, a5, a6; add a7, a8, a9 }",
            "add, add and add cannot share a bundle (`q7sim isa show MNEMONIC` prints the slots of each)",
        ),
        // Only those that are in each other's way are named.
        (
            "{ nop; l32i a4, a5, 0; mull a1, a2, a3; mull a6, a7, a8 }",
            "mull and mull cannot share a bundle (`q7sim isa show MNEMONIC` prints the slots of each)",
        ),
        (
            "{N2: l32i a1, a2, 0; l32i a4, a5, 0; nop }",
            "3 instructions in one bundle; 2 is the most that a format holds",
        ),
        ("{N2: mull a1, a2, a3 }", "mull cannot be placed: it sits only in Inst, F0_S2_Mul"),
        ("{N2: addi a1, a2, 100 }", "in slot N2_S0_LdSt: addi: operand 3 (simm8): 100 is not -4..=3"),
        ("{x24: add.n a1, a2, a3 }", "add.n cannot be placed: it sits only in Inst16a"),
        ("{ add a1, a2, x }", "expected a register a0..a15, found `x`"),
        ("{ addi a1, a2, x }", "`x` is not known here: numbers only"),
        ("{ nop } nop", "expected nothing more, found `nop`"),
        ("nop; nop; nop; nop; nop; nop", "6 instructions in one bundle; 5 is the most that a format holds"),
    ] {
        assert_eq!(shape(&isa, text), Err(expected.into()), "{text}");
    }
}

/// An opcode without a format of its own needs no braces.
#[test]
fn an_instruction_that_stands_in_bundles_only() {
    let mut spec = IsaSpec::from_bytes(include_bytes!("../../q7-isa/spec/isa.bin")).unwrap();
    spec.placements.retain(|row| row.slot.starts_with("Inst") && row.mnemonic != "mull");
    for (mnemonic, template, windows) in
        [("nop", 1u64, vec![]), ("mull", 2, vec![vec![3, 2, 1, 0], vec![7, 6, 5, 4], vec![11, 10, 9, 8]])]
    {
        for slot in ["N2_S0_LdSt", "N2_S1_Ld"] {
            spec.placements.push(PlacementRow {
                mnemonic: mnemonic.into(),
                slot: slot.into(),
                template: template << 20,
                windows: windows.clone(),
                certainty: Certainty::Provisional,
                windows_certainty: Certainty::Provisional,
                source: String::new(),
            });
        }
    }
    let isa = Isa::from_spec(&spec).unwrap();
    assert_eq!(shape(&isa, "mull a1, a2, a3"), Ok("N2: S0 mull; S1 nop".into()));
}

/// While the layout of a format is unknown, a bundle in it is an error that says so.
#[test]
fn unknown_layouts_are_reported() {
    let mut spec = spec();
    for slot in spec.slots.iter_mut().filter(|slot| slot.name.starts_with("N2")) {
        slot.gather.clear();
        slot.gather_certainty.clear();
    }
    let isa = Isa::from_spec(&spec).unwrap();
    let source = "nop\n{ add a1, a2, a3; l32i a4, a5, 0 }";
    let error = build(&isa, "x.s", source, &Options::default(), &LinkOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "x.s:2:3: error: format N2: the layout of its slots is not known");
}

/// A vector operation without braces takes the format in which published strings show it.
#[test]
fn lone_vector_operations() {
    let isa = Isa::embedded();
    for (text, bytes) in [
        ("ivp_addnx16 v3, v1, v2", "2f45c12000895132"),
        ("{ ivp_addnx16 v3, v1, v2 }", "2f45c12000895132"),
        ("{N0: ivp_addnx16 v3, v1, v2 }", "2f45c12000895132"),
        ("nop; nop; nop; ivp_addnx16 v3, v1, v2", "2f45c12000895132"),
        ("ivp_mulnx16 wv0, v1, v2; ivp_addnx16 v3, v1, v2", "2f450485b04a00904003464003190900"),
    ] {
        let bundle = parse_bundle(isa, text, 0).unwrap();
        let hex: String = isa.encode(&bundle, 0).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, bytes, "{text}");
        let linked = build(isa, "x.s", text, &Options::default(), &LinkOptions::default());
        if text.starts_with(['i', '{']) && !text.contains("; ") {
            let bytes = isa.encode(&bundle, 0).unwrap();
            assert_eq!(linked.unwrap().section_bytes(".text"), bytes.as_slice(), "{text}");
        }
    }
}
