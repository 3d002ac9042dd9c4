//! The TPB value vectors. `Q7SIM_VECTORS` names another file of the same form to run instead.
//!
//! [`OPS`] maps each operation name of the file to the function behind it; [`ELSEWHERE`] names what other crates own.
//! A row that cannot be run is skipped with its reason, an unknown name is listed and does not fail.

use std::collections::BTreeMap;

use q7_alu::mx::{self, Dequantize, ScaleRule};
use q7_alu::number::{FloatFormat, Fp8Config, convert};
use q7_alu::sequencer::BranchCompare;
use q7_alu::{AluOp, BirDtype, Conversion, Dtype, Dtypes, FloatToInt, Generation, Rounding, State, evaluate};
use serde_json::{Map, Value};

type Row = Map<String, Value>;
/// Computes the outputs of one call from its inputs; `None` if the row does not have the inputs wanted.
type Call = fn(&Inputs) -> Option<Outputs>;
type Outputs = Vec<(&'static str, u64)>;

/// Operation names and their functions. Aliases stand side by side.
const OPS: &[(&[&str], Call)] = &[
    (&["is_cptc"], is_cptc),
    (&["pool_scale"], |inputs| {
        // The host supplies 1/N for a window of N elements; the evaluator's fp32 division gives it.
        let window = inputs.list("window")?.into_iter().product::<u64>() as f32;
        let scale = fp32_op(AluOp::Divide, 1f32.to_bits().into(), window.to_bits().into())?;
        Some(vec![("scale", scale)])
    }),
    (&["dropout_int_dtype_check", "is_valid_int_dtype_datapath"], |inputs| {
        let dtype = Dtype::from_tag(inputs.any(&["dtype", "code"])? as u8);
        out(dtype.is_some_and(q7_alu::predicate::is_valid_int_dtype_datapath))
    }),
    (&["is_valid_int_dtype"], |inputs| dtype_test(inputs, q7_alu::predicate::is_valid_int_dtype)),
    (&["is_valid_mx_dtype"], |inputs| dtype_test(inputs, q7_alu::predicate::is_valid_mx_dtype)),
    (&["is_signed_int"], |inputs| dtype_test(inputs, q7_alu::predicate::is_signed_int)),
    (&["is_unsigned_int"], |inputs| dtype_test(inputs, q7_alu::predicate::is_unsigned_int)),
    (&["is_valid_32b_int_dtype"], |inputs| dtype_test(inputs, q7_alu::predicate::is_valid_32b_int_dtype)),
    (&["is_valid_64b_int_dtype"], |inputs| dtype_test(inputs, q7_alu::predicate::is_valid_64b_int_dtype)),
    (&["dtype_bytes", "dtype_size", "element_bytes"], |inputs| {
        out(Dtype::from_tag(inputs.any(&["dtype", "code"])? as u8)?.bytes() as u64)
    }),
    (&["alu_shift_check"], |inputs| {
        let op = |key| AluOp::from_code(inputs.one(key)? as u8);
        let dtype = Dtype::from_tag(inputs.one("dtype")? as u8)?;
        out(q7_alu::predicate::alu_shift_check(op("op0")?, op("op1")?, dtype))
    }),
    // Codes to fp32.
    (&["e2m1_decode", "e2m1_code", "fp4_decode"], |inputs| decode(inputs, &FloatFormat::E2M1)),
    (&["e4m3fn_decode", "e4m3fn_code", "e4m3_code", "e4m3_decode"], |inputs| {
        decode(inputs, &FloatFormat::E4M3FN)
    }),
    (&["e5m2_decode", "e5m2_code"], |inputs| decode(inputs, &FloatFormat::E5M2)),
    (&["e3m4_decode", "e3m4_code"], |inputs| decode(inputs, &FloatFormat::E3M4)),
    (&["e2m3_decode", "e2m3_code", "fp6_decode"], |inputs| decode(inputs, &FloatFormat::E2M3)),
    (&["e8m0_decode", "e8m0_code", "mx_dequant_scale"], |inputs| decode(inputs, &FloatFormat::E8M0)),
    (&["fp16_decode", "half_decode"], |inputs| decode(inputs, &FloatFormat::FP16)),
    (&["bf16_decode", "bfloat16_decode"], |inputs| decode(inputs, &FloatFormat::BF16)),
    // fp32 to codes.
    (&["e2m1_encode", "fp4_encode"], |inputs| encode(inputs, &FloatFormat::E2M1)),
    (&["e4m3fn_encode", "e4m3_encode"], |inputs| encode(inputs, &FloatFormat::E4M3FN)),
    (&["e5m2_encode"], |inputs| encode(inputs, &FloatFormat::E5M2)),
    (&["e3m4_encode"], |inputs| encode(inputs, &FloatFormat::E3M4)),
    (&["fp16_encode", "half_encode"], |inputs| encode(inputs, &FloatFormat::FP16)),
    (&["bf16_encode", "bfloat16_encode"], |inputs| encode(inputs, &FloatFormat::BF16)),
    (&["fp32r_encode", "fp32r_round", "float32r_encode"], |inputs| encode(inputs, &FloatFormat::FP32R)),
    // Rounded to a format and read back.
    (&["e2m1_encode_tie", "e2m1_round"], |inputs| round_trip(inputs, &FloatFormat::E2M1)),
    (&["e4m3fn_encode_tie", "e4m3fn_round"], |inputs| round_trip(inputs, &FloatFormat::E4M3FN)),
    (&["e5m2_encode_tie", "e5m2_round"], |inputs| round_trip(inputs, &FloatFormat::E5M2)),
    (&["fp16_encode_tie", "fp16_round"], |inputs| round_trip(inputs, &FloatFormat::FP16)),
    (&["bf16_encode_tie", "bf16_round"], |inputs| round_trip(inputs, &FloatFormat::BF16)),
    // Compiler casts to integers round to nearest even.
    (&["cast_int8", "fp32_to_int8"], |inputs| cast_to_int(inputs, Dtype::Int8)),
    (&["cast_uint8", "fp32_to_uint8", "fp32_to_u8"], |inputs| cast_to_int(inputs, Dtype::Uint8)),
    (&["cast_int16", "fp32_to_int16"], |inputs| cast_to_int(inputs, Dtype::Int16)),
    (&["cast_uint16", "fp32_to_uint16"], |inputs| cast_to_int(inputs, Dtype::Uint16)),
    (&["cast_int32", "fp32_to_int32"], |inputs| cast_to_int(inputs, Dtype::Int32)),
    (&["cast_uint32", "fp32_to_uint32"], |inputs| cast_to_int(inputs, Dtype::Uint32)),
    // Scaled blocks.
    (&["mx_multiplier"], |inputs| out(mx::multiplier(inputs.any(&["e8m0", "scale"])? as u8).to_bits())),
    (&["mx_e8m0", "mx_scale"], |inputs| {
        let emax = inputs.any(&["emax", "E"])? as u8;
        out(mx::scale_code(inputs.any(&["m", "M", "max_exponent"])? as u8, emax, ScaleRule::Simulator))
    }),
    (&["mx_emax"], |inputs| out(mx::emax(BirDtype::from_ordinal(inputs.any(&["dtype", "ordinal"])? as u8)?))),
    (&["fp4_lane_remap"], |inputs| {
        out(mx::fp4_lane_remap(inputs.one("stride")? as u32, inputs.any(&["index", "i"])? as u32)?)
    }),
    (&["dequant_fp4_e2m1"], |inputs| {
        let sign = inputs.one("s").unwrap_or(0);
        let code = sign << 3 | inputs.one("e")? << 1 | inputs.one("m")?;
        split_fp8(Dequantize::E2m1ToE5m2.widen(code as u8), ["e5m2_e", "e5m2_m"], 2)
    }),
    (&["dequant_fp6_e2m3"], |inputs| {
        let sign = inputs.one("s").unwrap_or(0);
        let code = sign << 5 | inputs.one("e")? << 3 | inputs.one("m")?;
        split_fp8(Dequantize::E2m3ToE4m3.widen(code as u8), ["e4m3_e", "e4m3_m"], 3)
    }),
    (&["dequant_int4"], |inputs| {
        out(Dequantize::Int4ToE5m2.widen(inputs.any(&["code", "nibble", "a"])? as u8))
    }),
    (
        &["dequant_nf4"],
        |inputs| out(Dequantize::Nf4ToE4m3.widen(inputs.any(&["code", "nibble", "a"])? as u8)),
    ),
    (&["nf4_code", "nf4_decode"], |inputs| {
        out(Dequantize::Nf4ToE4m3.value(inputs.any(&["index", "code", "nibble"])? as u8).to_bits())
    }),
    // Constants.
    (&["uniform_float_consts"], |_| Some(vec![("127 << 23", 1f32.to_bits().into())])),
    // Compiler dtypes.
    (&["bir_wire", "bir_wire_v4", "dtype_wire"], |inputs| wire_tag(inputs, Generation::Mariana)),
    (&["bir_wire_v2", "bir_wire_v3"], |inputs| wire_tag(inputs, Generation::Cayman)),
    (&["bir_container_bytes", "container_bytes", "sizeinbytes"], |inputs| {
        out(BirDtype::from_ordinal(inputs.any(&["ordinal", "dtype"])? as u8)?.container_bytes())
    }),
    (&["last_element_address", "bir_last_address"], |inputs| {
        let dtype = BirDtype::from_ordinal(inputs.any(&["ordinal", "dtype"])? as u8)?;
        out(dtype.last_address(inputs.one("base")?, inputs.any(&["n", "n_containers", "count"])?)?)
    }),
    (&["branch_negate"], |inputs| {
        out(BranchCompare::from_wire_code(inputs.any(&["op", "code"])? as u8)?.negated()?.wire_code())
    }),
];

/// Names whose functions other crates own, with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    ("radd_", "a core operation: q7-datapath"),
    ("radds_", "a core operation: q7-datapath"),
    ("rmax", "a core operation: q7-datapath"),
    ("rmin", "a core operation: q7-datapath"),
    ("randb", "a core operation: q7-datapath"),
    ("rorb", "a core operation: q7-datapath"),
    ("pool_", "a kernel: q7-tpb"),
    ("seq_", "instruction dispatch: q7-tpb"),
    ("seq ", "instruction dispatch: q7-tpb"),
    ("kernel_key", "instruction dispatch: q7-tpb"),
    ("rer_addr", "sequencer registers: q7-tpb"),
    ("ext_completion_ports", "an instruction field: q7-tpb"),
    ("mem2d_", "an instruction field: q7-tpb"),
    ("xorwow_", "random numbers: q7-tpb"),
    ("rand_", "random numbers: q7-tpb"),
    ("range_select", "a kernel: q7-tpb"),
    ("match_", "a kernel: q7-tpb"),
    ("getseq_", "a kernel: q7-tpb"),
    ("div5_idiom", "an integer idiom of a kernel: q7-tpb"),
    ("addr4_", "an address word: q7-tpb"),
    ("reverse_pack", "an instruction field: q7-tpb"),
    ("stt_opcode", "an opcode: q7-tpb"),
    ("header_word", "an instruction header: q7-tpb"),
    ("activation_func", "an instruction field: q7-tpb"),
    ("tensor", "an access pattern: q7-tpb"),
    ("promote", "type inference of the host language, no device effect"),
];

