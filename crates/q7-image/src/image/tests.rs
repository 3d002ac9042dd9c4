//! Good files, files with one broken field each, and the edges between the two.

use super::*;
use crate::fixture::{
    DATA, PHDR, SHSTRTAB, STRTAB, SYMTAB, TestElf, TestSegment, good, program_header, put_halves, put_words,
    section_header,
};

#[test]
fn a_good_file_round_trips() {
    let file = good().build();
    let image = Image::parse(&file).expect("good");
    assert_eq!((image.entry, image.flags), (0x0010_0004, 0x300));

    let [text, data] = &image.segments[..] else { panic!("two segments") };
    assert_eq!((text.address, text.virtual_address, text.memory_size), (0x0010_0000, 0x0010_0000, 0x40));
    assert_eq!(text.data, (0..0x40).collect::<Vec<u8>>());
    assert_eq!(text.flags, SegmentFlags { read: true, write: false, execute: true });
    assert_eq!(text.flags.to_string(), "R E");
    // p_paddr is 0 here, so that it loads at p_vaddr.
    assert_eq!((data.address, data.virtual_address, data.memory_size), (0x0200_0000, 0x0200_0000, 0x48c));
    assert_eq!((&data.data[..], data.flags.to_string().as_str()), (&b"data"[..], "RW "));

    let names: Vec<&str> = image.sections.iter().map(|section| section.name.as_str()).collect();
    assert_eq!(names, [".text", ".data", ".bss", ".symtab", ".strtab", ".shstrtab"]);
    let section = image.section(".data").expect("present");
    assert_eq!((section.address, section.size, section.bytes(&file)), (0x0200_0000, 4, Some(&b"data"[..])));
    assert!(section.allocated && section.writable && !section.executable);
    assert!(image.section(".text").expect("present").executable);
    assert_eq!(image.section(".bss").expect("present").bytes(&file), None);
    assert_eq!(image.section(".nowhere"), None);

    assert_eq!(image.symbols.address_of("main"), Some(0x0010_0010));
}

fn segment(address: u32, size: u32) -> TestSegment {
    TestSegment {
        virtual_address: address,
        physical_address: 0,
        data: Vec::new(),
        memory_size: size,
        ..good().segments[0].clone()
    }
}

fn parse_segments(segments: Vec<TestSegment>) -> Result<Image, ImageError> {
    let elf = TestElf { entry: segments[0].virtual_address, segments, ..good() };
    Image::parse(&elf.build())
}

type Break = fn(&mut Vec<u8>);

/// Fields of a program header, by offset: 0 type, 4 offset, 8 vaddr, 12 paddr, 16 filesz, 20 memsz.
fn set_segment(file: &mut [u8], index: usize, field: usize, value: u32) {
    put_words(file, program_header(index) + field, &[value]);
}

/// Fields of a section header, by offset: 16 offset, 20 size, 24 link, 36 entsize.
fn set_section(file: &mut [u8], index: usize, field: usize, value: u32) {
    let header = section_header(file, index);
    put_words(file, header + field, &[value]);
}

