//! The trace: one line per bundle.
//!
//! ```text
//!       8 00100010 main+0x8: addi a4, a5, 12 | a4=0x0000001c
//!       9 00100013 main+0xb: l32i a3, a4, 4 | a3=0x00000007 | [0x00000020]4->0x00000007
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use q7_core::{Access, Exception, Observer, Register};
use q7_image::SymbolTable;
use q7_isa::{Bundle, Isa};

use crate::report;

/// Writes a line for every bundle.
pub struct Tracer<'a> {
    isa: &'a Isa,
    symbols: &'a SymbolTable,
    output: Box<dyn Write + 'a>,
    /// The line of the bundle in flight: its text, the registers and the memory it touched.
    line: String,
    registers: String,
    memory: String,
    failed: io::Result<()>,
    interrupted: Arc<AtomicBool>,
}

impl<'a> Tracer<'a> {
    /// A trace that goes to `output`. When nobody reads it any more (`| head`) it sets `interrupted`: the
    /// program would run on, slowly, for nothing.
    pub fn new(
        isa: &'a Isa,
        symbols: &'a SymbolTable,
        output: Box<dyn Write + 'a>,
        interrupted: Arc<AtomicBool>,
    ) -> Tracer<'a> {
        let (line, registers, memory) = Default::default();
        Tracer { isa, symbols, output, line, registers, memory, failed: Ok(()), interrupted }
    }

    /// Writes out what is left.
    ///
    /// # Errors
    /// The first error of the output; the trace ends there.
    pub fn finish(mut self) -> io::Result<()> {
        self.failed.and_then(|()| self.output.flush())
    }

    fn end_line(&mut self) {
        for part in [&mut self.registers, &mut self.memory] {
            if !part.is_empty() {
                self.line.push_str(" |");
                self.line.push_str(part);
                part.clear();
            }
        }
        self.line.push('\n');
        if self.failed.is_ok() {
            self.failed = self.output.write_all(self.line.as_bytes());
            if self.failed.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
                self.interrupted.store(true, Ordering::Relaxed);
            }
        }
        self.line.clear();
    }
}

impl Observer for Tracer<'_> {
    fn issue(&mut self, cycle: u64, pc: u32, bundle: Option<&Bundle>) {
        // Writing to a string does not fail.
        let _ = write!(self.line, "{cycle:8} {pc:08x} {}: ", report::symbolic(self.symbols, pc));
        self.line.push_str(&bundle.map_or("?".into(), |bundle| report::text(self.isa, bundle)));
    }

    fn register_write(&mut self, register: Register, value: u32) {
        let _ = write!(self.registers, " {register}={value:#010x}");
    }

    fn vector_write(&mut self, prefix: &'static str, number: u8, bytes: &[u8]) {
        let _ = write!(self.registers, " {prefix}{number}=0x");
        for byte in bytes.iter().rev() {
            let _ = write!(self.registers, "{byte:02x}");
        }
    }

    fn memory_access(&mut self, access: Access) {
        let Access { address, size, store, value } = access;
        let arrow = if store { "<-" } else { "->" };
        // Of more than eight bytes only the lowest are known here.
        let (dots, digits) = if size > 8 { ("..", 16) } else { ("", 2 * size as usize) };
        let _ = write!(self.memory, " [{address:#010x}]{size}{arrow}0x{dots}{value:0digits$x}");
    }

    fn retire(&mut self) {
        self.end_line();
    }

    fn exception(&mut self, _pc: u32, exception: Exception) {
        let _ = write!(self.memory, " exception {}", exception.cause);
        if let Some(address) = exception.address {
            let _ = write!(self.memory, " at {address:#010x}");
        }
        self.end_line();
    }

    fn interrupt(&mut self, pc: u32) {
        let _ = write!(self.line, "{:8} {pc:08x} {}: interrupt", "", report::symbolic(self.symbols, pc));
        self.end_line();
    }
}
