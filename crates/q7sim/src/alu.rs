//! `q7sim alu`: evaluate one ALU operation, print the tables of operations and legality.

use std::io::Write;

use clap::{Args, Subcommand};
use q7_alu::matrix::Matrix;
use q7_alu::text::{format_bits, format_value, parse_value};
use q7_alu::{AluOp, Dtype, Dtypes, Engine, Generation, Mode, OpClass, Plan, Rounding, State, check};

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
    op: AluOp,
    /// First operand: a value (-3, 1.5, inf) or its bits (0x.., 0b..)
    #[arg(allow_hyphen_values = true)]
    a: String,
    /// Second operand; operations with one ignore it
    #[arg(allow_hyphen_values = true, default_value = "0")]
    b: String,
    /// Dtype of the operands, and of the result unless --out names another
    #[arg(long)]
    dtype: Dtype,
    /// Dtype of the second operand, if it differs
    #[arg(long)]
    second: Option<Dtype>,
    /// Dtype of the result
    #[arg(long)]
    out: Option<Dtype>,
    /// Generation
    #[arg(long = "gen", default_value = "MAVERICK")]
    generation: Generation,
    /// Rounding direction: RNE, RZ, RU or RD
    #[arg(long, default_value = "RNE")]
    rounding: Rounding,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `q7sim alu matrix`.
#[derive(Args, Debug)]
struct MatrixArgs {
    /// Generation
    #[arg(long = "gen", default_value = "MAVERICK")]
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
    /// Generation
    #[arg(long = "gen", default_value = "MAVERICK")]
    generation: Generation,
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
    let mode = Mode::with_rounding(args.rounding);
    let a = parse_value(&args.a, dtypes.src0, &mode.conversion)?;
    let b = parse_value(&args.b, dtypes.src1, &mode.conversion)?;
    let mut state = State::default();
    let result = Plan::new(args.op, dtypes, args.generation, mode)?.element(a, b, &mut state)?;
    let classes: Vec<_> = OpClass::ALL
        .into_iter()
        .filter(|&class| check(args.op, class, dtypes, args.generation, Engine::Any).is_ok())
        .map(OpClass::name)
        .collect();
    if args.json {
        let report = serde_json::json!({
            "op": args.op,
            "generation": args.generation,
            "a": format_bits(dtypes.src0, a),
            "b": format_bits(dtypes.src1, b),
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
    for op in AluOp::of(args.generation) {
        writeln!(out, "{:#04x}  {:20} {}", op.code(), op.name(), op.formula())?;
    }
    Ok(())
}
