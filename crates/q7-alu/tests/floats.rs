//! The fp32 hub against the soft float, and the narrow formats against their enumeration.

mod common;

use common::floats;
use common::formats::{Model, Special};
use common::{Random, fp32_edges};
use q7_alu::number::fp32::{max_number, min_number};
use q7_alu::number::{FloatFormat, convert, integer_to_fp32};
use q7_alu::{AluOp, Conversion, Domain, Dtype, Dtypes, Flags, FloatToInt, Fp8Config, Generation};
use q7_alu::{Lanes, LanesMut, Mode, Plan, Rounding, State};

const GENERATION: Generation = Generation::Maverick;

fn hub_plans(dtype: Dtype, mode: Rounding) -> Vec<Plan> {
    let plan = |op| {
        let domain = Some(Domain::Fp32).filter(|_| dtype.is_int());
        let mode = Mode { domain, ..Mode::with_rounding(mode) };
        Plan::new(op, Dtypes::all(dtype), GENERATION, mode).ok()
    };
    let arithmetic = |plan: &Plan| plan.domain() == Domain::Fp32 && plan.op() != AluOp::Pow;
    AluOp::ALL.into_iter().filter_map(plan).filter(arithmetic).collect()
}

fn fp32_pairs(random: usize, seed: u64) -> Vec<(u32, u32)> {
    let edges = fp32_edges();
    let mut pairs: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
    let mut source = Random(seed);
    pairs.extend((0..random).map(|index| {
        let [a, b] = [source.next() as u32, source.next() as u32];
        match index % 4 {
            0 => (a, b),
            // Near each other, so that sums cancel and quotients round; and far apart in the last place.
            1 => (a, a ^ (b & 0x8000_00FF)),
            2 => (a & 0xBFFF_FFFF | 0x3000_0000, b & 0xBFFF_FFFF | 0x3000_0000),
            _ => (a & 0x81FF_FFFF, b & 0xC1FF_FFFF | 0x3E00_0000),
        }
    }));
    pairs
}

fn compare_fp32(mode: Rounding, random: usize) {
    let pairs = fp32_pairs(random, mode as u64 + 1);
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let plans = hub_plans(Dtype::Fp32, mode);
    assert_eq!(plans.len(), 24);
    for plan in plans {
        let op = plan.op();
        let mut out = vec![0; a.len()];
        plan.run(Lanes::U32(&a), Lanes::U32(&b), LanesMut::U32(&mut out), &mut State::default()).unwrap();
        for (index, (&(a, b), &got)) in pairs.iter().zip(&out).enumerate() {
            let (wanted, flags) = floats::with_flags(op.name(), a, b, mode).unwrap();
            assert_eq!(got, wanted, "{op} {mode:?} {a:#010x} {b:#010x}: {got:#010x} {wanted:#010x}");
            if index % 7 == 0 || index < 4000 {
                let mut state = State::default();
                assert_eq!(plan.element(a.into(), b.into(), &mut state), Ok(got.into()));
                if let Some(flags) = flags {
                    let without_underflow = Flags(state.flags.0 & !Flags::UNDERFLOW.0);
                    assert_eq!(without_underflow, flags, "{op} {mode:?} {a:#010x} {b:#010x}");
                }
            }
        }
    }
}

#[test]
fn fp32_edges_and_a_million_random_pairs_to_nearest_even() {
    compare_fp32(Rounding::NearestEven, 1_000_000);
}

#[test]
fn fp32_edges_and_random_pairs_in_the_other_directions() {
    for mode in [Rounding::TowardZero, Rounding::Up, Rounding::Down] {
        compare_fp32(mode, 100_000);
    }
}

#[test]
#[ignore = "long: a million random pairs in each direction"]
fn fp32_a_million_random_pairs_in_the_other_directions() {
    for mode in [Rounding::TowardZero, Rounding::Up, Rounding::Down] {
        compare_fp32(mode, 1_000_000);
    }
}

