//! Runs foreign programs: finding them, feeding them, and not waiting for them forever.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The QEMU system emulator for little-endian Xtensa.
pub const QEMU: &str = "qemu-system-xtensa";

/// GNU objdump for an Xtensa core without loops, booleans or division.
pub const OBJDUMP: &str = "xtensa-lx106-elf-objdump";

/// Set to 1 where a missing peer must fail the tests.
const REQUIRE: &str = "Q7SIM_REQUIRE_PEERS";

/// The path of a program, or `None` with a message that `test` is skipped.
///
/// # Panics
/// If the program is missing and `Q7SIM_REQUIRE_PEERS=1`.
pub fn find_or_skip(program: &str, test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file());
    if found.is_none() {
        let required = std::env::var(REQUIRE).is_ok_and(|value| value == "1");
        assert!(!required, "{test}: {program} is not installed, and {REQUIRE}=1");
        say(&format!("{test}: SKIPPED, {program} is not installed"));
    }
    found
}

/// Prints a line on stderr that the test harness does not swallow.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// What a program wrote and how it ended.
#[derive(Debug)]
pub struct Ran {
    /// Exit status, `None` if a signal ended it.
    pub status: Option<i32>,
    /// What it wrote to stdout.
    pub output: Vec<u8>,
}

/// Runs a command with `input` on stdin.
///
/// # Errors
/// A message if it cannot be started or has not ended after `limit`.
pub fn run(command: &mut Command, input: Vec<u8>, limit: Duration) -> Result<Ran, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    // The pipes are served by threads, so that neither side waits for the other.
    let writer = std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&input)));
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        stdout.map(|mut pipe| pipe.read_to_end(&mut output));
        output
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(1)),
            other => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{:?} did not end in {limit:?} ({other:?})", command.get_program()));
            }
        }
    };
    // A program may end without reading its input.
    let _ = writer.join();
    let output = reader.join().map_err(|_| "reading stdout failed".to_owned())?;
    Ok(Ran { status: status.code(), output })
}