fn out(value: impl Into<u64>) -> Option<Outputs> {
    Some(vec![("out", value.into())])
}

fn is_cptc(inputs: &Inputs) -> Option<Outputs> {
    let bits = q7_alu::dtype::is_cptc(inputs.any(&["code", "dtype"])? as u8);
    Some(vec![("out", bits.is_some().into()), ("bits", bits.unwrap_or(0).into())])
}

fn dtype_test(inputs: &Inputs, test: fn(Dtype) -> bool) -> Option<Outputs> {
    out(Dtype::from_tag(inputs.any(&["dtype", "code"])? as u8).is_some_and(test))
}

fn decode(inputs: &Inputs, format: &FloatFormat) -> Option<Outputs> {
    let value = format.decode(inputs.any(&["code", "nibble", "a", "h", "e8m0"])? as u32).into();
    Some(vec![("out", value), ("value", value)])
}

fn config(inputs: &Inputs) -> Fp8Config {
    let switch = |keys: &[&str], default: bool| inputs.any(keys).map_or(default, |value| value != 0);
    Fp8Config { saturate: switch(&["saturate"], true), secondary: switch(&["hi", "secondary"], false) }
}

fn encode_bits(inputs: &Inputs, format: &FloatFormat) -> Option<u32> {
    Some(format.encode(inputs.any(&["a", "x", "value"])? as u32, inputs.mode, config(inputs)))
}

