//! The arguments of every subcommand.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::numbers::{self, Load, Place, Save};
use crate::status;

/// An instruction-set simulator of the Cadence Vision-Q7 core
#[derive(Parser)]
#[command(name = "q7sim", version, after_help = status::HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a program
    Run(Run),
    /// Print the code of a program: every executable section, or what is selected
    Disasm(Disasm),
    /// Assemble and link sources into a program
    Asm(Asm),
    /// Print what a program consists of and what it needs
    Info(Info),
    /// Look things up in the instruction set; decode and encode single bundles
    Isa(crate::isa::Arguments),
    /// Evaluate TPB ALU operations, print their tables
    Alu(crate::alu::AluArgs),
    /// Print and convert TPB number formats
    Dtype(crate::dtype::DtypeArgs),
}

#[derive(Args)]
#[command(after_help = status::HELP)]
pub struct Run {
    /// The ELF file
    pub image: PathBuf,
    /// Arguments of the program; after `--` if they start with a dash
    pub arguments: Vec<OsString>,
    /// Start here instead of at the entry of the ELF file
    #[arg(long, value_name = "SYMBOL|ADDR", value_parser = numbers::place, conflicts_with = "call")]
    pub entry: Option<Place>,
    /// Initial stack pointer [default: the end of system RAM]
    #[arg(long, value_name = "ADDR", value_parser = numbers::word)]
    pub sp: Option<u32>,
    /// Call a function and print what it returns
    #[arg(long, value_name = "SYMBOL|ADDR", value_parser = numbers::place)]
    pub call: Option<Place>,
    /// Argument of the called function; repeatable, also several with commas
    #[arg(
        long = "arg",
        value_name = "N",
        value_parser = numbers::signed_word,
        value_delimiter = ',',
        allow_hyphen_values = true,
        requires = "call"
    )]
    pub call_arguments: Vec<u32>,
    /// Put the bytes of a file into memory before the run; repeatable
    #[arg(long, value_name = "ADDR=FILE", value_parser = numbers::load)]
    pub load: Vec<Load>,
    /// Write memory to a file after the run; repeatable
    #[arg(long, value_name = "ADDR:LEN=FILE", value_parser = numbers::save)]
    pub save: Vec<Save>,
    /// Stop after this many cycles
    #[arg(long, value_name = "N", value_parser = numbers::number)]
    pub max_cycles: Option<u64>,
    /// Stop after this many bundles
    #[arg(long, value_name = "N", value_parser = numbers::number)]
    pub max_bundles: Option<u64>,
    /// Memory map [default: that of the device]
    #[arg(long, value_name = "FILE.toml")]
    pub memory: Option<PathBuf>,
    /// Let the program open files below this directory; without it, none
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Print every bundle, to standard error or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub trace: Option<Option<PathBuf>>,
    /// Write the registers to a file after the run
    #[arg(long, value_name = "FILE.json")]
    pub dump_state: Option<PathBuf>,
    /// Print why the run ended, cycles, bundles and speed
    #[arg(long)]
    pub stats: bool,
}

#[derive(Args)]
pub struct Disasm {
    /// The ELF file
    pub image: PathBuf,
    /// Only this section; repeatable
    #[arg(long, value_name = "NAME")]
    pub section: Vec<String>,
    /// Only from this address on
    #[arg(long, value_name = "SYMBOL|ADDR", value_parser = numbers::place)]
    pub start: Option<Place>,
    /// Only before this address
    #[arg(long, value_name = "SYMBOL|ADDR", value_parser = numbers::place)]
    pub end: Option<Place>,
    /// Only this function
    #[arg(long, value_name = "NAME", conflicts_with_all = ["section", "start", "end"])]
    pub symbol: Option<String>,
    /// Mark instructions whose encoding is not exactly known: provisional or likely
    #[arg(long)]
    pub mark_certainty: bool,
}

#[derive(Args)]
pub struct Asm {
    /// Assembly sources
    #[arg(required = true)]
    pub sources: Vec<PathBuf>,
    /// The ELF file to write
    #[arg(short, long, value_name = "FILE.elf")]
    pub output: PathBuf,
    /// Replace branches and calls that do not reach by longer sequences
    #[arg(long)]
    pub relax: bool,
    /// Entry symbol [default: _start, else the first instruction]
    #[arg(long, value_name = "SYMBOL")]
    pub entry: Option<String>,
    /// Address of the first section [default: 0x00100000]
    #[arg(long, value_name = "ADDR", value_parser = numbers::word)]
    pub base: Option<u32>,
    /// Put a section at an address of its own; repeatable
    #[arg(long, value_name = "NAME=ADDR", value_parser = numbers::section)]
    pub section: Vec<(String, u32)>,
    /// Value of __stack [default: 0x40100000]
    #[arg(long, value_name = "ADDR", value_parser = numbers::word)]
    pub stack: Option<u32>,
    /// Print address, bytes, text and source line of every bundle
    #[arg(long)]
    pub listing: bool,
}

#[derive(Args)]
pub struct Info {
    /// The ELF file
    pub image: PathBuf,
    /// Memory map [default: that of the device]
    #[arg(long, value_name = "FILE.toml")]
    pub memory: Option<PathBuf>,
}
