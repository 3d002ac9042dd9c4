//! `q7sim isa`

mod common;

use common::{Ended, Place};
use serde_json::Value;

/// `q7sim isa` with the given arguments.
fn isa(arguments: &[&str]) -> Ended {
    Place::new().command("isa").args(arguments).output().unwrap().into()
}

fn json(arguments: &[&str]) -> Value {
    let ended = isa(&[arguments, &["--json"]].concat());
    assert_eq!(ended.err, "", "{arguments:?}");
    serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", ended.out))
}

#[test]
fn bytes_to_text() {
    for (arguments, status, out) in [
        (vec!["2f45c12000895132"], 0, "nop; nop; nop; ivp_addnx16 v3, v1, v2\n"),
        // One stream, however it is cut.
        (vec!["0df0", "3d", "f0 005200"], 0, "ret.n\nnop.n\nhalt 0\n"),
        (vec!["0x0d,", "0xf0,", "0x3df0_0052_00"], 0, "ret.n\nnop.n\nhalt 0\n"),
        // `bundles.csv`: call8 0x2124 at 0x3074.
        (vec!["--pc", "0x3074", "e50aff"], 0, "call8 0x2124\n"),
        (vec!["3df0e50aff", "--pc", "0x3072"], 0, "nop.n\ncall8 0x2124\n"),
        // After what is no bundle, decoding goes on where its length or the next argument says.
        (vec!["000007", "0df0"], 1, "illegal: reserved opcode 0x70000 in slot Inst\nret.n\n"),
        (
            vec!["ff0000070df0", "0df0"],
            1,
            "illegal: illegal format: selector bits of word 0x070000ff match none\nret.n\n",
        ),
        (vec!["0df0", "4f"], 1, "ret.n\nillegal: truncated: the bundle has 8 bytes, 1 are left\n"),
    ] {
        let ended = isa(&[&["decode"], arguments.as_slice()].concat());
        assert_eq!((ended.status, ended.out.as_str()), (status, out), "{arguments:?}: {}", ended.err);
    }
    for arguments in [
        &["decode"][..],
        &["decode", "0"],
        &["decode", "0x123"],
        &["decode", "ret"],
        &["decode", "0df0", "--pc", "x"],
    ] {
        assert_eq!(isa(arguments).status, 124, "{arguments:?}");
    }
}

#[test]
fn text_to_bytes() {
    for (arguments, out) in [
        (&["ivp_addnx16 v3, v1, v2"][..], "2f45c12000895132\n"),
        (&["{ nop; nop; nop; ivp_addnx16 v3, v1, v2 }"], "2f45c12000895132\n"),
        (&["{N0: ivp_addnx16 v3, v1, v2}"], "2f45c12000895132\n"),
        (&["call8 0x2124", "--pc", "0x3074"], "e50aff\n"),
    ] {
        let ended = isa(&[&["encode"], arguments].concat());
        assert_eq!((ended.status, ended.out.as_str(), ended.err.as_str()), (0, out, ""), "{arguments:?}");
    }
    for (text, part) in [
        ("frob a1", "instruction:1:1: error: unknown instruction `frob`"),
        ("  addi a1, a2, 1000", "instruction:1:3: error: addi: operand 3 (simm8): 1000 is not -128..=127"),
        (
            "{ nop; addi a1, a2, 1000 }",
            "instruction:1:8: error: in slot F0_S0_LdSt: addi: operand 3 (simm8): 1000 is not",
        ),
        ("j 0x1000000", "instruction:1:1: error: j: operand 1 (label): 0x1000000 is not"),
        (" { add a1, a2, a3; add a1, a2, a4 }", "instruction:1:4: error: N2_S0_LdSt (add)"),
        ("{N2: ivp_addnx16 v3, v1, v2}", "ivp_addnx16 cannot be placed: it sits only in "),
        ("{ ivp_addnx16 v3, v1, v2; ivp_mulnx16 wv0, v1, v2; ivp_subnx16 v3, v1, v2 }", "both write v3"),
    ] {
        let ended = isa(&["encode", text]);
        assert_eq!((ended.status, ended.out.as_str()), (123, ""), "{text}");
        assert!(ended.err.contains(part), "{text}: {}", ended.err);
    }
}

