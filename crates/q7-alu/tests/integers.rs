//! The integer engine against the exact model: every operation and width, single elements and slices.

mod common;

use common::integers::{halves, model};
use common::{Random, integer_edges};
use q7_alu::{
    AluOp, Domain, Dtype, Dtypes, EvalError, Generation, IntDivision, Lanes, LanesMut, Mode, Plan, State,
};
use q7_alu::{Rounding, evaluate};

const GENERATION: Generation = Generation::Maverick;

fn plan(op: AluOp, dtype: Dtype) -> Option<Plan> {
    let plan = Plan::new(op, Dtypes::all(dtype), GENERATION, Mode::default()).ok()?;
    (plan.domain() == Domain::Integer).then_some(plan)
}

fn lanes(bits: u32, values: &[u64]) -> Container {
    match bits {
        ..=8 => Container::U8(values.iter().map(|&value| value as u8).collect()),
        16 => Container::U16(values.iter().map(|&value| value as u16).collect()),
        32 => Container::U32(values.iter().map(|&value| value as u32).collect()),
        _ => Container::U64(values.to_vec()),
    }
}

enum Container {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl Container {
    fn lanes(&self) -> Lanes<'_> {
        match self {
            Container::U8(lanes) => Lanes::U8(lanes),
            Container::U16(lanes) => Lanes::U16(lanes),
            Container::U32(lanes) => Lanes::U32(lanes),
            Container::U64(lanes) => Lanes::U64(lanes),
        }
    }

    fn lanes_mut(&mut self) -> LanesMut<'_> {
        match self {
            Container::U8(lanes) => LanesMut::U8(lanes),
            Container::U16(lanes) => LanesMut::U16(lanes),
            Container::U32(lanes) => LanesMut::U32(lanes),
            Container::U64(lanes) => LanesMut::U64(lanes),
        }
    }

    fn values(&self) -> Vec<u64> {
        match self {
            Container::U8(lanes) => lanes.iter().map(|&lane| lane.into()).collect(),
            Container::U16(lanes) => lanes.iter().map(|&lane| lane.into()).collect(),
            Container::U32(lanes) => lanes.iter().map(|&lane| lane.into()).collect(),
            Container::U64(lanes) => lanes.clone(),
        }
    }
}

/// Runs slices and every `stride`-th single element against the model.
fn compare(dtype: Dtype, pairs: &[(u64, u64)], stride: usize) {
    let (a, b): (Vec<u64>, Vec<u64>) = pairs.iter().copied().unzip();
    let (a_lanes, b_lanes) = (lanes(dtype.bits(), &a), lanes(dtype.bits(), &b));
    for op in AluOp::ALL {
        let Some(plan) = plan(op, dtype) else { continue };
        let wanted = model(op.name(), dtype.bits(), dtype.is_signed_int());
        let wanted = wanted.unwrap_or_else(|| panic!("no model of {op}"));
        let mut state = State::default();
        let mut out = lanes(dtype.bits(), &vec![0; a.len()]);
        plan.run(a_lanes.lanes(), b_lanes.lanes(), out.lanes_mut(), &mut state).unwrap();
        for ((&(a, b), got), index) in pairs.iter().zip(out.values()).zip(0..) {
            assert_eq!(got, wanted(a, b), "slice {op} {dtype} {a:#x} {b:#x}");
            if index % stride == 0 {
                assert_eq!(plan.element(a, b, &mut state), Ok(got), "element {op} {dtype} {a:#x} {b:#x}");
            }
        }
        assert_eq!(state.flags, q7_alu::Flags::NONE);
    }
}

#[test]
fn all_4_bit_pairs() {
    let pairs: Vec<_> = (0..16).flat_map(|a| (0..16).map(move |b| (a, b))).collect();
    compare(Dtype::Int4, &pairs, 1);
}

#[test]
fn all_8_bit_pairs() {
    let pairs: Vec<_> = (0..256).flat_map(|a| (0..256).map(move |b| (a, b))).collect();
    for dtype in [Dtype::Int8, Dtype::Uint8] {
        compare(dtype, &pairs, 1);
    }
}