/// Tininess is tested after rounding at full precision (A9): the threshold lies a quarter unit lower than at the
/// subnormal precision.
#[test]
fn underflow_at_the_edge_of_the_normal_range() {
    let product = |a: f32, b: f32, mode| {
        let plan =
            Plan::new(AluOp::Mult, Dtypes::all(Dtype::Fp32), GENERATION, Mode::with_rounding(mode)).unwrap();
        let mut state = State::default();
        let bits = plan.element(a.to_bits().into(), b.to_bits().into(), &mut state).unwrap();
        (f32::from_bits(bits as u32), state.flags.contains(Flags::UNDERFLOW))
    };
    let normal = f32::MIN_POSITIVE;
    let almost_one = 1.0 - f32::EPSILON / 2.0;
    // 2^-126 (1 - 2^-24) has 24 bits, so at full precision it stays below 2^-126: tiny, though it is stored as 2^-126.
    assert_eq!(product(normal, almost_one, Rounding::NearestEven), (normal, true));
    // (1 + 2^-23)(1 - 2^-24) 2^-126 = 2^-126 (1 + 2^-24 - 2^-47): above, never tiny.
    assert_eq!(product(normal * (1.0 + f32::EPSILON), almost_one, Rounding::NearestEven), (normal, false));
    // 2^-126 (1 - 2^-23)(1 + 2^-23) = 2^-126 (1 - 2^-46) rounds up to 2^-126 at 24 bits: not tiny upward and to
    // nearest, tiny downward.
    let below = f32::from_bits(0x3F7F_FFFE);
    let above = f32::from_bits(0x3F80_0001) * f32::MIN_POSITIVE;
    assert_eq!(product(above, below, Rounding::NearestEven), (normal, false));
    assert_eq!(product(above, below, Rounding::Up), (normal, false));
    assert_eq!(product(above, below, Rounding::Down), (normal.next_down(), true));
}

/// The same edge for a narrowing conversion: FP16 has 11 bits, its smallest normal number is 2^-14. At full precision
/// 2^-14 (1 - 2^-12) is a tie that rounds up to it; anything lower does not reach it.
#[test]
fn underflow_of_a_conversion() {
    let normal = 2f32.powi(-14);
    let tie = normal * (1.0 - 2f32.powi(-12));
    let underflow = |value: f32, mode| {
        let flags = FloatFormat::FP16.encode_flags(value.to_bits(), mode, Fp8Config::default());
        assert!(flags.contains(Flags::INEXACT), "{value} {mode:?}");
        flags.contains(Flags::UNDERFLOW)
    };
    for sign in [1.0, -1.0] {
        assert!(!underflow(sign * tie, Rounding::NearestEven));
        assert!(underflow(sign * tie.next_down(), Rounding::NearestEven));
        assert!(underflow(sign * tie, Rounding::TowardZero));
        let (away, toward) =
            if sign > 0.0 { (Rounding::Up, Rounding::Down) } else { (Rounding::Down, Rounding::Up) };
        // Away from zero everything above the last 11-bit number below 2^-14 gets there.
        let last = normal * (1.0 - 2f32.powi(-11));
        assert!(!underflow(sign * last.next_up(), away));
        assert!(underflow(sign * last.next_down(), away));
        assert!(underflow(sign * tie, toward));
    }
    let exact =
        FloatFormat::FP16.encode_flags(2f32.powi(-24).to_bits(), Rounding::NearestEven, Fp8Config::default());
    assert_eq!(exact, Flags::NONE); // an exact subnormal raises nothing
}

