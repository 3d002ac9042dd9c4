//! Symbols: names for addresses, and addresses for names.

use goblin::elf::section_header::{
    SHF_EXECINSTR, SHN_COMMON, SHN_LORESERVE, SHN_UNDEF, SHT_DYNSYM, SHT_SYMTAB, SectionHeader,
};
use goblin::elf::sym::{
    STB_LOCAL, STT_COMMON, STT_FILE, STT_FUNC, STT_NOTYPE, STT_OBJECT, STT_SECTION, STT_TLS, Sym,
};

use crate::ImageError;
use crate::reader::Reader;

/// A named address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, never empty. Bytes that are not UTF-8 are replaced.
    pub name: String,
    /// Its virtual address (or, for absolute symbols of a linker script, whatever number was assigned).
    pub address: u32,
    /// Size in bytes; 0 if unknown, as for most assembly labels.
    pub size: u32,
    /// What it names.
    pub kind: SymbolKind,
    /// It is visible beyond the object file that defines it (global or weak).
    pub global: bool,
}

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// Not stated: assembly labels and linker-script symbols (`STT_NOTYPE`).
    NoType,
    /// A variable (`STT_OBJECT`, `STT_COMMON`).
    Object,
    /// A function (`STT_FUNC`).
    Function,
    /// Any other `STT_` number.
    Other(u8),
}

/// The symbols of an image.
///
/// Section and file symbols, undefined ones, nameless ones and thread-local ones (whose value is no address) are left
/// out. Names need not be unique.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SymbolTable {
    /// By address; symbols at the same address stay in file order.
    symbols: Vec<Symbol>,
    /// Indices into `symbols`, by name; of equal names the preferred one comes first.
    by_name: Vec<u32>,
    /// Who owns which code, by address, disjoint.
    code: Vec<CodeRange>,
}

/// Addresses `first..=last` belong to symbol number `symbol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CodeRange {
    first: u32,
    last: u32,
    symbol: u32,
}

/// A symbol and, if it can name code, how far that may reach.
struct Entry {
    symbol: Symbol,
    /// One past the last address it may claim, at most 2^32; `None` if it does not name code.
    code_end: Option<u64>,
}

impl SymbolTable {
    /// The address of the symbol called `name`. Of several, a global one wins, then the lowest address.
    pub fn address_of(&self, name: &str) -> Option<u32> {
        self.get(name).map(|symbol| symbol.address)
    }

    /// The symbol called `name`. Of several, a global one wins, then the lowest address.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        let name_of = |index: u32| self.symbols[index as usize].name.as_str();
        let first = self.by_name.partition_point(|&index| name_of(index) < name);
        let index = *self.by_name.get(first)?;
        (name_of(index) == name).then(|| &self.symbols[index as usize])
    }

    /// The symbol whose code holds `address`, and the offset of `address` from its start, in bytes.
    ///
    /// That is the nearest preceding function or untyped label in an executable section. A symbol with a size reaches as
    /// far as that; one without reaches to the next symbol, the end of a sized symbol around it, or the end of its
    /// section. Compiler labels (`.L...`) do not count. Where several start at one address, a function goes before an
    /// untyped label, a sized symbol before an unsized one, a global before a local one.
    pub fn containing(&self, address: u32) -> Option<(&Symbol, u32)> {
        let index = self.code.partition_point(|range| range.last < address);
        let range = self.code.get(index).filter(|range| range.first <= address)?;
        let symbol = &self.symbols[range.symbol as usize];
        Some((symbol, address - symbol.address))
    }

    /// All symbols, by ascending address.
    pub fn iter(&self) -> std::slice::Iter<'_, Symbol> {
        self.symbols.iter()
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are no symbols, as in a stripped file.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Reads the symbol table of a file; the dynamic one if it has no other, an empty one if it has none.
    pub(crate) fn read(reader: Reader<'_>, sections: &[SectionHeader]) -> Result<SymbolTable, ImageError> {
        let of_kind = |kind: u32| sections.iter().find(|section| section.sh_type == kind);
        let Some(table) = of_kind(SHT_SYMTAB).or_else(|| of_kind(SHT_DYNSYM)) else {
            return Ok(SymbolTable::default());
        };
        let symbols = reader.symbols(table)?;
        if symbols.is_empty() {
            return Ok(SymbolTable::default());
        }
        let mut names = reader.string_table(sections, table.sh_link, "symbol names")?;
        let mut entries = Vec::new();
        for symbol in symbols.iter().filter(|symbol| is_kept(symbol)) {
            let name = names.at(symbol.st_name)?;
            if !name.is_empty() {
                entries.push(Entry::new(symbol, name, sections));
            }
        }
        Ok(SymbolTable::new(entries))
    }

    fn new(mut entries: Vec<Entry>) -> SymbolTable {
        entries.sort_by_key(|entry| entry.symbol.address);
        let code = code_ranges(&entries);
        let symbols: Vec<Symbol> = entries.into_iter().map(|entry| entry.symbol).collect();
        // Indices fit: a file of symbols (16 bytes each in ELF32) would need 64 GiB to exceed them.
        let mut by_name: Vec<u32> = (0..symbols.len() as u32).collect();
        by_name.sort_by_key(|&index| {
            let symbol = &symbols[index as usize];
            (symbol.name.as_str(), !symbol.global, index)
        });
        SymbolTable { symbols, by_name, code }
    }
}

