//! `q7sim run`: exit statuses, reports and flags.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use common::{EXIT, Place, with_input};

/// Prints argv: one line each.
const PRINT_ARGUMENTS: &str = "
        .global _start
_start: movi  a2, 1000
        simcall 0
        mov   a10, a2
        movi  a2, 1002
        movi  a3, vector
        simcall 0
        movi  a11, vector
next:   beqz  a10, done
        l32i  a4, a11, 0
        mov   a5, a4
scan:   l8ui  a6, a5, 0
        addi  a5, a5, 1
        bnez  a6, scan
        addi  a5, a5, -1
        movi  a6, 10
        s8i   a6, a5, 0
        sub   a5, a5, a4
        addi  a5, a5, 1
        movi  a2, 4
        movi  a3, 1
        simcall 0
        addi  a11, a11, 4
        addi  a10, a10, -1
        j     next
done:   movi  a2, 1
        movi  a3, 0
        simcall 0
        .bss
        .align 4
vector: .space 4096
";

/// Says hello to standard output and standard error.
const HELLO: &str = "
        .global _start
_start: movi  a2, 4
        movi  a3, 1
        movi  a4, text
        movi  a5, 4
        simcall 0
        movi  a2, 4
        movi  a3, 2
        movi  a4, text + 4
        simcall 0
        movi  a3, 7
        movi  a2, 1
        simcall 0
        .data
text:   .ascii \"out\\nerr\\n\"
";

#[test]
fn every_way_to_end_has_its_status() {
    // Source, arguments, status, parts of the report.
    let table: &[(&str, &str, i32, &[&str])] = &[
        ("movi a3, 42\n movi a2, 1\n simcall 0", "", 42, &[]),
        ("movi a3, 0x12c\n movi a2, 1\n simcall 0", "", 44, &[]),
        ("movi a3, -1\n movi a2, 1\n simcall 0", "", 255, &[]),
        ("halt 0", "", 0, &[]),
        ("halt 9", "", 9, &[]),
        ("halt.n", "", 0, &[]),
        ("x: addi a2, a2, 1\n j x", "--max-cycles 1000", 120, &["cycle limit", "x", "addi a2, a2, 1"]),
        ("x: addi a2, a2, 1\n j x", "--max-bundles 1_000", 120, &["bundle limit", "a2 000001f4"]),
        ("x: nop\n j x", "--max-cycles 0", 120, &["cycle limit"]),
        (
            "movi a3, 0x50000000\n f: l32i a2, a3, 4",
            "",
            121,
            &[
                "0x522 access outside",
                "address 0x50000004",
                "pc 0010000",
                " f: l32i a2, a3, 4",
                "a3 50000000",
                "l32r a3",
            ],
        ),
        ("movi a3, 2\n l32i a2, a3, 0", "", 121, &["0x102 misaligned", "0x00000002"]),
        ("ill", "", 121, &["0x101 ILL", "_start: ill"]),
        ("movi a3, 0x70000000\n jx a3", "", 121, &["0x112 PC outside", "pc 70000000 -: ?"]),
        // Nobody has published what this does.
        ("setw 1", "", 122, &["semantics unknown: setw", "pc 00100000", "_start: setw 1"]),
        // No opcode has this slot word.
        (".byte 0xff, 0xff, 0xff, 0x20, -1, -1, -1, -1", "", 121, &["illegal instruction", "pc 00100000"]),
        ("j _start", "", 125, &["hang", "_start: j "]),
        ("waiti 0", "", 125, &["hang"]),
    ];
    for (source, arguments, status, parts) in table {
        let ended = Place::new().run(&format!("_start: {source}\n"), arguments);
        assert_eq!(ended.status, *status, "{source}: {ended:?}");
        assert_eq!(ended.out, "", "{source}");
        assert_eq!(ended.err.is_empty(), parts.is_empty(), "{source}: {}", ended.err);
        for part in *parts {
            assert!(ended.err.contains(part), "{source}: no {part:?} in {}", ended.err);
        }
    }
}

