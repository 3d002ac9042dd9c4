//! Bounds-checked access to the bytes of an ELF file, and the tables goblin reads from them.
//!
//! goblin's one-step `Elf::parse` also reads relocations, notes and dynamic tables and refuses a file for oddities in
//! any of them. An image needs none of those, so the tables are read one by one, each after its range was checked.

use goblin::container::{Container, Ctx, Endian};
use goblin::elf::Elf;
use goblin::elf::header::{Header, SIZEOF_IDENT, header32::SIZEOF_EHDR};
use goblin::elf::program_header::{ProgramHeader, program_header32::SIZEOF_PHDR};
use goblin::elf::section_header::{SHN_XINDEX, SectionHeader, section_header32::SIZEOF_SHDR};
use goblin::elf::sym::{Sym, Symtab, sym32::SIZEOF_SYM};

use crate::ImageError;

/// ELF32, little-endian: the only layout accepted.
const LAYOUT: Ctx = Ctx { container: Container::Little, le: Endian::Little };

const MAGIC: [u8; 4] = [0x7f, b'E', b'L', b'F'];
const CLASS_32: u8 = 1;
const LITTLE_ENDIAN: u8 = 1;

/// How many times its own length may be copied out of a file. Honest files stay near 1; what overlaps honestly (strings
/// that share a tail, neighbouring segments that share a page) stays far below this.
const MOST_COPIES: usize = 16;

/// The bytes of a file, with errors instead of panics for what is not there.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    file: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Self {
        Reader { file }
    }

    /// `size` bytes at `offset`; `what` is only called to name them in the error.
    pub(crate) fn bytes(
        &self,
        offset: u64,
        size: u64,
        what: impl FnOnce() -> String,
    ) -> Result<&'a [u8], ImageError> {
        let range = || {
            let start = usize::try_from(offset).ok()?;
            let end = start.checked_add(usize::try_from(size).ok()?)?;
            self.file.get(start..end)
        };
        range().ok_or_else(|| ImageError::Truncated {
            what: what(),
            offset,
            size,
            file_size: self.file.len() as u64,
        })
    }

    /// The ELF header of a 32-bit little-endian file. Machine and type are left to the caller.
    pub(crate) fn header(&self) -> Result<Header, ImageError> {
        let start = &self.file[..self.file.len().min(MAGIC.len())];
        if start != MAGIC {
            return Err(ImageError::NotElf { found: start.to_vec() });
        }
        // Class and encoding first: they say how long the header is and how to read it.
        let ident = self.bytes(0, SIZEOF_IDENT as u64, || "the ELF identification".to_owned())?;
        let (class, encoding) = (ident[4], ident[5]);
        if class != CLASS_32 {
            return Err(ImageError::Not32Bit { class });
        }
        if encoding != LITTLE_ENDIAN {
            return Err(ImageError::NotLittleEndian { encoding });
        }
        self.bytes(0, SIZEOF_EHDR as u64, || "the ELF header".to_owned())?;
        Elf::parse_header(self.file).map_err(malformed("ELF header"))
    }

    /// All program headers, in file order.
    pub(crate) fn program_headers(&self, header: &Header) -> Result<Vec<ProgramHeader>, ImageError> {
        let count = usize::from(header.e_phnum);
        if count == 0 {
            return Ok(Vec::new());
        }
        check_entry_size("program header table", u64::from(header.e_phentsize), SIZEOF_PHDR)?;
        self.bytes(header.e_phoff, (count * SIZEOF_PHDR) as u64, || "the program header table".to_owned())?;
        ProgramHeader::parse(self.file, header.e_phoff as usize, count, LAYOUT)
            .map_err(malformed("program header table"))
    }

    /// All section headers with the null section at index 0; empty if the file has none.
    pub(crate) fn section_headers(&self, header: &Header) -> Result<Vec<SectionHeader>, ImageError> {
        if header.e_shoff == 0 {
            return Ok(Vec::new());
        }
        check_entry_size("section header table", u64::from(header.e_shentsize), SIZEOF_SHDR)?;
        let read = |count: usize| {
            self.bytes(header.e_shoff, (count * SIZEOF_SHDR) as u64, || {
                "the section header table".to_owned()
            })?;
            SectionHeader::parse(self.file, header.e_shoff as usize, count, LAYOUT)
                .map_err(malformed("section header table"))
        };
        match usize::from(header.e_shnum) {
            // Too many for the 16-bit field: the null section holds the count as its size.
            0 => match read(1)?[0].sh_size as usize {
                0 => Ok(Vec::new()),
                count => read(count),
            },
            count => read(count),
        }
    }

    /// The string table that names the sections; empty if there is none.
    pub(crate) fn section_names(
        &self,
        header: &Header,
        sections: &[SectionHeader],
    ) -> Result<Names<'a>, ImageError> {
        let number = match u32::from(header.e_shstrndx) {
            // Too large for the 16-bit field: the null section holds it as its link.
            SHN_XINDEX => sections.first().map_or(0, |null| null.sh_link),
            number => number,
        };
        if sections.is_empty() || number == 0 {
            return Ok(self.names(&[], "section names"));
        }
        self.string_table(sections, number, "section names")
    }

    /// The string table in section `number`.
    pub(crate) fn string_table(
        &self,
        sections: &[SectionHeader],
        number: u32,
        what: &'static str,
    ) -> Result<Names<'a>, ImageError> {
        let table = sections.get(number as usize).ok_or(ImageError::BadSectionNumber {
            what,
            section: number,
            count: sections.len(),
        })?;
        let bytes =
            self.bytes(table.sh_offset, table.sh_size, || format!("the string table of the {what}"))?;
        Ok(self.names(bytes, what))
    }

    /// The symbols of the symbol table section `table`, with the null symbol.
    pub(crate) fn symbols(&self, table: &SectionHeader) -> Result<Vec<Sym>, ImageError> {
        check_entry_size("symbol table", table.sh_entsize, SIZEOF_SYM)?;
        self.bytes(table.sh_offset, table.sh_size, || "the symbol table".to_owned())?;
        let count = table.sh_size as usize / SIZEOF_SYM;
        if count == 0 {
            return Ok(Vec::new());
        }
        let symbols = Symtab::parse(self.file, table.sh_offset as usize, count, LAYOUT)
            .map_err(malformed("symbol table"))?;
        Ok(symbols.iter().collect())
    }

    /// The most bytes of one kind to be copied out of this file.
    pub(crate) fn copy_limit(&self) -> usize {
        self.file.len().saturating_mul(MOST_COPIES)
    }

    fn names(&self, table: &'a [u8], what: &'static str) -> Names<'a> {
        let limit = self.copy_limit();
        Names { table, what, limit, left: limit }
    }
}

