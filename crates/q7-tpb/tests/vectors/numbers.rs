//! Number formats, dtypes and branches: `q7_alu`.

use q7_alu::mx::{self, Dequantize, ScaleRule};
use q7_alu::number::{FloatFormat, Fp8Config, convert};
use q7_alu::sequencer::BranchCompare;
use q7_alu::{AluOp, BirDtype, Conversion, Dtype, FloatToInt, Generation};

use crate::call::{Entry, Inputs, Outputs, out};

/// Names and functions.
pub const OPS: &[Entry] = &[
    (&["is_cptc"], is_cptc),
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
        out(mx::fp4_lane_remap(inputs.one("stride")? as u32, inputs.any(&["index", "i"])? as u32))
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
