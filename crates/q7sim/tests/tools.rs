//! `q7sim asm`, `q7sim disasm`, `q7sim info`.

mod common;

use common::Place;

const PROGRAM: &str = "
        .section .literal, \"ax\"
number: .word 0x12345678
        .text
        .global _start
        .type _start, @function
_start: l32r  a3, number
        beqz  a3, done
        addi.n a3, a3, 1
        nop.n
        call0 helper
done:   halt  0
        .size _start, . - _start
        .type helper, @function
helper: ret.n
        .size helper, . - helper
        .type table, @object
table:  .word 0xdeadbeef
        .byte 7
        .size table, . - table
        .type last, @function
last:   .byte 0xff, 0xff, 0xff, 0x20, 0xff, 0xff, 0xff, 0xff
        .byte 0xff, 0, 0, 0x07
        nop.n
        .byte 0x4f
        .data
        .word 1
        .bss
        .space 64
";

const LISTING: &str = "section .literal

00100000 <number>:
00100000:  78563412\t.word 0x12345678

section .text

00100010 <_start>:
00100010:  31fcff  \tl32r a3, 0x100000\t# <number>
00100013:  166300  \tbeqz a3, 0x10001d\t# <done>
00100016:  1b33    \taddi.n a3, a3, 1
00100018:  3df0    \tnop.n
0010001a:  450000  \tcall0 0x100020\t# <helper>

0010001d <done>:
0010001d:  005200  \thalt 0

00100020 <helper>:
00100020:  0df0    \tret.n
00100022:  efbe    \t.byte 0xef, 0xbe
00100024:  adde07  \t.byte 0xad, 0xde, 0x07

00100027 <last>:
00100027:  ffffff20ffffffff\t.byte 0xff, 0xff, 0xff, 0x20, 0xff, 0xff, 0xff, 0xff\t# N0 bundle, 8 bytes: reserved opcode 0xffffff in slot N0_S0_LdSt
0010002f:  ff      \t.byte 0xff\t# illegal format: selector bits of word 0x070000ff match none
00100030:  000007  \t.byte 0x00, 0x00, 0x07\t# reserved opcode 0x70000 in slot Inst
00100033:  3df0    \tnop.n
00100035:  4f      \t.byte 0x4f\t# truncated: the bundle has 8 bytes, 1 are left

";

#[test]
fn the_disassembly_shows_code_data_and_what_it_cannot_decode() {
    let place = Place::new();
    place.assemble(PROGRAM);
    let ended = place.q7sim("disasm p.elf");
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    assert_eq!(ended.out, LISTING);
}

#[test]
fn a_part_can_be_disassembled() {
    let place = Place::new();
    place.assemble(PROGRAM);
    let helper = "\n00100020 <helper>:\n00100020:  0df0    \tret.n\n";
    for (arguments, expected) in [
        ("--section .literal", "section .literal\n\n00100000 <number>:\n00100000:  78563412\t.word 0x12345678\n\n".to_string()),
        ("--section .data", "section .data\n00101000:  01000000\t.word 0x00000001\n\n".into()),
        ("--symbol helper", format!("section .text\n{helper}\n")),
        ("--start helper --end 0x100022", format!("section .text\n{helper}\n")),
        ("--start 0x10001a --end helper", "section .text\n\n0010001a <_start+0xa>:\n0010001a:  450000  \tcall0 0x100020\t# <helper>\n\n0010001d <done>:\n0010001d:  005200  \thalt 0\n\n".into()),
        ("--start 0x100023 --end 0x100027", "section .text\n00100023:  be      \t.byte 0xbe\n00100024:  adde07  \t.byte 0xad, 0xde, 0x07\n\n".into()),
    ] {
        let ended = place.q7sim(&format!("disasm p.elf {arguments}"));
        assert_eq!((ended.status, ended.out.as_str()), (0, expected.as_str()), "{arguments}: {}", ended.err);
    }
}

#[test]
fn a_stripped_file_is_disassembled_by_segments() {
    let place = Place::new();
    place.assemble(PROGRAM);
    let mut image = std::fs::read(place.path("p.elf")).unwrap();
    image[32..36].fill(0); // e_shoff
    image[48..52].fill(0); // e_shnum, e_shstrndx
    place.write("s.elf", image);
    let ended = place.q7sim("disasm s.elf --start 0x100020 --end 0x100022");
    assert_eq!(
        (ended.status, ended.out.as_str()),
        (0, "segment at 0x00100020\n00100020:  0df0    \tret.n\n\n")
    );
}