/// POW and RSQRT are the two.
#[test]
fn every_operation_but_two_has_an_integer_meaning() {
    let with: Vec<_> = AluOp::ALL.into_iter().filter(|&op| plan(op, Dtype::Int32).is_some()).collect();
    assert_eq!(with.len(), 63);
    assert!(!with.contains(&AluOp::Pow) && !with.contains(&AluOp::Rsqrt));
}

fn all_16_bit(random: usize) {
    let mut source = Random(16);
    let mut others = integer_edges(16);
    others.extend((0..random).map(|_| source.next() & 0xFFFF));
    for dtype in [Dtype::Int16, Dtype::Uint16] {
        for &b in &others {
            let pairs: Vec<_> = (0..=0xFFFF).map(|a| (a, b)).collect();
            compare(dtype, &pairs, 257);
        }
    }
}

#[test]
fn all_16_bit_values_with_edges_and_random() {
    all_16_bit(4);
}

#[test]
#[ignore = "long: all 16-bit values with 1000 random ones"]
fn all_16_bit_values_with_many_random() {
    all_16_bit(1000);
}

#[test]
fn wide_edges_and_a_million_random_pairs() {
    for dtype in [Dtype::Int32, Dtype::Uint32, Dtype::Int64, Dtype::Uint64] {
        let mut source = Random(u64::from(dtype.tag()));
        let edges = integer_edges(dtype.bits());
        let mut pairs: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
        // Half of the random second operands are small, or shifts would all be too far.
        pairs.extend((0..1_000_000u64).map(|index| {
            let [a, b] = [source.next(), source.next()];
            (a & dtype.mask(), if index % 2 == 0 { b & dtype.mask() } else { b & 0x7F })
        }));
        compare(dtype, &pairs, 101);
    }
}

#[test]
fn sixty_four_bits_equal_the_synthesis_from_halves() {
    let mut source = Random(64);
    let mut pairs: Vec<_> =
        integer_edges(64).iter().flat_map(|&a| integer_edges(64).into_iter().map(move |b| (a, b))).collect();
    pairs.extend((0..100_000).map(|_| (source.next(), source.next() >> (source.next() % 64))));
    let mut state = State::default();
    for (a, b) in pairs {
        let mut run = |op, dtype| evaluate(op, a, b, Dtypes::all(dtype), GENERATION, &mut state).unwrap();
        for dtype in [Dtype::Int64, Dtype::Uint64] {
            let signed = dtype == Dtype::Int64;
            assert_eq!(run(AluOp::AddInt, dtype), halves::add(a, b));
            assert_eq!(run(AluOp::SubtractInt, dtype), halves::subtract(a, b));
            assert_eq!(run(AluOp::MultInt, dtype), halves::multiply(a, b));
            let less = if signed { AluOp::IsLtInt } else { AluOp::IsLtUint };
            assert_eq!(run(less, dtype), u64::from(halves::less(a, b, signed)));
            let max = if signed { AluOp::MaxInt } else { AluOp::MaxUint };
            assert_eq!(run(max, dtype), if halves::less(a, b, signed) { b } else { a });
        }
    }
}

