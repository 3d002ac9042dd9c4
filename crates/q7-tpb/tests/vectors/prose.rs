//! Rows in words: their rule is read from the text, or, where the text names a class of values, checked over the class.

use q7_alu::mx::{self, ScaleRule};
use q7_alu::number::{FloatFormat, Fp8Config};
use q7_alu::promotion::{HostDtype, promote};
use q7_alu::{Dtype, Rounding, predicate};
use q7_tpb::address::{ADDRESS_REGISTERS, Addr4};
use q7_tpb::encoding::immediate_elements;
use q7_tpb::kernel::range_select::FILL;
use q7_tpb::kernel::search::MatchValues;
use q7_tpb::kernel::{dequantize, pool};
use q7_tpb::pattern::Pattern;

/// Does the rule hold? `None` if the texts are not understood.
type Rule = fn(inputs: &str, outputs: &str) -> Option<bool>;

/// Operations and how their texts are read.
pub const RULES: &[(&str, Rule)] = &[
    ("pool_scale", |inputs, outputs| {
        let window = field(inputs, "window")?.split('x').map(str::parse::<u32>);
        let elements = window.product::<Result<u32, _>>().ok()?;
        let (scale, printed) = (pool::average_scale(elements), field(outputs, "scale")?);
        let digits = printed.split_once('.')?.1.len();
        Some(format!("{scale:.digits$}") == printed)
    }),
    ("pool_stream_order", |inputs, outputs| {
        let elements: Vec<&str> = field(inputs, "fmap4x4")?.split(',').collect();
        let dimension = |axis: &str| {
            let number = |what| field(inputs, &format!("{axis}_{what}"))?.parse::<i16>().ok();
            Some((number("step")?, number("num")? as u16))
        };
        let dimensions = ["x", "y", "z", "w"].map(dimension).into_iter().collect::<Option<Vec<_>>>()?;
        let walk = Pattern::<4>::new(Addr4(0), &dimensions).offsets();
        let order: Option<Vec<&str>> = walk.map(|at| elements.get(at as usize).copied()).collect();
        Some(order?.join(",") == field(outputs, "order")?)
    }),
    ("mem2d_immediate_caps", |inputs, outputs| {
        let limit: usize = field(outputs, "max_elems")?.parse().ok()?;
        let dtypes = field(inputs, "dtype")?.split('/').map(short_dtype).collect::<Option<Vec<_>>>()?;
        Some(dtypes.into_iter().all(|dtype| immediate_elements(dtype) == limit))
    }),
    ("dropout_int_dtype_check", |inputs, outputs| {
        stated(inputs, outputs, "other dtype", "0")?;
        let accepted = Dtype::ALL.into_iter().filter(|&dtype| predicate::is_valid_int_dtype_datapath(dtype));
        Some(accepted.map(Dtype::tag).eq([2, 3, 4, 5, 8, 9]))
    }),
    ("range_select_fill", |inputs, outputs| {
        let bits = u32::from_str_radix(field(inputs, "bits")?.strip_prefix("0x")?, 16).ok()?;
        let printed = format!("{FILL:.5e}").replace('e', "e+");
        Some(FILL.to_bits() == bits && printed == outputs)
    }),
    ("match_value_load", |inputs, outputs| {
        stated(inputs, outputs, "src=[s0..s7]", "mv[7-k]=s_k (mv[0]=s7)")?;
        let loaded = MatchValues::load([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        Some((0..8).all(|k| loaded.values[7 - k] == k as f32) && loaded.matched == [false; 8])
    }),
    ("div5_idiom", |inputs, outputs| {
        stated(inputs, outputs, "(x * 0xCCCCCCCD) >> 34", "x / 5")?;
        let multiples = (0..=u32::MAX / 5).step_by(9973).map(|k| 5 * k);
        let edges = multiples.flat_map(|m| [m, m.saturating_sub(1), m.saturating_add(4)]);
        let idiom = |x: u32| (u64::from(x) * 0xCCCC_CCCD) >> 34;
        Some(edges.chain([u32::MAX]).all(|x| u64::from(dequantize::groups(x)) == idiom(x)))
    }),
    ("e2m1_encode", |inputs, outputs| {
        stated(inputs, outputs, "x=nan (sign s)", "out=s<<3")?;
        let nans = [0x7F80_0001, 0x7FC0_0000, 0x7FFF_FFFF];
        Some(both_signs(&FloatFormat::E2M1, nans, Fp8Config::default(), |sign| sign << 3))
    }),
    ("e4m3fn_encode", |inputs, outputs| {
        let beyond = from(0x4400_0000); // 2^9
        let format = &FloatFormat::E4M3FN;
        match (inputs, outputs) {
            ("x overflow; saturate=1", "out=sign|0x7e") => {
                Some(both_signs(format, beyond, switches(true, false), |sign| sign << 7 | 0x7E))
            }
            ("x overflow; saturate=0; hi=0", "out=0x7f") => {
                Some(both_signs(format, beyond, switches(false, false), |_| 0x7F))
            }
            ("x overflow; saturate=0; hi=1", "out=sign") => {
                Some(both_signs(format, beyond, switches(false, true), |sign| sign << 7))
            }
            _ => None,
        }
    }),
    ("e5m2_encode", |inputs, outputs| {
        let beyond = from(0x4780_0000); // 2^16
        match (inputs, outputs) {
            ("x overflow; saturate=1", "out=sign|0x7b") => {
                Some(both_signs(&FloatFormat::E5M2, beyond, switches(true, false), |sign| sign << 7 | 0x7B))
            }
            ("x overflow; saturate=0", "out=sign|0x7c") => {
                Some(both_signs(&FloatFormat::E5M2, beyond, switches(false, false), |sign| sign << 7 | 0x7C))
            }
            _ => None,
        }
    }),
    ("fp16_encode", |inputs, outputs| {
        stated(inputs, outputs, "|x| bits in 0x47800000..0x7f800000", "out=sign|0x7c00")?;
        let to_infinity = |sign: u32| sign << 15 | 0x7C00;
        Some(both_signs(&FloatFormat::FP16, from(0x4780_0000), Fp8Config::default(), to_infinity))
    }),
    ("mx_multiplier", |inputs, outputs| {
        stated(inputs, outputs, "e8m0=e", "out=2^(127-e); fp32 bits (254-e)<<23")?;
        Some((0..=254u8).all(|e| mx::multiplier(e).to_bits() == (254 - u32::from(e)) << 23))
    }),
    ("mx_e8m0", |inputs, outputs| {
        stated(inputs, outputs, "max biased exp m; emax E", "out=max(1,max(0,m-E))")?;
        let rule = |m: i32, e: i32| (m - e).max(0).max(1);
        let ours = |m: u8, e: u8| i32::from(mx::scale_code(m, e, ScaleRule::Simulator));
        Some([2, 8, 15].into_iter().all(|e| (0..=254).all(|m| ours(m, e) == rule(m.into(), e.into()))))
    }),
    ("addr4_reg", |inputs, outputs| {
        stated(inputs, outputs, "regid=r", "word=0x80000000|r")?;
        let named = |r: u8| Addr4::of_register(r).map(|word| word.0);
        let wanted = |r: u8| (r < ADDRESS_REGISTERS).then_some(0x8000_0000 | u32::from(r));
        Some((0..=u8::MAX).all(|r| named(r) == wanted(r)))
    }),
    ("promote", |inputs, outputs| {
        let (a, b) = inputs.split_once(" x ")?;
        let dtype = |name: &str| name.parse::<HostDtype>().ok();
        Some(promote(dtype(a)?, dtype(b)?) == Ok(dtype(outputs)?))
    }),
];

/// The value of `name` in `name=value; ...`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Are these the texts that the rule at hand was written for?
fn stated(inputs: &str, outputs: &str, known_inputs: &str, known_outputs: &str) -> Option<()> {
    (inputs == known_inputs && outputs == known_outputs).then_some(())
}

fn short_dtype(name: &str) -> Option<Dtype> {
    let long = match name.split_at_checked(1)? {
        ("i", bits) => format!("INT{bits}"),
        ("u", bits) => format!("UINT{bits}"),
        ("f", bits) => format!("FP{bits}"),
        _ => return None,
    };
    long.parse().ok()
}

fn switches(saturate: bool, secondary: bool) -> Fp8Config {
    Fp8Config { saturate, secondary }
}

/// Bit patterns from `first` to infinity, a few thousand, both ends among them.
fn from(first: u32) -> impl Iterator<Item = u32> + Clone {
    const INFINITY: u32 = 0x7F80_0000;
    (first..INFINITY).step_by(((INFINITY - first) / 4000) as usize).chain([INFINITY - 1, INFINITY])
}

/// Does every pattern, positive and negative, encode as `wanted` says of its sign bit?
fn both_signs(
    format: &FloatFormat,
    patterns: impl IntoIterator<Item = u32>,
    config: Fp8Config,
    wanted: impl Fn(u32) -> u32,
) -> bool {
    let holds = |bits: u32, sign: u32| {
        format.encode(bits | sign << 31, Rounding::NearestEven, config) == wanted(sign)
    };
    patterns.into_iter().all(|bits| holds(bits, 0) && holds(bits, 1))
}