#[test]
fn bundles_stand_in_braces_and_their_certainty_is_told() {
    let place = Place::new();
    place.assemble(
        "_start: ivp_addnx16 v3, v1, v2\n { addi.a a1, a2, 3; addi.a a4, a5, -7 }\n nop\n j _start\n",
    );
    let ended = place.q7sim("disasm p.elf");
    assert!(
        ended.out.contains("2f45c12000895132\t{ nop; nop; nop; ivp_addnx16 v3, v1, v2 }\n"),
        "{}",
        ended.out
    );
    let marked = place.q7sim("disasm p.elf --mark-certainty");
    let unmarked: Vec<&str> =
        marked.out.lines().zip(ended.out.lines()).filter(|(a, b)| a == b).map(|(a, _)| a).collect();
    let marks: Vec<&str> =
        marked.out.lines().filter_map(|line| line.split_once("# prov")).map(|(_, mark)| mark).collect();
    assert_eq!(marks, ["isional addi.a, addi.a"], "{}", marked.out);
    assert_eq!(unmarked.len() + marks.len(), ended.out.lines().count(), "{}", marked.out);
    let info = place.q7sim("info p.elf").out;
    assert!(info.contains("encodings 6 exact, 0 likely, 2 provisional\n"), "{info}");
    // What is printed assembles to the same bytes.
    let text: String = ended
        .out
        .lines()
        .filter_map(|line| line.split('\t').nth(1))
        .map(|text| format!("{text}\n"))
        .collect();
    place.write("again.s", text);
    assert_eq!(place.q7sim("asm again.s -o again.elf").status, 0);
    let code = |out: String| -> Vec<String> {
        out.lines().filter_map(|line| line.split_once('\t')).map(|(code, _)| code.to_owned()).collect()
    };
    assert_eq!(code(place.q7sim("disasm again.elf").out), code(ended.out));
}

#[test]
fn info_tells_what_a_program_needs() {
    let place = Place::new();
    place.assemble(PROGRAM);
    place.write("m.toml", "[[region]]\nname='little'\nbase=0x100000\nsize=0x1000\n");
    let ended = place.q7sim("info p.elf");
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    for part in [
        "entry     0x00100010 _start\n",
        "segments  2\n",
        "  0x00100000 0x00100000 0x00000036 0x00000036 R E   sysram\n",
        "  0x00101000 0x00101000 0x00000004 0x00000050 RW    sysram\n",
        "bundles   10\n",
        "  base    x24 5, x16a 1, x16b 3\n",
        "  FLIX    N0 1\n",
        "  of them not decodable 2\n",
        "encodings 6 exact, 2 likely, 0 provisional\n",
        "in code   9 bytes of data, 2 bytes that are no bundle\n",
        "  00100010       10 function global _start\n",
        "  00100022        5 object   local  table\n",
    ] {
        assert!(ended.out.contains(part), "{part}: {}", ended.out);
    }
    let ended = place.q7sim("info p.elf --memory m.toml");
    assert!(ended.out.contains("R E   little\n") && ended.out.contains("RW    outside of all regions\n"));
}

#[test]
fn sources_are_assembled_and_linked() {
    let place = Place::new();
    place.write("a.s", "_start: call0 far\n halt 1\n .global main\n main: halt 2\n");
    place.write("b.s", ".global far\n far: movi a3, __stack\n movi a2, 1\n simcall 0\n .data\n .word 1\n");
    let ended =
        place.q7sim("asm a.s b.s -o p.elf --stack 0x55 --base 0x200000 --section .data=0x80000 --listing");
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("halt 1") && ended.out.contains("; a.s:2\n"), "{}", ended.out);
    assert_eq!(place.q7sim("run p.elf").status, 0x55);
    let info = place.q7sim("info p.elf").out;
    assert!(info.contains("  0x00080000 ") && info.contains("  0x00200000 "), "{info}");

    assert_eq!(place.q7sim("asm a.s b.s -o p.elf --entry main").status, 0);
    assert_eq!(place.q7sim("run p.elf").status, 2);
}

