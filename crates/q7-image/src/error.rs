//! What can be wrong with an image, in words for the person who wanted to run it.

use goblin::elf::header::{et_to_str, machine_to_str};

/// Why a file is not an image that can be loaded.
///
/// Every message says what was found and what was wanted, addresses in hexadecimal. The name of the file is not part of
/// it: the caller knows that and adds it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file does not start with the four magic bytes `7f 45 4c 46`.
    #[error("not an ELF file: it starts with {found:02x?}, wanted [7f, 45, 4c, 46]")]
    NotElf {
        /// The first bytes of the file; fewer than four if it is shorter.
        found: Vec<u8>,
    },

    /// The ELF class is not 32-bit.
    #[error("{}, wanted 32-bit (class 1)", class_text(*.class))]
    Not32Bit {
        /// `EI_CLASS` as found (2 is 64-bit).
        class: u8,
    },

    /// The data encoding is not little-endian.
    #[error("{}, wanted little-endian (encoding 1)", encoding_text(*.encoding))]
    NotLittleEndian {
        /// `EI_DATA` as found (2 is big-endian).
        encoding: u8,
    },

    /// The file is for another processor.
    #[error("built for machine {machine} ({}), wanted 94 (Xtensa)", machine_to_str(*.machine))]
    WrongMachine {
        /// `e_machine` as found.
        machine: u16,
    },

    /// The file is not a linked executable at fixed addresses.
    #[error("not an executable: ELF type {elf_type} ({}), wanted 2 (EXEC){}", et_to_str(*.elf_type), type_hint(*.elf_type))]
    NotExecutable {
        /// `e_type` as found.
        elf_type: u16,
    },

    /// A header, table, segment or string table lies (partly) behind the end of the file.
    #[error(
        "truncated: {what} needs {size:#x} bytes at file offset {offset:#x}, but the file has only {file_size:#x} bytes"
    )]
    Truncated {
        /// What was to be read.
        what: String,
        /// Its offset in the file, in bytes.
        offset: u64,
        /// Its size in bytes.
        size: u64,
        /// The length of the file in bytes.
        file_size: u64,
    },

    /// The entries of a table do not have the size ELF32 gives them.
    #[error("the entries of the {table} have {found} bytes each, wanted {wanted}")]
    BadEntrySize {
        /// Which table: program header table, section header table or symbol table.
        table: &'static str,
        /// Entry size as found, in bytes.
        found: u64,
        /// Entry size in ELF32, in bytes.
        wanted: u64,
    },

    /// A section number that must name a section names none.
    #[error("{what} is said to be in section {section}, but the file has only {count} sections")]
    BadSectionNumber {
        /// What was looked for.
        what: &'static str,
        /// The section number as found.
        section: u32,
        /// The number of sections in the file, with the null section.
        count: usize,
    },

    /// A segment has more bytes in the file than in memory.
    #[error(
        "segment {index} (program header) at {address:#010x} has {file_size:#x} bytes in the file but only {memory_size:#x} in memory"
    )]
    SegmentLargerInFile {
        /// The number of the program header, from 0.
        index: usize,
        /// Its load address.
        address: u32,
        /// `p_filesz` in bytes.
        file_size: u32,
        /// `p_memsz` in bytes.
        memory_size: u32,
    },

    /// A segment would run past the end of the 32-bit address space.
    #[error(
        "segment {index} (program header) at {address:#010x} with {memory_size:#x} bytes runs past the end of the address space"
    )]
    SegmentWraps {
        /// The number of the program header, from 0.
        index: usize,
        /// The address (load or virtual) that makes it wrap.
        address: u32,
        /// `p_memsz` in bytes.
        memory_size: u32,
    },

    /// Two segments claim the same memory.
    #[error(
        "segments overlap: {first_size:#x} bytes at {first_address:#010x} and {second_size:#x} bytes at {second_address:#010x}"
    )]
    SegmentsOverlap {
        /// Load address of the lower one.
        first_address: u32,
        /// Its size in memory, in bytes.
        first_size: u32,
        /// Load address of the higher one.
        second_address: u32,
        /// Its size in memory, in bytes.
        second_size: u32,
    },

    /// A segment does not fit into the memory it is to be loaded into.
    #[error(
        "the segment at {address:#010x} with {memory_size:#x} bytes lies outside the memory of the machine"
    )]
    SegmentOutsideMemory {
        /// Its load address.
        address: u32,
        /// Its size in memory, in bytes.
        memory_size: u32,
    },

    /// There is nothing to load.
    #[error("nothing to load: the file has no PT_LOAD segment that occupies memory")]
    NoSegments,

    /// The entry address lies in no segment.
    #[error("the entry address {entry:#010x} lies in none of the segments ({})", ranges_text(.segments))]
    EntryOutsideSegments {
        /// `e_entry` as found.
        entry: u32,
        /// Load address and size in memory of each segment.
        segments: Vec<(u32, u32)>,
    },

    /// Many headers point at the same bytes, so that reading the file would take far more memory than the file itself.
    #[error(
        "the {what} add up to more than {limit:#x} bytes, which a file of this size cannot honestly hold"
    )]
    TooMuchCopied {
        /// What was being copied: segments, section names or symbol names.
        what: &'static str,
        /// The most that is copied out of a file of this length, in bytes.
        limit: usize,
    },

    /// The ELF library refuses a header or table for a reason not listed above.
    #[error("malformed {what}: {reason}")]
    Malformed {
        /// Which header or table.
        what: &'static str,
        /// The reason in the words of the library.
        reason: String,
    },
}