/// Assumption L1: a result narrower than an operand is a narrowing conversion and saturates; equal widths wrap; a
/// wider result keeps the bits that 16- or 32-bit registers hold.
#[test]
fn mixed_dtypes() {
    use Dtype::*;
    let mut state = State::default();
    let mut run = |op, (src0, a): (Dtype, i64), (src1, b): (Dtype, i64), out: Dtype| {
        let dtypes = Dtypes { src0, src1, out };
        let plan = Plan::new(op, dtypes, GENERATION, Mode::default()).unwrap();
        let (a, b) = (a as u64 & src0.mask(), b as u64 & src1.mask());
        let result = plan.element(a, b, &mut state).unwrap();
        let mut slice = lanes(out.bits(), &[0; 3]);
        plan.run(Lanes::Splat(a), lanes(src1.bits(), &[b; 3]).lanes(), slice.lanes_mut(), &mut state)
            .unwrap();
        assert_eq!(slice.values(), [result; 3], "{op} {dtypes:?}");
        result
    };
    assert_eq!(run(AluOp::Add, (Uint8, 200), (Uint8, 100), Uint8), 44);
    assert_eq!(run(AluOp::Add, (Uint8, 200), (Uint8, 100), Uint16), 300);
    assert_eq!(run(AluOp::Add, (Int32, 200), (Int32, 100), Uint8), 255);
    assert_eq!(run(AluOp::Add, (Int32, i32::MAX.into()), (Int32, 1), Int8), 0x80);
    assert_eq!(run(AluOp::Subtract, (Uint8, 5), (Uint8, 10), Int32), 0xFFFF_FFFB);
    assert_eq!(run(AluOp::Subtract, (Uint32, 5), (Uint32, 10), Uint8), 255);
    assert_eq!(run(AluOp::Max, (Int8, -1), (Uint8, 200), Int16), 200);
    assert_eq!(run(AluOp::Max, (Int32, -1), (Uint32, 1), Int32), 1);
    assert_eq!(run(AluOp::Bypass, (Int16, -5), (Int16, 0), Uint8), 0);
    assert_eq!(run(AluOp::Bypass, (Int8, -5), (Int8, 0), Int32), 0xFFFF_FFFB);
    assert_eq!(run(AluOp::Bypass, (Int8, -5), (Int8, 0), Uint8), 0xFB);
    assert_eq!(run(AluOp::IsLt, (Int32, -1), (Int32, 0), Uint8), 1);
    assert_eq!(run(AluOp::AmaxInt, (Int64, -1), (Int64, 3), Uint32), 1);
    // Shift counts are unsigned, of their own width, and reach 64 bits (A17).
    assert_eq!(run(AluOp::LogicalShiftRight, (Uint64, -1), (Uint32, 60), Uint64), 15);
    assert_eq!(run(AluOp::ArithShiftRight, (Uint64, i64::MIN), (Uint32, 1 << 20), Uint64), u64::MAX);
    assert_eq!(run(AluOp::LogicalShiftLeft, (Int64, 1), (Uint32, 64), Int64), 0);
    assert_eq!(run(AluOp::LogicalShiftRight, (Int8, -1), (Int8, -1), Int8), 0);
    assert_eq!(run(AluOp::ArithShiftRight, (Uint8, 0x80), (Uint8, 1), Uint8), 0xC0);
    // 4-bit integers live in a byte.
    assert_eq!(run(AluOp::Add, (Int4, 7), (Int4, 1), Int4), 8);
    assert_eq!(run(AluOp::Add, (Int4, -8), (Int4, -8), Int8), 0xF0);
    assert_eq!(run(AluOp::Bypass, (Int8, 100), (Int8, 0), Int4), 7);
    // A CRC eats as many bytes as the second operand has.
    let check = run(AluOp::Crc32, (Uint32, 0), (Uint16, 0x3231), Uint32);
    assert_eq!(check, q7_alu::crc32(0, b"12"));
}

/// Assumption L16: operands compare by value, so the combination that no register holds is refused.
#[test]
fn uint64_meets_no_signed_operand() {
    let plan = |op, src0, src1| {
        let dtypes = Dtypes { src0, src1, out: Dtype::Uint64 };
        Plan::new(op, dtypes, GENERATION, Mode::default()).map(|_| ())
    };
    for signed in [Dtype::Int8, Dtype::Int64] {
        for op in [AluOp::Add, AluOp::Max, AluOp::IsEqualInt, AluOp::Mod] {
            for (src0, src1) in [(Dtype::Uint64, signed), (signed, Dtype::Uint64)] {
                assert!(matches!(plan(op, src0, src1), Err(EvalError::Dtype { dtype: Dtype::Uint64, .. })));
            }
        }
    }
    assert_eq!(plan(AluOp::Max, Dtype::Uint64, Dtype::Uint8), Ok(()));
    assert_eq!(plan(AluOp::Max, Dtype::Int64, Dtype::Uint32), Ok(()));
    assert_eq!(plan(AluOp::LogicalShiftRight, Dtype::Uint64, Dtype::Int32), Ok(()));
}

