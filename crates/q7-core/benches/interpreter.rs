//! Guest instructions per second of the interpreter on compiled programs.
//!
//! For a ratio against a peer use `cargo xtask bench`, which runs both in turn.

#![allow(missing_docs, reason = "criterion_group! makes undocumented items")]

use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use q7_core::{Host, Limits, Machine, MemoryMap, NoHost, Stop, errno};
use q7_image::Image;
use q7_isa::Isa;

/// Runs without files; output is dropped, arguments are given.
struct Quiet(Vec<Vec<u8>>);

impl Host for Quiet {
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, u32> {
        NoHost.open(path, flags, mode)
    }
    fn close(&mut self, descriptor: u32) -> Result<(), u32> {
        NoHost.close(descriptor)
    }
    fn read(&mut self, _descriptor: u32, _buffer: &mut [u8]) -> Result<usize, u32> {
        Ok(0)
    }
    fn write(&mut self, _descriptor: u32, data: &[u8]) -> Result<usize, u32> {
        Ok(data.len())
    }
    fn seek(&mut self, _descriptor: u32, _offset: i32, _whence: u32) -> Result<u32, u32> {
        Err(errno::ESPIPE)
    }
    fn arguments(&self) -> &[Vec<u8>] {
        &self.0
    }
}

fn load(image: &Image) -> Machine<'static> {
    let mut machine = Machine::new(Isa::embedded(), &MemoryMap::default()).expect("the default map is sound");
    for segment in &image.segments {
        machine.core.memory.write_bytes(segment.address, &segment.data).expect("the fixture fits");
    }
    machine.start(image.entry, 0x4010_0000);
    machine
}

fn programs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("interpreter");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for (name, repetitions) in [("crc32", "500"), ("coremark", "100")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware-fixtures/call0/elf").join(name);
        let bytes = std::fs::read(path.with_extension("elf")).expect("the fixture is committed");
        let image = Image::parse(&bytes).expect("the fixture is an image");
        let run = |mut machine: Machine<'static>| {
            let mut host = Quiet(vec![name.into(), repetitions.into()]);
            assert_eq!(machine.run(&Limits::default(), &mut host), Stop::Exit(0));
            machine
        };
        group.throughput(Throughput::Elements(run(load(&image)).core.bundles()));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| load(&image), run, BatchSize::PerIteration)
        });
    }
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);
