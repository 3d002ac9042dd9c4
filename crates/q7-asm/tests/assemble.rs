//! Sources and the bytes, symbols or errors they give.

use q7_asm::{Binding, LinkOptions, Linked, Options, SymbolKind, assemble, build, link};
use q7_isa::Isa;

fn linked(source: &str, options: Options) -> Result<Linked, String> {
    build(Isa::embedded(), "x.s", source, &options, &LinkOptions::default())
        .map_err(|error| error.to_string())
}

fn section(source: &str, name: &str) -> Vec<u8> {
    match linked(source, Options::default()) {
        Ok(linked) => linked.section_bytes(name).to_vec(),
        Err(error) => panic!("{source}\n{error}"),
    }
}

/// The instructions of a source as text.
fn texts(source: &str, options: Options) -> Vec<String> {
    let isa = Isa::embedded();
    let linked = linked(source, options).unwrap_or_else(|error| panic!("{source}\n{error}"));
    let text = |line: &q7_asm::Line| {
        let bundle = isa.decode(linked.bytes_at(line.address), line.address).unwrap();
        isa.bundle_text(&bundle).to_string()
    };
    linked.lines().iter().map(text).collect()
}

#[test]
fn data() {
    for (source, expected) in [
        (".byte 1, -1, 0xff, 'A', 1 + 2 * 3", &[1, 0xff, 0xff, 65, 7][..]),
        (".short 0x1234; .half -2; .hword 3; .2byte 4", &[0x34, 0x12, 0xfe, 0xff, 3, 0, 4, 0]),
        (".word 0x12345678; .int -1", &[0x78, 0x56, 0x34, 0x12, 255, 255, 255, 255]),
        (".quad 1 << 40", &[0, 0, 0, 0, 0, 1, 0, 0]),
        (".ascii \"a\\n\"; .asciz \"b\"; .string \"c\" \"d\", \"\"", b"a\nb\0cd\0\0"),
        (".space 2; .skip 2, 7; .zero 1; .fill 2; .fill 2, 2, 0x102", &[0, 0, 7, 7, 0, 0, 0, 2, 1, 2, 1]),
        (".byte 1; .align 4; .byte 2; .p2align 2, 9; .balign 2", &[1, 0, 0, 0, 2, 9, 9, 9]),
        (".byte 1; .align 8, 0, 3; .byte 2", &[1, 2]),
        (".byte 1; .org 3; .byte 2; . = . + 1; .byte 3", &[1, 0, 0, 2, 0, 3]),
        ("a: .word b - a, a - b; b:", &[8, 0, 0, 0, 0xf8, 255, 255, 255]),
        (".word 1f - ., 1f - 2f; 1: 2:", &[8, 0, 0, 0, 0, 0, 0, 0]),
        ("1: .byte 1b - 1f; 1: .byte 1f - 1b; 1:", &[255, 1]),
        ("x = 1; .byte x; x = x + 1; .byte x; .set x, x * 5; .byte x", &[1, 2, 10]),
        (".byte later; later = 7", &[7]),
        (".byte a; .set a, b + 1; .set b, c - d; d: .byte 0; c:", &[2, 0]),
        (".byte (c - d) * 2; d: .space 3; c: .space c - d", &[6, 0, 0, 0, 0, 0, 0]),
        (".byte 1 # 2\n.byte 3 // 4\n.byte 5 /* 6\n */ , 7; .byte 8", &[1, 3, 5, 7, 8]),
        ("\"a b\": .byte \"a b\" - x; x:", &[255]),
    ] {
        assert_eq!(section(&format!(".data\n{source}"), ".data"), expected, "{source}");
    }
    assert_eq!(section(".data\n.word . + 4, x\nx:", ".data"), [4, 0, 0x10, 0, 8, 0, 0x10, 0]);
}

