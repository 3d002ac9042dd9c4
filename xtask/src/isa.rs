//! `cargo xtask isa`: spec CSVs to the embedded table.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use q7_isa::{Isa, spec};

/// Loads and checks the spec, prints the Kraft sums, writes `spec/isa.bin`.
///
/// # Errors
/// If the spec contradicts itself, a slot is overfull, or with `only_check` the committed table is stale.
pub fn run(only_check: bool) -> anyhow::Result<()> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/q7-isa/spec");
    if !only_check {
        let extension = spec::extend(&directory)?;
        println!("{} provisional placements locked, {} added", extension.locked, extension.added);
    }
    let loaded = spec::load_dir(&directory)?;
    spec::check(&loaded)?;
    let isa = Isa::from_spec(&loaded)?;
    for (slot, sum) in spec::kraft_sums(&loaded) {
        ensure!(sum <= 1.0, "slot {slot} is overfull: Kraft sum {sum}");
    }
    let bytes = loaded.to_bytes();
    let path = directory.join("isa.bin");
    if only_check {
        if std::fs::read(&path).with_context(|| path.display().to_string())? != bytes {
            bail!("{} is stale: run `cargo xtask isa`", path.display());
        }
    } else {
        std::fs::write(&path, &bytes).with_context(|| path.display().to_string())?;
    }
    println!("{} opcodes, {} placements, {} bytes", isa.opcodes().len(), isa.placements().len(), bytes.len());
    print_coverage(&isa);
    Ok(())
}

/// Per slot: published and own opcodes, certainty of the templates, Kraft sum.
fn print_coverage(isa: &Isa) {
    println!("slot             published  ours  missing  observed derived likely provisional  Kraft sum");
    for slot in isa.coverage().formats.iter().flat_map(|format| &format.slots) {
        let known = slot.templates;
        println!(
            "{:16} {:9} {:5} {:8}  {:8} {:7} {:6} {:11}  {:.4}",
            slot.name,
            slot.published,
            slot.ours,
            slot.missing,
            known.observed,
            known.derived,
            known.likely,
            known.provisional,
            slot.code_space
        );
    }
}
