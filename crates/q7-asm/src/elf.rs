//! ELF32 executables.

use object::Endianness;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, SectionIndex, Sym, Writer};

use crate::linked::{Linked, LinkedSection, Segment};
use crate::object::{Binding, SymbolKind};

/// Instructions and literals in one byte order, as GNU tools mark Xtensa files.
const FLAGS: u32 = 0x300;
/// File offsets equal addresses modulo this. Emulators load by copying, so pages need not match.
const SEGMENT_ALIGNMENT: usize = 16;

impl Linked {
    /// The program as an ELF32 little-endian Xtensa executable with sections and symbols.
    pub fn to_elf(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(self, &mut bytes).expect("a linked program fits ELF32: sizes and addresses are 32 bits");
        bytes
    }
}

fn write(linked: &Linked, bytes: &mut Vec<u8>) -> object::write::Result<()> {
    let mut writer = Writer::new(Endianness::Little, false, bytes);
    let sections: Vec<&LinkedSection> = linked.sections.iter().filter(|section| section.size > 0).collect();

    // First pass: names and places.
    writer.reserve_file_header();
    writer.reserve_program_headers(linked.segments.len() as u32);
    let segment_offsets: Vec<usize> = linked
        .segments
        .iter()
        .map(|segment| {
            let skew = segment.address as usize % SEGMENT_ALIGNMENT;
            let start = writer.reserved_len().next_multiple_of(SEGMENT_ALIGNMENT) + skew;
            writer.reserve_until(start);
            writer.reserve(segment.data.len(), 1)
        })
        .collect();
    let loose_offsets: Vec<usize> =
        sections.iter().map(|section| writer.reserve(section.data.len(), 4)).collect();
    writer.reserve_null_section_index();
    let section_names: Vec<(StringId, SectionIndex)> = sections
        .iter()
        .map(|section| (writer.add_section_name(section.name.as_bytes()), writer.reserve_section_index()))
        .collect();
    let header_of = |index: Option<usize>| {
        let section = linked.sections.get(index?)?;
        let position = sections.iter().position(|kept| std::ptr::eq(*kept, section))?;
        Some(section_names[position].1)
    };
    writer.reserve_null_symbol_index();
    let symbol_names: Vec<(StringId, Option<SectionIndex>)> = linked
        .symbols
        .iter()
        .map(|symbol| {
            let section = header_of(symbol.section);
            writer.reserve_symbol_index(section);
            (writer.add_string(symbol.name.as_bytes()), section)
        })
        .collect();
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_symtab();
    writer.reserve_strtab();
    writer.reserve_shstrtab();
    writer.reserve_section_headers();

    // Second pass: the same order.
    writer.write_file_header(&FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_EXEC,
        e_machine: elf::EM_XTENSA,
        e_entry: linked.entry.into(),
        e_flags: FLAGS,
    })?;
    writer.write_align_program_headers();
    for (segment, &offset) in linked.segments.iter().zip(&segment_offsets) {
        writer.write_program_header(&program_header(segment, offset));
    }
    for (segment, &offset) in linked.segments.iter().zip(&segment_offsets) {
        writer.pad_until(offset);
        writer.write(&segment.data);
    }
    for (section, &offset) in sections.iter().zip(&loose_offsets) {
        if !section.data.is_empty() {
            writer.pad_until(offset);
            writer.write(&section.data);
        }
    }
    writer.write_null_symbol();
    for (symbol, &(name, section)) in linked.symbols.iter().zip(&symbol_names) {
        let binding = match symbol.binding {
            Binding::Local => elf::STB_LOCAL,
            Binding::Global => elf::STB_GLOBAL,
            Binding::Weak => elf::STB_WEAK,
        };
        let kind = match symbol.kind {
            SymbolKind::Unknown => elf::STT_NOTYPE,
            SymbolKind::Function => elf::STT_FUNC,
            SymbolKind::Object => elf::STT_OBJECT,
        };
        writer.write_symbol(&Sym {
            name: Some(name),
            section,
            st_info: binding << 4 | kind,
            st_other: elf::STV_DEFAULT,
            st_shndx: if section.is_some() { 0 } else { elf::SHN_ABS },
            st_value: symbol.address.into(),
            st_size: symbol.size.into(),
        });
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    for ((section, &(name, _)), &loose) in sections.iter().zip(&section_names).zip(&loose_offsets) {
        let offset = match section.segment {
            Some(index) => {
                segment_offsets[index] + (section.address - linked.segments[index].address) as usize
            }
            None => loose,
        };
        writer.write_section_header(&section_header(section, name, offset));
    }
    let locals = linked.symbols.iter().filter(|symbol| symbol.binding == Binding::Local).count();
    writer.write_symtab_section_header(1 + locals as u32);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(())
}

fn program_header(segment: &Segment, offset: usize) -> ProgramHeader {
    let mut flags = elf::PF_R;
    if segment.writable {
        flags |= elf::PF_W;
    }
    if segment.executable {
        flags |= elf::PF_X;
    }
    ProgramHeader {
        p_type: elf::PT_LOAD,
        p_flags: flags,
        p_offset: offset as u64,
        p_vaddr: segment.address.into(),
        p_paddr: segment.address.into(),
        p_filesz: segment.data.len() as u64,
        p_memsz: segment.memory_size.into(),
        p_align: SEGMENT_ALIGNMENT as u64,
    }
}

fn section_header(section: &LinkedSection, name: StringId, offset: usize) -> SectionHeader {
    let mut flags = 0;
    for (set, bit) in [
        (section.flags.alloc, elf::SHF_ALLOC),
        (section.flags.write, elf::SHF_WRITE),
        (section.flags.execute, elf::SHF_EXECINSTR),
    ] {
        if set {
            flags |= bit;
        }
    }
    SectionHeader {
        name: Some(name),
        sh_type: if section.flags.nobits { elf::SHT_NOBITS } else { elf::SHT_PROGBITS },
        sh_flags: flags.into(),
        sh_addr: section.address.into(),
        sh_offset: offset as u64,
        sh_size: section.size.into(),
        sh_link: 0,
        sh_info: 0,
        sh_addralign: section.alignment.into(),
        sh_entsize: 0,
    }
}
