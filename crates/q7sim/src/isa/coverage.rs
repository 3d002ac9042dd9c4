//! `q7sim isa coverage`

use std::io::{self, Write};

use q7_isa::Isa;
use q7_isa::coverage::{Counts, Coverage, GroupCoverage};
use serde_json::json;

use crate::status::Failure;

/// Prints how much of the instruction set is known.
///
/// # Errors
/// If standard output cannot be written.
pub fn coverage(isa: &Isa, json: bool) -> Result<u8, Failure> {
    let coverage = isa.coverage();
    if json {
        return super::print_json(&json!(coverage));
    }
    crate::print(|output| print(&coverage, output))
}

/// The four columns of a count.
fn columns(counts: &Counts) -> String {
    format!("{:8} {:7} {:6} {:11}", counts.observed, counts.derived, counts.likely, counts.provisional)
}

fn print(coverage: &Coverage, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "{:16} published   ours missing  observed derived likely provisional  (certainty of the templates)",
        "slot"
    )?;
    for format in &coverage.formats {
        writeln!(output, "{} ({} bytes)", format.name, format.length)?;
        for slot in &format.slots {
            let (published, ours) = (slot.published, slot.ours);
            let templates = columns(&slot.templates);
            writeln!(output, "  {:14} {published:9} {ours:6} {:7}  {templates}", slot.name, slot.missing)?;
        }
    }
    let (published, ours) = (coverage.published_placements, coverage.templates.total());
    let missing = published as i64 - ours as i64;
    writeln!(output, "{:16} {published:9} {ours:6} {missing:7}  {}\n", "all", columns(&coverage.templates))?;
    print_groups("category", &coverage.categories, output)?;
    print_groups("family", &coverage.families, output)?;
    writeln!(output, "mnemonics {}", coverage.mnemonics.total())
}

/// Categories or families; numbers that nobody has published are a dash.
fn print_groups(what: &str, groups: &[GroupCoverage], output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "{what:30} ISA-wide emitted   ours  observed derived likely provisional  (certainty of the names)"
    )?;
    for group in groups {
        let number = |number: Option<usize>| number.map_or("-".into(), |number| number.to_string());
        writeln!(
            output,
            "{:30} {:>8} {:>7} {:6}  {}",
            group.name,
            number(group.published),
            number(group.emitted),
            group.mnemonics.total(),
            columns(&group.mnemonics)
        )?;
    }
    writeln!(output)
}
