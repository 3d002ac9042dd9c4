//! The arguments of `q7sim isa`.

use clap::{Args, Subcommand};
use q7_isa::Certainty;

use crate::numbers;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum Command {
    /// Print the instructions, one a line
    List(List),
    /// Print all that is known of an instruction
    Show(Show),
    /// Print how much of the instruction set is known, by format, slot, category and family
    Coverage,
    /// Print the text of bytes, one bundle a line; exit status 1 if any is illegal
    Decode(Decode),
    /// Print the bytes of an instruction or bundle
    Encode(Encode),
}

#[derive(Args)]
pub struct List {
    /// Only this category of the catalogue of vector instructions; a part of its name will do
    #[arg(long, value_name = "NAME")]
    pub category: Option<String>,
    /// Only what sits in this slot, such as F0_S3_ALU
    #[arg(long, value_name = "SLOT")]
    pub slot: Option<String>,
    /// Only what has an encoding of this certainty: observed, derived, likely or provisional; with
    /// --slot, in that slot
    #[arg(long, value_name = "CERTAINTY", value_parser = certainty)]
    pub certainty: Option<Certainty>,
    /// Only what cannot be executed
    #[arg(long)]
    pub no_semantics: bool,
}

#[derive(Args)]
pub struct Show {
    /// The instruction
    pub mnemonic: String,
}

#[derive(Args)]
pub struct Decode {
    /// Bytes in memory order, two digits each, also with `0x`, blanks, commas or `_`; all arguments together are one stream of bundles
    #[arg(required = true, value_name = "HEX")]
    pub hex: Vec<String>,
    /// Address of the first byte
    #[arg(long, value_name = "ADDR", value_parser = numbers::word, default_value = "0")]
    pub pc: u32,
}

#[derive(Args)]
pub struct Encode {
    /// The instruction or bundle, such as `{ addi a4, a0, 24; nop; nop; ivp_addnx16 v3, v1, v2 }`
    pub text: String,
    /// Its address
    #[arg(long, value_name = "ADDR", value_parser = numbers::word, default_value = "0")]
    pub pc: u32,
}

fn certainty(text: &str) -> Result<Certainty, String> {
    [Certainty::Observed, Certainty::Derived, Certainty::Likely, Certainty::Provisional]
        .into_iter()
        .find(|certainty| certainty.name() == text)
        .ok_or_else(|| "observed, derived, likely or provisional is wanted".into())
}