fn encode(inputs: &Inputs, format: &FloatFormat) -> Option<Outputs> {
    let code = encode_bits(inputs, format)?.into();
    Some(vec![("out", code), ("code", code), ("nibble", code)])
}

fn round_trip(inputs: &Inputs, format: &FloatFormat) -> Option<Outputs> {
    out(format.decode(encode_bits(inputs, format)?))
}

fn cast_to_int(inputs: &Inputs, dtype: Dtype) -> Option<Outputs> {
    let conversion = Conversion { to_int: FloatToInt::NearestEven, ..Conversion::default() };
    out(convert(inputs.any(&["a", "x", "value"])?, Dtype::Fp32, dtype, &conversion)?)
}

fn fp32_op(op: AluOp, a: u64, b: u64) -> Option<u64> {
    evaluate(op, a, b, Dtypes::all(Dtype::Fp32), Generation::Maverick, &mut State::default()).ok()
}

fn split_fp8(code: u8, [exponent, mantissa]: [&'static str; 2], mantissa_bits: u32) -> Option<Outputs> {
    let magnitude = code & 0x7F;
    Some(vec![
        ("out", code.into()),
        (exponent, (magnitude >> mantissa_bits).into()),
        (mantissa, u64::from(magnitude) & ((1 << mantissa_bits) - 1)),
    ])
}

fn wire_tag(inputs: &Inputs, generation: Generation) -> Option<Outputs> {
    let dtype = BirDtype::from_ordinal(inputs.any(&["ordinal", "dtype", "bir"])? as u8)?;
    let tag = dtype.wire_tag(generation).tag().into();
    Some(vec![("out", tag), ("wire", tag)])
}

/// The inputs of one call.
struct Inputs<'a> {
    row: &'a Row,
    /// Element of the arrays, in rows that list independent calls.
    index: Option<usize>,
    mode: Rounding,
}

