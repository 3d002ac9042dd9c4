//! The image: what a loader needs from an ELF file.

use std::fmt;
use std::ops::Range;

use goblin::elf::header::{ET_EXEC, Header};
use goblin::elf::program_header::{PF_R, PF_W, PF_X, PT_LOAD, ProgramHeader};
use goblin::elf::section_header::{SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_NOBITS, SectionHeader};

use crate::reader::Reader;
use crate::{ImageError, SymbolTable};

/// `e_machine` of Xtensa files (reference `microarchitecture/spec-lsp-elf.md`).
pub const EM_XTENSA: u16 = 94;

/// A program for the simulator, as its ELF file describes it.
///
/// All addresses are byte addresses in the 32-bit space of the core. [`Section`]s, symbols and the entry use virtual
/// addresses (where code expects to run); [`Segment::address`] is where the bytes are loaded. The two agree in
/// ordinary Vision-Q7 images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Where execution starts (`e_entry`); it lies inside a segment.
    pub entry: u32,
    /// The processor-specific `e_flags`, as found.
    pub flags: u32,
    /// What is to be loaded, in file order. Never empty; no two overlap.
    pub segments: Vec<Segment>,
    /// The named parts of the file, in file order, without the null section. Empty if the file was stripped of them.
    pub sections: Vec<Section>,
    /// The symbols; empty if the file was stripped of them.
    pub symbols: SymbolTable,
}

/// One `PT_LOAD` segment that occupies memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Load address: `p_paddr`, or `p_vaddr` when `p_paddr` is 0.
    pub address: u32,
    /// The address its code and data were linked for (`p_vaddr`).
    pub virtual_address: u32,
    /// The bytes from the file, at most `memory_size`.
    pub data: Vec<u8>,
    /// Size in memory in bytes, at least 1. What exceeds `data` is to be zero.
    pub memory_size: u32,
    /// The permissions the linker asked for.
    pub flags: SegmentFlags,
}

impl Segment {
    /// The memory it is loaded into. The end is at most 2^32, which is why this is `u64`.
    pub fn load_range(&self) -> Range<u64> {
        range(self.address, self.memory_size)
    }

    /// The memory it was linked for. The end is at most 2^32.
    pub fn virtual_range(&self) -> Range<u64> {
        range(self.virtual_address, self.memory_size)
    }
}

/// The permissions of a segment (`p_flags`). They are a wish of the linker: GNU ld often asks for all three at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SegmentFlags {
    /// Data may be read (`PF_R`).
    pub read: bool,
    /// Data may be written (`PF_W`).
    pub write: bool,
    /// Instructions may be fetched (`PF_X`).
    pub execute: bool,
}

impl SegmentFlags {
    fn from_bits(bits: u32) -> Self {
        SegmentFlags { read: bits & PF_R != 0, write: bits & PF_W != 0, execute: bits & PF_X != 0 }
    }
}

/// Three characters as `readelf -l` shows them, for example `R E`.
impl fmt::Display for SegmentFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |set: bool, letter: char| if set { letter } else { ' ' };
        write!(f, "{}{}{}", letter(self.read, 'R'), letter(self.write, 'W'), letter(self.execute, 'E'))
    }
}

/// A section: a named part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name, for example `.text` or `kernel_info_table`. Bytes that are not UTF-8 are replaced.
    pub name: String,
    /// Virtual address; 0 for what is not in memory (debug information, `.xt.prop`).
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
    /// Where its bytes start in the file; see [`Section::bytes`].
    pub file_offset: u32,
    /// `sh_type` as found: 1 is program data, 8 is zero-filled without bytes in the file.
    pub kind: u32,
    /// It occupies memory at run time (`SHF_ALLOC`).
    pub allocated: bool,
    /// It is writable at run time (`SHF_WRITE`).
    pub writable: bool,
    /// It holds instructions (`SHF_EXECINSTR`).
    pub executable: bool,
}

impl Section {
    /// Its bytes in `file`, the file it was parsed from. `None` if it has none there (`.bss`), or if the file does not
    /// reach that far: ranges of sections nobody asks for are not checked on parsing.
    pub fn bytes<'a>(&self, file: &'a [u8]) -> Option<&'a [u8]> {
        if self.kind == SHT_NOBITS {
            return None;
        }
        let start = usize::try_from(self.file_offset).ok()?;
        file.get(start..start.checked_add(usize::try_from(self.size).ok()?)?)
    }
}

impl Image {
    /// Reads an image from the bytes of an ELF file.
    ///
    /// # Errors
    ///
    /// Any [`ImageError`] except [`SegmentOutsideMemory`](ImageError::SegmentOutsideMemory): if the file is not a 32-bit
    /// little-endian Xtensa executable, is cut short, or describes segments that cannot all be loaded.
    pub fn parse(bytes: &[u8]) -> Result<Image, ImageError> {
        let reader = Reader::new(bytes);
        let header = reader.header()?;
        if header.e_machine != EM_XTENSA {
            return Err(ImageError::WrongMachine { machine: header.e_machine });
        }
        if header.e_type != ET_EXEC {
            return Err(ImageError::NotExecutable { elf_type: header.e_type });
        }

        let segments = read_segments(reader, &reader.program_headers(&header)?)?;
        // The fields of an ELF32 header have 32 bits; goblin widens them.
        let entry = header.e_entry as u32;
        check_entry(entry, &segments)?;

        let headers = reader.section_headers(&header)?;
        Ok(Image {
            entry,
            flags: header.e_flags,
            segments,
            sections: read_sections(reader, &header, &headers)?,
            symbols: SymbolTable::read(reader, &headers)?,
        })
    }

