//! Our disassembly against objdump's and QEMU's, for every mnemonic of `data/mnemonics.csv`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use q7_image::{Image, Symbol, SymbolKind};
use q7_isa::{Flags, Isa};
use q7_peer::code;
use q7_peer::disassembly::{Line, normalise, parse_objdump, parse_qemu};
use q7_peer::list::{self, Text};
use q7_peer::random::Random;
use q7_peer::runner::QEMU_CORE;
use q7_peer::tool::{OBJDUMP, QEMU, find_or_skip, run, say};

const BASE: u32 = 0x0010_0000;
const LIMIT: Duration = Duration::from_secs(60);

/// Random words per mnemonic.
const WORDS: usize = 60;

/// An instruction: its address, its mnemonic and our text, normalised.
struct Word {
    address: u32,
    mnemonic: &'static str,
    text: String,
}

/// `WORDS` random words of every base mnemonic, in random order, and what we print for them.
fn random_words(seed: u64) -> (Vec<u8>, Vec<Word>) {
    let (isa, mut random) = (Isa::embedded(), Random::new(seed));
    let mut order: Vec<&str> =
        list::rows().iter().flat_map(|row| std::iter::repeat_n(row.mnemonic.as_str(), WORDS)).collect();
    for index in (1..order.len()).rev() {
        order.swap(index, random.below(index as u32 + 1) as usize);
    }
    let (mut bytes, mut words) = (Vec::new(), Vec::new());
    for mnemonic in order {
        let placement = isa.placement(code::single(isa, mnemonic));
        let length = isa.format(isa.slot(placement.slot).format).length as usize;
        let word = (placement.template | random.bits() & !placement.mask).to_le_bytes();
        let address = BASE + bytes.len() as u32;
        // A field may hold a value without a meaning; such words are left out.
        let Ok(bundle) = isa.decode(&word, address) else { continue };
        bytes.extend(&word[..length]);
        words.push(Word { address, mnemonic, text: normalise(&isa.bundle_text(&bundle).to_string()) });
    }
    (bytes, words)
}

/// Compares one instruction with the peer's line; true if it was comparable.
///
/// A mnemonic that is listed as not comparable must really print otherwise, or the list is stale.
fn compare(listed: &Text, mnemonic: &str, text: &str, theirs: Option<&String>, peer: &str) -> bool {
    let expected = match listed {
        Text::Same => text.to_owned(),
        Text::As(other) => text.replacen(mnemonic, other, 1),
        Text::No => {
            assert_ne!(Some(text), theirs.map(String::as_str), "{peer} prints {mnemonic} after all");
            return false;
        }
    };
    assert_eq!(theirs, Some(&expected), "{peer} and we disagree about {mnemonic}");
    true
}