impl Inputs<'_> {
    fn one(&self, key: &str) -> Option<u64> {
        match (self.row.get(key)?, self.index) {
            (Value::Array(elements), Some(index)) => literal(elements.get(index)?),
            (value, _) => literal(value),
        }
    }

    /// The first of several names an operand goes by.
    fn any(&self, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|key| self.one(key))
    }

    fn list(&self, key: &str) -> Option<Vec<u64>> {
        self.row.get(key)?.as_array()?.iter().map(literal).collect()
    }
}

/// `0x<hex>:<bits>`, or just hexadecimal.
fn literal(value: &Value) -> Option<u64> {
    let digits = value.as_str()?.split(':').next()?.strip_prefix("0x")?;
    u64::from_str_radix(digits, 16).ok()
}

#[derive(Debug)]
enum Outcome {
    Ran,
    Skipped(String),
    Unknown,
    Wrong(String),
}

fn run(row: &Row) -> Outcome {
    let name = row["op"].as_str().unwrap_or_default();
    let names = [Some(name), row.get("alias").and_then(Value::as_str)];
    let call = OPS.iter().find(|(known, _)| names.iter().flatten().any(|name| known.contains(name)));
    let Some((_, call)) = call else {
        let elsewhere = ELSEWHERE.iter().find(|(prefix, _)| name.starts_with(prefix));
        return elsewhere.map_or(Outcome::Unknown, |(_, reason)| Outcome::Skipped(reason.to_string()));
    };
    if row.get("prose").is_some() {
        return Outcome::Skipped("prose".into());
    }
    let (Some(inputs), Some(outputs)) = (row["in"].as_object(), row["out"].as_object()) else {
        return Outcome::Wrong("no operands".into());
    };
    let mode = row.get("mode").and_then(Value::as_str).and_then(|mode| mode.parse().ok()).unwrap_or_default();
    let calls = match outputs.values().find_map(Value::as_array) {
        Some(elements) => (0..elements.len()).map(Some).collect(),
        None => vec![None],
    };
    for index in calls {
        let Some(results) = call(&Inputs { row: inputs, index, mode }) else {
            return Outcome::Skipped("operands under names the harness does not know".into());
        };
        for (key, wanted) in outputs {
            let wanted = match (wanted, index) {
                (Value::Array(elements), Some(index)) => literal(&elements[index]),
                (value, _) => literal(value),
            };
            let got = results.iter().find(|(name, _)| name == key).map(|result| result.1);
            if got.is_none() {
                return Outcome::Skipped(format!("output `{key}` unknown to the harness"));
            }
            if got != wanted {
                return Outcome::Wrong(format!("{key}: {got:x?} instead of {wanted:x?}"));
            }
        }
    }
    Outcome::Ran
}

