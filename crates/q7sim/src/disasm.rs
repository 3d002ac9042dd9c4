//! `q7sim disasm`

use std::io::{self, Write};
use std::path::Path;

use q7_image::{Image, SymbolTable};
use q7_isa::{Bundle, DecodeError, File, Isa};

use crate::args::Disasm;
use crate::status::Failure;
use crate::sweep::{self, Area, Item, Sweeper, What};
use crate::{certainty, load, report};

/// Prints the code that the arguments select.
///
/// # Errors
/// If the file is bad or nothing is selected.
pub fn disasm(arguments: &Disasm) -> Result<u8, Failure> {
    let (file, image) = load::image(&arguments.image)?;
    let areas = select(arguments, &image, &file)?;
    let sweeper = Sweeper::new(Isa::embedded(), &image);
    let printer = Printer { isa: sweeper.isa, symbols: &image.symbols, marks: arguments.mark_certainty };
    crate::print(|output| areas.iter().try_for_each(|area| printer.area(&sweeper, *area, output)))
}

fn select<'a>(arguments: &Disasm, image: &'a Image, file: &'a [u8]) -> Result<Vec<Area<'a>>, Failure> {
    let path = arguments.image.as_path();
    let mut areas = if arguments.section.is_empty() {
        sweep::areas(path, image, file)?
    } else {
        named_sections(arguments, image, file)?
    };
    let resolve = |place, argument| load::resolve(place, argument, path, &image.symbols);
    let (mut start, mut end) = (0, 1 << 32);
    if let Some(place) = &arguments.start {
        start = resolve(place, "--start")?.into();
    }
    if let Some(place) = &arguments.end {
        end = resolve(place, "--end")?.into();
    }
    if let Some(name) = &arguments.symbol {
        (start, end) = extent(name, path, &image.symbols)?;
    }
    areas.retain_mut(|area| clip(area, start, end));
    if areas.is_empty() {
        if let Some(name) = &arguments.symbol {
            return Err(Failure::usage(format!("--symbol: `{name}` of {} names no code", path.display())));
        }
        let range = format!("no code between {start:#010x} and {end:#010x}");
        return Err(Failure::usage(format!("{}: {range}", path.display())));
    }
    Ok(areas)
}

fn named_sections<'a>(
    arguments: &Disasm,
    image: &'a Image,
    file: &'a [u8],
) -> Result<Vec<Area<'a>>, Failure> {
    let path = arguments.image.as_path();
    let mut sections = Vec::new();
    for name in &arguments.section {
        sections.push(image.section(name).ok_or_else(|| {
            Failure::usage(format!("--section: {} has no section `{name}`", path.display()))
        })?);
    }
    sweep::section_areas(path, sections.into_iter(), file)
}

/// From where to where a symbol reaches: as far as its size, else to the next code symbol.
fn extent(name: &str, path: &Path, symbols: &SymbolTable) -> Result<(u64, u64), Failure> {
    let symbol = symbols
        .get(name)
        .ok_or_else(|| Failure::usage(format!("--symbol: {} has no symbol `{name}`", path.display())))?;
    let start = u64::from(symbol.address);
    if symbol.size > 0 {
        return Ok((start, start + u64::from(symbol.size)));
    }
    let starts_code = |address| symbols.containing(address).is_some_and(|(_, offset)| offset == 0);
    let next = symbols
        .iter()
        .map(|other| other.address)
        .find(|&other| u64::from(other) > start && starts_code(other));
    Ok((start, next.map_or(1 << 32, u64::from)))
}

/// Cuts an area down to a range; false if nothing is left.
fn clip(area: &mut Area, start: u64, end: u64) -> bool {
    let from = start.max(area.address.into());
    let to = end.min(area.end());
    if from >= to {
        return false;
    }
    let offset = |address: u64| (address - u64::from(area.address)) as usize;
    area.bytes = &area.bytes[offset(from)..offset(to)];
    area.address = from as u32;
    true
}

struct Printer<'a> {
    isa: &'a Isa,
    symbols: &'a SymbolTable,
    /// Whether to mark what is not exactly known.
    marks: bool,
}

impl Printer<'_> {
    fn area(&self, sweeper: &Sweeper, area: Area, output: &mut dyn Write) -> io::Result<()> {
        match area.section {
            Some(name) => writeln!(output, "section {}", report::printable(name))?,
            None => writeln!(output, "segment at {:#010x}", area.address)?,
        }
        for item in sweeper.sweep(area) {
            if let Some((_, offset)) = self.symbols.containing(item.address)
                && (offset == 0 || item.address == area.address)
            {
                let label = report::symbolic(self.symbols, item.address);
                writeln!(output, "\n{:08x} <{label}>:", item.address)?;
            }
            self.item(&item, output)?;
        }
        writeln!(output)
    }

    fn item(&self, item: &Item, output: &mut dyn Write) -> io::Result<()> {
        let hex: String = item.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        write!(output, "{:08x}:  {hex:<8}\t", item.address)?;
        match &item.what {
            What::Code(bundle) => {
                writeln!(output, "{}{}", report::text(self.isa, bundle), self.comment(bundle))
            }
            What::Data => match <[u8; 4]>::try_from(item.bytes) {
                Ok(word) => writeln!(output, ".word {:#010x}", u32::from_le_bytes(word)),
                Err(_) => writeln!(output, "{}", byte_directive(item.bytes)),
            },
            What::Unknown(error) => {
                let reason = why(self.isa, item.bytes, error);
                writeln!(output, "{}\t# {reason}", byte_directive(item.bytes))
            }
        }
    }

    /// A comment that names the labels of a bundle and marks what is not exactly known of it.
    fn comment(&self, bundle: &Bundle) -> String {
        let mut parts = targets(self.isa, self.symbols, bundle);
        if self.marks {
            parts.extend(certainty::marks(self.isa, bundle));
        }
        if parts.is_empty() { String::new() } else { format!("\t# {}", parts.join(" ")) }
    }
}

fn byte_directive(bytes: &[u8]) -> String {
    let list: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!(".byte {}", list.join(", "))
}

/// The labels that a bundle names.
fn targets(isa: &Isa, symbols: &SymbolTable, bundle: &Bundle) -> Vec<String> {
    let mut labels = Vec::new();
    for instruction in &bundle.instructions {
        for (operand, &value) in isa.opcode(instruction.opcode).operands.iter().zip(&instruction.operands) {
            if operand.file == File::Label && symbols.containing(value as u32).is_some() {
                labels.push(format!("<{}>", report::symbolic(symbols, value as u32)));
            }
        }
    }
    labels
}

/// Why bytes could not be decoded; names the format of what is certainly a bundle.
fn why(isa: &Isa, bytes: &[u8], error: &DecodeError) -> String {
    let reason = match error {
        DecodeError::UnknownLayout { slot, .. } => format!("the layout of slot {slot} is not known"),
        other => other.to_string(),
    };
    match sweep::format_of(isa, bytes, error) {
        Some(format) if format.length >= 8 => {
            format!("{} bundle, {} bytes: {reason}", format.name, format.length)
        }
        _ => reason,
    }
}