fn class_text(class: u8) -> String {
    match class {
        2 => "a 64-bit ELF file (class 2)".to_owned(),
        _ => format!("an ELF file of unknown class {class}"),
    }
}

fn encoding_text(encoding: u8) -> String {
    match encoding {
        2 => "a big-endian ELF file (encoding 2)".to_owned(),
        _ => format!("an ELF file of unknown data encoding {encoding}"),
    }
}

/// What to do about the two types that people meet in practice.
fn type_hint(elf_type: u16) -> &'static str {
    match elf_type {
        1 => "; an object file must be linked first",
        3 => "; link it at fixed addresses, not as a shared or position-independent object",
        _ => "",
    }
}

/// The first few ranges: enough to see what went wrong, never a page of numbers.
fn ranges_text(ranges: &[(u32, u32)]) -> String {
    const SHOWN: usize = 4;
    let mut text = ranges
        .iter()
        .take(SHOWN)
        .map(|(address, size)| format!("{address:#010x}..{:#010x}", u64::from(*address) + u64::from(*size)))
        .collect::<Vec<_>>()
        .join(", ");
    if ranges.len() > SHOWN {
        text.push_str(&format!(" and {} more", ranges.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_reason_and_numbers() {
        let table = [
            (
                ImageError::NotElf { found: vec![0x7f, 0x45] },
                "not an ELF file: it starts with [7f, 45], wanted [7f, 45, 4c, 46]",
            ),
            (ImageError::Not32Bit { class: 2 }, "a 64-bit ELF file (class 2), wanted 32-bit (class 1)"),
            (
                ImageError::NotLittleEndian { encoding: 2 },
                "a big-endian ELF file (encoding 2), wanted little-endian (encoding 1)",
            ),
            (
                ImageError::NotExecutable { elf_type: 1 },
                "not an executable: ELF type 1 (REL), wanted 2 (EXEC); an object file must be linked first",
            ),
            (
                ImageError::SegmentsOverlap {
                    first_address: 0x10_0000,
                    first_size: 0x20,
                    second_address: 0x10_0010,
                    second_size: 4,
                },
                "segments overlap: 0x20 bytes at 0x00100000 and 0x4 bytes at 0x00100010",
            ),
            (
                ImageError::EntryOutsideSegments { entry: 0x40, segments: vec![(0x1000, 0x10); 6] },
                "the entry address 0x00000040 lies in none of the segments (0x00001000..0x00001010, \
                 0x00001000..0x00001010, 0x00001000..0x00001010, 0x00001000..0x00001010 and 2 more)",
            ),
        ];
        for (error, message) in table {
            assert_eq!(error.to_string(), message);
        }
        let machine = ImageError::WrongMachine { machine: 62 }.to_string();
        assert!(
            machine.starts_with("built for machine 62 (") && machine.ends_with("wanted 94 (Xtensa)"),
            "{machine}"
        );
    }
}
