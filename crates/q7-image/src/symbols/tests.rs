//! Names, ties between them, and who owns which code.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Image;
use crate::fixture::{
    ABSOLUTE, DATA, FILE, FUNC, GLOBAL, LOCAL, NOTYPE, OBJECT, SECTION, STRTAB, TEXT, TLS, TestElf,
    TestSymbol, WEAK, good, put_words, section_header, symbol,
};

/// `.text` is 0x0010_0000..0x0010_0040.
const BASE: u32 = 0x0010_0000;

fn table_of(symbols: Vec<TestSymbol>) -> SymbolTable {
    Image::parse(&TestElf { symbols, ..good() }.build()).expect("good").symbols
}

fn holder(table: &SymbolTable, address: u32) -> Option<(&str, u32)> {
    table.containing(address).map(|(symbol, offset)| (symbol.name.as_str(), offset))
}

#[test]
fn names_and_addresses_of_a_usual_file() {
    let table = table_of(good().symbols);
    let names: Vec<&str> = table.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["_start", "main", ".L3", "counter", "__stack"]);
    assert_eq!((table.len(), table.is_empty()), (5, false));
    let expected = Symbol {
        name: "main".to_owned(),
        address: BASE + 0x10,
        size: 0x10,
        kind: SymbolKind::Function,
        global: true,
    };
    assert_eq!(table.get("main"), Some(&expected));
    assert_eq!(table.get("counter").map(|symbol| symbol.kind), Some(SymbolKind::Object));
    assert_eq!(table.address_of("__stack"), Some(0x4010_0000));
    assert_eq!(table.address_of(".L3"), Some(BASE + 0x14));
    for absent in ["", "mai", "main_", "main.c", "zzz"] {
        assert_eq!(table.get(absent), None, "{absent}");
    }

    assert_eq!(holder(&table, BASE + 3), None, "before the first symbol");
    assert_eq!(holder(&table, BASE + 4), Some(("_start", 0)));
    assert_eq!(holder(&table, BASE + 0xf), Some(("_start", 0xb)));
    assert_eq!(holder(&table, BASE + 0x1f), Some(("main", 0xf)), "past .L3");
    assert_eq!(holder(&table, BASE + 0x20), None, "behind main");
    assert_eq!(holder(&table, 0x0200_0000), None, "data");
    assert_eq!(holder(&table, 0x4010_0000), None, "absolute number");
}

#[test]
fn what_names_no_address_is_left_out() {
    let table = table_of(vec![
        symbol("undefined", BASE, 0, GLOBAL | FUNC, 0),
        symbol("common", 4, 4, GLOBAL | OBJECT, 0xfff2),
        symbol("thread_local", 8, 4, GLOBAL | TLS, DATA),
        symbol("file", 0, 0, LOCAL | FILE, ABSOLUTE),
        symbol("section", BASE, 0, LOCAL | SECTION, TEXT),
        symbol("", BASE, 0, GLOBAL | FUNC, TEXT),
    ]);
    assert!(table.is_empty());
}

#[test]
fn of_equal_names_the_global_one_wins_then_the_lowest() {
    let table = table_of(vec![
        symbol("f", BASE + 0x10, 4, LOCAL | FUNC, TEXT),
        symbol("f", BASE + 0x30, 4, WEAK | FUNC, TEXT),
        symbol("f", BASE + 0x20, 4, LOCAL | FUNC, TEXT),
        symbol("g", BASE + 0x28, 4, LOCAL | FUNC, TEXT),
        symbol("g", BASE + 0x08, 4, LOCAL | FUNC, TEXT),
    ]);
    assert_eq!(table.address_of("f"), Some(BASE + 0x30));
    assert_eq!(table.address_of("g"), Some(BASE + 0x08));
    assert_eq!(holder(&table, BASE + 0x21), Some(("f", 1)), "each keeps its own code");
}

#[test]
fn at_one_address_the_function_names_the_code() {
    let table = table_of(vec![
        symbol("_text_start", BASE, 0, GLOBAL | NOTYPE, TEXT),
        symbol("local", BASE, 8, LOCAL | FUNC, TEXT),
        symbol("real", BASE, 8, GLOBAL | FUNC, TEXT),
        symbol("unsized", BASE, 0, GLOBAL | FUNC, TEXT),
    ]);
    assert_eq!(holder(&table, BASE + 7), Some(("real", 7)));
    assert_eq!(holder(&table, BASE + 8), None);
    assert_eq!(table.len(), 4);
}

#[test]
fn labels_inside_functions_end_with_them() {
    let table = table_of(vec![
        symbol("outer", BASE, 0x20, GLOBAL | FUNC, TEXT),
        symbol("inner", BASE + 8, 8, LOCAL | FUNC, TEXT),
        symbol("label", BASE + 0x18, 0, LOCAL | NOTYPE, TEXT),
        symbol("after", BASE + 0x30, 0, LOCAL | NOTYPE, TEXT),
        symbol("_etext", BASE + 0x40, 0, GLOBAL | NOTYPE, TEXT),
    ]);
    assert_eq!(holder(&table, BASE + 0xf), Some(("inner", 7)));
    assert_eq!(holder(&table, BASE + 0x10), Some(("outer", 0x10)), "back in the outer one");
    assert_eq!(holder(&table, BASE + 0x1f), Some(("label", 7)));
    assert_eq!(holder(&table, BASE + 0x20), None);
    assert_eq!(holder(&table, BASE + 0x3f), Some(("after", 0xf)));
    assert_eq!(holder(&table, BASE + 0x40), None, "the section ends");
}

