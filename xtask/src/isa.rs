//! `cargo xtask isa`: spec CSVs to the embedded table.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use q7_isa::{Isa, spec};

/// Loads and checks the spec, prints the Kraft sums, writes `spec/isa.bin`.
///
/// # Errors
/// If the spec contradicts itself, a slot is overfull, or with `check` the committed table is stale.
pub fn run(check: bool) -> anyhow::Result<()> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/q7-isa/spec");
    if !check {
        let extension = spec::extend(&directory)?;
        println!("{} provisional placements locked, {} added", extension.locked, extension.added);
    }
    let loaded = spec::load_dir(&directory)?;
    let isa = Isa::from_spec(&loaded)?;
    for (slot, sum) in spec::kraft_sums(&loaded) {
        if sum > 0.0 {
            println!("{slot:16} Kraft sum {sum:.4}");
        }
        ensure!(sum <= 1.0, "slot {slot} is overfull: Kraft sum {sum}");
    }
    let bytes = loaded.to_bytes();
    let path = directory.join("isa.bin");
    if check {
        if std::fs::read(&path).with_context(|| path.display().to_string())? != bytes {
            bail!("{} is stale: run `cargo xtask isa`", path.display());
        }
    } else {
        std::fs::write(&path, &bytes).with_context(|| path.display().to_string())?;
    }
    println!("{} opcodes, {} placements, {} bytes", isa.opcodes().len(), isa.placements().len(), bytes.len());
    Ok(())
}
