//! `q7sim dtype`: element types, conversions, bit patterns.

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};
use q7_alu::number::{convert, convert_flags};
use q7_alu::text::{format_bits, format_fields, format_value, kind_name, parse_value};
use q7_alu::{BirDtype, Conversion, Dtype, FloatToInt, Fp8Config, Generation, Rounding};

/// Arguments of `q7sim dtype`.
#[derive(Args, Debug)]
pub struct DtypeArgs {
    #[command(subcommand)]
    command: DtypeCommand,
}

#[derive(Subcommand, Debug)]
enum DtypeCommand {
    /// The element types of a generation, or the compiler's
    List(ListArgs),
    /// Convert a value from one element type to another
    Convert(ConvertArgs),
    /// Show the bits of a value
    Show(ShowArgs),
}

/// Arguments of `q7sim dtype list`.
#[derive(Args, Debug)]
struct ListArgs {
    /// Generation
    #[arg(long = "gen", default_value = "MAVERICK")]
    generation: Generation,
    /// The 20 types of the compiler instead of the wire tags
    #[arg(long)]
    bir: bool,
}

/// Rounding of floats to integers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ToInt {
    /// Toward zero, as kernels do
    Truncate,
    /// To nearest even, as the compiler does
    NearestEven,
}

/// Switches of a conversion.
#[derive(Args, Debug)]
struct ConversionArgs {
    /// Rounding direction: RNE, RZ, RU or RD
    #[arg(long, default_value = "RNE")]
    rounding: Rounding,
    /// Rounding to integers
    #[arg(long, default_value = "truncate")]
    to_int: ToInt,
    /// FP8 overflow gives infinity or NaN instead of the largest number
    #[arg(long)]
    no_saturate: bool,
}

/// Arguments of `q7sim dtype convert`.
#[derive(Args, Debug)]
struct ConvertArgs {
    /// A value (-3, 1.5, inf) or bits (0x.., 0b..) of FROM
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Element type of the value
    from: Dtype,
    /// Element type wanted
    to: Dtype,
    #[command(flatten)]
    conversion: ConversionArgs,
}

/// Arguments of `q7sim dtype show`.
#[derive(Args, Debug)]
struct ShowArgs {
    /// A value (-3, 1.5, inf) or bits (0x.., 0b..)
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Element type
    dtype: Dtype,
}

/// Runs `q7sim dtype`.
pub fn run(args: &DtypeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        DtypeCommand::List(args) if args.bir => list_bir(args.generation, out),
        DtypeCommand::List(args) => list(args.generation, out),
        DtypeCommand::Convert(args) => convert_value(args, out),
        DtypeCommand::Show(args) => {
            let bits = parse_value(&args.value, args.dtype, &Conversion::default())?;
            show(args.dtype, bits, out)
        }
    }
}

impl ConversionArgs {
    fn conversion(&self) -> Conversion {
        Conversion {
            rounding: self.rounding,
            fp8: Fp8Config { saturate: !self.no_saturate, ..Fp8Config::default() },
            to_int: match self.to_int {
                ToInt::Truncate => FloatToInt::Truncate,
                ToInt::NearestEven => FloatToInt::NearestEven,
            },
        }
    }
}

fn list(generation: Generation, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "tag   name      bits  kind        format")?;
    for dtype in Dtype::of(generation) {
        let format = dtype.float_format().map_or("", |format| format.name);
        let (tag, kind) = (dtype.tag(), kind_name(dtype.kind()));
        writeln!(out, "{tag:#04x}  {:9} {:4}  {kind:10}  {format}", dtype.name(), dtype.bits())?;
    }
    Ok(())
}

fn list_bir(generation: Generation, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "no  name              wire  dtype     stride  elements  align")?;
    for dtype in BirDtype::ALL {
        let wire = dtype.wire_tag(generation);
        let align = dtype.alignment(generation).map_or("never".to_owned(), |bytes| bytes.to_string());
        writeln!(
            out,
            "{:2}  {:16}  {:#04x}  {:9} {:6}  {:8}  {align}",
            dtype.ordinal(),
            dtype.name(),
            wire.tag(),
            wire.name(),
            dtype.container_bytes(),
            dtype.elements_per_container(),
        )?;
    }
    Ok(())
}

fn convert_value(args: &ConvertArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let conversion = args.conversion.conversion();
    let source = parse_value(&args.value, args.from, &conversion)?;
    let result = convert(source, args.from, args.to, &conversion)
        .ok_or_else(|| anyhow::anyhow!("{} holds no numbers", args.to))?;
    show(args.from, source, out)?;
    show(args.to, result, out)?;
    if args.from != args.to {
        writeln!(out, "flags: {}", convert_flags(source, args.from, args.to, &conversion))?;
    }
    Ok(())
}

fn show(dtype: Dtype, bits: u64, out: &mut impl Write) -> anyhow::Result<()> {
    let (hex, fields) = (format_bits(dtype, bits), format_fields(dtype, bits));
    writeln!(out, "{:9} {hex}  {fields}  = {}", dtype.name(), format_value(dtype, bits))?;
    Ok(())
}
