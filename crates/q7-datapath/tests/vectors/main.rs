//! Runs the rows of the vector file against the datapath.
//!
//! Prints how many rows ran, were skipped (and why), and are unknown: no entry for the operation, or one that names
//! other operands. Another file of the same form is taken through `Q7SIM_VECTORS`.

mod foreign;
mod row;
mod table;
mod table_float;
mod table_lanes;
mod table_move;
mod table_predicate;
mod table_reduce;

use std::collections::BTreeMap;
use std::{env, fs};

use row::{Problem, Row};
use table::Table;

/// Rows of these families that state what no instruction can show. (The artefacts that DECISIONS lists are gather,
/// scatter, conversion and multiply rows.)
const ARTEFACTS: [(&str, &str); 1] = [("s1081", "the 8-bit leaf was called with a 16-bit argument")];

#[derive(Default)]
struct Report {
    ran: usize,
    skipped: BTreeMap<String, usize>,
    unknown: BTreeMap<String, usize>,
    failed: Vec<String>,
}

fn run(rows: &[Row]) -> Report {
    let table = Table::new();
    let mut report = Report::default();
    for row in rows {
        let Some(operation) = table.get(&row.op) else {
            match foreign::reason(&row.op) {
                Some(reason) => *report.skipped.entry(reason.into()).or_default() += 1,
                None => *report.unknown.entry(row.op.clone()).or_default() += 1,
            }
            continue;
        };
        if let Some(reason) = reason_to_skip(row) {
            *report.skipped.entry(reason).or_default() += 1;
            continue;
        }
        let check = |call: &Row| {
            let produced = operation(call).map_err(Problem::Form)?;
            call.check(&produced)
        };
        match row.calls().iter().try_for_each(check) {
            Ok(()) => report.ran += 1,
            Err(Problem::Form(what)) => {
                *report.unknown.entry(format!("{} {}: {what}", row.op, row.id)).or_default() += 1;
            }
            Err(Problem::Differs(what)) => report.failed.push(format!("{} {}: {what}", row.id, row.op)),
        }
    }
    report
}

fn reason_to_skip(row: &Row) -> Option<String> {
    if row.prose {
        return Some("prose, no exact values (the rules are in tests/model)".into());
    }
    let artefact = ARTEFACTS.iter().find(|(id, _)| *id == row.id)?;
    Some(format!("artefact: {}", artefact.1))
}

fn print(report: &Report) {
    let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
    println!("ran {} rows, failed {}", report.ran, report.failed.len());
    println!("skipped {}", total(&report.skipped));
    for (reason, count) in &report.skipped {
        println!("  {count:4}  {reason}");
    }
    println!("unknown {}", total(&report.unknown));
    for (op, count) in &report.unknown {
        println!("  {count:4}  {op}");
    }
}

#[test]
fn vectors_of_the_reference() {
    let text = match env::var("Q7SIM_VECTORS") {
        Ok(path) => fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")),
        Err(_) => include_str!("../data/vectors.jsonl").to_owned(),
    };
    let rows: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).map(Row::parse).collect();
    let report = run(&rows);
    print(&report);
    assert!(report.ran > 0, "no row ran");
    // Every operation of our own file either matches the table or belongs to another part of the product.
    let misfit = report.unknown.keys().find(|op| op.contains(": "));
    assert!(env::var("Q7SIM_VECTORS").is_ok() || misfit.is_none(), "{misfit:?} does not fit the table");
    assert!(report.failed.is_empty(), "{} rows differ:\n{}", report.failed.len(), report.failed.join("\n"));
}

/// The harness itself must notice a wrong value and a wrong flag, and must not count a row that it cannot compare.
#[test]
fn vectors_harness_notices_differences() {
    for line in [
        r#"{"id":"1","op":"add_8_8_8","in":{"a":"0x01:8","b":"0x02:8"},"out":{"out":"0x04:8"}}"#,
        r#"{"id":"2","op":"add_8_8_8","in":{"a":["0x01:8","0x01:8"],"b":["0x01:8","0x02:8"]},"out":{"out":["0x02:8","0x02:8"]}}"#,
        r#"{"id":"3","op":"add_8_8_8","in":{"a":"0x01:8","b":"0x02:8"},"out":{"out[3]":"0x04:8"}}"#,
        r#"{"id":"5","op":"lt_2_16_16","in":{"a":"0x0001:16","b":"0x0002:16"},"out":{"out":"0x1:2"}}"#,
        r#"{"id":"6","op":"olt_1_1_32f_32f","in":{"a":"0x7fc00000:32","b":"0x00000000:32"},"out":{},"flags":{"invalid":0}}"#,
    ] {
        let report = run(&[Row::parse(line)]);
        assert_eq!((report.ran, report.failed.len()), (0, 1), "{line}");
    }
    for line in [
        r#"{"id":"4","op":"add_8_8_8","in":{"a":"0x01:8","b":"0x02:8"},"out":{"carry":"0x0:1"}}"#,
        r#"{"id":"7","op":"add_8_8_8","in":{"a":"0x01:8","b":"0x02:8"},"out":{}}"#,
        r#"{"id":"8","op":"add_8_8_8","in":{"a":"0x01:8"},"out":{"out":"0x03:8"}}"#,
    ] {
        let report = run(&[Row::parse(line)]);
        assert_eq!((report.ran, report.failed.len(), report.unknown.len()), (0, 0, 1), "{line}");
    }
}
