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
    /// Generation: TONGA, SUNDA (v2), CAYMAN (v3), MARIANA (v4), MARIANA_PLUS (v4+) or MAVERICK (v5)
    #[arg(long = "gen", default_value = "MAVERICK")]
    generation: Generation,
    /// The 20 types of the compiler instead of the wire tags
    #[arg(long)]
    bir: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
    #[arg(value_parser = element_type)]
    from: Dtype,
    /// Element type wanted
    #[arg(value_parser = element_type)]
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
    #[arg(value_parser = element_type)]
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

/// Reads the name or tag of an element type.
///
/// # Errors
/// The reason, and how to see all of them.
pub fn element_type(text: &str) -> Result<Dtype, String> {
    text.parse().map_err(|unknown| format!("{unknown} (all of them: q7sim dtype list)"))
}

/// Runs `q7sim dtype`.
pub fn run(args: &DtypeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        DtypeCommand::List(args) if args.bir => list_bir(args, out),
        DtypeCommand::List(args) => list(args, out),
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

fn list(args: &ListArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let dtypes = Dtype::of(args.generation);
    if args.json {
        let rows = dtypes.map(|dtype| {
            let format = dtype.float_format();
            serde_json::json!({
                "tag": dtype.tag(),
                "dtype": dtype,
                "bits": dtype.bits(),
                "kind": kind_name(dtype.kind()),
                "format": format.map(|format| format.name),
                "exponent_bits": format.map(|format| format.exponent_bits),
                "mantissa_bits": format.map(|format| format.mantissa_bits),
                "bias": format.map(|format| format.bias),
                "since": dtype.since(),
                "other_names": dtype.other_names().collect::<Vec<_>>(),
            })
        });
        writeln!(out, "{}", rows.collect::<serde_json::Value>())?;
        return Ok(());
    }
    writeln!(out, "tag   name      bits  kind        format")?;
    for dtype in dtypes {
        let format = dtype.float_format().map_or("", |format| format.name);
        let (tag, kind) = (dtype.tag(), kind_name(dtype.kind()));
        let line = format!("{tag:#04x}  {:9} {:4}  {kind:10}  {format}", dtype.name(), dtype.bits());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn list_bir(args: &ListArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let generation = args.generation;
    if args.json {
        let rows = BirDtype::ALL.into_iter().map(|dtype| {
            let wire = dtype.wire_tag(generation);
            serde_json::json!({
                "ordinal": dtype.ordinal(),
                "name": dtype,
                "wire_tag": wire.tag(),
                "dtype": wire,
                "stride": dtype.container_bytes(),
                "elements": dtype.elements_per_container(),
                "alignment": dtype.alignment(generation),
            })
        });
        writeln!(out, "{}", rows.collect::<serde_json::Value>())?;
        return Ok(());
    }
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
