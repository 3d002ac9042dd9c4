//! `q7sim alu` and `q7sim dtype`.

use std::process::Command;

/// What the command prints, or its message without our name.
fn run(line: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_q7sim")).args(line.split_whitespace()).output().unwrap();
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout).unwrap());
    }
    assert_eq!(output.status.code(), Some(124), "{line}");
    let message = String::from_utf8(output.stderr).unwrap();
    Err(message.trim_start_matches("q7sim: ").trim_end().to_owned())
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(&run(line).unwrap()).unwrap()
}

#[test]
fn evaluates() {
    let text = run("alu eval ADD 200 100 --dtype uint8").unwrap();
    assert!(text.starts_with("0x2c = 44\nflags: none\nlegal in: tensor-tensor-arith"), "{text}");
    let text = run("alu eval divide_int -7 0 --dtype i32").unwrap();
    assert!(text.starts_with("0x00000000 = 0\n") && text.contains("note: "), "{text}");
    let text = run("alu eval MULT 3e38 -10 --dtype fp32 --rounding RZ --json").unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (json["result"].as_str(), json["flags"].as_str()),
        (Some("0xff7fffff"), Some("overflow|inexact"))
    );
    assert_eq!(
        run("alu eval ABS_MAX 1 2 --dtype fp32 --gen cayman"),
        Err("not supported op: ABS_MAX exists from MARIANA on, not in CAYMAN".into())
    );
    assert_eq!(
        run("alu eval ADD_INT 1 2 --dtype int8 --out fp32"),
        Err("not supported dtype: the operation takes integers, and not FP32".into())
    );
    assert!(run("alu eval ADD 300 1 --dtype uint8").unwrap_err().contains("does not fit"));
    assert!(run("alu eval FOO 1 2 --dtype fp32").unwrap_err().contains("unknown ALU operation"));
}

#[test]
fn operands_that_do_not_fit_are_told() {
    let text = run("alu eval ADD 0.1 1e9 --dtype fp8_exp4").unwrap();
    assert!(
        text.contains("note: 0.1 is 0x1d = 0.1015625 as FP8_EXP4 (inexact)\n")
            && text.contains("note: 1e9 is 0x7e = 448 as FP8_EXP4 (overflow|inexact)\n"),
        "{text}"
    );
    let json = json("alu eval ADD 0.1 1.5 --dtype fp16 --json");
    assert_eq!((&json["a_flags"], &json["b_flags"]), (&"inexact".into(), &"none".into()));
    // The direction is the operation's: 0.1 is read to the nearest, and the sum 1.599975586 rounds up.
    let text = run("alu eval ADD 0.1 1.5 --dtype fp16 --rounding ru").unwrap();
    assert!(text.starts_with("0x3e67 = ") && text.contains("note: 0.1 is 0x2e66"), "{text}");
}

#[test]
fn operations_read_one_or_two_operands() {
    assert_eq!(run("alu eval ADD 1 --dtype int8"), Err("ADD reads two operands, and B is missing".into()));
    assert!(run("alu eval ABS -3 --dtype int8").unwrap().starts_with("0x03 = 3\n"));
    let text = run("alu eval ABS -3 1 --dtype int8").unwrap();
    assert!(text.contains("note: ABSOLUTE_VALUE reads one operand; B changes nothing\n"), "{text}");
    assert_eq!(json("alu eval ABS -3 --dtype int8 --json")["b"], serde_json::Value::Null);
}

/// A switch that can change nothing is refused.
#[test]
fn idle_switches_are_refused() {
    for (line, message) in [
        ("alu eval ADD 1 2 --dtype int8 --rounding ru", "--rounding has no effect on ADD with these dtypes"),
        (
            "alu eval ADD 1 2 --dtype fp16 --to-int truncate",
            "--to-int has no effect on ADD with these dtypes",
        ),
        (
            "dtype convert 2.5 fp32 int8 --rounding ru",
            "--rounding has no effect on the conversion of FP32 to INT8; --to-int rounds to integers",
        ),
        (
            "dtype convert 2 int8 int16 --rounding ru",
            "--rounding has no effect on the conversion of INT8 to INT16",
        ),
        (
            "dtype convert 2.5 fp32 fp16 --to-int truncate",
            "--to-int has no effect on the conversion of FP32 to FP16",
        ),
        (
            "dtype convert 2.5 fp32 fp16 --no-saturate",
            "--no-saturate has no effect on the conversion of FP32 to FP16",
        ),
        ("dtype show 5 int8 --rounding ru", "--rounding has no effect on reading INT8"),
    ] {
        assert_eq!(run(line), Err(message.into()), "{line}");
    }
    // 2^24 + 1 passes through fp32, in the direction asked.
    let text = run("dtype convert 16777217 int32 uint32 --rounding ru").unwrap();
    assert!(text.contains("= 16777218\n"), "{text}");
    // 1 / sqrt(2) lies above one half.
    let nearest = run("alu eval RSQRT 2 --dtype int8 --to-int nearest-even").unwrap();
    let cut = run("alu eval RSQRT 2 --dtype int8").unwrap();
    assert!(nearest.starts_with("0x01 = 1\n") && cut.starts_with("0x00 = 0\n"), "{nearest}{cut}");
}

