//! A linked program: sections, segments, symbols, and which source line each bundle comes from.

use std::fmt;

use q7_isa::Isa;

use crate::diagnostics::Location;
use crate::object::{Binding, SectionFlags, SymbolKind};

/// A contiguous piece of the memory image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub address: u32,
    /// Initial bytes.
    pub data: Vec<u8>,
    /// Size in memory; what `data` does not cover is zero.
    pub memory_size: u32,
    /// The program may write here.
    pub writable: bool,
    /// The program may execute here.
    pub executable: bool,
}

/// A section of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedSection {
    /// Name.
    pub name: String,
    /// Address; 0 outside memory.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub alignment: u32,
    /// Kind of contents.
    pub flags: SectionFlags,
    /// Index of its segment; `None` if it is empty or outside memory.
    pub(crate) segment: Option<usize>,
    /// Contents of a section outside memory.
    pub(crate) data: Vec<u8>,
}

/// A symbol with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedSymbol {
    /// Name.
    pub name: String,
    /// Value.
    pub address: u32,
    /// Size in bytes, 0 if not stated.
    pub size: u32,
    /// What it names.
    pub kind: SymbolKind,
    /// Who sees it.
    pub binding: Binding,
    /// Index of its section in [`Linked::sections`]; `None` for plain numbers.
    pub section: Option<usize>,
}

/// A bundle and the statement it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Address of the bundle.
    pub address: u32,
    /// Length in bytes.
    pub length: u8,
    /// The statement.
    pub location: Location,
}

/// A program, made by [`crate::link`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    pub(crate) entry: u32,
    pub(crate) sections: Vec<LinkedSection>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) symbols: Vec<LinkedSymbol>,
    pub(crate) lines: Vec<Line>,
}

impl Linked {
    /// Entry address.
    pub fn entry(&self) -> u32 {
        self.entry
    }

    /// Sections; those in memory come first, code before data.
    pub fn sections(&self) -> &[LinkedSection] {
        &self.sections
    }

    /// The memory image.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Symbols, locals first. Names that start with `.L` are left out.
    pub fn symbols(&self) -> &[LinkedSymbol] {
        &self.symbols
    }

    /// The first symbol of a name.
    pub fn symbol(&self, name: &str) -> Option<&LinkedSymbol> {
        self.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// Every bundle with its source statement, by address. Padding is not listed.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The bytes of a section by name; empty for zeros and for unknown names.
    pub fn section_bytes(&self, name: &str) -> &[u8] {
        self.sections
            .iter()
            .find(|section| section.name == name)
            .map_or(&[], |section| self.bytes_of(section))
    }

    pub(crate) fn bytes_of<'a>(&'a self, section: &'a LinkedSection) -> &'a [u8] {
        match section.segment {
            _ if section.flags.nobits => &[],
            Some(index) => self.segments[index]
                .data
                .get((section.address - self.segments[index].address) as usize..)
                .and_then(|data| data.get(..section.size as usize))
                .unwrap_or(&[]),
            None => &section.data,
        }
    }

    /// Initial bytes at an address, up to the end of the segment.
    pub fn bytes_at(&self, address: u32) -> &[u8] {
        self.segments
            .iter()
            .find_map(|segment| segment.data.get(address.checked_sub(segment.address)? as usize..))
            .unwrap_or(&[])
    }

    /// A listing: `address: bytes  text  ; file:line` for each bundle.
    pub fn listing<'a>(&'a self, isa: &'a Isa) -> Listing<'a> {
        Listing { isa, linked: self }
    }
}

/// Prints a listing; made by [`Linked::listing`].
pub struct Listing<'a> {
    isa: &'a Isa,
    linked: &'a Linked,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.linked.lines {
            let bytes = self.linked.bytes_at(line.address);
            let bytes = &bytes[..bytes.len().min(line.length.into())];
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let text = match self.isa.decode(bytes, line.address) {
                Ok(bundle) => self.isa.bundle_text(&bundle).to_string(),
                Err(error) => format!("? {error}"),
            };
            let Location { file, span } = &line.location;
            writeln!(f, "{:08x}: {hex:<6}  {text:<32} ; {file}:{}", line.address, span.line)?;
        }
        Ok(())
    }
}
