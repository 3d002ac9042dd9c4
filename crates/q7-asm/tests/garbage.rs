//! Bad input ends in errors, never in a panic or a hang.

use proptest::prelude::*;
use q7_asm::{LinkOptions, Options, assemble, build, link, parse_bundle};
use q7_isa::Isa;

fn survive(source: &str) {
    for relax in [false, true] {
        let isa = Isa::embedded();
        if let Ok(linked) = build(isa, "garbage.s", source, &Options { relax }, &LinkOptions::default()) {
            let _ = (linked.to_elf(), linked.listing(isa).to_string());
        }
    }
    let _ = parse_bundle(Isa::embedded(), source, 0x1000);
}

/// Words that make statements, so that some of the soup gets past the parser.
const WORDS: &str = r#"
    add addi movi _movi l32r bnez beqz.n j j.l call0 call8 loop mov rsr wsr all4 any8 nop { } {F0: a1 a2
    sp b8 b8..b15 v3 , , , : 1: 2: 1b 1f x y x: y: x= . .= ( ) + - * / % << >> && || ~ ! 0 1 -1 4096
    0x7fffffff 0xffffffffffffffff 'a' "s" "ax" "aw" @nobits @function .text .data .bss .section .s
    .literal .literal_position .align .p2align .byte .short .word .quad .asciz .space .fill .org .comm
    .lcomm .global .local .weak .type .size .set .begin .end no-transform .pushsection .popsection
    .previous ; # /* */
"#;

/// A third of the words end the line.
fn words() -> Vec<&'static str> {
    let mut words: Vec<&str> = WORDS.split_whitespace().collect();
    words.resize(words.len() * 3 / 2, "\n");
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text(source in "\\PC{0,200}") {
        survive(&source);
    }

    #[test]
    fn any_ascii(source in "[ -~\n\t]{0,400}") {
        survive(&source);
    }

    #[test]
    fn word_soup(words in prop::collection::vec(prop::sample::select(words()), 0..120)) {
        survive(&words.join(" "));
    }

    /// Short statements succeed more often, and then the linker has work.
    #[test]
    fn statement_soup(lines in prop::collection::vec(prop::sample::select(STATEMENTS), 0..60)) {
        survive(&lines.join("\n"));
    }
}

const STATEMENTS: &[&str] = &[
    "x: nop",
    "y: add.n a1, a2, a3",
    "1: movi a2, 0x12345678",
    "2: movi a3, x",
    "j x",
    "j.l y, a3",
    "bnez a3, 1b",
    "bnez a3, 2f",
    "2: call0 y",
    "1: call8 z",
    "z: ret",
    ".text",
    ".data",
    ".bss",
    ".section .s, \"ax\"",
    ".previous",
    ".space 300",
    ".space 200000",
    ".space y - x",
    ".space x",
    ".org 64",
    ".org . + 4",
    ".align 4",
    ".align 64",
    ".p2align 12",
    ".literal l, x, y, 5",
    "l32r a2, l",
    ".literal_position",
    ".word x, y - x, 1b",
    ".set k, m",
    ".set m, k",
    ".set n, m + m",
    ".byte n",
    ".set x2, x",
    ".global x",
    ".weak y",
    ".weak w",
    "j w",
    ".comm c, 8",
    ".size x, . - x",
    "beqz.n a2, 2f",
    "loop a2, 1f",
    ".byte 300",
    ".byte x - y",
    "{ nop }",
    "{ nop; add a1, a2, a3 }",
];

#[test]
fn deep_and_long_input() {
    let repeat = |text: &str| text.repeat(50_000);
    for source in [
        format!(".word {}", repeat("(")),
        format!(".word {}", repeat("-")),
        format!(".word {}1", repeat("1+")),
        format!(".word {}x", repeat("x+")),
        repeat("1:\n"),
        repeat("j 1f\n"),
        repeat("{"),
        repeat("{nop\n"),
        repeat("x: "),
        repeat("a="),
        repeat("\""),
        repeat(".pushsection .data\n"),
        repeat(".begin schedule\n"),
        ".space 0xfffffff\n".repeat(20),
        ".data\n.space 0x7fffffffffffffff".into(),
        ".bss\n.p2align 24\n.byte 0\n".repeat(100),
        (0..2000).map(|i| format!(".section .s{i}, \"aw\"\n.p2align 24\n.byte 0\n")).collect(),
        // Chains and webs of symbols defined later.
        (0..1000).map(|i| format!(".set s{i}, s{} + s{}\n", i + 1, i + 1)).collect::<String>() + ".word s0",
        ".set p, q\n.set q, p\n.word p\n.space p\n".into(),
    ] {
        survive(&source);
    }
}

#[test]
fn every_prefix_of_a_program() {
    let source = include_str!("data/tour.s");
    assert!(assemble(Isa::embedded(), "tour.s", source, &Options::default()).is_ok());
    for (end, _) in source.char_indices().step_by(3) {
        survive(&source[..end]);
    }
}

/// Domino branches: each long form pushes the next branch out of reach.
#[test]
fn relaxation_ends() {
    let isa = Isa::embedded();
    let mut source = String::new();
    for index in 0..3000 {
        source += &format!("l{index}: bnez a2, l{}\n .space 116\n", index + 1);
    }
    source += "l3000: ret\n";
    let object = assemble(isa, "domino.s", &source, &Options { relax: true }).unwrap();
    assert!(link(isa, &[object], &LinkOptions::default()).is_ok());
}
