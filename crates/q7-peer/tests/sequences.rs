//! Random sequences of base instructions: q7-core against QEMU and against the exact model.

use std::time::Instant;

use q7_peer::list::{self, Run};
use q7_peer::runner::{Core, Exact, Pace, Qemu, Runner};
use q7_peer::sequence::{Mnemonics, Sequence, check, sequence};
use q7_peer::tool::{QEMU, find_or_skip, say};

/// Sequences per image: QEMU takes about 20 ms to start.
const BATCH: u64 = 250;

const DEFAULT_SEED: u64 = 0x7151_7100;

/// The seed of the run; `Q7SIM_PEER_SEED` sets another.
fn seed() -> u64 {
    let given = std::env::var("Q7SIM_PEER_SEED").ok();
    given.map_or(DEFAULT_SEED, |text| text.parse().expect("Q7SIM_PEER_SEED is a number"))
}

/// Checks sequences 0 to `count` and reports the first disagreement.
fn run(test: &str, count: u64, mnemonics: &Mnemonics, subject: &dyn Runner, references: &[&dyn Runner]) {
    let (seed, start) = (seed(), Instant::now());
    for first in (0..count).step_by(BATCH as usize) {
        let sequences: Vec<Sequence> =
            (first..count.min(first + BATCH)).map(|index| sequence(seed, index, mnemonics)).collect();
        if let Err(report) = check(&sequences, subject, references) {
            panic!("{test}, Q7SIM_PEER_SEED={seed}:\n{report}");
        }
    }
    say(&format!("{test}: {count} sequences, seed {seed}, {:.1} s", start.elapsed().as_secs_f32()));
}

fn against_qemu(test: &str, count: u64) {
    let Some(program) = find_or_skip(QEMU, test) else { return };
    let (qemu, exact) = (Qemu(program), Exact::default());
    run(test, count, &Mnemonics::qemu(), &Core(Pace::Blocks), &[&qemu, &exact]);
    assert_executed(&exact, &[Run::Qemu], count / 50);
}

/// Every listed mnemonic was executed at least so many times.
fn assert_executed(exact: &Exact, runs: &[Run], least: u64) {
    let executed = exact.executed.borrow();
    for row in list::rows().iter().filter(|row| runs.contains(&row.run)) {
        let mnemonic = row.mnemonic.as_str();
        let count = executed.get(mnemonic).copied().unwrap_or(0);
        let stops = ["halt", "halt.n", "simcall"].contains(&mnemonic);
        assert!(stops || count >= least, "{mnemonic} was executed {count} times");
    }
}

#[test]
fn sequences_agree_with_qemu() {
    against_qemu("sequences_agree_with_qemu", 10_000);
}

#[test]
#[ignore = "takes minutes"]
fn many_sequences_agree_with_qemu() {
    against_qemu("many_sequences_agree_with_qemu", 200_000);
}

#[test]
fn sequences_agree_with_the_model() {
    let exact = Exact::default();
    run("sequences_agree_with_the_model", 10_000, &Mnemonics::model(), &Core(Pace::Blocks), &[&exact]);
    assert_executed(&exact, &[Run::Qemu, Run::Model], 200);
}

#[test]
fn all_paces_agree() {
    for pace in [Pace::Stops, Pace::Observed] {
        let test = format!("all_paces_agree ({pace:?})");
        run(&test, 1_000, &Mnemonics::model(), &Core(pace), &[&Core(Pace::Blocks)]);
    }
}
