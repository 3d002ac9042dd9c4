//! Developer chores: `cargo xtask CHORE`.

mod bench;
mod fixtures;
mod isa;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer chores of q7sim")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run the exhaustive tests that the suite leaves out
    Deep,
    /// Time q7sim beside QEMU on the same programs
    Bench {
        /// Runs of each side
        #[arg(long, default_value_t = 7)]
        runs: usize,
    },
    /// Build the programs under firmware-fixtures/
    Fixtures {
        /// Write to DIR/windowed, DIR/asm, DIR/call0 instead of beside the sources
        #[arg(long, value_name = "DIR", conflicts_with = "check")]
        out: Option<std::path::PathBuf>,
        /// Only compare with the committed files; exit 1 if one differs
        #[arg(long)]
        check: bool,
    },
    /// Check the ISA spec and rebuild the table that q7-isa embeds
    Isa {
        /// Only compare with the committed table; exit 1 if it is stale
        #[arg(long)]
        check: bool,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Deep => deep(),
        Chore::Bench { runs } => bench::run(runs),
        Chore::Fixtures { out, check } => fixtures::run(out, check),
        Chore::Isa { check } => isa::run(check),
    }
}

/// Runs every test marked `#[ignore]`.
fn deep() -> anyhow::Result<()> {
    let status =
        std::process::Command::new("cargo").args(["test", "--workspace", "--", "--ignored"]).status()?;
    anyhow::ensure!(status.success(), "some exhaustive test failed");
    Ok(())
}
