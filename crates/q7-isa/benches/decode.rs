//! Decoding speed over a 1 MiB stream, and loading the embedded table.
//!
//! The streams are decoded bundle by bundle without any memory of earlier bundles ("cold").

#![allow(missing_docs)] // of the function that criterion generates

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use q7_isa::{Bundle, Instruction, Isa, Operands, PlacementId, spec::IsaSpec};

const SIZE: usize = 1 << 20;

/// xorshift: the streams are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }
}

/// The published byte strings in random order, up to 1 MiB.
fn published(random: &mut Random) -> (Vec<u8>, u64) {
    let isa = Isa::embedded();
    let mut strings: Vec<Vec<u8>> = Vec::new();
    for row in csv::Reader::from_path("tests/data/bundles.csv").unwrap().records() {
        let row = row.unwrap();
        let bytes: Vec<u8> = (0..row[0].len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&row[0][i..i + 2], 16).unwrap())
            .collect();
        // The incompletely printed rows are no whole bundles.
        if isa.decode(&bytes, 0).is_ok_and(|bundle| usize::from(bundle.length) == bytes.len()) {
            strings.push(bytes);
        }
    }
    collect(|| strings[random.below(strings.len())].clone())
}

/// Bundles of every wide and narrow FLIX format with a random placement in every slot.
fn full(random: &mut Random) -> (Vec<u8>, u64) {
    let isa = Isa::embedded();
    let by_slot: Vec<Vec<PlacementId>> = (0..isa.slots().len())
        .map(|slot| {
            (0..isa.placements().len())
                .map(|id| PlacementId(id as u16))
                .filter(|&id| usize::from(isa.placement(id).slot.0) == slot)
                .collect()
        })
        .collect();
    let formats: Vec<_> = isa.formats().iter().filter(|format| format.slots.len() > 1).collect();
    collect(|| {
        let format = formats[random.below(formats.len())];
        let instructions = format.slots.iter().map(|&slot| {
            let own = &by_slot[usize::from(slot.0)];
            let placement = isa.placement(own[random.below(own.len())]);
            let operands: Operands = isa
                .opcode(placement.opcode)
                .operands
                .iter()
                .zip(&placement.windows)
                .map(|(operand, window)| {
                    let field = random.below(1 << window.len()) as u32;
                    let value = operand.codec.decode(field, window.len() as u32, 0);
                    value.or_else(|| operand.codec.decode(0, window.len() as u32, 0)).unwrap()
                })
                .collect();
            Instruction { opcode: placement.opcode, slot, operands }
        });
        let id = isa.find_format(&format.name).unwrap();
        let bundle = Bundle { format: id, length: format.length, instructions: instructions.collect() };
        isa.encode(&bundle, 0).unwrap().to_vec()
    })
}

fn collect(mut next: impl FnMut() -> Vec<u8>) -> (Vec<u8>, u64) {
    let (mut stream, mut bundles) = (Vec::new(), 0);
    while stream.len() < SIZE {
        stream.extend(next());
        bundles += 1;
    }
    (stream, bundles)
}

fn decode_all(isa: &Isa, stream: &[u8]) -> usize {
    let (mut at, mut instructions) = (0, 0);
    while at < stream.len() {
        let bundle = isa.decode(&stream[at..], 0).expect("the stream holds bundles");
        at += usize::from(bundle.length);
        instructions += bundle.instructions.len();
    }
    instructions
}

fn benches(criterion: &mut Criterion) {
    let isa = Isa::embedded();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (name, (stream, bundles)) in [("mixed", published(&mut random)), ("full_flix", full(&mut random))] {
        let mut group = criterion.benchmark_group("decode");
        group.throughput(Throughput::Elements(bundles)).sample_size(20);
        group.bench_function(name, |bencher| bencher.iter(|| decode_all(isa, &stream)));
        group.finish();
    }
    criterion.bench_function("load_embedded", |bencher| {
        bencher.iter(|| {
            let spec = IsaSpec::from_bytes(include_bytes!("../spec/isa.bin")).unwrap();
            Isa::from_spec(&spec).unwrap()
        });
    });
}

criterion_group!(decode, benches);
criterion_main!(decode);