impl<'a> IntoIterator for &'a SymbolTable {
    type Item = &'a Symbol;
    type IntoIter = std::slice::Iter<'a, Symbol>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Whether the symbol names an address that exists in this image.
fn is_kept(symbol: &Sym) -> bool {
    let defined = ![SHN_UNDEF, SHN_COMMON].contains(&(symbol.st_shndx as u32));
    defined && ![STT_SECTION, STT_FILE, STT_TLS].contains(&symbol.st_type())
}

impl Entry {
    fn new(symbol: &Sym, name: String, sections: &[SectionHeader]) -> Entry {
        let kind = match symbol.st_type() {
            STT_NOTYPE => SymbolKind::NoType,
            STT_OBJECT | STT_COMMON => SymbolKind::Object,
            STT_FUNC => SymbolKind::Function,
            other => SymbolKind::Other(other),
        };
        let mut entry = Entry {
            symbol: Symbol {
                name,
                // The fields of an ELF32 symbol have 32 bits; goblin widens them.
                address: symbol.st_value as u32,
                size: symbol.st_size as u32,
                kind,
                global: symbol.st_bind() != STB_LOCAL,
            },
            code_end: None,
        };
        // Numbers from SHN_LORESERVE on name no section: absolute symbols and the like.
        let number = symbol.st_shndx;
        let section = if number < SHN_LORESERVE as usize { sections.get(number) } else { None };
        entry.code_end = entry.symbol.code_end(section);
        entry
    }

    /// Which of several symbols at one address names the code there: smaller is better.
    fn rank(&self) -> impl Ord {
        (self.symbol.kind != SymbolKind::Function, self.symbol.size == 0, !self.symbol.global)
    }
}

impl Symbol {
    /// One past the last address this symbol may claim as its code; `None` if it does not name code.
    fn code_end(&self, section: Option<&SectionHeader>) -> Option<u64> {
        if self.name.starts_with(".L") || !matches!(self.kind, SymbolKind::Function | SymbolKind::NoType) {
            return None;
        }
        let start = u64::from(self.address);
        let sized_end = (self.size != 0).then(|| (start + u64::from(self.size)).min(1 << 32));
        match section {
            Some(section) => {
                let end = section.sh_addr.saturating_add(section.sh_size).min(1 << 32);
                let executable = section.sh_flags & u64::from(SHF_EXECINSTR) != 0;
                // A symbol at the very end of a section (`_etext`) marks the end and names nothing.
                if !executable || start < section.sh_addr || start >= end {
                    return None;
                }
                Some(sized_end.unwrap_or(end).min(end))
            }
            // An absolute number names code only if the file says so: `__stack_size = 0x1000` is no function.
            None if self.kind == SymbolKind::Function => Some(sized_end.unwrap_or(start + 1)),
            None => None,
        }
    }
}

/// Splits the code among its symbols. `entries` are sorted by address.
///
/// One sweep upwards keeps the symbols that are still open, the innermost last. It does constant work per symbol, so
/// that neither many symbols nor absurd sizes can make it slow.
fn code_ranges(entries: &[Entry]) -> Vec<CodeRange> {
    let mut ranges = Vec::new();
    let mut open: Vec<(u32, u64)> = Vec::new(); // symbol number, end
    let owners = code_owners(entries);
    for (place, &number) in owners.iter().enumerate() {
        let entry = &entries[number as usize];
        let mut at = u64::from(entry.symbol.address);
        let next = owners
            .get(place + 1)
            .map_or(1 << 32, |&number| u64::from(entries[number as usize].symbol.address));

        drop_closed(&mut open, at);
        let mut end = entry.code_end.unwrap_or(at);
        if entry.symbol.size == 0 {
            end = end.min(next).min(open.last().map_or(end, |&(_, around)| around));
        }
        open.push((number, end));

        while at < next {
            drop_closed(&mut open, at);
            let Some(&(symbol, end)) = open.last() else { break };
            let stop = end.min(next);
            ranges.push(CodeRange { first: at as u32, last: (stop - 1) as u32, symbol });
            at = stop;
        }
    }
    ranges
}

/// The numbers of the entries that own code, one for each address, ascending.
fn code_owners(entries: &[Entry]) -> Vec<u32> {
    let mut owners: Vec<u32> =
        (0..entries.len() as u32).filter(|&number| entries[number as usize].code_end.is_some()).collect();
    owners.sort_by_key(|&number| {
        let entry = &entries[number as usize];
        (entry.symbol.address, entry.rank())
    });
    owners.dedup_by_key(|number| entries[*number as usize].symbol.address);
    owners
}

/// Forgets the innermost symbols that end at or before `at`.
fn drop_closed(open: &mut Vec<(u32, u64)>, at: u64) {
    while open.last().is_some_and(|&(_, end)| end <= at) {
        open.pop();
    }
}

#[cfg(test)]
mod tests;