#[test]
fn absolute_functions_name_code_and_absolute_numbers_do_not() {
    let table = table_of(vec![
        symbol("rom_function", 0x4000_0000, 0x10, GLOBAL | FUNC, ABSOLUTE),
        symbol("rom_entry", 0x5000_0000, 0, GLOBAL | FUNC, ABSOLUTE),
        symbol("stack_size", 0x4000_0008, 0, GLOBAL | NOTYPE, ABSOLUTE),
        symbol("last", 0xffff_fff0, u32::MAX, GLOBAL | FUNC, ABSOLUTE),
    ]);
    assert_eq!(holder(&table, 0x4000_000f), Some(("rom_function", 0xf)));
    assert_eq!(holder(&table, 0x5000_0000), Some(("rom_entry", 0)));
    assert_eq!(holder(&table, 0x5000_0001), None);
    assert_eq!(holder(&table, u32::MAX), Some(("last", 0xf)));
}

#[test]
fn odd_names_and_section_numbers_break_nothing() {
    let mut odd = symbol("", BASE, 4, GLOBAL | FUNC, TEXT);
    odd.name = b"caf\xe9 \x1b[0m".to_vec();
    let table = table_of(vec![odd, symbol("lost", BASE + 8, 4, GLOBAL | FUNC, 0x77)]);
    assert_eq!(table.address_of("caf\u{fffd} \u{1b}[0m"), Some(BASE));
    assert_eq!(holder(&table, BASE + 9), Some(("lost", 1)), "as if absolute");
}

#[test]
fn names_without_an_end_are_cut_at_the_table() {
    let mut file = good().build();
    let header = section_header(&file, STRTAB);
    put_words(&mut file, header + 20, &[9]); // "\0" of the null symbol, "\0" of the section, "main.c\0"
    let symbols = Image::parse(&file).expect("good").symbols;
    assert!(symbols.is_empty(), "the names of all others lie behind it");
    put_words(&mut file, header + 20, &[11]);
    assert_eq!(Image::parse(&file).expect("good").symbols.address_of("_s"), Some(BASE + 4));
}

#[test]
fn many_names_from_the_same_bytes_are_refused() {
    let mut symbols = vec![symbol(&"x".repeat(20_000), BASE, 0, GLOBAL | FUNC, TEXT)];
    symbols.extend((0..1000).map(|_| symbol("y", BASE, 0, GLOBAL | FUNC, TEXT)));
    let mut file = TestElf { symbols, ..good() }.build();
    let table = crate::fixture::word(&file, section_header(&file, crate::fixture::SYMTAB) + 16) as usize;
    for index in 1..=1001 {
        put_words(&mut file, table + 16 * index, &[1]);
    }
    let limit = 16 * file.len();
    assert_eq!(Image::parse(&file), Err(ImageError::TooMuchCopied { what: "symbol names", limit }));
}

/// What the documentation of `containing` says, word by word and slowly.
fn model(symbols: &[(u32, u32)], address: u32) -> Option<u32> {
    let end = |start: u32, size: u32| {
        let mut end = if size == 0 { 0x40 } else { start + size }.min(0x40);
        if size == 0 {
            let next = symbols.iter().map(|other| other.0).filter(|&other| other > start).min();
            let around =
                symbols.iter().filter(|other| other.1 != 0 && other.0 < start && other.0 + other.1 > start);
            let innermost = around.max_by_key(|other| other.0).map(|other| other.0 + other.1);
            end = end.min(next.unwrap_or(end)).min(innermost.unwrap_or(end));
        }
        end
    };
    let holds = |&(start, size): &(u32, u32)| start <= address && address < end(start, size);
    symbols.iter().copied().filter(holds).map(|(start, _)| start).max()
}

proptest! {
    #[test]
    fn containing_agrees_with_its_description(
        sizes in vec(prop_oneof![2 => Just(None), 1 => Just(Some(0)), 2 => (1u32..0x28).prop_map(Some)], 0x40)
    ) {
        let places: Vec<(u32, u32)> =
            (0..).zip(sizes).filter_map(|(start, size)| size.map(|size| (start, size))).collect();
        let symbols = places.iter().map(|&(start, size)| symbol("f", BASE + start, size, LOCAL | FUNC, TEXT)).collect();
        let table = table_of(symbols);
        for address in 0..0x48 {
            let found = table.containing(BASE + address).map(|(symbol, _)| symbol.address - BASE);
            prop_assert_eq!(found, model(&places, address), "address {:#x} of {:?}", address, places);
        }
    }
}
