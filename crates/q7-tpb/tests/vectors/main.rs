//! The TPB value vectors. `Q7SIM_VECTORS` names another file of the same form to run instead.
//!
//! Tables map each operation name to the function behind it, in whichever crate it lives. Every row of our own file
//! runs. In another file, names and operands that the tables do not know are listed and do not fail.

mod call;
mod kernels;
mod numbers;
mod prose;
mod reductions;
mod words;

use std::collections::BTreeMap;

use call::{Call, Inputs, Object, literal};
use serde_json::Value;

/// What became of a row.
#[derive(Debug, PartialEq)]
enum Outcome {
    Ran,
    /// Nothing was compared: an unknown name, or a form that the tables do not know.
    Unknown(String),
    Wrong(String),
}

fn run(row: &Object) -> Outcome {
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let names = [text("op"), text("alias")];
    if row.get("prose").and_then(Value::as_bool) == Some(true) {
        let (inputs, outputs) = (text("inputs").unwrap_or_default(), text("outputs").unwrap_or_default());
        let rule = prose::RULES.iter().find(|(known, _)| names.contains(&Some(known)));
        return match rule.and_then(|(_, rule)| rule(inputs, outputs)) {
            Some(true) => Outcome::Ran,
            Some(false) => Outcome::Wrong(format!("not so: {inputs} gives {outputs}")),
            None => Outcome::Unknown(format!("prose: {inputs} gives {outputs}")),
        };
    }
    let mut tables = [numbers::OPS, words::OPS, kernels::OPS, reductions::OPS].into_iter().flatten();
    match tables.find(|(known, _)| names.iter().flatten().any(|name| known.contains(name))) {
        Some(&(_, call)) => compare(row, call),
        None => Outcome::Unknown("no function of this name".into()),
    }
}

/// Calls the function once, or once per element of the outputs' arrays, and compares everything the row states.
fn compare(row: &Object, call: Call) -> Outcome {
    let (Some(inputs), Some(outputs)) = (row["in"].as_object(), row["out"].as_object()) else {
        return Outcome::Wrong("no operands".into());
    };
    if outputs.is_empty() {
        return Outcome::Unknown("the row states nothing".into());
    }
    let mode = row.get("mode").and_then(Value::as_str).map_or(Ok(Default::default()), str::parse);
    let Ok(mode) = mode else { return Outcome::Unknown(format!("mode {}", row["mode"])) };
    let calls = match outputs.values().find_map(Value::as_array) {
        Some(elements) => (0..elements.len()).map(Some).collect(),
        None => vec![None],
    };
    if calls.is_empty() {
        return Outcome::Unknown("the row lists no calls".into());
    }
    for index in calls {
        let Some(results) = call(&Inputs { row: inputs, index, mode }) else {
            return Outcome::Unknown("operands under other names".into());
        };
        for (key, wanted) in outputs {
            let wanted = match (wanted, index) {
                (Value::Array(elements), Some(index)) => elements.get(index).and_then(literal),
                (value, _) => literal(value),
            };
            let Some((_, got)) = results.iter().find(|(name, _)| name == key) else {
                return Outcome::Unknown(format!("no result `{key}`"));
            };
            if Some(*got) != wanted {
                return Outcome::Wrong(format!("{key}: {got:#x} instead of {wanted:x?}"));
            }
        }
    }
    Outcome::Ran
}

#[test]
fn vectors_tpb() {
    let other = std::env::var("Q7SIM_VECTORS");
    let text = match &other {
        Ok(path) => std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}")),
        Err(_) => include_str!("../data/vectors.jsonl").to_owned(),
    };
    let rows = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str::<Object>(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    // Another file may hold every group; only the TPB ones are ours.
    let ours =
        |row: &Object| row.get("group").and_then(Value::as_str).is_none_or(|group| group.starts_with("tpb"));
    let mut ran = 0;
    let mut unknown = BTreeMap::<String, Vec<String>>::new();
    let mut wrong = Vec::new();
    for row in rows.filter(ours) {
        let text = |key| row.get(key).and_then(Value::as_str).unwrap_or("?");
        let name = format!("{} {}", text("id"), text("op"));
        match run(&row) {
            Outcome::Ran => ran += 1,
            Outcome::Unknown(why) => unknown.entry(why).or_default().push(name),
            Outcome::Wrong(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    println!("ran {ran} rows, failed {}", wrong.len());
    println!("unknown {}", unknown.values().map(Vec::len).sum::<usize>());
    for (why, rows) in &unknown {
        println!("  {why}: {}", rows.join(", "));
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > 0, "no row ran");
    assert!(other.is_ok() || (ran == 110 && unknown.is_empty()), "ran {ran} of 110 rows: {unknown:?}");
}

/// The harness itself must notice a wrong value and a false rule, and must not count a row that it cannot compare.
#[test]
fn vectors_tpb_harness_notices_differences() {
    let outcome = |line: &str| run(&serde_json::from_str(line).expect("a JSON object"));
    for line in [
        r#"{"op":"kernel_key","in":{"opcode":"0x45:8","spec":"0x01:8"},"out":{"key":"0x45000000:32"}}"#,
        r#"{"op":"is_signed_int","in":{"dtype":["0x02:8","0x03:8"]},"out":{"out":["0x1:1","0x1:1"]}}"#,
        r#"{"op":"rmax_nx16_16_512","in":{"a":["0xffff:16","0x0001:16"]},"out":{"out":"0xffff:16"}}"#,
        r#"{"op":"promote","prose":true,"inputs":"float16 x float32","outputs":"float16"}"#,
        r#"{"op":"mem2d_immediate_caps","prose":true,"inputs":"dtype=i8/u16","outputs":"max_elems=32"}"#,
        r#"{"op":"pool_scale","prose":true,"inputs":"window=3x2","outputs":"scale=0.1666"}"#,
    ] {
        assert!(matches!(outcome(line), Outcome::Wrong(_)), "{line}");
    }
    for line in [
        r#"{"op":"unheard_of","in":{},"out":{"out":"0x1:1"}}"#,
        r#"{"op":"kernel_key","in":{"code":"0x45:8"},"out":{"key":"0x45000000:32"}}"#,
        r#"{"op":"kernel_key","in":{"opcode":"0x45:8"},"out":{"lock":"0x45000000:32"}}"#,
        r#"{"op":"kernel_key","in":{"opcode":"0x45:8"},"out":{}}"#,
        r#"{"op":"is_signed_int","in":{"dtype":[]},"out":{"out":[]}}"#,
        r#"{"op":"promote","prose":true,"inputs":"complex64 x float32","outputs":"complex64"}"#,
        r#"{"op":"addr4_reg","prose":true,"inputs":"regid=r","outputs":"word=0x40000000|r"}"#,
    ] {
        assert!(matches!(outcome(line), Outcome::Unknown(_)), "{line}");
    }
}