#[test]
fn spellings() {
    for (source, expected) in [
        ("mov a3, a4", "or a3, a4, a4"),
        ("MOV a3, SP", "or a3, a1, a1"),
        ("rsr a2, sar", "rsr.sar a2"),
        ("rsr a2, 3", "rsr.sar a2"),
        ("wsr a2, LBEG", "wsr.lbeg a2"),
        ("xsr a2, 0xe7", "xsr.vecbase a2"),
        ("rur a2, threadptr", "rur.threadptr a2"),
        ("rur a2, 231", "rur.threadptr a2"),
        ("wur a2, 231", "wur.threadptr a2"),
        ("wur a2, 232", "wur.fcr a2"),
        ("bbci.l a2, 3, .", "bbci a2, 3, 0x100000"),
        ("_addi a2, a3, 4", "addi a2, a3, 4"),
        ("addi %a2, $a3, 0xffffffff", "addi a2, a3, -1"),
        ("j.l . + 8, a3", "j 0x100008"),
        ("movi a2, -2048", "movi a2, -0x800"),
        ("movi a2, 0xffffffff", "movi a2, -1"),
        ("movi a2, n; n = 3; .text", "l32r a2, 0x100000"),
        ("n = 3; movi a2, n", "movi a2, 3"),
        ("_movi a2, n; n = 3", "movi a2, 3"),
        (".begin no-transform; movi a2, n; .end no-transform; n = 3", "movi a2, 3"),
        ("{ add a2, a3, a4 }", "add a2, a3, a4"),
        ("{x24: nop\n}", "nop"),
        ("{ add.n a2, a3, a4; }", "add.n a2, a3, a4"),
        ("all4 b1, b8:b9:b10:b11", "all4 b1, b8:b9:b10:b11"),
        ("any8 b1, b8..b15", "any8 b1, b8..b15"),
        ("simcall", "simcall 0"),
        ("x: j x + 2 * 4", "j 0x100008"),
    ] {
        assert_eq!(texts(source, Options::default()), [expected], "{source}");
    }
}

#[test]
fn literals() {
    // Before the code that uses them, equal ones once, named ones always.
    let source = "
        movi a2, 0x12345678
        movi a3, x
        movi a4, 0x12345678
        movi a5, -0x7fffffff
        movi a6, 0x80000001
        movi a7, x + 4
x:      l32r a8, named
        .literal named, x
        .literal_position
        movi a9, 0x12345678
    ";
    let bytes = section(source, ".text");
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let x = 0x10_0000 + 5 * 4 + 6 * 3;
    assert_eq!(words[..5], [0x1234_5678, x, 0x8000_0001, x + 4, x]);
    // 20 bytes of literals and 7 instructions, then a pool of its own.
    assert_eq!(bytes.len(), 20 + 21 + 3 + 4 + 3);
    assert_eq!(bytes[44..48], 0x1234_5678u32.to_le_bytes());
    let texts = texts(source, Options::default());
    assert_eq!(texts[0], "l32r a2, 0x100000");
    assert_eq!(texts[2], "l32r a4, 0x100000");
    assert_eq!(texts[3..5], ["l32r a5, 0x100008", "l32r a6, 0x100008"]);
    assert_eq!(texts[6..], ["l32r a8, 0x100010", "l32r a9, 0x10002c"]);
    assert_eq!(
        section(".literal a, 1, 2; l32r a2, a + 4", ".text"),
        [1, 0, 0, 0, 2, 0, 0, 0, 0x21, 0xff, 0xff]
    );
}

#[test]
fn code_is_padded_with_nops() {
    let nop = [0xf0, 0x20, 0x00];
    let narrow = [0x3d, 0xf0];
    for (source, expected) in [
        (
            "nop; nop; .align 8; nop",
            [nop, nop].concat().into_iter().chain(narrow).chain(nop).collect::<Vec<u8>>(),
        ),
        ("nop.n; .align 8; nop", [&narrow[..], &nop, &nop, &nop].concat()),
        ("nop; nop.n; nop; .align 16; nop", [&nop[..], &narrow, &nop, &nop, &nop, &narrow, &nop].concat()),
        ("nop; nop; nop; nop; .align 16; nop", [&nop[..], &nop, &nop, &nop, &narrow, &narrow, &nop].concat()),
        // Nothing runs into the one byte after a jump.
        ("jx a0; .align 4; nop", [&[0xa0, 0, 0, 0][..], &nop].concat()),
        ("nop; .align 4, 0; nop", [&nop[..], &[0], &nop].concat()),
    ] {
        assert_eq!(section(source, ".text"), expected, "{source}");
    }
}

