//! The same image on several machines: QEMU, q7-core and the exact model.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use q7_core::{Host, Limits, Machine, MemoryMap, NoHost, Observer, Stop, errno};
use q7_isa::{Bundle, Isa};

use crate::code::{Code, Literal};
use crate::elf::{self, Segment};
use crate::model::{self, Model};
use crate::tool;

/// A program that writes its results with host calls and exits with status 0.
#[derive(Clone, Debug)]
pub struct Image {
    /// What is loaded.
    pub segments: Vec<Segment>,
    /// Where it starts.
    pub entry: u32,
}

/// A machine that can run an image.
pub trait Runner {
    /// Its name, for reports.
    fn name(&self) -> String;
    /// What the program wrote.
    ///
    /// # Errors
    /// How it ended, if not by exit with status 0.
    fn run(&self, image: &Image) -> Result<Vec<u8>, String>;
}

/// Generated programs execute far fewer instructions; more means that one of them hangs.
const MOST_INSTRUCTIONS: u64 = 50_000_000;

/// How q7-core is driven. All paces must give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Whole blocks.
    Blocks,
    /// Stops after every few bundles, a different number each time, and goes on.
    Stops,
    /// Bundle by bundle, watched by an observer.
    Observed,
}

/// q7-core.
#[derive(Clone, Copy, Debug)]
pub struct Core(pub Pace);

struct Captured(Vec<u8>);

impl Host for Captured {
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, u32> {
        NoHost.open(path, flags, mode)
    }
    fn close(&mut self, _descriptor: u32) -> Result<(), u32> {
        Err(errno::EBADF)
    }
    fn read(&mut self, _descriptor: u32, _buffer: &mut [u8]) -> Result<usize, u32> {
        Err(errno::EBADF)
    }
    fn write(&mut self, _descriptor: u32, data: &[u8]) -> Result<usize, u32> {
        self.0.extend(data);
        Ok(data.len())
    }
    fn seek(&mut self, _descriptor: u32, _offset: i32, _whence: u32) -> Result<u32, u32> {
        Err(errno::ESPIPE)
    }
    fn arguments(&self) -> &[Vec<u8>] {
        &[]
    }
}

struct Watcher;

impl Observer for Watcher {
    fn issue(&mut self, _cycle: u64, _pc: u32, _bundle: Option<&Bundle>) {}
}

impl Runner for Core {
    fn name(&self) -> String {
        match self.0 {
            Pace::Blocks => "q7-core".into(),
            pace => format!("q7-core ({pace:?})"),
        }
    }

    fn run(&self, image: &Image) -> Result<Vec<u8>, String> {
        let mut machine =
            Machine::new(Isa::embedded(), &MemoryMap::default()).map_err(|error| error.to_string())?;
        for segment in &image.segments {
            machine
                .core
                .memory
                .write_bytes(segment.address, &segment.bytes)
                .map_err(|address| format!("nothing to load to at {address:#x}"))?;
        }
        machine.core.pc = image.entry;
        let mut host = Captured(Vec::new());
        let mut limits = Limits { max_bundles: Some(MOST_INSTRUCTIONS), ..Limits::default() };
        let mut stride = 0;
        let stop = loop {
            if self.0 == Pace::Stops {
                stride = stride % 7 + 1;
                limits.max_bundles = Some(machine.core.bundles() + stride);
            }
            let stop = match self.0 {
                Pace::Observed => machine.run_observed(&limits, &mut host, &mut Watcher),
                _ => machine.run(&limits, &mut host),
            };
            let goes_on = self.0 == Pace::Stops && machine.core.bundles() < MOST_INSTRUCTIONS;
            if stop != Stop::BundleLimit || !goes_on {
                break stop;
            }
        };
        match stop {
            Stop::Exit(0) => Ok(host.0),
            stop => Err(format!("{stop:?} at {:#x}", machine.core.pc)),
        }
    }
}

