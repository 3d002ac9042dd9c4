//! Runs the built binary.
#![allow(dead_code)] // Every test file uses a part.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const EXIT: &str = "movi a2, 1\n simcall 0\n";

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Ended {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ended {
            status: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// A directory for the files of one test.
pub struct Place(pub tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// `q7sim` with arguments separated by blanks, in this directory.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_q7sim"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// Runs it to its end with empty input.
    pub fn q7sim(&self, arguments: &str) -> Ended {
        self.command(arguments).stdin(Stdio::null()).output().unwrap().into()
    }

    /// Assembles a source to `p.elf`.
    pub fn assemble(&self, source: &str) {
        self.assemble_with(source, "");
    }

    pub fn assemble_with(&self, source: &str, arguments: &str) {
        self.write("p.s", source);
        let ended = self.q7sim(&format!("asm p.s -o p.elf {arguments}"));
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{source}");
    }

    /// Assembles a source and runs it; `arguments` come after the file.
    pub fn run(&self, source: &str, arguments: &str) -> Ended {
        self.assemble(source);
        self.q7sim(&format!("run p.elf {arguments}"))
    }
}

/// Runs a command with the given standard input.
pub fn with_input(mut command: Command, input: &[u8]) -> Ended {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().into()
}

pub fn fixtures(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware-fixtures").join(kind)
}

/// The ELF files of a kind of fixtures, sorted.
pub fn elves(kind: &str) -> Vec<PathBuf> {
    let directory = fixtures(kind).join("elf");
    let mut elves: Vec<PathBuf> = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "elf"))
        .collect();
    elves.sort();
    assert!(!elves.is_empty(), "{}: no ELF files", directory.display());
    elves
}