#[test]
fn usage_errors_are_124_and_help_is_0() {
    let place = Place::new();
    place.assemble(&format!("_start: {EXIT} .data\n datum: .word 1\n"));
    for (arguments, part) in [
        ("", "Usage"),
        ("run", "IMAGE"),
        ("fly", "unrecognized"),
        ("run p.elf --fly", "--fly"),
        ("run p.elf --max-cycles many", "not a number"),
        ("run p.elf --sp 0x1_0000_0000", "32 bits"),
        ("run p.elf --arg 1", "--call"),
        ("run p.elf --call _start --arg x", "--arg"),
        ("run p.elf --call nowhere", "p.elf has no symbol `nowhere`"),
        ("run p.elf --entry nowhere", "p.elf has no symbol `nowhere`"),
        ("run p.elf --entry 1 --call 2", "cannot be used with"),
        ("run p.elf --call _start --sp 0x7000_0000 --arg 1,2,3,4,5,6,7", "0x6ffffff0"),
        ("run p.elf --load x", "ADDR=FILE"),
        ("run p.elf --save 1=x", "ADDR:LEN=FILE"),
        ("run p.elf --save 0x40000000:0x200000=x", "--save 0x40000000:0x200000=x"),
        ("run p.elf --save 0x100000:0xffffffff=x", "memory of the machine"),
        ("run p.elf --save 0x100000:0x1_0000_0001=x", "more than the address space"),
        ("disasm p.elf --section .none", "no section `.none`"),
        ("disasm p.elf --symbol none", "no symbol `none`"),
        ("disasm p.elf --symbol datum", "`datum` of p.elf names no code"),
        ("disasm p.elf --start 0x200000", "no code between"),
        ("asm p.s", "--output"),
    ] {
        let ended = place.q7sim(arguments);
        assert_eq!((ended.status, ended.out.as_str()), (124, ""), "{arguments}: {ended:?}");
        assert!(ended.err.contains(part), "{arguments}: {}", ended.err);
    }
    for arguments in ["--help", "--version", "help", "run --help", "help asm", "disasm -h", "info -h"] {
        let ended = place.q7sim(arguments);
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{arguments}");
        assert!(!ended.out.is_empty(), "{arguments}");
    }
}