/// The exact model. Counts what it executes.
#[derive(Debug, Default)]
pub struct Exact {
    /// How often each mnemonic was executed so far.
    pub executed: RefCell<BTreeMap<&'static str, u64>>,
}

impl Runner for Exact {
    fn name(&self) -> String {
        "the exact model".into()
    }

    fn run(&self, image: &Image) -> Result<Vec<u8>, String> {
        let mut model = Model::new(Isa::embedded());
        for segment in &image.segments {
            model.write_bytes(segment.address, &segment.bytes);
        }
        model.pc = image.entry;
        let stop = model.run(MOST_INSTRUCTIONS);
        for (mnemonic, count) in &model.executed {
            *self.executed.borrow_mut().entry(mnemonic).or_default() += count;
        }
        match stop {
            model::Stop::Exit(0) => Ok(model.output),
            stop => Err(format!("{stop:?} at {:#x}", model.pc)),
        }
    }
}

/// QEMU's `de233_fpu` core on its `sim` board.
#[derive(Clone, Debug)]
pub struct Qemu(pub PathBuf);

/// The processor of the peer tests.
pub const QEMU_CORE: &str = "de233_fpu";

/// The vectors of that core from VECBASE 0x2000 up: kernel, user and double exception.
const QEMU_VECTORS: [u32; 3] = [0x2300, 0x2340, 0x23c0];

/// An exception makes QEMU exit with this plus EXCCAUSE.
const QEMU_EXCEPTION: i32 = 100;

/// PS: interrupts off, exception mode (in which loops do not turn) off, windows off.
const QEMU_PS: i32 = 0xf;

const QEMU_ENTRY: u32 = 0x2400;

/// What QEMU needs around an image: code that leaves exception mode, and exception handlers.
fn qemu_segments(entry: u32) -> Vec<Segment> {
    let mut start = Code::new(Isa::embedded());
    let (literal, code) = (start.label(), start.label());
    start.to("j", &[], code);
    start.align();
    start.place(literal);
    start.literal(Literal::Value(entry));
    start.place(code);
    start.op("movi", &[2, QEMU_PS]);
    start.op("wsr.ps", &[2]);
    start.op("rsync", &[]);
    start.to("l32r", &[2], literal);
    start.op("jx", &[2]);
    let mut handler = Code::new(Isa::embedded());
    handler.op("rsr.exccause", &[3]);
    handler.op("addi", &[3, 3, QEMU_EXCEPTION]);
    handler.op("movi", &[2, 1]);
    handler.op("simcall", &[0]);
    let place = |address: u32, code: &Code| Segment { address, bytes: code.assemble(address).bytes };
    let mut segments = vec![place(QEMU_ENTRY, &start)];
    segments.extend(QEMU_VECTORS.map(|vector| place(vector, &handler)));
    segments
}

impl Runner for Qemu {
    fn name(&self) -> String {
        format!("QEMU {QEMU_CORE}")
    }

    fn run(&self, image: &Image) -> Result<Vec<u8>, String> {
        let mut segments = image.segments.clone();
        segments.extend(qemu_segments(image.entry));
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = directory.path().join("program.elf");
        std::fs::write(&file, elf::executable(QEMU_ENTRY, &segments)).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.0);
        command.args(["-M", "sim", "-cpu", QEMU_CORE, "-m", "128", "-semihosting"]);
        command.args(["-display", "none", "-monitor", "none", "-serial", "none", "-device"]);
        command.arg(format!("loader,file={},cpu-num=0", file.display()));
        let ran = tool::run(&mut command, Vec::new(), Duration::from_secs(60))?;
        match ran.status {
            Some(0) => Ok(ran.output),
            Some(status) if status >= QEMU_EXCEPTION => {
                Err(format!("exception, EXCCAUSE {}", status - QEMU_EXCEPTION))
            }
            status => Err(format!("exit status {status:?}")),
        }
    }
}