#[test]
fn each_broken_field_has_its_own_error() {
    let length = good().build().len() as u64;
    let section_table = u64::from(crate::fixture::word(&good().build(), 32));
    let truncated = |what: &str, offset: u64, size: u64, file_size: u64| ImageError::Truncated {
        what: what.to_owned(),
        offset,
        size,
        file_size,
    };
    let table: Vec<(&str, Break, ImageError)> = vec![
        ("empty", |f| f.clear(), ImageError::NotElf { found: vec![] }),
        ("magic", |f| f[0] = 0x7e, ImageError::NotElf { found: vec![0x7e, b'E', b'L', b'F'] }),
        ("only magic", |f| f.truncate(4), truncated("the ELF identification", 0, 16, 4)),
        ("half a header", |f| f.truncate(30), truncated("the ELF header", 0, 52, 30)),
        ("64-bit", |f| f[4] = 2, ImageError::Not32Bit { class: 2 }),
        (
            "64-bit and short",
            |f| {
                f[4] = 2;
                f.truncate(20)
            },
            ImageError::Not32Bit { class: 2 },
        ),
        ("class 9", |f| f[4] = 9, ImageError::Not32Bit { class: 9 }),
        ("big endian", |f| f[5] = 2, ImageError::NotLittleEndian { encoding: 2 }),
        ("encoding 0", |f| f[5] = 0, ImageError::NotLittleEndian { encoding: 0 }),
        ("x86", |f| put_halves(f, 18, &[3]), ImageError::WrongMachine { machine: 3 }),
        ("object file", |f| put_halves(f, 16, &[1]), ImageError::NotExecutable { elf_type: 1 }),
        ("shared object", |f| put_halves(f, 16, &[3]), ImageError::NotExecutable { elf_type: 3 }),
        (
            "phentsize",
            |f| put_halves(f, 42, &[56]),
            ImageError::BadEntrySize { table: "program header table", found: 56, wanted: 32 },
        ),
        (
            "shentsize",
            |f| put_halves(f, 46, &[64]),
            ImageError::BadEntrySize { table: "section header table", found: 64, wanted: 40 },
        ),
        (
            "phoff",
            |f| put_words(f, 28, &[0xffff_fff0]),
            truncated("the program header table", 0xffff_fff0, 2 * PHDR as u64, length),
        ),
        (
            "phnum",
            |f| put_halves(f, 44, &[0xffff]),
            truncated("the program header table", 52, 0xffff * PHDR as u64, length),
        ),
        ("no program headers", |f| put_halves(f, 44, &[0]), ImageError::NoSegments),
        (
            "segment behind the end",
            |f| set_segment(f, 1, 4, 0xffff_ffff),
            truncated("segment 1 (program header)", 0xffff_ffff, 4, length),
        ),
        (
            "filesz > memsz",
            |f| set_segment(f, 1, 20, 3),
            ImageError::SegmentLargerInFile { index: 1, address: 0x0200_0000, file_size: 4, memory_size: 3 },
        ),
        (
            "memsz 0 with bytes",
            |f| set_segment(f, 1, 20, 0),
            ImageError::SegmentLargerInFile { index: 1, address: 0x0200_0000, file_size: 4, memory_size: 0 },
        ),
        (
            "virtual wrap",
            |f| set_segment(f, 1, 8, 0xffff_fc00),
            ImageError::SegmentWraps { index: 1, address: 0xffff_fc00, memory_size: 0x48c },
        ),
        (
            "physical wrap",
            |f| set_segment(f, 0, 12, 0xffff_ffc1),
            ImageError::SegmentWraps { index: 0, address: 0xffff_ffc1, memory_size: 0x40 },
        ),
        (
            "huge memsz wraps",
            |f| set_segment(f, 1, 20, u32::MAX),
            ImageError::SegmentWraps { index: 1, address: 0x0200_0000, memory_size: u32::MAX },
        ),
        (
            "overlap",
            |f| set_segment(f, 1, 12, 0x0010_003f),
            ImageError::SegmentsOverlap {
                first_address: 0x0010_0000,
                first_size: 0x40,
                second_address: 0x0010_003f,
                second_size: 0x48c,
            },
        ),
        (
            "entry",
            |f| put_words(f, 24, &[0x0010_0040]),
            ImageError::EntryOutsideSegments {
                entry: 0x0010_0040,
                segments: vec![(0x0010_0000, 0x40), (0x0200_0000, 0x48c)],
            },
        ),
        (
            "only TLS",
            |f| {
                set_segment(f, 0, 0, 7);
                set_segment(f, 1, 0, 7)
            },
            ImageError::NoSegments,
        ),
        (
            "shoff",
            |f| put_words(f, 32, &[0xffff_0000]),
            truncated("the section header table", 0xffff_0000, 7 * 40, length),
        ),
        (
            "cut in the section headers",
            |f| f.truncate(f.len() - 1),
            truncated("the section header table", section_table, 7 * 40, length - 1),
        ),
        (
            "shstrndx",
            |f| put_halves(f, 50, &[7]),
            ImageError::BadSectionNumber { what: "section names", section: 7, count: 7 },
        ),
        (
            "shstrtab",
            |f| {
                set_section(f, SHSTRTAB, 16, 0x10_0000);
                set_section(f, SHSTRTAB, 20, 9)
            },
            truncated("the string table of the section names", 0x10_0000, 9, length),
        ),
        (
            "strtab",
            |f| {
                set_section(f, STRTAB, 16, 0x10);
                set_section(f, STRTAB, 20, u32::MAX)
            },
            truncated("the string table of the symbol names", 0x10, u64::from(u32::MAX), length),
        ),
        (
            "symtab link",
            |f| set_section(f, SYMTAB, 24, 0x99),
            ImageError::BadSectionNumber { what: "symbol names", section: 0x99, count: 7 },
        ),
        (
            "symtab entsize",
            |f| set_section(f, SYMTAB, 36, 24),
            ImageError::BadEntrySize { table: "symbol table", found: 24, wanted: 16 },
        ),
        (
            "symtab",
            |f| {
                set_section(f, SYMTAB, 16, 0x20);
                set_section(f, SYMTAB, 20, 0x10_0000)
            },
            truncated("the symbol table", 0x20, 0x10_0000, length),
        ),
    ];
    for (name, break_it, expected) in table {
        let mut file = good().build();
        break_it(&mut file);
        assert_eq!(Image::parse(&file), Err(expected), "{name}");
    }
}