    /// Asks `regions` about the memory of every segment; it gets the load address and the size in bytes and says whether
    /// all of it exists.
    ///
    /// # Errors
    ///
    /// [`ImageError::SegmentOutsideMemory`] for the first segment refused.
    pub fn check_fits(&self, regions: impl Fn(u32, u32) -> bool) -> Result<(), ImageError> {
        match self.segments.iter().find(|segment| !regions(segment.address, segment.memory_size)) {
            None => Ok(()),
            Some(segment) => Err(ImageError::SegmentOutsideMemory {
                address: segment.address,
                memory_size: segment.memory_size,
            }),
        }
    }

    /// The first section with this name.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

fn range(address: u32, size: u32) -> Range<u64> {
    let start = u64::from(address);
    start..start + u64::from(size)
}

/// The segments to load. Every check on numbers comes before the first byte is copied.
fn read_segments(reader: Reader<'_>, headers: &[ProgramHeader]) -> Result<Vec<Segment>, ImageError> {
    let mut segments = Vec::new();
    let mut sources = Vec::new();
    let limit = reader.copy_limit();
    let mut total = 0usize;
    for (index, header) in headers.iter().enumerate().filter(|(_, header)| header.p_type == PT_LOAD) {
        let segment = plan_segment(index, header)?;
        if segment.memory_size == 0 {
            continue;
        }
        let source: &[u8] = match header.p_filesz {
            0 => &[], // Nothing to read: its file offset means nothing.
            size => reader.bytes(header.p_offset, size, || format!("segment {index} (program header)"))?,
        };
        total = total.saturating_add(source.len());
        if total > limit {
            return Err(ImageError::TooMuchCopied { what: "segments", limit });
        }
        segments.push(segment);
        sources.push(source);
    }
    if segments.is_empty() {
        return Err(ImageError::NoSegments);
    }
    check_overlap(&segments)?;
    for (segment, source) in segments.iter_mut().zip(sources) {
        segment.data = source.to_vec();
    }
    Ok(segments)
}

/// Where a segment goes, still without its bytes.
fn plan_segment(index: usize, header: &ProgramHeader) -> Result<Segment, ImageError> {
    // The fields of an ELF32 program header have 32 bits; goblin widens them.
    let virtual_address = header.p_vaddr as u32;
    let address = match header.p_paddr as u32 {
        0 => virtual_address,
        physical => physical,
    };
    let (file_size, memory_size) = (header.p_filesz as u32, header.p_memsz as u32);
    if file_size > memory_size {
        return Err(ImageError::SegmentLargerInFile { index, address, file_size, memory_size });
    }
    for address in [address, virtual_address] {
        if range(address, memory_size).end > 1 << 32 {
            return Err(ImageError::SegmentWraps { index, address, memory_size });
        }
    }
    Ok(Segment {
        address,
        virtual_address,
        data: Vec::new(),
        memory_size,
        flags: SegmentFlags::from_bits(header.p_flags),
    })
}

/// Load ranges must be disjoint. Virtual ranges may coincide: that is how overlays are linked.
fn check_overlap(segments: &[Segment]) -> Result<(), ImageError> {
    let mut sorted: Vec<&Segment> = segments.iter().collect();
    sorted.sort_by_key(|segment| segment.address);
    for pair in sorted.windows(2) {
        if pair[0].load_range().end > pair[1].load_range().start {
            return Err(ImageError::SegmentsOverlap {
                first_address: pair[0].address,
                first_size: pair[0].memory_size,
                second_address: pair[1].address,
                second_size: pair[1].memory_size,
            });
        }
    }
    Ok(())
}

/// The entry is a virtual address; a start-up that runs at the load address first (and copies itself) counts as well.
fn check_entry(entry: u32, segments: &[Segment]) -> Result<(), ImageError> {
    let at = u64::from(entry);
    let inside =
        |segment: &Segment| segment.load_range().contains(&at) || segment.virtual_range().contains(&at);
    if segments.iter().any(inside) {
        return Ok(());
    }
    Err(ImageError::EntryOutsideSegments {
        entry,
        segments: segments.iter().map(|segment| (segment.address, segment.memory_size)).collect(),
    })
}

fn read_sections(
    reader: Reader<'_>,
    header: &Header,
    headers: &[SectionHeader],
) -> Result<Vec<Section>, ImageError> {
    let mut names = reader.section_names(header, headers)?;
    let has = |section: &SectionHeader, flag: u32| section.sh_flags & u64::from(flag) != 0;
    headers
        .iter()
        .skip(1) // the null section
        .map(|section| {
            Ok(Section {
                name: names.at(section.sh_name)?,
                // The fields of an ELF32 section header have 32 bits; goblin widens them.
                address: section.sh_addr as u32,
                size: section.sh_size as u32,
                file_offset: section.sh_offset as u32,
                kind: section.sh_type,
                allocated: has(section, SHF_ALLOC),
                writable: has(section, SHF_WRITE),
                executable: has(section, SHF_EXECINSTR),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
