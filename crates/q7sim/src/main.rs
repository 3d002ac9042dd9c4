//! `q7sim`: the command line of the Vision-Q7 simulator. It reads arguments and files, and prints;
//! everything else is done by the crates below it. `docs/cli.md` is its reference.

mod alu;
mod args;
mod asm;
mod certainty;
mod disasm;
mod dtype;
mod host;
mod info;
mod input;
mod isa;
mod load;
mod numbers;
mod report;
mod root;
mod run;
mod status;
mod sweep;
mod trace;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use status::Failure;

fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(Arguments { command }) => dispatch(command),
        Err(error) => {
            let _ = error.print(); // Nobody is left to be told.
            Ok(if error.use_stderr() { status::USAGE } else { status::SUCCESS })
        }
    };
    ExitCode::from(outcome.unwrap_or_else(|failure| {
        say(&format!("{failure}\n"));
        failure.status
    }))
}

fn dispatch(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Disasm(arguments) => disasm::disasm(&arguments),
        Command::Asm(arguments) => asm::asm(&arguments),
        Command::Info(arguments) => info::info(&arguments),
        Command::Isa(arguments) => isa::isa(&arguments),
        Command::Alu(arguments) => answer(|out| alu::run(&arguments, out)),
        Command::Dtype(arguments) => answer(|out| dtype::run(&arguments, out)),
    }
}

/// Prints what a question about numbers yields; what it cannot answer is a wrong question.
fn answer(question: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<()>) -> Result<u8, Failure> {
    let mut text = Vec::new();
    question(&mut text).map_err(|error| Failure::usage(error.to_string()))?;
    print(|output| output.write_all(&text))
}

/// Writes to standard error. Unlike `eprint!` it does not panic when nobody reads.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes a result to standard output. A reader that goes away early (`| head`) is no failure.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u8, Failure> {
    let mut output = BufWriter::new(io::stdout().lock());
    match write(&mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::file("standard output", error))
        }
        _ => Ok(status::SUCCESS),
    }
}
