//! `q7sim isa`: the instruction set itself, without a program.

mod arguments;
mod code;
mod coverage;
mod list;
mod show;

use q7_isa::{Isa, Opcode};
use serde_json::Value;

pub use arguments::Arguments;
use arguments::Command;

use crate::status::Failure;

/// Answers a question about the instruction set.
///
/// # Errors
/// Names that do not exist, texts that do not assemble.
pub fn isa(arguments: &Arguments) -> Result<u8, Failure> {
    let isa = Isa::embedded();
    match &arguments.command {
        Command::List(list) => list::list(isa, list, arguments.json),
        Command::Show(show) => show::show(isa, &show.mnemonic, arguments.json),
        Command::Coverage => coverage::coverage(isa, arguments.json),
        Command::Decode(decode) => code::decode(isa, decode, arguments.json),
        Command::Encode(encode) => code::encode(isa, encode, arguments.json),
    }
}

fn print_json(value: &Value) -> Result<u8, Failure> {
    crate::print(|output| {
        serde_json::to_writer_pretty(&mut *output, value)?;
        writeln!(output)
    })
}

/// `out:vec:vt, in:AR:ars` with the codec of what is no register.
fn operands(opcode: &Opcode) -> Vec<String> {
    let one = |operand: &q7_isa::Operand| {
        let codec = match operand.file.prefix() {
            Some(_) => String::new(),
            None => format!(":{}", operand.codec.name),
        };
        format!("{}:{}:{}{codec}", direction(operand), operand.file.name(), operand.role)
    };
    opcode.operands.iter().map(one).collect()
}

fn direction(operand: &q7_isa::Operand) -> &'static str {
    match (operand.direction.reads(), operand.direction.writes()) {
        (true, true) => "inout",
        (false, _) => "out",
        (true, false) => "in",
    }
}