/// Every pair of FP8, block scale and FP4 codes through every operation.
#[test]
fn all_8_bit_float_pairs() {
    let formats = [
        (Dtype::Fp8Exp2, "E2M5"),
        (Dtype::Fp8Exp3, "E3M4"),
        (Dtype::Fp8Exp4, "E4M3FN"),
        (Dtype::Fp8Exp5, "E5M2"),
        (Dtype::Sfp8E5, "E5M3"),
        (Dtype::Sfp8E6, "E6M2"),
        (Dtype::Sfp8E7, "E7M1"),
        (Dtype::Sfp8E8, "E8M0"),
        (Dtype::Fp4Exp2, "E2M1"),
    ];
    for (dtype, name) in formats {
        let model = Model::named(name);
        let codes = 0..=dtype.mask() as u8;
        let pairs: Vec<_> = codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b))).collect();
        let (a, b): (Vec<u8>, Vec<u8>) = pairs.iter().copied().unzip();
        for plan in hub_plans(dtype, Rounding::NearestEven) {
            let mut out = vec![0; a.len()];
            let mut state = State::default();
            plan.run(Lanes::U8(&a), Lanes::U8(&b), LanesMut::U8(&mut out), &mut state).unwrap();
            for (&(a, b), &got) in pairs.iter().zip(&out) {
                let [x, y] = [a, b].map(|code| widen(&model, code.into()));
                let wide = floats::model(plan.op().name(), x, y, Rounding::NearestEven).unwrap();
                let wanted = narrow(&model, wide);
                assert_eq!(u32::from(got), wanted, "{} {dtype} {a:#x} {b:#x}", plan.op());
            }
        }
    }
}

/// Single elements equal slices, for FP8, FP4 and the mixed forms.
#[test]
fn single_float_elements_equal_slices() {
    let codes: Vec<u8> = (0..=255).collect();
    let dtypes = [Dtype::Fp8Exp2, Dtype::Fp8Exp3, Dtype::Fp8Exp4, Dtype::Fp8Exp5, Dtype::Int8, Dtype::Uint8];
    for (src0, src1) in dtypes.iter().flat_map(|&src0| dtypes.map(|src1| (src0, src1))) {
        for out in [Dtype::Fp32, Dtype::Fp32r, Dtype::Uint32, Dtype::Int32] {
            for op in [AluOp::Add, AluOp::Divide, AluOp::Max, AluOp::IsLt, AluOp::Bypass] {
                for mode in Rounding::ALL {
                    let dtypes = Dtypes { src0, src1, out };
                    let plan = Plan::new(op, dtypes, GENERATION, Mode::with_rounding(mode)).unwrap();
                    let mut results = [0u32; 256];
                    let mut state = State::default();
                    let lanes = LanesMut::U32(&mut results);
                    plan.run(Lanes::U8(&codes), Lanes::Splat(0x3A), lanes, &mut state).unwrap();
                    for (code, result) in results.into_iter().enumerate() {
                        let element = plan.element(code as u64, 0x3A, &mut state).unwrap();
                        assert_eq!(element, u64::from(result), "{op} {dtypes:?} {mode:?} {code:#x}");
                    }
                }
            }
        }
    }
}

/// fp32 bits of a code by the model.
fn widen(model: &Model, code: u32) -> u32 {
    match model.decode(code) {
        Some(value) => (value as f32).to_bits(),
        // A NaN: payload at the top of the mantissa; formats with one NaN give the canonical one.
        None => {
            let sign = code >> (model.exponent_bits + model.mantissa_bits) << 31;
            let payload = (code % (1 << model.mantissa_bits)) << (23 - model.mantissa_bits);
            let canonical = model.special == Special::OneNan;
            (sign * u32::from(model.signed)) | 0x7F80_0000 | if canonical { 0x40_0000 } else { payload }
        }
    }
}

/// Code of fp32 bits by the model, NaN as the reference prints it.
fn narrow(model: &Model, bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return model.encode(value, Rounding::NearestEven);
    }
    let sign = bits >> 31 << (model.exponent_bits + model.mantissa_bits);
    match (model.special, model.exponent_bits) {
        (Special::None, _) => sign,
        (Special::OneNan, _) => (1 << (model.exponent_bits + model.mantissa_bits)) - 1,
        (Special::Ieee, 3) => 0x78,
        (Special::Ieee, 5) if model.mantissa_bits == 2 => 0x7E,
        (Special::Ieee, 5) => 0x7E00 | sign,
        (Special::Ieee, _) => 0x7FC0,
    }
}

