//! `q7sim dtype`: element types, conversions, bit patterns.

use std::io::{self, Write};

use clap::{Args, Subcommand, ValueEnum};
use q7_alu::number::{convert, convert_flags};
use q7_alu::text::{Reading, format_bits, format_fields, format_value, kind_name, parse_value};
use q7_alu::{BirDtype, Conversion, Dtype, Flags, FloatToInt, Fp8Config, Generation, Rounding, Switches};

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

/// Switches of a conversion. One that can change nothing is refused.
#[derive(Args, Debug)]
pub struct ConversionArgs {
    /// Direction of rounding to floats: RNE, RZ, RU or RD [default: RNE]
    #[arg(long)]
    rounding: Option<Rounding>,
    /// Rounding of floats to integers [default: truncate]
    #[arg(long)]
    to_int: Option<ToInt>,
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `q7sim dtype show`.
#[derive(Args, Debug)]
struct ShowArgs {
    /// A value (-3, 1.5, inf) or bits (0x.., 0b..)
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Element type
    dtype: Dtype,
    /// Direction in which a decimal is rounded: RNE, RZ, RU or RD [default: RNE]
    #[arg(long)]
    rounding: Option<Rounding>,
    /// FP8 overflow gives infinity or NaN instead of the largest number
    #[arg(long)]
    no_saturate: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `q7sim dtype`.
pub fn run(args: &DtypeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        DtypeCommand::List(args) if args.bir => list_bir(args.generation, out),
        DtypeCommand::List(args) => list(args.generation, out),
        DtypeCommand::Convert(args) => convert_value(args, out),
        DtypeCommand::Show(args) => show_value(args, out),
    }
}

impl ConversionArgs {
    /// The conversion wanted. Switches that can change nothing are refused; `what` says of which operation.
    pub fn conversion(&self, useful: Switches, what: &str) -> anyhow::Result<Conversion> {
        let instead = if useful.to_int { "; --to-int rounds to integers" } else { "" };
        let given = [
            ("--rounding", self.rounding.is_some() && !useful.rounding, instead),
            ("--to-int", self.to_int.is_some() && !useful.to_int, ""),
            ("--no-saturate", self.no_saturate && !useful.saturate, ""),
        ];
        if let Some((switch, _, instead)) = given.into_iter().find(|&(_, useless, _)| useless) {
            anyhow::bail!("{switch} has no effect on {what}{instead}");
        }
        Ok(Conversion {
            rounding: self.rounding.unwrap_or_default(),
            fp8: Fp8Config { saturate: !self.no_saturate, ..Fp8Config::default() },
            to_int: match self.to_int {
                None | Some(ToInt::Truncate) => FloatToInt::Truncate,
                Some(ToInt::NearestEven) => FloatToInt::NearestEven,
            },
        })
    }
}

/// A line about an operand that its dtype cannot hold.
pub fn note_reading(text: &str, dtype: Dtype, read: Reading, out: &mut impl Write) -> io::Result<()> {
    if read.flags == Flags::NONE {
        return Ok(());
    }
    let (bits, value) = (format_bits(dtype, read.bits), format_value(dtype, read.bits));
    writeln!(out, "note: {text} is {bits} = {value} as {dtype} ({})", read.flags)
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
    let ConvertArgs { value, from, to, .. } = args;
    let (from, to) = (*from, *to);
    // The switches are about the conversion alone: what is converted is an element already.
    let source = parse_value(value, from, &Conversion::default())?;
    let useful = Switches::of_conversion(from, to);
    let conversion = args.conversion.conversion(useful, &format!("the conversion of {from} to {to}"))?;
    let result = convert(source.bits, from, to, &conversion)
        .ok_or_else(|| anyhow::anyhow!("{to} holds no numbers"))?;
    let flags = convert_flags(source.bits, from, to, &conversion);
    if args.json {
        let report = serde_json::json!({
            "from": element(from, source.bits),
            "to": element(to, result),
            "read_flags": source.flags.to_string(),
            "flags": flags.to_string(),
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    show(from, source.bits, out)?;
    show(to, result, out)?;
    writeln!(out, "flags: {flags}")?;
    Ok(note_reading(value, from, source, out)?)
}

fn show_value(args: &ShowArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let ShowArgs { value, dtype, rounding, no_saturate, .. } = args;
    let switches = ConversionArgs { rounding: *rounding, to_int: None, no_saturate: *no_saturate };
    let useful = Switches { to_int: false, ..Switches::of_encoding(*dtype) };
    let conversion = switches.conversion(useful, &format!("reading {dtype}"))?;
    let read = parse_value(value, *dtype, &conversion)?;
    if args.json {
        let mut report = element(*dtype, read.bits);
        report["flags"] = read.flags.to_string().into();
        writeln!(out, "{report}")?;
        return Ok(());
    }
    show(*dtype, read.bits, out)?;
    writeln!(out, "flags: {}", read.flags)?;
    Ok(())
}

fn show(dtype: Dtype, bits: u64, out: &mut impl Write) -> anyhow::Result<()> {
    let (hex, fields) = (format_bits(dtype, bits), format_fields(dtype, bits));
    writeln!(out, "{:9} {hex}  {fields}  = {}", dtype.name(), format_value(dtype, bits))?;
    Ok(())
}

fn element(dtype: Dtype, bits: u64) -> serde_json::Value {
    serde_json::json!({
        "dtype": dtype,
        "bits": format_bits(dtype, bits),
        "fields": format_fields(dtype, bits),
        "value": format_value(dtype, bits),
    })
}
