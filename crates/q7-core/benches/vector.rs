//! Vector bundles per second of the kernels under `firmware-fixtures/vector`, on inputs so long that their inner
//! loops are all that counts.

#![allow(missing_docs, reason = "criterion_group! makes undocumented items")]

use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use q7_core::{Limits, Machine, MemoryMap, NoHost, Stop};
use q7_image::Image;
use q7_isa::Isa;

const STACK: u32 = 0x4010_0000;
/// Bytes away from every image; the inputs are not aligned.
const FIRST: u32 = 0x0200_0003;
const SECOND: u32 = 0x0210_0005;
const TARGET: u32 = 0x0220_0009;
const ALIGNED: u32 = 0x0230_0000;

const SIZE: u32 = 0x8000;
const WIDTH: u32 = 256;
const HEIGHT: u32 = SIZE / WIDTH;
const STRIDE: u32 = WIDTH + 2;

/// Program, function and its arguments.
const CALLS: [(&str, &str, &[u32]); 9] = [
    ("copy", "copy", &[TARGET, FIRST, SIZE]),
    ("add", "add_images", &[TARGET, FIRST, SECOND, WIDTH, HEIGHT, WIDTH]),
    ("max3x3", "max3x3", &[TARGET, FIRST, WIDTH, HEIGHT, WIDTH, STRIDE]),
    ("threshold", "pack", &[TARGET, FIRST, SIZE, 100]),
    ("threshold", "brighten", &[ALIGNED, FIRST, SIZE, 100, 40]),
    ("histogram", "histogram", &[TARGET, FIRST, SIZE]),
    ("transpose", "transpose", &[TARGET, FIRST, 64, 64]),
    ("reduce", "sum", &[FIRST, SIZE / 2]),
    ("reduce", "maximum", &[FIRST, SIZE / 2]),
];

/// Runs a function of the call0 convention to its end.
fn call(machine: &mut Machine<'static>, function: u32, arguments: &[u32]) {
    machine.call(function, arguments, STACK).expect("all arguments are in registers");
    assert_eq!(machine.run(&Limits::default(), &mut NoHost), Stop::Returned);
}

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vector");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for (program, name, arguments) in CALLS {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware-fixtures/vector/elf").join(program);
        let bytes = std::fs::read(path.with_extension("elf")).expect("the fixture is committed");
        let image = Image::parse(&bytes).expect("the fixture is an image");
        let function = image.symbols.iter().find(|symbol| symbol.name == name).expect("the kernel is global");
        let function = function.address;

        let mut machine =
            Machine::new(Isa::embedded(), &MemoryMap::default()).expect("the default map is sound");
        let memory = &mut machine.core.memory;
        for segment in &image.segments {
            memory.write_bytes(segment.address, &segment.data).expect("the fixture fits");
        }
        let noise = |start: u32| -> Vec<u8> {
            let mix = |index: u32| (index.wrapping_add(start).wrapping_mul(0x9e37_79b9) >> 24) as u8;
            (0..2 * SIZE).map(mix).collect()
        };
        for start in [FIRST, SECOND] {
            memory.write_bytes(start, &noise(start)).expect("the input lies in memory");
        }

        let before = machine.core.bundles();
        call(&mut machine, function, arguments);
        group.throughput(Throughput::Elements(machine.core.bundles() - before));
        group.bench_function(name, |bencher| {
            bencher.iter(|| call(&mut machine, function, arguments));
        });
    }
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
