//! Builds small ELF files byte by byte, for tests to break.
//!
//! The bytes are laid down here by the ELF specification, without the library that the crate reads them with.

/// Sizes of the ELF32 structures, in bytes.
pub const EHDR: usize = 52;
pub const PHDR: usize = 32;
pub const SHDR: usize = 40;
pub const SYM: usize = 16;

/// A program header and its bytes. `file_size` and `file_offset` follow from `data`.
#[derive(Debug, Clone)]
pub struct TestSegment {
    pub kind: u32,
    pub virtual_address: u32,
    pub physical_address: u32,
    pub data: Vec<u8>,
    pub memory_size: u32,
    pub flags: u32,
}

/// A section header and its bytes.
#[derive(Debug, Clone, Default)]
pub struct TestSection {
    pub name: &'static str,
    pub kind: u32,
    pub flags: u32,
    pub address: u32,
    /// Size in the header; the bytes are `data`, or none for `.bss`.
    pub size: u32,
    pub data: Vec<u8>,
    pub link: u32,
    pub entry_size: u32,
}

/// A symbol table entry.
#[derive(Debug, Clone)]
pub struct TestSymbol {
    pub name: Vec<u8>,
    pub value: u32,
    pub size: u32,
    /// binding << 4 | type
    pub info: u8,
    pub section: u16,
}

/// What goes into a file. Sections are numbered from 1 as given; the symbol table and the two string tables follow them.
#[derive(Debug, Clone)]
pub struct TestElf {
    pub entry: u32,
    pub segments: Vec<TestSegment>,
    pub sections: Vec<TestSection>,
    pub symbols: Vec<TestSymbol>,
}

pub const PT_LOAD: u32 = 1;
pub const LOCAL: u8 = 0;
pub const GLOBAL: u8 = 1 << 4;
pub const WEAK: u8 = 2 << 4;
pub const NOTYPE: u8 = 0;
pub const OBJECT: u8 = 1;
pub const FUNC: u8 = 2;
pub const SECTION: u8 = 3;
pub const FILE: u8 = 4;
pub const TLS: u8 = 6;
pub const ABSOLUTE: u16 = 0xfff1;

/// Section numbers in [`good`].
pub const TEXT: u16 = 1;
pub const DATA: u16 = 2;
pub const SYMTAB: usize = 4;
pub const STRTAB: usize = 5;
pub const SHSTRTAB: usize = 6;

pub fn symbol(name: &str, value: u32, size: u32, info: u8, section: u16) -> TestSymbol {
    TestSymbol { name: name.as_bytes().to_vec(), value, size, info, section }
}

/// A program with text at 0x0010_0000, data with a zeroed tail at 0x0200_0000, and a few symbols.
pub fn good() -> TestElf {
    TestElf {
        entry: 0x0010_0004,
        segments: vec![
            TestSegment {
                kind: PT_LOAD,
                virtual_address: 0x0010_0000,
                physical_address: 0x0010_0000,
                data: (0..0x40).collect(),
                memory_size: 0x40,
                flags: 5,
            },
            TestSegment {
                kind: PT_LOAD,
                virtual_address: 0x0200_0000,
                physical_address: 0,
                data: b"data".to_vec(),
                memory_size: 0x48c,
                flags: 6,
            },
        ],
        sections: vec![
            TestSection {
                name: ".text",
                kind: 1,
                flags: 6,
                address: 0x0010_0000,
                size: 0x40,
                data: (0..0x40).collect(),
                ..TestSection::default()
            },
            TestSection {
                name: ".data",
                kind: 1,
                flags: 3,
                address: 0x0200_0000,
                size: 4,
                data: b"data".to_vec(),
                ..TestSection::default()
            },
            TestSection {
                name: ".bss",
                kind: 8,
                flags: 3,
                address: 0x0200_0004,
                size: 0x488,
                ..TestSection::default()
            },
        ],
        symbols: vec![
            symbol("", 0x0010_0000, 0, LOCAL | SECTION, TEXT),
            symbol("main.c", 0, 0, LOCAL | FILE, ABSOLUTE),
            symbol("_start", 0x0010_0004, 0, GLOBAL | NOTYPE, TEXT),
            symbol("main", 0x0010_0010, 0x10, GLOBAL | FUNC, TEXT),
            symbol(".L3", 0x0010_0014, 0, LOCAL | NOTYPE, TEXT),
            symbol("counter", 0x0200_0000, 4, GLOBAL | OBJECT, DATA),
            symbol("__stack", 0x4010_0000, 0, GLOBAL | NOTYPE, ABSOLUTE),
        ],
    }
}

