//! The GNU assembler for Xtensa (LX106) as a peer: what both know, both must encode alike.
//!
//! Skipped with a message where `xtensa-lx106-elf-as` is not installed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use q7_asm::{LinkOptions, Options, build};
use q7_isa::{File, Isa, Opcode};

const BASE: u32 = 0x0010_0000;

fn tool(name: &str) -> Command {
    Command::new(format!("xtensa-lx106-elf-{name}"))
}

fn peer_is_missing() -> bool {
    let missing =
        tool("as").arg("--version").output().is_err() || tool("ld").arg("--version").output().is_err();
    if missing {
        eprintln!("skipped: xtensa-lx106-elf-as and -ld are not installed");
    }
    missing
}

/// Runs `as`; on failure the numbers of the lines it rejects.
fn gnu_assemble(directory: &Path, source: &str) -> Result<(), BTreeSet<usize>> {
    std::fs::write(directory.join("x.s"), source).unwrap();
    let output = tool("as")
        .current_dir(directory)
        .args(["--no-target-align", "--text-section-literals", "-o", "x.o", "x.s"])
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: BTreeSet<usize> = errors
        .lines()
        .filter_map(|line| line.strip_prefix("x.s:")?.split(':').next()?.parse().ok())
        .collect();
    assert!(!lines.is_empty(), "{errors}");
    Err(lines)
}

/// Links `x.o` and returns the bytes of `.text`.
fn gnu_link(directory: &Path) -> Vec<u8> {
    let run = |mut command: Command| {
        let output = command.current_dir(directory).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let mut link = tool("ld");
    link.args(["--no-relax", &format!("-Ttext={BASE:#x}"), "-e", "0", "-o", "x.elf", "x.o"]);
    run(link);
    let mut copy = tool("objcopy");
    copy.args(["-O", "binary", "-j", ".text", "x.elf", "x.bin"]);
    run(copy);
    std::fs::read(directory.join("x.bin")).unwrap()
}

/// A few spellings of an instruction with different operands.
fn samples(isa: &Isa, opcode: &Opcode) -> Vec<String> {
    let Some(placement) = isa.single_placement(isa.find(&opcode.mnemonic).unwrap()) else {
        return Vec::new();
    };
    let placement = isa.placement(placement);
    let mut lines = Vec::new();
    for round in 0..6u32 {
        let mut operands = Vec::new();
        for (index, operand) in opcode.operands.iter().enumerate() {
            let width = placement.windows[index].len() as u32;
            let mask = (1u32 << width) - 1;
            let raw = [0, mask, mask >> 1, 1, 0x5555_5555 >> index, 0x3333_3333][round as usize] & mask;
            let value = match operand.file {
                // Both assemblers count from the instruction; forward, since some only go forward.
                File::Label => format!(". + {}", [8, 4, 32, 64, 20, 40][round as usize]),
                File::Imm => match operand.codec.decode(raw, width, 0) {
                    Some(value) => value.to_string(),
                    None => return lines,
                },
                File::Br4 => format!("b{}", raw * 4),
                File::Br8 => format!("b{}", raw * 8),
                file => format!("{}{}", file.prefix().unwrap(), raw % u32::from(file.count())),
            };
            operands.push(value);
        }
        lines.push(format!("{} {}", opcode.mnemonic, operands.join(", ")));
    }
    lines
}

#[test]
fn instructions_agree_with_gnu() {
    if peer_is_missing() {
        return;
    }
    let isa = Isa::embedded();
    let directory = tempfile::tempdir().unwrap();
    // Calls and L32R need aligned places and literals; the program below has them.
    let apart = ["call0", "call8", "l32r"];
    let mut lines: Vec<String> = isa
        .opcodes()
        .iter()
        .filter(|opcode| !apart.contains(&opcode.mnemonic.as_str()))
        .flat_map(|opcode| samples(isa, opcode))
        .collect();
    for tries in 0.. {
        let source = format!(".begin no-transform\n{}\n.end no-transform\n", lines.join("\n"));
        let Err(bad) = gnu_assemble(directory.path(), &source) else { break };
        assert!(tries < 10);
        // Line 1 is the directive.
        let mut number = 1;
        lines.retain(|_| {
            number += 1;
            !bad.contains(&number)
        });
    }
    let theirs = gnu_link(directory.path());
    let options = LinkOptions { base: BASE, ..LinkOptions::default() };
    let ours = build(isa, "x.s", &lines.join("\n"), &Options::default(), &options).unwrap();
    let mut mnemonics = BTreeSet::new();
    for (text, line) in lines.iter().zip(ours.lines()) {
        let at = (line.address - BASE) as usize;
        let range = at..at + line.length as usize;
        assert_eq!(ours.section_bytes(".text")[range.clone()], theirs[range], "{text}");
        mnemonics.insert(text.split(' ').next().unwrap());
    }
    assert_eq!(theirs.len(), ours.section_bytes(".text").len());
    assert!(mnemonics.len() >= 130, "only {} instructions compared: {mnemonics:?}", mnemonics.len());
}

#[test]
fn a_program_agrees_with_gnu() {
    if peer_is_missing() {
        return;
    }
    let source = r#"
        .literal_position
        .literal .Lmask, 0x0f0f0f0f
        .literal .Ltable, table
        .begin no-transform
        .global _start
        .type _start, @function
_start:
        movi    a2, -1          # fits
        l32r    a3, .Lmask
        l32r    a4, .Ltable
        mov     a5, a2
        addi    sp, sp, -16
1:      addi    a2, a2, 1
        bnei    a2, 10, 1b
        beqz    a2, 1f
        call0   function
        rsr     a6, sar
        wsr     a6, 3
        xsr     a6, SAR
        j       _start
1:      ret
        .end no-transform
        .align 4, 0             # what fills code is each assembler's own choice
function:
        .begin no-transform
        bbci.l  a3, 5, 2f
        bbsi    a3, 31, _start
        jx      a0
2:      extui   a3, a3, 4, 8; ret.n
        .end no-transform
        .size _start, . - _start
        .word function - _start, (2f - 2b) * 4 + (1 << 2)
2:      .short -1, 0xffff, 'x'
        .byte 1, 2 + 3 * 4, ~0 & 0x7f, -128
        .ascii "abc\n\t\"\\\101"
        .asciz "d", "e"
        .balign 8, 0xaa
        .space 3, 7
        .p2align 2, 0
        .fill 2, 4, 0x01020304
        .quad -2
        .set here, . - _start
        .int here, table
table:  .word 1f, _start + 4
1:
"#;
    let directory = tempfile::tempdir().unwrap();
    gnu_assemble(directory.path(), source).unwrap();
    let theirs = gnu_link(directory.path());
    let isa = Isa::embedded();
    let options = LinkOptions { base: BASE, ..LinkOptions::default() };
    let ours = build(isa, "x.s", source, &Options::default(), &options).unwrap();
    assert_eq!(ours.section_bytes(".text"), theirs, "\n{}", ours.listing(isa));
}
