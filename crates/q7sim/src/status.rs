//! Exit statuses of our own, and the errors that lead to them.

use std::fmt;

use crate::report;

/// All went well.
pub const SUCCESS: u8 = 0;
/// `isa decode` was given bytes that are no bundle.
pub const ILLEGAL: u8 = 1;
/// A limit on cycles or bundles.
pub const LIMIT: u8 = 120;
/// An exception without a handler.
pub const EXCEPTION: u8 = 121;
/// An instruction without semantics, or bytes without a known decoding.
pub const NOT_IMPLEMENTED: u8 = 122;
/// A bad image, or a file that cannot be read or written.
pub const FILE: u8 = 123;
/// A bad command line.
pub const USAGE: u8 = 124;
/// Nothing can happen any more.
pub const HANG: u8 = 125;
/// Ctrl-C, or nobody reads standard output or the trace any more.
pub const INTERRUPTED: u8 = 126;

/// The end of the help.
pub const HELP: &str = "\
Numbers are decimal, 0x hexadecimal or 0b binary, with _ between digits where it helps.

Exit status: that of the program (low 8 bits), or
  120  limit on cycles or bundles     124  bad command line
  121  exception without a handler    125  hang: nothing can happen any more
  122  instruction not implemented    126  interrupted (Ctrl-C, output closed)
  123  bad image or file                1  isa decode: some bytes are no bundle";

/// An error that ends the command.
#[derive(Debug)]
pub struct Failure {
    /// Exit status.
    pub status: u8,
    /// What is wrong, with the file or argument it is about.
    message: String,
    /// The message stands for itself, without our name before it.
    bare: bool,
}

impl Failure {
    /// A command line that cannot be carried out.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { status: USAGE, message: message.into(), bare: false }
    }

    /// Something wrong with a file.
    pub fn file(name: impl fmt::Display, reason: impl fmt::Display) -> Failure {
        Failure { status: FILE, message: format!("{name}: {reason}"), bare: false }
    }

    /// Errors in sources, one a line, each with its place.
    pub fn sources(diagnostics: impl fmt::Display) -> Failure {
        Failure { status: FILE, message: diagnostics.to_string(), bare: true }
    }

    /// Both of them, with the status of the first.
    pub fn and(mut self, other: Failure) -> Failure {
        self.message = format!("{}\n{other}", self.message.trim_end());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.bare { "" } else { "q7sim: " })?;
        for (index, line) in self.message.trim_end().lines().enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            write!(f, "{separator}{}", report::printable(line))?;
        }
        Ok(())
    }
}
