//! Elements per second of slice evaluation, by dtype, beside plain Rust loops and single elements.
#![allow(missing_docs)] // criterion's macros make public functions

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use q7_alu::number::{FloatFormat, Rounding};
use q7_alu::{AluOp, Dtype, Dtypes, Fp8Config, Generation, Lanes, LanesMut, Mode, Plan, State};

const LENGTH: usize = 4096;

fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

macro_rules! lanes {
    ($name:ident $ty:ident $variant:ident) => {
        /// One dtype: the plan on slices, the plan on single elements, and a plain loop.
        fn $name(
            group: &mut BenchmarkGroup<WallTime>,
            label: &str,
            op: AluOp,
            dtype: Dtype,
            plain: impl Fn($ty, $ty) -> $ty,
        ) {
            // Floats without huge exponents: products and sums stay ordinary numbers.
            let calm = |bits: u64| match dtype {
                Dtype::Fp32 => (bits as u32 & 0x81FF_FFFF | 0x3E00_0000) as $ty,
                Dtype::Fp16 => (bits as u16 & 0x9FFF | 0x2000) as $ty,
                Dtype::Bfloat16 => (bits as u16 & 0x81FF | 0x3E00) as $ty,
                _ => bits as $ty,
            };
            let [a, b] = [3, 5].map(|seed| noise(seed).take(LENGTH).map(calm).collect::<Vec<$ty>>());
            let mut out = vec![$ty::default(); LENGTH];
            let plan = Plan::new(op, Dtypes::all(dtype), Generation::Maverick, Mode::default()).unwrap();
            let mut state = State::default();
            group.bench_function(format!("{label}/slice"), |bencher| {
                bencher.iter(|| {
                    let lanes = (Lanes::$variant(black_box(&a)), Lanes::$variant(black_box(&b)));
                    plan.run(lanes.0, lanes.1, LanesMut::$variant(&mut out), &mut state).unwrap();
                    black_box(&out);
                })
            });
            group.bench_function(format!("{label}/element"), |bencher| {
                bencher.iter(|| {
                    for ((out, &a), &b) in out.iter_mut().zip(black_box(&a)).zip(black_box(&b)) {
                        *out = plan.element(a.into(), b.into(), &mut state).unwrap() as $ty;
                    }
                    black_box(&out);
                })
            });
            group.bench_function(format!("{label}/plain"), |bencher| {
                bencher.iter(|| {
                    for ((out, &a), &b) in out.iter_mut().zip(black_box(&a)).zip(black_box(&b)) {
                        *out = plain(a, b);
                    }
                    black_box(&out);
                })
            });
        }
    };
}

lanes!(bytes u8 U8);
lanes!(halves u16 U16);
lanes!(words u32 U32);
lanes!(doubles u64 U64);

/// What a plain loop does for a narrow float: widen, compute, narrow, element by element.
macro_rules! narrow {
    ($format:ident $ty:ident $operator:tt) => {
        |a: $ty, b: $ty| {
            let [a, b] = [a, b].map(|code| f32::from_bits(FloatFormat::$format.decode(code.into())));
            let result = (a $operator b).to_bits();
            FloatFormat::$format.encode(result, Rounding::NearestEven, Fp8Config::default()) as $ty
        }
    };
}

macro_rules! operation {
    ($criterion:ident $op:ident $wrapping:ident $operator:tt) => {{
        let mut group = $criterion.benchmark_group(AluOp::$op.name());
        let group = &mut group;
        group.throughput(Throughput::Elements(LENGTH as u64));
        bytes(group, "Uint8", AluOp::$op, Dtype::Uint8, |a, b| a.$wrapping(b));
        halves(group, "Int16", AluOp::$op, Dtype::Int16, |a, b| a.$wrapping(b));
        words(group, "Int32", AluOp::$op, Dtype::Int32, |a, b| a.$wrapping(b));
        doubles(group, "Int64", AluOp::$op, Dtype::Int64, |a, b| a.$wrapping(b));
        words(group, "Fp32", AluOp::$op, Dtype::Fp32, |a, b| {
            (f32::from_bits(a) $operator f32::from_bits(b)).to_bits()
        });
        halves(group, "Fp16", AluOp::$op, Dtype::Fp16, narrow!(FP16 u16 $operator));
        halves(group, "Bfloat16", AluOp::$op, Dtype::Bfloat16, narrow!(BF16 u16 $operator));
        bytes(group, "Fp8Exp4", AluOp::$op, Dtype::Fp8Exp4, narrow!(E4M3FN u8 $operator));
    }};
}

fn slices(criterion: &mut Criterion) {
    operation!(criterion Add wrapping_add +);
    operation!(criterion Mult wrapping_mul *);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(800));
    targets = slices
}
criterion_main!(benches);