impl TestElf {
    /// The file: ELF header, program headers, bytes of the segments, bytes of the sections, section headers.
    pub fn build(&self) -> Vec<u8> {
        let mut sections = vec![TestSection::default()];
        sections.extend(self.sections.iter().cloned());
        let symtab = sections.len() as u32;
        let (symbols, names) = self.symbol_table();
        sections.push(table(".symtab", 2, symbols, symtab + 1, SYM as u32));
        sections.push(table(".strtab", 3, names, 0, 0));
        sections.push(table(".shstrtab", 3, Vec::new(), 0, 0));
        let mut names = Names::default();
        let name_offsets: Vec<u32> =
            sections.iter().map(|section| names.add(section.name.as_bytes())).collect();
        let last = sections.last_mut().expect("just filled");
        last.size = names.bytes.len() as u32;
        last.data = names.bytes;

        let mut file = vec![0; EHDR + PHDR * self.segments.len()];
        for (index, segment) in self.segments.iter().enumerate() {
            let fields = [
                segment.kind,
                file.len() as u32,
                segment.virtual_address,
                segment.physical_address,
                segment.data.len() as u32,
                segment.memory_size,
                segment.flags,
                1,
            ];
            put_words(&mut file, EHDR + PHDR * index, &fields);
            file.extend_from_slice(&segment.data);
        }
        let mut headers = Vec::new();
        for (section, name) in sections.iter().zip(name_offsets) {
            let offset = if section.kind == 0 { 0 } else { file.len() as u32 };
            headers.extend([
                name,
                section.kind,
                section.flags,
                section.address,
                offset,
                section.size,
                section.link,
                0,
                1,
                section.entry_size,
            ]);
            file.extend_from_slice(&section.data);
        }
        let section_table = file.len();
        file.resize(section_table + SHDR * sections.len(), 0);
        put_words(&mut file, section_table, &headers);

        file[..16].copy_from_slice(&[0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        put_halves(&mut file, 16, &[2, 94]);
        put_words(&mut file, 20, &[1, self.entry, EHDR as u32, section_table as u32, 0x300]);
        let counts = [
            EHDR as u16,
            PHDR as u16,
            self.segments.len() as u16,
            SHDR as u16,
            sections.len() as u16,
            sections.len() as u16 - 1,
        ];
        put_halves(&mut file, 40, &counts);
        file
    }

    fn symbol_table(&self) -> (Vec<u8>, Vec<u8>) {
        let mut names = Names::default();
        names.add(b"");
        let mut bytes = vec![0; SYM];
        for symbol in &self.symbols {
            bytes.extend(names.add(&symbol.name).to_le_bytes());
            bytes.extend(symbol.value.to_le_bytes());
            bytes.extend(symbol.size.to_le_bytes());
            bytes.extend([symbol.info, 0]);
            bytes.extend(symbol.section.to_le_bytes());
        }
        (bytes, names.bytes)
    }
}

/// A string table in the making.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
}

impl Names {
    fn add(&mut self, name: &[u8]) -> u32 {
        let offset = self.bytes.len() as u32;
        self.bytes.extend_from_slice(name);
        self.bytes.push(0);
        offset
    }
}

fn table(name: &'static str, kind: u32, data: Vec<u8>, link: u32, entry_size: u32) -> TestSection {
    TestSection { name, kind, size: data.len() as u32, data, link, entry_size, ..TestSection::default() }
}

/// Where program header `index` starts.
pub fn program_header(index: usize) -> usize {
    EHDR + PHDR * index
}

/// Where section header `index` starts.
pub fn section_header(file: &[u8], index: usize) -> usize {
    word(file, 32) as usize + SHDR * index
}

pub fn word(file: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(file[offset..offset + 4].try_into().expect("four bytes"))
}

pub fn put_words(file: &mut [u8], offset: usize, words: &[u32]) {
    for (index, word) in words.iter().enumerate() {
        file[offset + 4 * index..][..4].copy_from_slice(&word.to_le_bytes());
    }
}

pub fn put_halves(file: &mut [u8], offset: usize, halves: &[u16]) {
    for (index, half) in halves.iter().enumerate() {
        file[offset + 2 * index..][..2].copy_from_slice(&half.to_le_bytes());
    }
}
