//! `q7sim run`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use q7_core::{Abi, Limits, Machine, Stop};
use q7_image::{Image, SymbolTable};
use q7_isa::Isa;
use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::args::Run;
use crate::host::Console;
use crate::numbers::Save;
use crate::root::Root;
use crate::status::{self, Failure};
use crate::trace::Tracer;
use crate::{load, report, say};

/// Runs a program; the exit status.
///
/// # Errors
/// Bad arguments or files. How the program ends is no error here.
pub fn run(arguments: &Run) -> Result<u8, Failure> {
    let (_, image) = load::image(&arguments.image)?;
    let (mut machine, called) = prepare(arguments, &image)?;
    let end = execute(&mut machine, arguments, &image.symbols)?;
    if report::is_abnormal(&end.stop) {
        say(&format!("q7sim: {}\n{}", end.reason, report::position(&machine, &image.symbols)));
    }
    if arguments.stats {
        say(&report::stats(&machine, &end.reason, end.time));
    }
    let mut failures = Vec::new();
    if let (Stop::Returned, Some(abi)) = (&end.stop, called) {
        let printed = crate::print(|output| writeln!(output, "{:#010x}", machine.result(abi)));
        failures.extend(printed.err());
    }
    failures.extend(end.traced.err().map(|error| Failure::file(trace_name(arguments), error)));
    failures.extend(write_results(&machine, arguments));
    match failures.into_iter().reduce(Failure::and) {
        None => Ok(report::exit_status(&end.stop)),
        Some(failure) => Err(failure),
    }
}

/// A machine with everything loaded, ready to run; how the function was called, if one was.
fn prepare(arguments: &Run, image: &Image) -> Result<(Machine<'static>, Option<Abi>), Failure> {
    let map = load::memory_map(arguments.memory.as_deref())?;
    let mut machine =
        Machine::new(Isa::embedded(), &map).map_err(|error| Failure::file("memory map", error))?;
    load::place_image(&arguments.image, image, &mut machine.core.memory)?;
    for load in &arguments.load {
        load::place_file(load, &mut machine.core.memory)?;
    }
    check_saves(&machine, &arguments.save)?;
    let stack = arguments.sp.unwrap_or_else(|| load::default_stack(&map));
    let called = start(&mut machine, arguments, image, stack)?;
    Ok((machine, called))
}

/// How a run ended.
struct End {
    stop: Stop,
    reason: String,
    time: Duration,
    /// Whether the trace could be written. That nobody reads it is no error.
    traced: io::Result<()>,
}

fn execute(machine: &mut Machine, arguments: &Run, symbols: &SymbolTable) -> Result<End, Failure> {
    let interrupted = catch_interrupts()?;
    let root = arguments.root.as_deref().map(Root::new).transpose()?;
    let mut host = Console::new(program_arguments(arguments), root, Arc::clone(&interrupted));
    let mut tracer = tracer(arguments, symbols, &interrupted)?;
    let limits = Limits {
        max_cycles: arguments.max_cycles,
        max_bundles: arguments.max_bundles,
        interrupted: Some(interrupted),
    };
    let begin = Instant::now();
    let stop = match &mut tracer {
        None => machine.run(&limits, &mut host),
        Some(tracer) => machine.run_observed(&limits, &mut host, tracer),
    };
    let time = begin.elapsed();
    let mut reason = report::reason(&stop);
    let mut traced = tracer.map_or(Ok(()), Tracer::finish);
    let unread = traced.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if unread {
        traced = Ok(());
    }
    if stop == Stop::Interrupted && host.output_closed {
        reason.push_str(": standard output was closed");
    } else if stop == Stop::Interrupted && unread {
        reason.push_str(": nobody reads the trace");
    }
    Ok(End { stop, reason, time, traced })
}