fn all_16_bit_floats(others: usize) {
    let mut source = Random(1616);
    for (dtype, name) in [(Dtype::Fp16, "FP16"), (Dtype::Bfloat16, "BF16")] {
        let model = Model::named(name);
        let mut second = vec![0, 0x8000, 0x3C00, 0x7BFF, 0x7C00, 0x7E01];
        second.extend((0..others).map(|_| source.next() as u16));
        let a: Vec<u16> = (0..=0xFFFF).collect();
        for plan in hub_plans(dtype, Rounding::NearestEven) {
            for &b in &second {
                let mut out = vec![0; a.len()];
                let mut state = State::default();
                plan.run(Lanes::U16(&a), Lanes::Splat(b.into()), LanesMut::U16(&mut out), &mut state)
                    .unwrap();
                let y = widen(&model, b.into());
                for (&a, &got) in a.iter().zip(&out) {
                    let x = widen(&model, a.into());
                    let wide = floats::model(plan.op().name(), x, y, Rounding::NearestEven).unwrap();
                    let wanted = narrow(&model, wide);
                    assert_eq!(u32::from(got), wanted, "{} {dtype} {a:#x} {b:#x}", plan.op());
                }
            }
        }
    }
}

#[test]
fn all_16_bit_float_values_with_edges_and_random() {
    all_16_bit_floats(1);
}

#[test]
#[ignore = "long: all 16-bit floats with 40 random second operands"]
fn all_16_bit_float_values_with_many_random() {
    all_16_bit_floats(40);
}

const FORMATS: [(&str, &FloatFormat); 13] = [
    ("FP16", &FloatFormat::FP16),
    ("BF16", &FloatFormat::BF16),
    ("FP32R", &FloatFormat::FP32R),
    ("E5M2", &FloatFormat::E5M2),
    ("E3M4", &FloatFormat::E3M4),
    ("E4M3FN", &FloatFormat::E4M3FN),
    ("E2M5", &FloatFormat::E2M5),
    ("E2M3", &FloatFormat::E2M3),
    ("E2M1", &FloatFormat::E2M1),
    ("E8M0", &FloatFormat::E8M0),
    ("E7M1", &FloatFormat::E7M1),
    ("E6M2", &FloatFormat::E6M2),
    ("E5M3", &FloatFormat::E5M3),
];

/// Every code of every narrow format means what the enumeration says, and comes back in every direction.
#[test]
fn all_codes_to_fp32_and_back_in_every_direction() {
    for (name, format) in FORMATS {
        let model = Model::named(name);
        for code in 0..model.codes() {
            let code_bits = code << format.padding;
            let wide = format.decode(code_bits);
            assert_eq!(wide, widen(&model, code), "{name} {code:#x}");
            if f32::from_bits(wide).is_nan() {
                continue;
            }
            for mode in Rounding::ALL {
                let back = format.encode(wide, mode, Fp8Config::default());
                // A saturating format has no code for an infinity.
                let infinite =
                    f32::from_bits(wide).is_infinite() && format.overflow != q7_alu::number::Overflow::Ieee;
                let wanted = if infinite { model.encode(f32::from_bits(wide), mode) } else { code };
                assert_eq!(back, wanted << format.padding, "{name} {code:#x} {mode:?}");
                let flags = format.encode_flags(wide, mode, Fp8Config::default());
                assert!(infinite || flags == Flags::NONE, "{name} {code:#x} {mode:?} {flags}");
            }
        }
    }
}