#[test]
fn output_goes_where_the_program_sends_it() {
    let ended = Place::new().run(HELLO, "");
    assert_eq!((ended.status, ended.out.as_str(), ended.err.as_str()), (7, "out\n", "err\n"));
    let ended = Place::new().run(HELLO, "--stats");
    assert_eq!((ended.status, ended.out.as_str()), (7, "out\n"));
    for part in ["err\n", "stop     exit 7\n", "cycles   12\n", "bundles  12\n", "bundles/s"] {
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
}

#[test]
fn the_program_gets_its_path_and_arguments() {
    let ended = Place::new().run(PRINT_ARGUMENTS, "one --stats -- --two -- 3");
    assert_eq!((ended.status, ended.out.as_str()), (0, "p.elf\none\n--two\n--\n3\n"), "{}", ended.err);
}

#[test]
fn standard_input_reaches_the_program() {
    let place = Place::new();
    place.assemble(
        "_start: movi a2, 3
         movi a3, 0
         movi a4, buffer
         movi a5, 4
         simcall 0
         mov a5, a2
         beqz a5, end
         movi a2, 4
         movi a3, 1
         simcall 0
         j _start
    end: movi a2, 1
         movi a3, 0
         simcall 0
         .bss
 buffer: .space 4",
    );
    let ended = with_input(place.command("run p.elf"), b"0123456789");
    assert_eq!((ended.status, ended.out.as_str()), (0, "0123456789"));
    assert_eq!(place.q7sim("run p.elf").out, "");
}

#[test]
fn functions_of_both_conventions_are_called() {
    let call0 = "_start: nop\n f: slli a2, a2, 4\n add a2, a2, a3\n ret\n g: l32i a2, a1, 0\n l32i a3, a1, 4\n sub a2, a2, a3\n ret\n";
    let windowed = "_start: nop\n f: entry a1, 32\n slli a2, a2, 4\n add a2, a2, a3\n retw\n g: entry a1, 32\n l32i a2, a1, 32\n l32i a3, a1, 36\n sub a2, a2, a3\n retw\n";
    for source in [call0, windowed] {
        for (arguments, result) in [
            ("--call f --arg 0x12 --arg 3", "0x00000123\n"),
            ("--call f --arg -1 --arg=-2", "0xffffffee\n"),
            ("--call f --arg=0b1,1_0", "0x0000001a\n"),
            ("--call g --arg 1,2,3,4,5,6 --arg 100 --arg 1", "0x00000063\n"),
            ("--call g --arg 0,0,0,0,0,0,5,-5 --sp 0x20000008", "0x0000000a\n"),
        ] {
            let ended = Place::new().run(source, arguments);
            assert_eq!(
                (ended.status, ended.out.as_str(), ended.err.as_str()),
                (0, result, ""),
                "{source} {arguments}"
            );
        }
    }
}

#[test]
fn a_call_that_does_not_return_prints_no_result() {
    let source = "_start: nop\n f: movi a3, 5\n movi a2, 1\n simcall 0\n x: ill\n";
    for (arguments, status) in [("--call f", 5), ("--call x", 121), ("--call f --max-bundles 1", 120)] {
        let ended = Place::new().run(source, arguments);
        assert_eq!((ended.status, ended.out.as_str()), (status, ""), "{arguments}");
    }
}

#[test]
fn entry_and_stack_can_be_chosen() {
    // Exit with a bit of the stack pointer.
    let source =
        "_start: extui a3, a1, 16, 8\n movi a2, 1\n simcall 0\n other: movi a3, 1\n movi a2, 1\n simcall 0\n";
    let own_memory = "[[region]]\nname='a'\nbase=0x100000\nsize=0x20000\n[[region]]\nname='b'\nbase=0x200000\nsize=0x10000\n";
    for (arguments, status) in [
        ("", 0x10), // 0x40100000
        ("--sp 0x00770000", 0x77),
        ("--entry other", 1),
        ("--entry 0x100000", 0x10),
        ("--entry 0x00100009", 1),
        ("--memory m.toml", 0x12), // the end of the larger region
    ] {
        let place = Place::new();
        place.write("m.toml", own_memory);
        let ended = place.run(source, arguments);
        assert_eq!(ended.status, status, "{arguments}: {}", ended.err);
    }
}

#[test]
fn memory_is_loaded_and_saved() {
    let place = Place::new();
    place.write("in", [1, 2, 3, 4, 5]);
    let source = "_start: movi a4, 0x200000\n l32i a3, a4, 0\n addi a3, a3, 1\n s32i a3, a4, 8\n ill\n";
    let ended = place.run(source, "--load 0x20_0000=in --save 0x200000:12=out --save 0x200004:0=none");
    assert_eq!(ended.status, 121, "results are saved however the run ends");
    assert_eq!(std::fs::read(place.path("out")).unwrap(), [1, 2, 3, 4, 5, 0, 0, 0, 2, 2, 3, 4]);
    assert_eq!(place.read("none"), "");
}

#[cfg(target_os = "linux")] // for /dev/full
#[test]
fn a_file_that_cannot_be_written_does_not_keep_others_from_it() {
    let place = Place::new();
    let source = "_start: movi a7, 77\n ret\n";
    let arguments = "--call _start --trace=/dev/full --save 0x100000:4=none/a --save 0x100000:4=b \
                     --dump-state none/c";
    let ended = place.run(source, arguments);
    assert_eq!((ended.status, ended.out.as_str()), (123, "0x00000000\n"), "{}", ended.err);
    for (line, part) in ended.err.lines().zip(["q7sim: /dev/full: ", "q7sim: none/a: ", "q7sim: none/c: "]) {
        assert!(line.starts_with(part), "{}", ended.err);
    }
    assert_eq!(ended.err.lines().count(), 3);
    assert_eq!(std::fs::read(place.path("b")).unwrap().len(), 4);

    let ended = place.q7sim("run p.elf --call _start --save 0x100000:4=none/a --dump-state state.json");
    assert_eq!(ended.status, 123);
    assert!(place.read("state.json").contains("    77,"));
}

#[test]
fn zero_filled_memory_is_zero_where_the_machine_has_a_pattern() {
    let place = Place::new();
    let source = "_start: movi a4, b\n l32i a3, a4, 0\n movi a2, 1\n simcall 0\n .bss\n b: .space 0x8000\n";
    place.assemble_with(source, "--section .bss=0x84000");
    let ended =
        place.q7sim("run p.elf --save 0x83ffc:4=before --save 0x84000:0x8000=bss --save 0x8c000:4=after");
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    assert_eq!(std::fs::read(place.path("bss")).unwrap(), vec![0; 0x8000]);
    for name in ["before", "after"] {
        assert_eq!(std::fs::read(place.path(name)).unwrap(), 0x0123_4567u32.to_le_bytes(), "{name}");
    }
}

#[test]
fn the_trace_has_a_line_for_each_bundle() {
    let source = "
        .global f
        .type f, @function
_start: movi  a4, data
f:      addi  a5, a4, 13
        l16ui a3, a4, 2
        s8i   a5, a4, 1
        nop
        l32i  a2, a3, 1
        .data
data:   .word 0x11223344
";
    let expected = "       0 00100004 _start: l32r a4, 0x100000 | a4=0x00101000 | [0x00100000]4->0x00101000
       1 00100007 f: addi a5, a4, 13 | a5=0x0010100d
       2 0010000a f+0x3: l16ui a3, a4, 2 | a3=0x00001122 | [0x00101002]2->0x1122
       3 0010000d f+0x6: s8i a5, a4, 1 | [0x00101001]1<-0x0d
       4 00100010 f+0x9: nop
";
    let place = Place::new();
    let ended = place.run(source.replace("l32i  a2, a3, 1", "ill").as_str(), "--trace=t.txt");
    assert_eq!(ended.status, 121);
    let last = "       5 00100013 f+0xc: ill | exception 0x101 ILL or ILL.N executed\n";
    assert_eq!(place.read("t.txt"), format!("{expected}{last}"));
    assert!(!ended.err.contains("f+0x3: l16ui a3, a4, 2 |"), "the trace went to the file");

    let ended = place.q7sim("run p.elf --trace");
    assert!(ended.err.starts_with(&format!("{expected}{last}q7sim: exception")), "{}", ended.err);
}

#[test]
fn the_trace_shows_host_calls_and_turns_of_loops() {
    let place = Place::new();
    place.assemble(
        "_start: movi a2, 1002
         movi a3, 0x180000
         simcall 0
         movi a2, 2
         loop a2, end
         nop
    end: movi a2, 1
         simcall 0",
    );
    assert_eq!(place.q7sim("run p.elf --trace=t.txt").status, 0);
    let trace = place.read("t.txt");
    for line in [
        ": simcall 0 | a2=0x00000000 a3=0x00000000 | [0x00180000]14<-0x..0000000000180008\n",
        ": nop | lcount=0x00000000\n",
        ": nop\n",
        ": simcall 0\n",
    ] {
        assert!(trace.contains(line), "{line}: {trace}");
    }
}

#[test]
fn the_state_is_dumped_as_json() {
    let place = Place::new();
    let ended = place.run("_start: movi a7, 77\n halt 0\n", "--dump-state state.json");
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    let state = place.read("state.json");
    for part in ["\"pc\": 1048582", "\"bundles\": 2", "\"ar\": [", "    77,", "\"special\": {", "\"sar\": 0"]
    {
        assert!(state.contains(part), "{part}: {state}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let place = Place::new();
    place.assemble(&HELLO.replace("movi  a3, 7", "j _start"));
    let mut child = place.command("run p.elf").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut report = String::new();
    child.stderr.take().unwrap().read_to_string(&mut report).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(126), "{report}");
    assert!(report.contains("standard output was closed") && !report.contains("panicked"), "{report}");

    for (arguments, closes_output) in [("run p.elf --trace=/dev/stdout", true), ("run p.elf --trace", false)]
    {
        let mut child =
            place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The other pipe is kept open until the end.
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let mut rest = String::new();
        if closes_output {
            drop(out);
            { err }.read_to_string(&mut rest).unwrap();
            assert!(rest.contains("closed") || rest.contains("nobody reads the trace"), "{rest}");
        } else {
            drop(err);
            { out }.read_to_string(&mut rest).unwrap();
        }
        assert_eq!(child.wait().unwrap().code(), Some(126), "{arguments}");
    }

    let mut child =
        place.command("info p.elf").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_computing_tracing_and_waiting() {
    let ready = "_start: movi a2, 4\n movi a3, 1\n movi a4, text\n movi a5, 1\n simcall 0\n";
    let text = ".data\n text: .ascii \"\\n\"\n";
    let compute = format!("{ready} x: addi a6, a6, 1\n j x\n {text}");
    let wait = format!("{ready} movi a2, 3\n movi a3, 0\n movi a4, text\n simcall 0\n x: j x\n {text}");
    for (source, arguments) in [(&compute, ""), (&compute, "--trace=t.txt"), (&wait, "")] {
        let place = Place::new();
        place.assemble(source);
        let mut child = place
            .command(&format!("run p.elf {arguments} --max-bundles 100_000_000_000"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        // The shell's own kill: not every system has it as a program.
        let kill = format!("kill -INT {}", child.id());
        let kill = std::process::Command::new("sh").args(["-c", &kill]).status();
        assert!(kill.unwrap().success());
        let _input = child.stdin.take(); // Stays open.
        let mut report = String::new();
        child.stderr.take().unwrap().read_to_string(&mut report).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(126), "{arguments}: {report}");
        assert!(report.contains("q7sim: interrupted\n") && report.contains("  pc 001"), "{report}");
    }
}
