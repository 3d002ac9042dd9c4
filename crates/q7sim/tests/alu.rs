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
    assert_eq!(run("alu eval ABS_MAX 1 2 --dtype fp32 --gen cayman"), Err("not supported op".into()));
    assert!(run("alu eval ADD 300 1 --dtype uint8").unwrap_err().contains("does not fit"));
    assert!(run("alu eval FOO 1 2 --dtype fp32").unwrap_err().contains("unknown ALU operation"));
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
fn converts() {
    let text = run("dtype convert 500 fp32 e4m3").unwrap();
    assert!(text.ends_with("FP8_EXP4  0x7e  0 1111 110  = 448\nflags: overflow|inexact\n"), "{text}");
    let text = run("dtype convert 500 fp32 e4m3 --no-saturate").unwrap();
    assert!(text.contains("0x7f"), "{text}");
    assert!(run("dtype convert -2.5 fp32 int8").unwrap().contains("0xfe"));
    assert!(run("dtype convert -3.5 fp32 int8 --to-int nearest-even").unwrap().contains("0xfc"));
    assert_eq!(run("dtype show -inf bf16").unwrap(), "BFLOAT16  0xff80  1 11111111 0000000  = -inf\n");
    assert!(run("dtype convert 1 fp32 cptc1").is_err());
    // 2^24 + 1 has no fp32 number; the tie between two integers goes to the even one.
    assert!(run("dtype convert 16777217 int32 fp32").unwrap().ends_with("= 16777216\nflags: inexact\n"));
    // Decimals round once: 65520 would be infinity, and 1 + 2^-11 lies halfway.
    assert!(run("dtype show 65519.9999999999 fp16").unwrap().contains("0x7bff"));
    assert!(run("dtype show 1.0004882812500002 fp16").unwrap().contains("0x3c01"));
    assert!(run("dtype show 0x+1 int8").is_err());
}