#[test]
fn errors() {
    for (source, expected) in [
        ("addd a2, a3, a4", "x.s:1:1: error: unknown instruction `addd` (did you mean `add` or `addi`?)"),
        ("add a2, a3", "x.s:1:11: error: add takes 3 operands, 2 given"),
        ("add a2, a3, a4, a5", "x.s:1:15: error: add takes 3 operands, more given"),
        ("nop 3", "x.s:1:5: error: nop takes 0 operands, more given"),
        ("jx", "x.s:1:3: error: jx takes 1 operand, 0 given"),
        ("add a2, a16, a4", "x.s:1:9: error: expected a register a0..a15, found `a16`"),
        ("add a2, 3, a4", "x.s:1:9: error: expected a register a0..a15, found `3`"),
        ("add a2 a3", "x.s:1:8: error: expected `,`, found `a3`"),
        ("addi a2, a3, 128", "x.s:1:1: error: addi: operand 3 (simm8): 128 is not -128..=127"),
        ("addi a2, a3, 1 << 40", "x.s:1:1: error: addi: operand 3 (simm8): 1099511627776 is not -128..=127"),
        ("addi a2, a3, k; k = 128", "x.s:1:1: error: addi: operand 3 (simm8): 128 is not -128..=127"),
        ("l32i a2, a3, 6", "x.s:1:1: error: l32i: operand 3 (uimm8x4): 6 is not 0..=1020 in steps of 4"),
        ("_movi a2, 5000", "x.s:1:1: error: movi: operand 2 (simm12b): 5000 is not -2048..=2047"),
        (
            "addi a2, a3, a4",
            "x.s:1:14: error: undefined symbol `a4` (a register does not stand for a number)",
        ),
        (
            "all4 b0, b2:b3:b4:b5",
            "x.s:1:10: error: expected 4 aligned booleans such as `b4:b5:b6:b7`, found `b2`",
        ),
        ("rsr a2, sarr", "x.s:1:9: error: rsr knows no register `sarr` (did you mean `sar`?)"),
        ("rsr a2, 255", "x.s:1:9: error: rsr knows no register 255"),
        ("j x", "x.s:1:3: error: undefined symbol `x`"),
        (
            "nop; { add a1, a2, a3; add a1, a2, a3 }",
            "x.s:1:8: error: N2_S0_LdSt (add) and N2_S1_Ld (add) both write a1",
        ),
        ("x: nop\nx: nop", "x.s:2:1: error: `x` is already defined in line 1"),
        ("x: nop\nx = 3", "x.s:2:1: error: `x` is already defined in line 1"),
        ("j 1b", "x.s:1:3: error: no label `1:` above"),
        ("1: j 1f", "x.s:1:6: error: no label `1:` below"),
        (
            "beqz a2, x; .space 3000; x: nop",
            "x.s:1:1: error: beqz: operand 2 (label): 0x100bbb is not 0xff804..=0x100803",
        ),
        (
            "x: .space 4; beqz.n a2, x",
            "x.s:1:14: error: beqz.n: operand 2 (label): 0x100000 is not 0x100008..=0x100047",
        ),
        (
            "call0 x; nop; x: nop",
            "x.s:1:1: error: call0: operand 1 (label): 0x100006 is not 0x80004..=0x180000 in steps of 4",
        ),
        (".word", ""),
        (".byte 256", "x.s:1:7: error: 0x100 does not fit in 1 byte"),
        (".byte x; x = -129", "x.s:1:7: error: 0xffffffffffffff7f does not fit in 1 byte"),
        (".byte 1 / 0", "x.s:1:12: error: division by zero"),
        (".byte x / 0; x:", "x.s:1:7: error: division by zero"),
        (".wrod 3", "x.s:1:1: error: unknown directive `.wrod` (did you mean `.word`?)"),
        (".align 3", "x.s:1:1: error: alignment 3 is not a power of two up to 16 MiB"),
        (".p2align 30", "x.s:1:1: error: alignment 2^30 is more than 16 MiB"),
        (".align x; x:", "x.s:1:8: error: expected a number that is known at this point"),
        (".space -1", "x.s:1:1: error: negative size"),
        (".space x - .; x:", "x.s:1:1: error: the place of `x` is not known yet at this point"),
        ("x: .space x", "x.s:1:4: error: the size is an address, not a number"),
        (".space 0x20000000", "x.s:1:1: error: the source asks for more than 256 MiB"),
        (".space 4; .org 2", "x.s:1:11: error: .org goes back from offset 0x4 to 0x2"),
        (".data; nop", "x.s:1:8: error: instruction in section .data, which holds no code"),
        (".bss; .byte 1", "x.s:1:7: error: section .bss holds zeros only"),
        (".bss; .byte 0; .byte 1", "x.s:1:16: error: section .bss holds zeros only"),
        (".bss; .literal x, 1", "x.s:1:7: error: section .bss holds zeros only"),
        (
            ".section .vectors",
            "x.s:1:10: error: section .vectors needs flags, such as \"ax\" (code) or \"aw\" (data)",
        ),
        (".section .x, \"axG\", @progbits", "x.s:1:14: error: section flag 'G' is not supported"),
        (".section .text, \"aw\"", "x.s:1:10: error: section .text had other flags before"),
        (".popsection", "x.s:1:1: error: no `.pushsection` is open"),
        (".begin wonder", "x.s:1:1: error: unknown mode `wonder`"),
        (".begin schedule", "x.s:1:1: error: `.begin schedule` without `.end schedule`"),
        (".end schedule", "x.s:1:1: error: `.end schedule` without `.begin schedule`"),
        (
            ".set .Lp, .Lq; .set .Lq, .Lp; .word .Lp",
            "x.s:1:37: error: symbols defined in terms of themselves, or nested too deeply",
        ),
        (".ascii \"abc", "x.s:1:8: error: unclosed string"),
        ("nop `", "x.s:1:5: error: unexpected character '`'"),
        ("nop }", "x.s:1:5: error: expected the end of the statement, found `}`"),
        ("{ nop", "x.s:1:1: error: unclosed `{`"),
        (
            "nop\n{ nop\nadd a1, a2, a3\n\nx: nop\ny: z9",
            "x.s:2:1: error: unclosed `{`: line 5 starts a label\nx.s:6:4: error: unknown instruction `z9`",
        ),
        ("{ nop\n1: { nop }", "x.s:1:1: error: unclosed `{`: line 2 starts a label"),
        (
            "{ nop # }\n{ nop }\nz9",
            "x.s:1:1: error: unclosed `{`: line 2 starts another bundle\nx.s:3:1: error: unknown instruction `z9`",
        ),
        ("{ nop;\n.align 4\n", "x.s:1:1: error: unclosed `{`: line 2 starts a directive"),
        (
            "{ nop; z9\n{ nop; z8 }",
            "x.s:1:8: error: unknown instruction `z9`\nx.s:2:8: error: unknown instruction `z8`",
        ),
        ("{ }", "x.s:1:1: error: empty bundle"),
        ("_quux", "x.s:1:1: error: unknown instruction `_quux`"),
        ("{ nop nop }", "x.s:1:7: error: nop takes 0 operands, more given"),
        ("{F99: nop }", "x.s:1:2: error: unknown format `F99`"),
        (
            "{x16a: nop }",
            "x.s:1:8: error: nop cannot be placed: it sits only in Inst, F0_S0_LdSt, F0_S1_Ld, F0_S2_Mul, F0_S3_ALU, F2_S0_LdSt and 38 others",
        ),
        (
            "{ nosuch a2; add a2, a3 }; nop; wrong9",
            "x.s:1:3: error: unknown instruction `nosuch`\nx.s:1:33: error: unknown instruction `wrong9`",
        ),
        (
            "nop; .align 4; nop",
            "x.s:1:6: error: one byte of padding behind an instruction holds no nop: add or widen an instruction, or give a fill byte",
        ),
        (
            "j.l x, a3; .space 200000; x:",
            "x.s:1:1: error: j: operand 1 (label): 0x130d43 is not 0xe0004..=0x120003",
        ),
        (".lcomm x, 0x20000000", "x.s:1:1: error: size out of range"),
    ] {
        let result = linked(source, Options::default()).err().unwrap_or_default();
        assert_eq!(result, expected, "{source}");
    }
}