/// A string table that hands out owned names, and stops when they add up to much more than the file.
///
/// Without the limit, n symbols that point into one long string would cost n times its length.
pub(crate) struct Names<'a> {
    table: &'a [u8],
    what: &'static str,
    limit: usize,
    left: usize,
}

impl Names<'_> {
    /// The name at `offset`, up to the next NUL or the end of the table. Bytes that are not UTF-8 are replaced, and an
    /// offset behind the table gives the empty name: odd names are no reason to refuse a program.
    pub(crate) fn at(&mut self, offset: usize) -> Result<String, ImageError> {
        let tail = self.table.get(offset..).unwrap_or_default();
        let length = tail.iter().position(|&byte| byte == 0).unwrap_or(tail.len());
        self.left = self
            .left
            .checked_sub(length)
            .ok_or(ImageError::TooMuchCopied { what: self.what, limit: self.limit })?;
        Ok(String::from_utf8_lossy(&tail[..length]).into_owned())
    }
}

fn check_entry_size(table: &'static str, found: u64, wanted: usize) -> Result<(), ImageError> {
    let wanted = wanted as u64;
    if found == wanted { Ok(()) } else { Err(ImageError::BadEntrySize { table, found, wanted }) }
}

fn malformed(what: &'static str) -> impl FnOnce(goblin::error::Error) -> ImageError {
    move |error| ImageError::Malformed { what, reason: error.to_string() }
}