#[test]
fn physical_address_wins_unless_it_is_zero() {
    let mut elf = good();
    elf.segments[0].physical_address = 0x0300_0000;
    let image = Image::parse(&elf.build()).expect("the entry counts by virtual address");
    assert_eq!((image.segments[0].address, image.segments[0].virtual_address), (0x0300_0000, 0x0010_0000));
    elf.entry = 0x0300_0004;
    Image::parse(&elf.build()).expect("the entry counts by load address");
}

#[test]
fn only_loads_that_occupy_memory_become_segments() {
    let mut tls = segment(0x0010_0000, 0x40);
    tls.kind = 7;
    let image = parse_segments(vec![segment(0x0010_0000, 0x40), tls, segment(0x0010_0000, 0)]).expect("good");
    assert_eq!(image.segments.len(), 1);
}

#[test]
fn segments_may_touch_each_other_and_the_end_of_the_address_space() {
    let image = parse_segments(vec![segment(0xffff_ff00, 0x100), segment(0xffff_fe00, 0x100)]).expect("good");
    assert_eq!(image.segments[0].load_range().end, 1 << 32);
    assert_eq!(image.segments[1].address, 0xffff_fe00, "file order is kept");
}

#[test]
fn memory_size_is_only_a_number() {
    let image = parse_segments(vec![segment(0, u32::MAX)]).expect("good");
    assert_eq!((image.segments[0].memory_size, image.segments[0].data.len()), (u32::MAX, 0));
}

#[test]
fn a_segment_without_bytes_has_no_file_offset() {
    let mut file = TestElf { entry: 0x1000, segments: vec![segment(0x1000, 4)], ..good() }.build();
    set_segment(&mut file, 0, 4, u32::MAX);
    Image::parse(&file).expect("good");
}

#[test]
fn many_segments_from_the_same_bytes_are_refused() {
    let segments = (0..200).map(|index| segment(index * 0x1_0000, 0x1_0000)).collect();
    let mut file = TestElf { entry: 0, segments, ..good() }.build();
    let all = file.len() as u32;
    for index in 0..200 {
        set_segment(&mut file, index, 4, 0);
        set_segment(&mut file, index, 16, all);
    }
    let limit = 16 * file.len();
    assert_eq!(Image::parse(&file), Err(ImageError::TooMuchCopied { what: "segments", limit }));
}

#[test]
fn section_headers_are_optional() {
    let mut file = good().build();
    put_words(&mut file, 32, &[0]);
    put_halves(&mut file, 48, &[0, 0]);
    let image = Image::parse(&file).expect("good");
    assert!(image.sections.is_empty() && image.symbols.is_empty());
}

#[test]
fn the_section_count_may_stand_in_the_null_section() {
    let mut file = good().build();
    put_halves(&mut file, 48, &[0, 0xffff]);
    set_section(&mut file, 0, 20, 7);
    set_section(&mut file, 0, 24, SHSTRTAB as u32);
    assert_eq!(Image::parse(&file), Image::parse(&good().build()));
}

#[test]
fn odd_section_names_and_sections_behind_the_end_do_not_matter() {
    let mut file = good().build();
    set_section(&mut file, 1, 0, 0xffff_ffff);
    set_section(&mut file, usize::from(DATA), 16, 0xffff_fff0);
    let image = Image::parse(&file).expect("good");
    assert_eq!(image.sections[0].name, "");
    assert_eq!(image.section(".data").expect("named").bytes(&file), None);
}

#[test]
fn segments_must_fit_the_memory() {
    let image = Image::parse(&good().build()).expect("good");
    let region = |from: u64, to: u64| {
        move |start: u32, length: u32| from <= u64::from(start) && u64::from(start) + u64::from(length) <= to
    };
    assert_eq!(image.check_fits(region(0x0010_0000, 0x0200_048c)), Ok(()));
    assert_eq!(
        image.check_fits(region(0x0010_0000, 0x0200_048b)),
        Err(ImageError::SegmentOutsideMemory { address: 0x0200_0000, memory_size: 0x48c })
    );
}