/// Compares all words with a peer's lines and asserts that no listed mnemonic was missed.
fn compare_all(words: &[Word], lines: Vec<Line>, column: impl Fn(&list::Row) -> &Text, peer: &str) {
    let lines: HashMap<u32, String> = lines.into_iter().collect();
    let rows: HashMap<&str, &list::Row> =
        list::rows().iter().map(|row| (row.mnemonic.as_str(), row)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words {
        let theirs = lines.get(&word.address);
        if compare(column(rows[word.mnemonic]), word.mnemonic, &word.text, theirs, peer) {
            *counts.entry(word.mnemonic).or_default() += 1;
        }
    }
    for row in list::rows().iter().filter(|row| *column(row) != Text::No) {
        let count = counts.get(row.mnemonic.as_str()).copied().unwrap_or(0);
        assert!(count >= WORDS / 2, "{} was compared {count} times", row.mnemonic);
    }
    let total: usize = counts.values().sum();
    say(&format!("{peer} text: {total} words of {} mnemonics", counts.len()));
}

#[test]
fn random_words_print_as_in_the_qemu_monitor() {
    let Some(program) = find_or_skip(QEMU, "random_words_print_as_in_the_qemu_monitor") else { return };
    let (bytes, words) = random_words(7);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("words.bin");
    std::fs::write(&file, &bytes).unwrap();
    let mut commands = String::new();
    // Each command starts at a known instruction, so that a wrong length cannot spread.
    for words in words.chunks(200) {
        commands += &format!("x /{}i {:#x}\n", words.len(), words[0].address);
    }
    commands += "quit\n";
    let mut command = Command::new(program);
    command.args(["-M", "sim", "-cpu", QEMU_CORE, "-m", "128", "-display", "none", "-serial", "none"]);
    command.args(["-monitor", "stdio", "-S", "-device"]);
    command.arg(format!("loader,file={},addr={BASE:#x}", file.display()));
    let ran = run(&mut command, commands.into_bytes(), LIMIT).unwrap();
    let lines = parse_qemu(&String::from_utf8_lossy(&ran.output));
    compare_all(&words, lines, |row| &row.qemu, "QEMU");
}

#[test]
fn random_words_print_as_in_objdump() {
    let Some(program) = find_or_skip(OBJDUMP, "random_words_print_as_in_objdump") else { return };
    let (bytes, words) = random_words(11);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("words.bin");
    std::fs::write(&file, &bytes).unwrap();
    let mut command = Command::new(program);
    command.args(["-D", "-z", "-b", "binary", "-m", "xtensa"]);
    command.arg(format!("--adjust-vma={BASE:#x}")).arg(&file);
    let ran = run(&mut command, Vec::new(), LIMIT).unwrap();
    let lines = parse_objdump(&String::from_utf8_lossy(&ran.output));
    compare_all(&words, lines, |row| &row.objdump, "objdump");
}

/// The bytes of an image from an address on.
fn bytes_at(image: &Image, address: u32) -> &[u8] {
    let segment = image.segments.iter().find(|segment| segment.load_range().contains(&address.into()));
    segment.map_or(&[], |segment| &segment.data[(address - segment.address) as usize..])
}

/// The addresses of the instructions that execution can reach from the start of a function, as far as
/// branches tell; what we cannot decode is among them.
fn reachable(image: &Image, function: u32) -> BTreeSet<u32> {
    let isa = Isa::embedded();
    let (mut found, mut waiting) = (BTreeSet::new(), vec![function]);
    while let Some(address) = waiting.pop() {
        if !found.insert(address) {
            continue;
        }
        let Ok(bundle) = isa.decode(bytes_at(image, address), address) else { continue };
        let instruction = &bundle.instructions[0];
        let flags = isa.opcode(instruction.opcode).flags;
        let label = instruction.operands.last().map(|&label| label as u32);
        if flags.contains(Flags::BRANCH) || isa.opcode(instruction.opcode).mnemonic == "j" {
            waiting.extend(label);
        }
        if !flags.contains(Flags::JUMP) && !flags.contains(Flags::RETURN) {
            waiting.push(address + u32::from(bundle.length));
        }
    }
    found
}

/// Compares the instructions of the functions of a program; how many, by mnemonic.
///
/// objdump takes padding behind jumps for instructions, so some of its lines are none. They are
/// compared like the others, but need not be known to us.
fn compare_program(objdump: &Path, file: &Path, counts: &mut BTreeMap<&'static str, usize>) {
    let isa = Isa::embedded();
    let image = Image::parse(&std::fs::read(file).unwrap()).unwrap();
    let mut command = Command::new(objdump);
    command.args(["-d", "-z"]).arg(file);
    let ran = run(&mut command, Vec::new(), LIMIT).unwrap();
    let rows: HashMap<&str, &list::Row> =
        list::rows().iter().map(|row| (row.mnemonic.as_str(), row)).collect();
    let functions = || image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
    let reached: BTreeSet<u32> = functions().flat_map(|symbol| reachable(&image, symbol.address)).collect();
    for (address, theirs) in parse_objdump(&String::from_utf8_lossy(&ran.output)) {
        // Between functions lie literals, which are no instructions.
        let inside = |symbol: &Symbol| (symbol.address..symbol.address + symbol.size).contains(&address);
        if !functions().any(inside) {
            continue;
        }
        let peer = format!("objdump at {} {address:#x}", file.display());
        match isa.decode(bytes_at(&image, address), address) {
            // Code for objdump's core has no bundles; padding may look like one.
            Ok(bundle) if bundle.instructions.len() > 1 => assert!(!reached.contains(&address), "{peer}"),
            Ok(bundle) => {
                let mnemonic = isa.opcode(bundle.instructions[0].opcode).mnemonic.as_str();
                let text = normalise(&isa.bundle_text(&bundle).to_string());
                let row = rows.get(mnemonic).filter(|row| row.objdump != Text::No);
                if row.is_some_and(|row| compare(&row.objdump, mnemonic, &text, Some(&theirs), &peer)) {
                    *counts.entry(mnemonic).or_default() += 1;
                } else if reached.contains(&address) {
                    assert_eq!(
                        mnemonic, "simcall",
                        "{peer}: code for its core has nothing else that it lacks"
                    );
                }
            }
            Err(error) => assert!(!reached.contains(&address), "{peer}: {theirs}: {error}"),
        }
    }
}

#[test]
fn compiled_programs_print_as_in_objdump() {
    let Some(program) = find_or_skip(OBJDUMP, "compiled_programs_print_as_in_objdump") else { return };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware-fixtures/call0/elf");
    let mut counts = BTreeMap::new();
    let mut files: Vec<_> = std::fs::read_dir(fixtures).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "elf"));
    for file in &files {
        compare_program(&program, file, &mut counts);
    }
    let total: usize = counts.values().sum();
    say(&format!(
        "objdump text: {total} compiled instructions, {} mnemonics, {} files",
        counts.len(),
        files.len()
    ));
    assert!(total > 10_000 && counts.len() >= 50, "{total} of {}", counts.len());
}
