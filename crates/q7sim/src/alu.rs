//! `q7sim alu`: evaluate one ALU operation, print the tables of operations and legality.

use std::io::Write;

use clap::{Args, Subcommand};
use q7_alu::matrix::Matrix;
use q7_alu::op::Sources;
use q7_alu::text::{format_bits, format_value, parse_value};
use q7_alu::{
    AluOp, Conversion, Dtype, Dtypes, Engine, EvalError, Generation, Mode, OpClass, Plan, State,
    UnknownGeneration, check,
};

use crate::dtype::{ConversionArgs, element_type, note_reading};

/// Arguments of `q7sim alu`.
#[derive(Args, Debug)]
pub struct AluArgs {
    #[command(subcommand)]
    command: AluCommand,
}

#[derive(Subcommand, Debug)]
enum AluCommand {
    /// Evaluate OP on two elements
    Eval(EvalArgs),
    /// The operation x dtype table of a generation
    Matrix(MatrixArgs),
    /// The operations of a generation
    List(ListArgs),
}

/// Arguments of `q7sim alu eval`.
#[derive(Args, Debug)]
struct EvalArgs {
    /// Operation: a name in any spelling, or its code (0x04)
    #[arg(value_parser = operation)]
    op: AluOp,
    /// First operand: a value (-3, 1.5, inf) or its bits (0x.., 0b..)
    #[arg(allow_hyphen_values = true)]
    a: String,
    /// Second operand, where the operation reads two
    #[arg(allow_hyphen_values = true)]
    b: Option<String>,
    /// Dtype of the operands, and of the result unless --out names another
    #[arg(long, value_parser = element_type)]
    dtype: Dtype,
    /// Dtype of the second operand, if it differs
    #[arg(long, value_parser = element_type)]
    second: Option<Dtype>,
    /// Dtype of the result
    #[arg(long, value_parser = element_type)]
    out: Option<Dtype>,
    /// Generation: SUNDA (v2), CAYMAN (v3), MARIANA (v4), MARIANA_PLUS (v4+) or MAVERICK (v5)
    #[arg(long = "gen", default_value = "MAVERICK", value_parser = generation)]
    generation: Generation,
    #[command(flatten)]
    conversion: ConversionArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `q7sim alu matrix`.
#[derive(Args, Debug)]
struct MatrixArgs {
    /// Generation: SUNDA (v2), CAYMAN (v3), MARIANA (v4), MARIANA_PLUS (v4+) or MAVERICK (v5)
    #[arg(long = "gen", default_value = "MAVERICK", value_parser = generation)]
    generation: Generation,
    /// Engine rules to apply: any (the instruction classes alone), pool or dve
    #[arg(long, default_value = "any")]
    engine: Engine,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `q7sim alu list`.
#[derive(Args, Debug)]
struct ListArgs {
    /// Generation: SUNDA (v2), CAYMAN (v3), MARIANA (v4), MARIANA_PLUS (v4+) or MAVERICK (v5)
    #[arg(long = "gen", default_value = "MAVERICK", value_parser = generation)]
    generation: Generation,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn operation(text: &str) -> Result<AluOp, String> {
    text.parse().map_err(|unknown| format!("{unknown} (all of them: q7sim alu list)"))
}

/// A generation whose operations are known.
fn generation(text: &str) -> Result<Generation, String> {
    let generation: Generation = text.parse().map_err(|unknown: UnknownGeneration| unknown.to_string())?;
    let hint = |none| format!("{none} (q7sim dtype list --gen {generation})");
    generation.with_alu().map_err(hint)
}

/// Runs `q7sim alu`.
pub fn run(args: &AluArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        AluCommand::Eval(args) => eval(args, out),
        AluCommand::Matrix(args) => matrix(args, out),
        AluCommand::List(args) => list(args, out),
    }
}

fn eval(args: &EvalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let dtypes = Dtypes {
        src0: args.dtype,
        src1: args.second.unwrap_or(args.dtype),
        out: args.out.unwrap_or(args.dtype),
    };
    let op = args.op;
    let b = match (op.sources(), &args.b) {
        (Sources::Two, None) => anyhow::bail!("{op} reads two operands, and B is missing"),
        (_, b) => b.as_deref(),
    };
    // What is computed with are elements already: the switches are about the operation.
    let read = |text: &str, dtype| parse_value(text, dtype, &Conversion::default());
    let first = read(&args.a, dtypes.src0)?;
    let second = b.map(|b| read(b, dtypes.src1)).transpose()?;
    let plan = |conversion| Plan::new(op, dtypes, args.generation, Mode { conversion, ..Mode::default() });
    let explain = |error: EvalError| anyhow::anyhow!(error.explain(args.generation));
    let useful = plan(Conversion::default()).map_err(explain)?.switches();
    let conversion = args.conversion.conversion(useful, &format!("{op} with these dtypes"))?;
    let mut state = State::default();
    let second_bits = second.map_or(0, |second| second.bits);
    let result = plan(conversion).map_err(explain)?.element(first.bits, second_bits, &mut state)?;
    let classes: Vec<_> = OpClass::ALL
        .into_iter()
        .filter(|&class| check(op, class, dtypes, args.generation, Engine::Any).is_ok())
        .map(OpClass::name)
        .collect();
    if args.json {
        let report = serde_json::json!({
            "op": op,
            "generation": args.generation,
            "a": format_bits(dtypes.src0, first.bits),
            "a_flags": first.flags.to_string(),
            "b": second.map(|second| format_bits(dtypes.src1, second.bits)),
            "b_flags": second.map(|second| second.flags.to_string()),
            "result": format_bits(dtypes.out, result),
            "value": format_value(dtypes.out, result),
            "flags": state.flags.to_string(),
            "divided_by_zero": state.divided_by_zero,
            "legal_in": classes,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(out, "{} = {}", format_bits(dtypes.out, result), format_value(dtypes.out, result))?;
    writeln!(out, "flags: {}", state.flags)?;
    note_reading(&args.a, dtypes.src0, first, out)?;
    if let (Some(b), Some(second)) = (b, second) {
        note_reading(b, dtypes.src1, second, out)?;
        if op.sources() == Sources::One {
            writeln!(out, "note: {op} reads one operand; B changes nothing")?;
        }
    }
    if state.divided_by_zero {
        writeln!(out, "note: integer division by zero gives 0 in tensor kernels; the sequencer halts")?;
    }
    let legal = if classes.is_empty() { "no instruction class".to_owned() } else { classes.join(", ") };
    writeln!(out, "legal in: {legal}")?;
    Ok(())
}

fn matrix(args: &MatrixArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let matrix = Matrix::new(args.generation, args.engine);
    if args.json {
        serde_json::to_writer(&mut *out, &matrix)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", matrix.text())?;
    }
    Ok(())
}

fn list(args: &ListArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let ops = AluOp::of(args.generation);
    if args.json {
        let rows = ops.map(|op| {
            serde_json::json!({
                "code": op.code(),
                "op": op,
                "operands": match op.sources() {
                    Sources::One => 1,
                    Sources::Two => 2,
                },
                "since": op.since(),
                "formula": op.formula(),
                "other_names": op.other_names().collect::<Vec<_>>(),
            })
        });
        writeln!(out, "{}", rows.collect::<serde_json::Value>())?;
        return Ok(());
    }
    for op in ops {
        writeln!(out, "{:#04x}  {:20} {}", op.code(), op.name(), op.formula())?;
    }
    Ok(())
}
