//! Assembles a program, loads it into a machine and runs it.
#![allow(dead_code)]

use q7_asm::{LinkOptions, Linked, Options, build};
use q7_core::{Host, Limits, Machine, MemoryMap, NoHost, Stop};
use q7_isa::Isa;

/// Top of the stack of test programs.
pub const STACK: u32 = 0x0020_0000;

/// Assembles `source`; a section `.vectors` goes to address 0.
pub fn assemble(source: &str) -> Linked {
    let mut options = LinkOptions::default();
    if source.contains(".vectors") {
        options.sections.insert(".vectors".into(), 0);
    }
    build(Isa::embedded(), "test.s", source, &Options::default(), &options)
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// A machine with the program loaded, at its first instruction.
pub fn load(source: &str) -> (Machine<'static>, Linked) {
    let program = assemble(source);
    let mut machine = Machine::new(Isa::embedded(), &MemoryMap::default()).unwrap();
    for segment in program.segments() {
        machine.core.memory.write_bytes(segment.address, &segment.data).unwrap();
    }
    machine.start(program.entry(), STACK);
    (machine, program)
}

/// Enough for every test program; a hang becomes a failure.
pub fn limits() -> Limits {
    Limits { max_bundles: Some(1_000_000), ..Limits::default() }
}

/// Runs a program to its stop.
pub fn run(source: &str) -> (Machine<'static>, Stop) {
    let (mut machine, _) = load(source);
    let stop = machine.run(&limits(), &mut NoHost);
    (machine, stop)
}

/// Runs a program that ends in HALT and gives the visible registers.
pub fn registers(source: &str) -> [u32; 16] {
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Halted(0), "at {:#x}\n{source}", machine.core.pc);
    machine.core.ar
}

/// A host that collects output and serves input.
#[derive(Default)]
pub struct Streams {
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    pub arguments: Vec<Vec<u8>>,
}

impl Host for Streams {
    fn open(&mut self, _path: &[u8], _flags: u32, _mode: u32) -> Result<u32, u32> {
        Err(q7_core::errno::ENOENT)
    }
    fn close(&mut self, _descriptor: u32) -> Result<(), u32> {
        Ok(())
    }
    fn read(&mut self, _descriptor: u32, buffer: &mut [u8]) -> Result<usize, u32> {
        let count = buffer.len().min(self.input.len());
        buffer[..count].copy_from_slice(&self.input[..count]);
        self.input.drain(..count);
        Ok(count)
    }
    fn write(&mut self, _descriptor: u32, data: &[u8]) -> Result<usize, u32> {
        self.output.extend(data);
        Ok(data.len())
    }
    fn seek(&mut self, _descriptor: u32, _offset: i32, _whence: u32) -> Result<u32, u32> {
        Err(q7_core::errno::ESPIPE)
    }
    fn arguments(&self) -> &[Vec<u8>] {
        &self.arguments
    }
}