#[test]
fn crc_has_the_standard_check_value_and_chains() {
    assert_eq!(q7_alu::crc32(0, b"123456789"), 0xCBF4_3926);
    assert_eq!(q7_alu::crc32(q7_alu::crc32(0, b"1234"), b"56789"), 0xCBF4_3926);
}

#[test]
fn division_by_zero_gives_zero_with_a_note_or_stops() {
    let dtypes = Dtypes::all(Dtype::Int32);
    let zero_divisors = [5, 0, 7, 0];
    for op in [AluOp::DivideInt, AluOp::ModInt, AluOp::DivideUint, AluOp::ModUint, AluOp::Divide, AluOp::Mod]
    {
        let mut state = State::default();
        let plan = Plan::new(op, dtypes, GENERATION, Mode::default()).unwrap();
        let mut out = [9u32; 4];
        plan.run(Lanes::Splat(100), Lanes::U32(&zero_divisors), LanesMut::U32(&mut out), &mut state).unwrap();
        assert_eq!((out[1], out[3], state.divided_by_zero), (0, 0, true), "{op}");
        let mut state = State::default();
        assert_eq!(plan.element(7, 0, &mut state), Ok(0));
        assert!(state.divided_by_zero);

        let halting = Mode { int_division: IntDivision::Halt, ..Mode::default() };
        let plan = Plan::new(op, dtypes, GENERATION, halting).unwrap();
        let mut out = [9u32; 4];
        let stopped =
            plan.run(Lanes::Splat(1), Lanes::U32(&zero_divisors), LanesMut::U32(&mut out), &mut state);
        assert_eq!((stopped, out), (Err(EvalError::DivideByZero { index: 1 }), [9; 4]));
        assert_eq!(plan.element(7, 0, &mut state), Err(EvalError::DivideByZero { index: 0 }));
    }
}

#[test]
fn an_engine_without_integers_computes_them_in_fp32() {
    let mode = Mode { domain: Some(Domain::Fp32), ..Mode::default() };
    let plan = Plan::new(AluOp::Add, Dtypes::all(Dtype::Int32), GENERATION, mode).unwrap();
    let mut state = State::default();
    assert_eq!(plan.element(1 << 24, 1, &mut state), Ok(1 << 24));
    assert!(state.flags.contains(q7_alu::Flags::INEXACT));
    let up = Mode { domain: Some(Domain::Fp32), ..Mode::with_rounding(Rounding::Up) };
    let plan = Plan::new(AluOp::Add, Dtypes::all(Dtype::Int32), GENERATION, up).unwrap();
    assert_eq!(plan.element(1 << 24, 1, &mut state), Ok((1 << 24) + 2));
}

#[test]
fn what_has_no_meaning_is_refused() {
    let refused =
        |op, dtypes, generation| Plan::new(op, dtypes, generation, Mode::default()).unwrap_err().to_string();
    assert_eq!(refused(AluOp::AddInt, Dtypes::all(Dtype::Fp32), GENERATION), "not supported dtype");
    assert_eq!(refused(AluOp::Add, Dtypes::all(Dtype::Cptc3), GENERATION), "not supported dtype");
    assert_eq!(refused(AluOp::Add, Dtypes::all(Dtype::Int4), Generation::Mariana), "not supported dtype");
    assert_eq!(refused(AluOp::Square, Dtypes::all(Dtype::Fp32), Generation::Cayman), "not supported op");
    let plan = Plan::new(AluOp::Add, Dtypes::all(Dtype::Int8), GENERATION, Mode::default()).unwrap();
    let mut out = [0u8; 2];
    for (a, b) in [(Lanes::U16(&[1, 2]), Lanes::U8(&[1, 2])), (Lanes::U8(&[1, 2]), Lanes::U8(&[1]))] {
        let wrong = plan.run(a, b, LanesMut::U8(&mut out), &mut State::default());
        assert!(matches!(wrong, Err(EvalError::Lanes { .. })));
    }
}
