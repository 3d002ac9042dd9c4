//! `q7sim info`

use std::collections::BTreeMap;
use std::io::{self, Write};

use q7_core::MemoryMap;
use q7_image::{Image, Segment, SymbolKind};
use q7_isa::Isa;

use crate::args::Info;
use crate::certainty::Tally;
use crate::status::Failure;
use crate::sweep::{self, Sweeper, What};
use crate::{load, report};

/// Prints what a program consists of.
///
/// # Errors
/// If the file or the memory map is bad.
pub fn info(arguments: &Info) -> Result<u8, Failure> {
    let (file, image) = load::image(&arguments.image)?;
    let map = load::memory_map(arguments.memory.as_deref())?;
    let isa = Isa::embedded();
    let sweeper = Sweeper::new(isa, &image);
    let mut code = Code::default();
    for area in sweep::areas(&arguments.image, &image, &file)? {
        for item in sweeper.sweep(area) {
            code.count(isa, &item);
        }
    }
    crate::print(|output| {
        writeln!(output, "file      {}", arguments.image.display())?;
        writeln!(
            output,
            "entry     {:#010x} {}",
            image.entry,
            report::symbolic(&image.symbols, image.entry)
        )?;
        writeln!(output, "flags     {:#010x}", image.flags)?;
        print_segments(&image, &map, output)?;
        code.print(isa, output)?;
        print_symbols(&image, output)
    })
}

/// Where a segment is to go; regions in which it lies.
fn regions(segment: &Segment, map: &MemoryMap) -> String {
    let range = segment.load_range();
    let names: Vec<&str> = map
        .regions
        .iter()
        .filter(|region| u64::from(region.base) < range.end && region.end() > range.start)
        .map(|region| region.name.as_str())
        .collect();
    match map.covers(segment.address, segment.memory_size.into()) {
        true => names.join(", "),
        false if names.is_empty() => "outside of all regions".into(),
        false => format!("{}, partly outside of all regions", names.join(", ")),
    }
}

fn print_segments(image: &Image, map: &MemoryMap, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "segments  {}", image.segments.len())?;
    writeln!(output, "  address    linked for bytes      in memory  flags region")?;
    for segment in &image.segments {
        writeln!(
            output,
            "  {:#010x} {:#010x} {:#010x} {:#010x} {}   {}",
            segment.address,
            segment.virtual_address,
            segment.data.len(),
            segment.memory_size,
            segment.flags,
            regions(segment, map)
        )?;
    }
    Ok(())
}

/// What the sweep finds.
#[derive(Default)]
struct Code {
    /// Bundles by format, by its place in the ladder.
    bundles: BTreeMap<usize, u64>,
    /// Bundles that could not be decoded, though their length is known.
    undecoded: u64,
    /// Instructions by how well their encoding is known.
    encodings: Tally,
    /// Bytes of data, and bytes that are no bundle.
    data: u64,
    strange: u64,
}

impl Code {
    fn count(&mut self, isa: &Isa, item: &sweep::Item) {
        let format = match &item.what {
            What::Code(bundle) => {
                self.encodings.count(isa, bundle);
                Some(isa.format(bundle.format))
            }
            What::Data => {
                self.data += item.bytes.len() as u64;
                return;
            }
            What::Unknown(error) => sweep::format_of(isa, item.bytes, error).inspect(|_| self.undecoded += 1),
        };
        match format.and_then(|format| isa.formats().iter().position(|other| other.name == format.name)) {
            Some(index) => *self.bundles.entry(index).or_default() += 1,
            None => self.strange += item.bytes.len() as u64,
        }
    }

    fn print(&self, isa: &Isa, output: &mut dyn Write) -> io::Result<()> {
        let list = |wide: bool| {
            let wanted =
                self.bundles.iter().filter(|(index, _)| (isa.formats()[**index].length >= 8) == wide);
            let list: Vec<String> =
                wanted.map(|(index, count)| format!("{} {count}", isa.formats()[*index].name)).collect();
            if list.is_empty() { "none".into() } else { list.join(", ") }
        };
        writeln!(output, "bundles   {}", self.bundles.values().sum::<u64>())?;
        writeln!(output, "  base    {}", list(false))?;
        writeln!(output, "  FLIX    {}", list(true))?;
        writeln!(output, "  of them not decodable {}", self.undecoded)?;
        let Tally { exact, likely, provisional } = self.encodings;
        writeln!(output, "encodings {exact} exact, {likely} likely, {provisional} provisional")?;
        writeln!(output, "in code   {} bytes of data, {} bytes that are no bundle", self.data, self.strange)
    }
}

fn print_symbols(image: &Image, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "symbols   {}", image.symbols.len())?;
    for symbol in image.symbols.iter() {
        let kind = match symbol.kind {
            SymbolKind::Function => "function",
            SymbolKind::Object => "object",
            _ => "-",
        };
        let scope = if symbol.global { "global" } else { "local" };
        let name = report::printable(&symbol.name);
        writeln!(output, "  {:08x} {:8x} {kind:8} {scope:6} {name}", symbol.address, symbol.size)?;
    }
    Ok(())
}