#[test]
fn relaxation() {
    let relax = Options { relax: true };
    for (source, expected) in [
        // Everything in reach stays as it is.
        ("bnez a2, x; call0 y; call8 y; j.l x, a3; .align 4, 0; y: x: ret", &["bnez a2, 0x10000c"][..]),
        ("beqi a2, 5, x; .space 3000; x: ret", &["bnei a2, 5, 0x100006", "j 0x100bbe", "ret"]),
        ("bt b2, x; .space 3000; x: ret", &["bf b2, 0x100006", "j 0x100bbe", "ret"]),
        ("beqz.n a2, x; .space 100; x: ret", &["beqz a2, 0x100067", "ret"]),
        ("x: nop.n; beqz.n a2, x", &["nop.n", "beqz a2, 0x100000"]),
        ("beqz.n a2, x; .space 3000; x: ret", &["bnez a2, 0x100006", "j 0x100bbe", "ret"]),
        ("call0 x; .space 600000, 1; x: ret", &["l32r a0, 0x100000", "callx0 a0", "ret"]),
        ("call8 x; .space 600000, 1; x: ret", &["l32r a8, 0x100000", "callx8 a8", "ret"]),
        ("j.l x, a3; .space 200000, 1; x: ret", &["l32r a3, 0x100000", "jx a3", "ret"]),
    ] {
        let texts = texts(source, relax);
        assert!(
            texts.starts_with(&expected.iter().map(|s| s.to_string()).collect::<Vec<_>>()),
            "{source}: {texts:?}"
        );
    }
    // A literal for each long call only.
    let bytes = section("x: call0 x; call0 y; .align 4, 0; y: ret", ".text");
    assert_eq!(bytes.len(), 8 + 3);
    let long = linked("call0 y; .align 4, 0; x: call0 x; .space 600000; y: ret", relax).unwrap();
    assert_eq!(long.bytes_at(0x10_0000)[..4], long.symbol("y").unwrap().address.to_le_bytes());
    assert_eq!(long.symbol("x").unwrap().address, 0x10_000c);
    for (source, expected) in [
        ("j x; .space 200000; x:", "x.s:1:1: error: j: operand 1"),
        ("_bnez a2, x; .space 3000; x:", "x.s:1:1: error: bnez: operand 2"),
        (
            ".begin no-transform; bnez a2, x; .space 3000; x: .end no-transform",
            "x.s:1:22: error: bnez: operand 2",
        ),
        ("loop a2, x; .space 3000; x:", "x.s:1:1: error: loop: operand 2"),
        ("bnez a2, x; .space 200000; x:", "x.s:1:1: error: j: operand 1"),
    ] {
        let error = linked(source, relax).expect_err(source);
        assert!(error.starts_with(expected), "{source}: {error}");
    }
}