/// Between every two neighbours: just above, a quarter, just below, at and just above the middle, just below the next.
#[test]
fn values_between_codes_round_in_every_direction() {
    for (name, format) in FORMATS {
        let model = Model::named(name);
        for pair in model.numbers.windows(2) {
            let [(below, _), (above, _)] = [pair[0], pair[1]];
            let middle = (below + above) / 2.0;
            for point in [below, (below + middle) / 2.0, middle, above] {
                let bits = (point as f32).to_bits();
                for near in [bits.saturating_sub(1), bits, bits + 1] {
                    check_encoding(name, format, &model, near);
                }
            }
        }
        let mut source = Random(99);
        for _ in 0..20_000 {
            let bits = source.next() as u32;
            let centre = 0x3F80_0000 + ((bits >> 4) % 0x1000_0000) - 0x0800_0000;
            check_encoding(name, format, &model, bits & 0x7FFF_FFFF);
            check_encoding(name, format, &model, centre);
        }
    }
}

fn check_encoding(name: &str, format: &FloatFormat, model: &Model, magnitude: u32) {
    if magnitude > 0x7F80_0000 {
        return;
    }
    for bits in [magnitude, magnitude | 0x8000_0000] {
        for mode in Rounding::ALL {
            let got = format.encode(bits, mode, Fp8Config::default());
            let wanted = model.encode(f32::from_bits(bits), mode) << format.padding;
            assert_eq!(got, wanted, "{name} {bits:#010x} {mode:?}");
        }
    }
}

/// FP16 and BF16 against the soft float, flags included (underflow aside).
#[test]
fn halves_agree_with_the_soft_float() {
    use rustc_apfloat::ieee::{BFloat, Half};
    use rustc_apfloat::{Float, FloatConvert, StatusAnd};
    let mut source = Random(7);
    let mut inputs: Vec<u32> = fp32_edges();
    inputs.extend((0..300_000).map(|_| source.next() as u32));
    inputs.extend((0..300_000).map(|_| source.next() as u32 & 0x8FFF_FFFF | 0x3000_0000));
    for bits in inputs {
        for mode in Rounding::ALL {
            let mut loses = false;
            let single = floats::single(bits);
            if f32::from_bits(bits).is_nan() {
                continue;
            }
            let half: StatusAnd<Half> = single.convert_r(floats::round(mode), &mut loses);
            let brain: StatusAnd<BFloat> = single.convert_r(floats::round(mode), &mut loses);
            let results = [
                (&FloatFormat::FP16, half.value.to_bits() as u32, half.status),
                (&FloatFormat::BF16, brain.value.to_bits() as u32, brain.status),
            ];
            for (format, wanted, status) in results {
                let config = Fp8Config::default();
                assert_eq!(
                    format.encode(bits, mode, config),
                    wanted,
                    "{} {bits:#010x} {mode:?}",
                    format.name
                );
                let flags = Flags(format.encode_flags(bits, mode, config).0 & !Flags::UNDERFLOW.0);
                // The soft float reports no overflow where the result is the largest number.
                let value = f32::from_bits(bits).abs();
                let beyond =
                    value.is_finite() && value >= if format.bias == 15 { 65536.0 } else { f32::INFINITY };
                let overflow = if beyond { Flags::OVERFLOW } else { Flags::NONE };
                assert_eq!(flags, floats::flags(status) | overflow, "{} {bits:#010x} {mode:?}", format.name);
            }
        }
    }
}