#[test]
fn lists_and_tables() {
    assert_eq!(run("alu list --gen sunda").unwrap().lines().count(), 33);
    let text = run("alu matrix --gen v4").unwrap();
    assert_eq!(text.lines().count(), 65);
    let json: serde_json::Value = serde_json::from_str(&run("alu matrix --json").unwrap()).unwrap();
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(65));
    assert_eq!(json["rows"][4]["cells"][3], "-");
    assert_eq!(run("dtype list").unwrap().lines().count(), 31);
    let text = run("dtype list --bir --gen cayman").unwrap();
    assert!(text.contains("float4_e2m1fn_x4") && text.contains("never"), "{text}");
}

#[test]
fn lists_as_json() {
    let ops = json("alu list --gen sunda --json");
    assert_eq!(ops.as_array().map(Vec::len), Some(33));
    let add = serde_json::json!({
        "code": 4, "op": "ADD", "operands": 2, "since": "sunda", "formula": "a + b", "other_names": [],
    });
    assert_eq!(ops[4], add);
    assert_eq!((&ops[1]["operands"], &ops[1]["other_names"][0]), (&1.into(), &"invert".into()));
    let dtypes = json("dtype list --json --gen tonga");
    assert_eq!(dtypes.as_array().map(Vec::len), Some(8));
    let fp16 = serde_json::json!({
        "tag": 7, "dtype": "FP16", "bits": 16, "kind": "float", "format": "FP16", "exponent_bits": 5,
        "mantissa_bits": 10, "bias": 15, "since": "tonga", "other_names": ["float16", "f16", "half"],
    });
    assert_eq!(dtypes[4], fp16);
    assert_eq!(dtypes[0]["format"], serde_json::Value::Null);
    let bir = json("dtype list --json --bir --gen cayman");
    let fp4 = serde_json::json!({
        "ordinal": 2, "name": "float4_e2m1fn_x4", "wire_tag": 5, "dtype": "UINT16", "stride": 2, "elements": 4,
        "alignment": null,
    });
    assert_eq!(bir[2], fp4);
}

#[test]
fn names_that_nothing_has() {
    let fails = |line: &str, parts: &[&str]| {
        let message = run(line).unwrap_err();
        assert!(parts.iter().all(|part| message.contains(part)), "{line}: {message}");
    };
    fails(
        "alu eval SUBSTRACT 1 2 --dtype fp32",
        &["unknown ALU operation `SUBSTRACT`; similar: SUBTRACT", "q7sim alu list"],
    );
    fails("alu eval ADD 1 2 --dtype fp8", &["similar: FP8_EXP3, FP8_EXP4, FP8_EXP5", "q7sim dtype list"]);
    fails("dtype convert 1 fp23 int9", &["unknown dtype `fp23`; similar: FP32"]);
    for line in ["alu list", "alu matrix", "alu eval ADD 1 2 --dtype int32"] {
        let line = format!("{line} --gen TONGA");
        fails(&line, &["the ALU operations of TONGA are not published", "q7sim dtype list --gen TONGA"]);
    }
    fails("alu list --gen v9", &["unknown generation `v9`: TONGA, SUNDA (v2)"]);
    assert!(run("alu eval 0X04 1 2 --dtype 0X2").unwrap().starts_with("0x03 = 3\n"));
}

#[test]
fn converts() {
    let text = run("dtype convert 500 fp32 e4m3").unwrap();
    assert!(text.ends_with("FP8_EXP4  0x7e  0 1111 110  = 448\nflags: overflow|inexact\n"), "{text}");
    let text = run("dtype convert 500 fp32 e4m3 --no-saturate").unwrap();
    assert!(text.contains("0x7f"), "{text}");
    assert!(run("dtype convert -2.5 fp32 int8").unwrap().contains("0xfe"));
    assert!(run("dtype convert -3.5 fp32 int8 --to-int nearest-even").unwrap().contains("0xfc"));
    let text = run("dtype show -inf bf16").unwrap();
    assert_eq!(text, "BFLOAT16  0xff80  1 11111111 0000000  = -inf\nflags: none\n");
    assert!(run("dtype convert 1 fp32 cptc1").is_err());
    // 2^24 + 1 has no fp32 number; the tie between two integers goes to the even one.
    assert!(run("dtype convert 16777217 int32 fp32").unwrap().ends_with("= 16777216\nflags: inexact\n"));
    // Decimals round once: 65520 would be infinity, and 1 + 2^-11 lies halfway.
    assert!(run("dtype show 65519.9999999999 fp16").unwrap().contains("0x7bff"));
    assert!(run("dtype show 1.0004882812500002 fp16").unwrap().contains("0x3c01"));
    assert!(run("dtype show 0x+1 int8").is_err());
    assert!(run("dtype show 0.1 fp32 --rounding rz").unwrap().contains("0x3dcccccc"));
    assert!(run("dtype show 1000 e4m3 --no-saturate").unwrap().ends_with("= NaN\nflags: overflow|inexact\n"));
    let json = json("dtype convert 0.1 fp16 fp32 --json");
    assert_eq!((&json["read_flags"], &json["flags"]), (&"inexact".into(), &"none".into()));
    assert_eq!((&json["from"]["bits"], &json["to"]["bits"]), (&"0x2e66".into(), &"0x3dccc000".into()));
    let text = run("dtype convert 0.1 fp16 fp16").unwrap();
    assert!(text.ends_with("flags: none\nnote: 0.1 is 0x2e66 = 0.099975586 as FP16 (inexact)\n"), "{text}");
}