#[test]
fn symbols() {
    let source = "
        .global f
        .type f, @function
f:      ret
        .size f, . - f
        .weak w
        .set w, f + 1
alias = f
        .set number, 0x1234
.Lhidden:
        .data
        .type d, %object
d:      .word 0
        .size d, 4
        .local z
        .comm z, 12, 8
        .comm g, 6
        .lcomm l, 2
    ";
    let linked = linked(source, Options::default()).unwrap();
    let get = |name| {
        let symbol = linked.symbol(name).expect(name);
        let section = symbol.section.map_or("", |index| &linked.sections()[index].name);
        (symbol.address, symbol.size, symbol.kind, symbol.binding, section)
    };
    let (function, object, unknown) = (SymbolKind::Function, SymbolKind::Object, SymbolKind::Unknown);
    assert_eq!(get("f"), (0x10_0000, 3, function, Binding::Global, ".text"));
    assert_eq!(get("w"), (0x10_0001, 0, unknown, Binding::Weak, ""));
    assert_eq!(get("alias"), (0x10_0000, 0, unknown, Binding::Local, ".text"));
    assert_eq!(get("number"), (0x1234, 0, unknown, Binding::Local, ""));
    assert_eq!(get("d"), (0x10_1000, 4, object, Binding::Local, ".data"));
    assert_eq!(get("z"), (0x10_1010, 12, object, Binding::Local, ".bss"));
    assert_eq!(get("l"), (0x10_101c, 2, object, Binding::Local, ".bss"));
    assert_eq!(get("g"), (0x10_1020, 6, object, Binding::Global, ".bss"));
    assert_eq!(get("__bss_start").0, 0x10_1010);
    assert_eq!(get("__bss_end").0, 0x10_1026);
    assert_eq!(get("_end").0, 0x10_1026);
    assert_eq!(get("__stack").0, 0x4010_0000);
    assert!(linked.symbol(".Lhidden").is_none());
    assert_eq!(linked.entry(), 0x10_0000);
}

fn link_sources(sources: &[&str], options: &LinkOptions) -> Result<Linked, String> {
    let isa = Isa::embedded();
    let objects: Vec<_> = sources
        .iter()
        .enumerate()
        .map(|(index, source)| assemble(isa, &format!("{index}.s"), source, &Options::default()).unwrap())
        .collect();
    link(isa, &objects, options).map_err(|error| error.to_string())
}