#[test]
fn json_of_bundles() {
    let decoded = json(&["decode", "2f45c12000895132"]);
    let encoded = json(&["encode", "ivp_addnx16 v3, v1, v2"]);
    assert_eq!(decoded[0], encoded);
    assert_eq!(encoded["format"], "N0");
    assert_eq!(encoded["bytes"], "2f45c12000895132");
    let addition = &encoded["instructions"][3];
    assert_eq!(addition["slot"], "N0_S3_ALU");
    assert_eq!(addition["operands"], serde_json::json!([3, 1, 2]));
    assert_eq!(addition["certainty"], "derived");
    let illegal = isa(&["decode", "000007", "--json"]);
    assert_eq!(illegal.status, 1);
    assert!(illegal.out.contains("reserved opcode"));
}

#[test]
fn what_is_known_of_an_instruction() {
    let shown = json(&["show", "IVP_ADDNX16"]);
    assert_eq!(shown["operands"], serde_json::json!(["out:vec:vt", "in:vec:vs", "in:vec:vr"]));
    assert_eq!(shown["semantics"], "implemented");
    let placements = shown["placements"].as_array().unwrap();
    let narrow = placements.iter().find(|row| row["slot"] == "N0_S3_ALU").unwrap();
    assert_eq!(narrow["template"], "0x6c480000");
    assert_eq!(narrow["template_certainty"], "observed");
    let text = isa(&["show", "ivp_addnx16"]).out;
    assert!(text.contains("    N0_S3_ALU     0x6c480000          derived     observed"), "{text}");
    let unknown = isa(&["show", "addnx16"]);
    assert_eq!(unknown.status, 124);
    assert!(unknown.err.contains("there are add, ivp_addnx16"), "{}", unknown.err);
}

#[test]
fn lists_are_filtered() {
    let count = |filters: &[&str]| json(&[&["list"], filters].concat()).as_array().unwrap().len();
    let all = count(&[]);
    assert!(all > 1400, "{all}");
    for filters in [
        &["--category", "mul / MAC"][..],
        &["--slot", "n0_s3_alu"],
        &["--certainty", "provisional"],
        &["--no-semantics"],
        &["--slot", "N0_S3_ALU", "--certainty", "derived"],
    ] {
        let count = count(filters);
        assert!(count > 0 && count < all, "{filters:?}: {count}");
        let lines = isa(&[&["list"], filters].concat()).out.lines().count();
        assert_eq!(lines, count, "{filters:?}");
    }
    let without = json(&["list", "--no-semantics"]);
    assert!(without.as_array().unwrap().iter().all(|row| row["semantics"] != "implemented"));
    let names: Vec<&Value> = without.as_array().unwrap().iter().map(|row| &row["mnemonic"]).collect();
    assert!(names.contains(&&"setw".into()) && !names.contains(&&"addi".into()));
    for filters in [&["--slot", "F9"][..], &["--category", "none"], &["--certainty", "sure"]] {
        assert_eq!(isa(&[&["list"], filters].concat()).status, 124, "{filters:?}");
    }
}

#[test]
fn coverage_adds_up() {
    let coverage = json(&["coverage"]);
    let slots =
        coverage["formats"].as_array().unwrap().iter().flat_map(|format| format["slots"].as_array().unwrap());
    let (mut published, mut ours) = (0, 0);
    for slot in slots {
        published += slot["published"].as_u64().unwrap();
        ours += slot["ours"].as_u64().unwrap();
    }
    assert_eq!(published, 12569);
    assert_eq!(coverage["categories"].as_array().unwrap().len(), 14);
    let text = isa(&["coverage"]).out;
    let all = text.lines().find(|line| line.starts_with("all ")).unwrap();
    let numbers: Vec<u64> = all.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers[..2], [published, ours]);
    assert_eq!(numbers[3..].iter().sum::<u64>(), ours);
    assert!(
        text.lines().any(|line| line.starts_with("mul / MAC ") && line.contains(" 236      50 ")),
        "{text}"
    );
}