#[test]
fn vectors_tpb() {
    let text = match std::env::var("Q7SIM_VECTORS") {
        Ok(path) => std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")),
        Err(_) => include_str!("data/vectors-tpb.jsonl").to_owned(),
    };
    let rows = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str::<Row>(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    // Another file may hold every group; only the TPB ones are ours.
    let ours =
        |row: &Row| row.get("group").and_then(Value::as_str).is_none_or(|group| group.starts_with("tpb"));
    let mut ran = 0;
    let mut skipped = BTreeMap::<String, Vec<String>>::new();
    let mut unknown = BTreeMap::<String, usize>::new();
    let mut wrong = Vec::new();
    for row in rows.filter(ours) {
        let name = row["op"].as_str().unwrap_or_default().to_owned();
        let id = row.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
        match run(&row) {
            Outcome::Ran => ran += 1,
            Outcome::Skipped(reason) => skipped.entry(reason).or_default().push(format!("{id} {name}")),
            Outcome::Unknown => *unknown.entry(name).or_default() += 1,
            Outcome::Wrong(why) => wrong.push(format!("{id} {name}: {why}")),
        }
    }
    let skips: usize = skipped.values().map(Vec::len).sum();
    println!("vectors: ran {ran}, skipped {skips}, unknown {}", unknown.values().sum::<usize>());
    for (reason, rows) in &skipped {
        println!("  skipped {} ({reason}): {}", rows.len(), rows.join(", "));
    }
    for (name, count) in &unknown {
        println!("  unknown op `{name}`: {count}");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > 0, "no row ran");
}

/// The rules that the prose rows state, over all their inputs.
#[test]
fn vectors_tpb_prose_rules() {
    let encode = |format: &FloatFormat, bits: u32, saturate, secondary| {
        format.encode(bits, Rounding::NearestEven, Fp8Config { saturate, secondary })
    };
    let beyond = |from: u32| (0..4000u32).map(move |step| from + step * ((0x7F80_0000 - from) / 3999));
    for sign in [0, 1u32] {
        let with = |bits: u32| bits | sign << 31;
        // t1187: NaN becomes signed zero in FP4.
        for nan in [0x7F80_0001, 0x7FC0_0000, 0x7FFF_FFFF] {
            assert_eq!(encode(&FloatFormat::E2M1, with(nan), true, false), sign << 3);
        }
        // t1190, t1191, t1192: E4M3fn from 2^9 on, the unbiased exponent above 8.
        for bits in beyond(0x4400_0000) {
            assert_eq!(encode(&FloatFormat::E4M3FN, with(bits), true, false), sign << 7 | 0x7E);
            assert_eq!(encode(&FloatFormat::E4M3FN, with(bits), false, false), 0x7F);
            assert_eq!(encode(&FloatFormat::E4M3FN, with(bits), false, true), sign << 7);
        }
        // t1193, t1194: E5M2 from 2^16 on; t1195: FP16 likewise.
        for bits in beyond(0x4780_0000) {
            assert_eq!(encode(&FloatFormat::E5M2, with(bits), true, false), sign << 7 | 0x7B);
            assert_eq!(encode(&FloatFormat::E5M2, with(bits), false, false), sign << 7 | 0x7C);
            assert_eq!(encode(&FloatFormat::FP16, with(bits), true, false), sign << 15 | 0x7C00);
        }
    }
    // t1197: the multiplier's bits. t1198: the simulator's scale.
    for scale in 0..=254u8 {
        assert_eq!(mx::multiplier(scale).to_bits(), (254 - u32::from(scale)) << 23);
        for emax in [2, 8, 15u8] {
            let wanted = (i32::from(scale) - i32::from(emax)).max(0).max(1);
            assert_eq!(i32::from(mx::scale_code(scale, emax, ScaleRule::Simulator)), wanted);
        }
    }
    // t1147: every other dtype is refused by the dropout check.
    let accepted = Dtype::ALL.into_iter().filter(|&d| q7_alu::predicate::is_valid_int_dtype_datapath(d));
    assert_eq!(accepted.map(Dtype::tag).collect::<Vec<_>>(), [2, 3, 4, 5, 8, 9]);
}