#[test]
fn several_sources() {
    let options = LinkOptions::default();
    let first = ".global _start; _start: movi a2, shared; call0 f; .word w, c; .weak w; .data; .byte 1";
    let second = ".global f, shared; .text; .word 0; f: ret; .data; .align 4; shared: .word x; x: .comm c, 8";
    let linked = link_sources(&[first, second], &options).unwrap();
    let address = |name| linked.symbol(name).unwrap().address;
    assert_eq!(linked.entry(), 0x10_0004);
    assert_eq!(address("f"), 0x10_0018);
    assert_eq!(address("shared"), 0x10_1004);
    assert_eq!(linked.section_bytes(".text")[..4], 0x10_1004u32.to_le_bytes());
    assert_eq!(linked.section_bytes(".text")[10..14], [0; 4], "undefined weak");
    assert_eq!(linked.section_bytes(".text")[14..18], address("c").to_le_bytes());
    for (sources, expected) in [
        (&["j x", "x: nop"][..], "0.s:1:3: error: undefined symbol `x`"),
        (&[".global x; x:", ".global x; x:"], "1.s:1:12: error: `x` is already defined at 0.s:1:12"),
        (
            &[".section .s, \"aw\"; .byte 1", ".section .s, \"a\"; .byte 1"],
            "error: section .s of 1.s has other flags than in the sources before",
        ),
    ] {
        assert_eq!(link_sources(sources, &options).unwrap_err(), expected);
    }
    // A global wins over a weak one, whichever comes first; `.comm` over nothing.
    for sources in [
        [".weak x; x = 1; .data; .word x", ".global x; x = 2; .data; .word x"],
        [".global x; x = 2; .data; .word x", ".weak x; x = 1; .data; .word x"],
        [".comm x, 4; .data; .word x", ".global x; x = 2; .data; .word x"],
    ] {
        assert_eq!(
            link_sources(&sources, &options).unwrap().section_bytes(".data"),
            [2, 0, 0, 0, 2, 0, 0, 0]
        );
    }
}

#[test]
fn addresses() {
    let source = "
        .section .vectors, \"ax\"
        j main
        .text
        .global main
main:   ret
        .data
        .word 1
        .section .far, \"aw\", @nobits
        .space 8
    ";
    let place = |sections: &[(&str, u32)]| {
        let sections = sections.iter().map(|(name, address)| (name.to_string(), *address)).collect();
        let options =
            LinkOptions { sections, base: 0x2000, entry: Some("main".into()), ..LinkOptions::default() };
        link_sources(&[source], &options)
    };
    let linked = place(&[(".vectors", 0), (".far", 0x8_0000)]).unwrap();
    assert_eq!(linked.entry(), 0x2000);
    let segments: Vec<_> = linked
        .segments()
        .iter()
        .map(|s| (s.address, s.data.len(), s.memory_size, s.writable, s.executable))
        .collect();
    // Code, constants, data, zeros; sections at addresses of their own between.
    assert_eq!(
        segments,
        [
            (0x2000, 3, 3, false, true),
            (0, 3, 3, false, true),
            (0x3000, 4, 4, true, false),
            (0x8_0000, 0, 8, true, false)
        ]
    );
    assert_eq!(linked.bytes_at(0), [0x06, 0xff, 0x07]);
    for (sections, expected) in [
        (
            &[(".vectors", 0x2000)][..],
            "error: sections overlap: .text (0x2000..0x2003) and .vectors (0x2000..0x2003)",
        ),
        (&[(".vectors", 8)], "error: section .vectors cannot be at 0x8: it needs a multiple of 16"),
        (&[(".vector", 0)], "error: no section `.vector` to place"),
        (&[(".far", 0xffff_fff0), (".vectors", 0)], ""),
        (&[(".data", 0xffff_fff0), (".vectors", 0)], ""),
    ] {
        assert_eq!(place(sections).err().unwrap_or_default(), expected);
    }
    let options = LinkOptions { base: 0xffff_fff0, ..LinkOptions::default() };
    let error = link_sources(&[".space 32"], &options).unwrap_err();
    assert_eq!(error, "error: section .text at 0xfffffff0 of 0x20 bytes ends above the 32-bit address space");
    let options = LinkOptions { entry: Some("nowhere".into()), ..LinkOptions::default() };
    let error = link_sources(&["nop"], &options).unwrap_err();
    assert_eq!(error, "error: entry symbol `nowhere` is not a global symbol of any source");
}