#[test]
fn targets_out_of_reach_need_relax() {
    let place = Place::new();
    place.write("p.s", "_start: movi a3, 0\n beqz a3, far\n halt 1\n .space 0x2000\n far: halt 2\n");
    let ended = place.q7sim("asm p.s -o p.elf");
    assert_eq!(ended.status, 123);
    assert!(ended.err.starts_with("p.s:2:"), "{}", ended.err);
    assert!(!place.path("p.elf").exists());
    assert_eq!(place.q7sim("asm p.s -o p.elf --relax").status, 0);
    assert_eq!(place.q7sim("run p.elf").status, 2);
}

#[test]
fn errors_in_sources_name_file_and_line() {
    let place = Place::new();
    place.write("a.s", "nop\n frob a1\n");
    place.write("b.s", "nop\n nop\n addi a1, a2, 1000\n");
    place.write("binary.s", [0xff; 9]);
    place.write("undefined.s", "j nowhere\n");
    for (arguments, starts) in [
        ("asm a.s b.s -o p.elf", vec!["a.s:2:2: error: ", "b.s:3:"]),
        ("asm binary.s -o p.elf", vec!["q7sim: binary.s: not UTF-8 text (byte 0)"]),
        ("asm undefined.s -o p.elf", vec!["undefined.s:1:"]),
        ("asm missing.s -o p.elf", vec!["q7sim: missing.s: No such file"]),
        ("asm a.s b.s -o p.elf --section .none=0", vec!["a.s:2:", "b.s:3:"]),
    ] {
        let ended = place.q7sim(arguments);
        assert_eq!((ended.status, ended.out.as_str()), (123, ""), "{arguments}");
        let lines: Vec<&str> = ended.err.lines().collect();
        assert_eq!(lines.len(), starts.len(), "{arguments}: {}", ended.err);
        assert!(lines.iter().zip(&starts).all(|(line, start)| line.starts_with(start)), "{}", ended.err);
        assert!(!place.path("p.elf").exists());
    }
}

#[test]
fn names_in_a_file_cannot_steer_the_terminal() {
    let place = Place::new();
    // Names of this length, for the assembler takes no control characters.
    place.assemble_with(
        ".section .evilsection, \"ax\"\n .global _start\n _start: nop\n evilsymbol: j evilsymbol\n",
        "",
    );
    let mut elf = std::fs::read(place.path("p.elf")).unwrap();
    let names: [(&[u8], &[u8]); 2] =
        [(b"evilsection", b"ev\x1b[2J\r\n\x07.."), (b"evilsymbol", b"ev\x1b[2J\r\n..")];
    for (from, to) in names {
        let at = elf.windows(from.len()).position(|bytes| bytes == from).unwrap();
        elf[at..at + to.len()].copy_from_slice(to);
    }
    place.write("p.elf", elf);
    let escaped = "ev\\u{1b}[2J\\r\\n..";
    for (arguments, part) in [
        ("info p.elf", format!(" {escaped}\n")),
        ("disasm p.elf", format!("\n00100003 <{escaped}>:\n")),
        ("run p.elf --max-bundles 2 --trace", format!(" 00100003 {escaped}: j ")),
        ("run p.elf --max-bundles 2", format!("pc 00100003 {escaped}: j ")),
    ] {
        let ended = place.q7sim(arguments);
        let text = ended.out + &ended.err;
        assert!(text.contains(&part), "{arguments}: {text}");
        assert!(!text.contains(['\x1b', '\r', '\x07']), "{arguments}: {text:?}");
    }
}

#[test]
fn sources_without_content_are_refused() {
    let place = Place::new();
    place.write("label.s", "_start:\n x = 1\n");
    for source in ["", "# nothing\n", ".data\n .space 0\n", ".section .note, \"\"\n .word 1\n"] {
        place.write("p.s", source);
        let ended = place.q7sim("asm p.s label.s -o p.elf");
        assert_eq!((ended.status, ended.out.as_str()), (123, ""), "{source}");
        let expected = "q7sim: p.s, label.s: nothing to load: no section in memory has content\n";
        assert_eq!(ended.err, expected, "{source}");
        assert!(!place.path("p.elf").exists(), "{source}");
    }
}

#[test]
fn a_source_is_not_overwritten() {
    let place = Place::new();
    place.write("p.s", "nop\n");
    let ended = place.q7sim("asm p.s -o ./p.s");
    assert_eq!((ended.status, ended.err.as_str()), (124, "q7sim: --output: ./p.s is a source\n"));
    assert_eq!(place.read("p.s"), "nop\n");
}