/// Writes the files that the user wants after the run: all that can be, for a run may have taken hours.
fn write_results(machine: &Machine, arguments: &Run) -> Vec<Failure> {
    let saved =
        arguments.save.iter().map(|save| write_file(&save.path, |file| save_memory(machine, save, file)));
    let dumped = arguments.dump_state.iter().map(|path| {
        write_file(path, |file| {
            serde_json::to_writer_pretty(&mut *file, &machine.core.snapshot())?;
            file.write_all(b"\n")
        })
    });
    saved.chain(dumped).filter_map(Result::err).collect()
}

/// Sets the machine up at the entry, or for the call the user asks for.
fn start(machine: &mut Machine, arguments: &Run, image: &Image, stack: u32) -> Result<Option<Abi>, Failure> {
    let resolve = |place, argument| load::resolve(place, argument, &arguments.image, &image.symbols);
    if let Some(place) = &arguments.call {
        let function = resolve(place, "--call")?;
        let called = machine.call(function, &arguments.call_arguments, stack);
        return called.map(Some).map_err(|address| {
            Failure::usage(format!(
                "--arg: the stack at {address:#010x} lies outside the memory of the machine"
            ))
        });
    }
    let entry = arguments.entry.as_ref().map_or(Ok(image.entry), |place| resolve(place, "--entry"))?;
    machine.start(entry, stack);
    Ok(None)
}

/// The program's argv: its name is the path as given.
fn program_arguments(arguments: &Run) -> Vec<Vec<u8>> {
    std::iter::once(arguments.image.as_os_str())
        .chain(arguments.arguments.iter().map(|argument| argument.as_os_str()))
        .map(|argument| argument.as_encoded_bytes().to_vec())
        .collect()
}

/// A flag that the first Ctrl-C sets. The second one ends the process.
fn catch_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, status::INTERRUPTED.into(), Arc::clone(&interrupted))
        .and_then(|_| flag::register(SIGINT, Arc::clone(&interrupted)))
        .map_err(|error| Failure::file("interrupt handler", error))?;
    Ok(interrupted)
}

/// What messages call the trace.
fn trace_name(arguments: &Run) -> String {
    let path = arguments.trace.iter().flatten().next();
    path.map_or("trace".into(), |path| path.display().to_string())
}

fn tracer<'a>(
    arguments: &Run,
    symbols: &'a SymbolTable,
    interrupted: &Arc<AtomicBool>,
) -> Result<Option<Tracer<'a>>, Failure> {
    let output: Box<dyn Write> = match &arguments.trace {
        None => return Ok(None),
        // Line by line, to keep its place among what the program writes to standard error.
        Some(None) => Box::new(io::LineWriter::new(io::stderr())),
        Some(Some(path)) => Box::new(BufWriter::new(create(path)?)),
    };
    Ok(Some(Tracer::new(Isa::embedded(), symbols, output, Arc::clone(interrupted))))
}

/// It is better to hear of a bad range before a long run than after it.
fn check_saves(machine: &Machine, saves: &[Save]) -> Result<(), Failure> {
    match saves.iter().find(|save| !machine.core.memory.covers(save.address, save.length)) {
        None => Ok(()),
        Some(Save { address, length, path }) => Err(Failure::usage(format!(
            "--save {address:#x}:{length:#x}={}: not all of it lies in the memory of the machine",
            path.display()
        ))),
    }
}

fn save_memory(machine: &Machine, save: &Save, file: &mut dyn Write) -> io::Result<()> {
    let mut buffer = [0; 1 << 16];
    let mut done = 0;
    while done < save.length {
        let piece = &mut buffer[..(1 << 16).min(save.length - done) as usize];
        machine
            .core
            .memory
            .read_bytes(save.address.wrapping_add(done as u32), piece)
            .map_err(|address| io::Error::other(format!("no memory at {address:#010x}")))?;
        file.write_all(piece)?;
        done += piece.len() as u64;
    }
    Ok(())
}

fn create(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|error| Failure::file(path.display(), error))
}

fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut file = BufWriter::new(create(path)?);
    fill(&mut file).and_then(|()| file.flush()).map_err(|error| Failure::file(path.display(), error))
}
