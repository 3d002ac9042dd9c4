//! The drafts of `q7sim alu` and `q7sim dtype` parse their arguments and print.

#[path = "../cli-draft/alu.rs"]
mod alu;
#[path = "../cli-draft/dtype.rs"]
mod dtype;

use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Alu(alu::AluArgs),
    Dtype(dtype::DtypeArgs),
}

fn run(line: &str) -> Result<String, String> {
    let words = ["q7sim"].into_iter().chain(line.split_whitespace());
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    match cli.command {
        Command::Alu(args) => alu::run(&args, &mut out),
        Command::Dtype(args) => dtype::run(&args, &mut out),
    }
    .map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
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
}
