//! Runs sequences on two machines and reports the first that they disagree about.

use q7_isa::Isa;

use super::Sequence;
use super::batch::{Batch, RECORD, STATE, STATE_BYTES};
use super::shrink::shrink;
use crate::runner::Runner;

/// Runs the sequences on `subject` and on each of `references`.
///
/// # Errors
/// A report about the first sequence that ends in another state on a reference, made small.
pub fn check(sequences: &[Sequence], subject: &dyn Runner, references: &[&dyn Runner]) -> Result<(), String> {
    let batch = Batch::new(Isa::embedded(), sequences);
    let ours = subject.run(&batch.image);
    for &reference in references {
        let theirs = reference.run(&batch.image);
        if ours.is_ok() && ours == theirs {
            continue;
        }
        let fails = |candidates: &[Sequence]| differing(candidates, subject, reference);
        let first = fails(sequences).into_iter().position(|differs| differs);
        let first = first.ok_or("the machines differ on the batch, but not on any of its sequences")?;
        let small = shrink(sequences[first].clone(), fails);
        return Err(report(&small, subject, reference));
    }
    Ok(())
}

/// For each sequence, whether the machines disagree about it.
fn differing(sequences: &[Sequence], subject: &dyn Runner, reference: &dyn Runner) -> Vec<bool> {
    if sequences.is_empty() {
        return Vec::new();
    }
    let batch = Batch::new(Isa::embedded(), sequences);
    match (subject.run(&batch.image), reference.run(&batch.image)) {
        (Ok(ours), Ok(theirs)) => {
            let pairs = ours.chunks(RECORD).zip(theirs.chunks(RECORD));
            let mut differs: Vec<bool> = pairs.map(|(ours, theirs)| ours != theirs).collect();
            differs.resize(sequences.len(), true);
            differs
        }
        // One sequence stops the whole batch; look for it in the halves.
        _ if sequences.len() > 1 => {
            let (front, back) = sequences.split_at(sequences.len() / 2);
            [differing(front, subject, reference), differing(back, subject, reference)].concat()
        }
        _ => vec![true],
    }
}

fn report(sequence: &Sequence, subject: &dyn Runner, reference: &dyn Runner) -> String {
    let batch = Batch::new(Isa::embedded(), std::slice::from_ref(sequence));
    let (ours, theirs) = (subject.run(&batch.image), reference.run(&batch.image));
    let mut text =
        format!("sequence {}: {} and {} disagree\n", sequence.index, subject.name(), reference.name());
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            let differences = differences(ours, theirs);
            text += &format!("first difference: {}\n", differences.first().map_or("none", String::as_str));
            for difference in differences.iter().skip(1).take(10) {
                text += &format!("       and also: {difference}\n");
            }
        }
        _ => {
            for (name, result) in [(subject.name(), &ours), (reference.name(), &theirs)] {
                let ended = result.as_ref().map_or_else(String::clone, |_| "exit".into());
                text += &format!("{name}: {ended}\n");
            }
        }
    }
    text += "instructions:\n";
    text += &batch.listing(Isa::embedded(), 0);
    text += "initial registers:\n";
    for (index, value) in sequence.ar.iter().enumerate() {
        text += &if index as i32 == sequence.base {
            format!("  a{index} points to scratch{:+}\n", sequence.offset)
        } else {
            format!("  a{index} {value:#010x}\n")
        };
    }
    let names = ["sar", "br", "threadptr", "misc0", "misc1"];
    for (name, value) in names.into_iter().zip(sequence.special) {
        text += &format!("  {name} {value:#010x}\n");
    }
    text
}

/// The fields of a record that differ, with the subject's value first.
fn differences(ours: &[u8], theirs: &[u8]) -> Vec<String> {
    let word = |bytes: &[u8], at: usize| {
        bytes
            .get(4 * at..4 * at + 4)
            .map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let mut found = Vec::new();
    for at in 0..RECORD / 4 {
        let (ours, theirs) = (word(ours, at), word(theirs, at));
        if ours != theirs {
            let scratch = || format!("scratch+{}", (4 * at).saturating_sub(STATE_BYTES));
            let name = STATE.get(at).map_or_else(scratch, |name| (*name).to_owned());
            found.push(format!("{name} is {ours:#010x}, should be {theirs:#010x}"));
        }
    }
    found
}