#[test]
fn the_fp8_switches() {
    let encode = |format: &FloatFormat, value: f32, saturate, secondary| {
        format.encode(value.to_bits(), Rounding::NearestEven, Fp8Config { saturate, secondary })
    };
    let e4m3 = &FloatFormat::E4M3FN;
    let e5m2 = &FloatFormat::E5M2;
    for value in [500.0, f32::INFINITY] {
        assert_eq!(encode(e4m3, value, true, false), 0x7E);
        assert_eq!(encode(e4m3, -value, true, true), 0xFE);
        assert_eq!(encode(e4m3, -value, false, false), 0x7F);
        assert_eq!(encode(e4m3, -value, false, true), 0x80);
    }
    for value in [61440.0, 1e6, f32::INFINITY] {
        assert_eq!(encode(e5m2, -value, true, false), 0xFB);
        assert_eq!(encode(e5m2, -value, false, false), 0xFC);
    }
    // The rounding carry past the largest number is an overflow too (A41).
    assert_eq!(encode(e4m3, 464.0, true, false), 0x7E); // a tie that goes down
    assert_eq!(encode(e4m3, 465.0, false, false), 0x7F);
    assert_eq!(encode(e5m2, f32::NAN, true, false), 0x7E);
    assert_eq!(encode(e4m3, -f32::NAN, true, false), 0x7F);
    assert_eq!(encode(&FloatFormat::E3M4, 100.0, true, false), 0x6F);
    assert_eq!(encode(&FloatFormat::E3M4, 100.0, false, false), 0x70);
    // Below the smallest subnormal nothing rounds up to it (A41); FP4 has no such limit.
    assert_eq!(encode(e4m3, 1.9 * 2f32.powi(-10), true, false), 0);
    assert_eq!(encode(e4m3, -1.9 * 2f32.powi(-10), true, false), 0x80);
    assert_eq!(encode(&FloatFormat::E2M1, 0.3, true, false), 1);
    assert_eq!(encode(&FloatFormat::E2M1, -f32::NAN, true, false), 8);
}

#[test]
fn floats_to_integers_by_both_rules() {
    let to = |value: f32, dtype, to_int| {
        let conversion = Conversion { to_int, ..Conversion::default() };
        convert(value.to_bits().into(), Dtype::Fp32, dtype, &conversion).unwrap()
    };
    let dtypes = [
        (Dtype::Int4, -8i128, 7i128),
        (Dtype::Int8, -128, 127),
        (Dtype::Uint8, 0, 255),
        (Dtype::Int16, -32768, 32767),
        (Dtype::Uint16, 0, 65535),
        (Dtype::Int32, i32::MIN.into(), i32::MAX.into()),
        (Dtype::Uint32, 0, u32::MAX.into()),
        (Dtype::Int64, i64::MIN.into(), i64::MAX.into()),
        (Dtype::Uint64, 0, u64::MAX.into()),
    ];
    let mut source = Random(3);
    let mut values: Vec<f32> = fp32_edges().into_iter().map(f32::from_bits).collect();
    values.extend((-600..600).map(|step| step as f32 / 4.0));
    values.extend((0..20_000).map(|_| f32::from_bits(source.next() as u32 & 0xC7FF_FFFF | 0x4000_0000)));
    for (dtype, low, high) in dtypes {
        for &value in &values {
            for rule in [FloatToInt::Truncate, FloatToInt::NearestEven] {
                let wanted = if value.is_nan() {
                    let negative = value.is_sign_negative() && rule == FloatToInt::NearestEven;
                    if negative { low } else { high }
                } else {
                    let whole = f64::from(value).trunc();
                    let rest = (f64::from(value) - whole).abs();
                    let odd = whole % 2.0 != 0.0;
                    let up = rule == FloatToInt::NearestEven && (rest > 0.5 || (rest == 0.5 && odd));
                    let rounded = if up { whole + f64::from(value).signum() } else { whole };
                    (rounded as i128).clamp(low, high)
                };
                assert_eq!(to(value, dtype, rule), wanted as u64 & dtype.mask(), "{value} {dtype} {rule:?}");
            }
        }
    }
}

#[test]
fn integers_to_fp32_in_every_direction() {
    use rustc_apfloat::Float;
    use rustc_apfloat::ieee::Single;
    let mut source = Random(5);
    let edges = common::integer_edges(64);
    let random = (0..100_000).map(|_| source.next() >> (source.next() % 64)).collect::<Vec<_>>();
    for value in edges.into_iter().chain(random) {
        for mode in Rounding::ALL {
            for signed in [i128::from(value), i128::from(value as i64)] {
                let wanted = Single::from_i128_r(signed, floats::round(mode)).value;
                assert_eq!(
                    integer_to_fp32(signed, mode).to_bits(),
                    floats::bits(wanted),
                    "{signed} {mode:?}"
                );
            }
        }
    }
}

