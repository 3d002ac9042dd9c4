//! The ELF file, read by another library.

use goblin::elf::{Elf, header, program_header, section_header, sym};
use q7_asm::{LinkOptions, Options, build};
use q7_isa::Isa;

#[test]
fn executables() {
    let isa = Isa::embedded();
    let source = "
        .global _start
        .type _start, @function
_start: movi a2, 0x12345678
local:  ret
        .size _start, . - _start
        .section .rodata.str1.1, \"aMS\", @progbits, 1
        .asciz \"constant\"
        .data
        .type d, @object
d:      .word 1
        .size d, 4
        .bss
        .space 100
        .section .xt.prop, \"\", @progbits
        .word _start
        .section .vectors, \"ax\"
        j _start
    ";
    let options = LinkOptions { sections: [(".vectors".into(), 0xf_8000)].into(), ..LinkOptions::default() };
    let linked = build(isa, "x.s", source, &Options::default(), &options).unwrap();
    let bytes = linked.to_elf();
    let elf = Elf::parse(&bytes).unwrap();
    assert!(elf.little_endian && !elf.is_64);
    let header = elf.header;
    assert_eq!(
        (header.e_type, header.e_machine, header.e_flags),
        (header::ET_EXEC, header::EM_XTENSA, 0x300)
    );
    assert_eq!(header.e_entry, 0x10_0004);

    // Code and constants, vectors, data and zeros.
    assert_eq!(elf.program_headers.len(), 3);
    for (program, segment) in elf.program_headers.iter().zip(linked.segments()) {
        assert_eq!(program.p_type, program_header::PT_LOAD);
        assert_eq!((program.p_vaddr, program.p_paddr), (segment.address.into(), segment.address.into()));
        assert_eq!(program.p_memsz, u64::from(segment.memory_size));
        assert_eq!(bytes[program.file_range()], segment.data);
        assert_eq!(program.p_offset % program.p_align, program.p_vaddr % program.p_align);
    }
    assert_eq!(elf.program_headers[2].p_memsz - elf.program_headers[2].p_filesz, 100 + 12);

    let section = |name: &str| {
        elf.section_headers
            .iter()
            .find(|header| elf.shdr_strtab.get_at(header.sh_name) == Some(name))
            .unwrap()
    };
    for name in [".text", ".rodata", ".data", ".xt.prop", ".vectors"] {
        assert_eq!(bytes[section(name).file_range().unwrap()], *linked.section_bytes(name), "{name}");
    }
    assert_eq!(section(".bss").sh_type, section_header::SHT_NOBITS);
    assert_eq!(section(".bss").sh_size, 100);
    assert_eq!(section(".xt.prop").sh_flags, 0);
    assert_eq!(
        section(".text").sh_flags,
        u64::from(section_header::SHF_ALLOC | section_header::SHF_EXECINSTR)
    );
    assert_eq!(linked.section_bytes(".xt.prop"), 0x10_0004u32.to_le_bytes());

    let symbol = |name: &str| elf.syms.iter().find(|s| elf.strtab.get_at(s.st_name) == Some(name)).unwrap();
    let start = symbol("_start");
    assert_eq!((start.st_value, start.st_size, start.st_type()), (0x10_0004, 6, sym::STT_FUNC));
    assert_eq!(start.st_bind(), sym::STB_GLOBAL);
    assert_eq!(elf.shdr_strtab.get_at(elf.section_headers[start.st_shndx].sh_name), Some(".text"));
    assert_eq!((symbol("d").st_type(), symbol("d").st_bind()), (sym::STT_OBJECT, sym::STB_LOCAL));
    assert_eq!(symbol("__stack").st_shndx, section_header::SHN_ABS as usize);
    let symtab = section(".symtab");
    let first_global = elf.syms.iter().position(|s| s.st_bind() != sym::STB_LOCAL).unwrap();
    assert_eq!(symtab.sh_info as usize, first_global);
}

#[test]
fn programs_without_data_or_without_anything() {
    let isa = Isa::embedded();
    for source in ["nop", ".bss; .space 5", "", ".data; .byte 1", "x = 5"] {
        let linked = build(isa, "x.s", source, &Options::default(), &LinkOptions::default()).unwrap();
        let bytes = linked.to_elf();
        let elf = Elf::parse(&bytes).unwrap();
        assert_eq!(elf.program_headers.len(), linked.segments().len(), "{source}");
    }
}