#[test]
fn casts_pass_through_fp32() {
    let cast = |bits, from, to| convert(bits, from, to, &Conversion::default());
    assert_eq!(cast(0x0100_0001, Dtype::Int32, Dtype::Uint32), Some(0x0100_0000));
    assert_eq!(cast(0x0100_0001, Dtype::Int32, Dtype::Int32), Some(0x0100_0001));
    assert_eq!(cast(u64::MAX, Dtype::Int64, Dtype::Int8), Some(0xFF));
    assert_eq!(cast(0x7FF, Dtype::Fp32r, Dtype::Fp32), Some(0x7FF)); // a source counts with all its bits
    assert_eq!(cast(0x3F80_0FFF, Dtype::Fp32, Dtype::Fp32r), Some(0x3F80_1000));
    assert_eq!(cast(0x7FFF_FFFF, Dtype::Fp32, Dtype::Bfloat16), Some(0x7FC0));
    assert_eq!(cast(1, Dtype::Cptc1, Dtype::Cptc1), None);
    assert_eq!(cast(1, Dtype::Int8, Dtype::Invalid), None);
}

/// Exact powers, and the rest within half a unit of a wider power; both ends of the range in every direction.
#[test]
fn powers() {
    let power = |a: f32, b: f32, mode| {
        let plan =
            Plan::new(AluOp::Pow, Dtypes::all(Dtype::Fp32), GENERATION, Mode::with_rounding(mode)).unwrap();
        let bits = plan.element(a.to_bits().into(), b.to_bits().into(), &mut State::default()).unwrap();
        f32::from_bits(bits as u32)
    };
    for mode in Rounding::ALL {
        for base in 2..=24u32 {
            for exponent in 0..24 {
                let exact = u128::from(base).checked_pow(exponent).unwrap();
                let wanted = integer_to_fp32(exact as i128, mode);
                assert_eq!(power(base as f32, exponent as f32, mode), wanted, "{base}^{exponent} {mode:?}");
            }
        }
        let beyond = matches!(mode, Rounding::NearestEven | Rounding::Up);
        assert_eq!(power(3e38, 200.0, mode), if beyond { f32::INFINITY } else { f32::MAX });
        let tiny = if mode == Rounding::Up { f32::from_bits(1) } else { 0.0 };
        assert_eq!(power(1e-38, 200.0, mode), tiny);
    }
    let nearest = |a, b| power(a, b, Rounding::NearestEven);
    assert_eq!((nearest(1.0, f32::NAN), nearest(f32::NAN, 0.0)), (1.0, 1.0));
    assert!(nearest(-2.0, 0.5).is_nan());
    assert_eq!(nearest(0.0, -1.0), f32::INFINITY);
    let mut source = Random(11);
    for _ in 0..50_000 {
        let a = f32::from_bits(source.next() as u32 & 0x0FFF_FFFF | 0x3800_0000);
        let b = f32::from_bits(source.next() as u32 & 0x83FF_FFFF | 0x3E00_0000);
        let wide = f64::from(a).powf(f64::from(b));
        let got = nearest(a, b);
        let unit = f64::from(got.next_up()) - f64::from(got);
        assert!((f64::from(got) - wide).abs() <= unit * 0.500_001 || got.is_infinite(), "{a}^{b}");
    }
}

/// Reductions ignore NaN (A40); elementwise MAX and MIN return the second operand for one.
#[test]
fn reductions_ignore_nan() {
    let nan = f32::NAN;
    assert_eq!((max_number(nan, 1.0), max_number(1.0, nan)), (1.0, 1.0));
    assert_eq!((min_number(nan, 1.0), min_number(1.0, nan)), (1.0, 1.0));
    assert!(max_number(nan, nan).is_nan());
    assert_eq!(max_number(-0.0, 0.0).to_bits(), 0);
    assert_eq!(max_number(0.0, -0.0).to_bits(), 0);
    assert_eq!(min_number(0.0, -0.0).to_bits(), 0x8000_0000);
    assert_eq!(min_number(2.0, 3.0), 2.0);
}
