//! Exceptions, interrupts, special registers and host calls.

mod common;

use common::{STACK, Streams, limits, load, registers, run};
use q7_core::{Cause, Exception, Limits, NoHost, Observer, Stop};

#[test]
fn unhandled_exceptions_stop_at_their_bundle() {
    let ring1 = "movi a4, 0x90\nwsr.ps a4\n";
    for (source, cause, address) in [
        ("ill".to_owned(), Cause::ILL, None),
        ("ill.n".into(), Cause::ILL, None),
        (".byte 0x35, 0, 0".into(), Cause::ILLEGAL_INSTRUCTION, None),
        ("syscall 3".into(), Cause::syscall(3), None),
        ("break 1, 2".into(), Cause::BREAK, None),
        ("break.n 1".into(), Cause::BREAK_N, None),
        ("break1 1".into(), Cause::BREAK1, None),
        ("movi a2, 5\nmovi a3, 0\nquos a2, a2, a3".into(), Cause::DIVIDE_BY_ZERO, None),
        ("movi a2, 0x100001\nl32i a2, a2, 0".into(), Cause::UNALIGNED_ACCESS, Some(0x10_0001)),
        ("movi a2, 0x100001\ns16i a2, a2, 0".into(), Cause::UNALIGNED_ACCESS, Some(0x10_0001)),
        ("movi a2, 0x70000000\nl8ui a2, a2, 0".into(), Cause::INVALID_MEMORY_SPACE, Some(0x7000_0000)),
        ("movi a2, 0x90000\ns32i a2, a2, 0".into(), Cause::INVALID_MEMORY_SPACE, Some(0x9_0000)),
        ("movi a2, 0x70000000\njx a2".into(), Cause::INVALID_PC, Some(0x7000_0000)),
        (format!("{ring1}rsr.ps a2"), Cause::PRIVILEGED, None),
        (format!("{ring1}rotw 1"), Cause::PRIVILEGED, None),
        (format!("{ring1}rer a2, a3"), Cause::EXTERNAL_REGISTER_PRIVILEGE, None),
        ("movi a2, 0\nwsr.wb a2\nentry a1, 32".into(), Cause::ILLEGAL_ENTRY, None),
        ("movi a2, 0x200001\nwsr.isl a2\nentry a1, 32".into(), Cause::STACK_LIMIT, Some(STACK - 32)),
    ] {
        let (machine, stop) = run(&source);
        assert_eq!(stop, Stop::Exception(Exception { cause, address }), "{source}");
        // Everything before the bundle happened, nothing of it.
        assert_eq!(machine.core.bundles() as usize, machine.recent_bundles().len(), "{source}");
    }
}

#[test]
fn a_fault_leaves_registers_and_pc_alone() {
    let (machine, stop) = run("movi a2, 7\nmovi a3, 0x100002\nnop\nl32i a2, a3, 0");
    assert_eq!(stop, Stop::Exception(Exception::at(Cause::UNALIGNED_ACCESS, 0x10_0002)));
    assert_eq!(machine.core.ar[2], 7);
    assert_eq!((machine.core.bundles(), machine.core.cycle), (3, 3));
    assert_eq!(machine.recent_bundles().len(), 3);
    assert_eq!(machine.core.pc, machine.recent_bundles()[2] + 3);
}

/// Vector code as runtimes for this exception architecture write it: save, entry, tailchain, exit and
/// restore segments (`xea3/exception-vectors.csv`, `s32e-l32e-codes.csv`). The exception handler table
/// is one function; the interrupt table lies at ISB.
const VECTORS: &str = "
    .section .vectors, \"ax\"
    .org 12
tailchain:
    s32si.x4 a10, a1
    movi a8, 0
    l32dis.it a8, a8
    s32stk a9, a1, 96
    s32dis.h a8, a8
    j exit
    .org 60
    s32e a8, a1, -52
    s32e a9, a1, -28
    s32e a10, a1, -48
    s32e a11, a1, -24
    s32e a12, a1, -44
    s32e a13, a1, -40
    s32e a14, a1, -36
    s32e a15, a1, -32
    s32e a8, a1, -4
    s32e a11, a1, -8
    s32e a12, a1, -20
    s32e a13, a1, -24
    s32e a14, a1, -28
    s32si.x4 a10, a1
    movi a8, 0
    l32dis.it a8, a8
    s32stk a9, a1, 96
    s32dis.h a8, a8
    // No interrupt: now in the handler's window, a1 is the frame and a3 EXCCAUSE.
    movi a8, handler
    jx a8
exit:
    l32e a10, a1, -12
    l32e a12, a1, -20
    l32e a13, a1, -24
    l32e a14, a1, -28
    l32dis.epc a11, a1
    l32e a12, a1, -44
    l32e a13, a1, -40
    l32e a14, a1, -36
    l32e a8, a1, -64
    l32e a9, a1, -64
    l32e a10, a1, -60
    l32e a11, a1, -48
    l32e a15, a1, -64
";

#[test]
fn a_handler_runs_and_returns() {
    let source = format!(
        "{VECTORS}
    .text
    .global _start
_start:
    movi a4, 0x8a5
    movi a8, 0x108
    movi a15, 0x115
    ssai 21
    movi a2, 3
    loop a2, 1f
    syscall 5
1:  rsr.sar a6
    halt 0
    .align 4
handler:
    entry a1, 32
    movi a4, cause
    s32i a3, a4, 0
    // Step over the SYSCALL.
    l32i a5, a1, 16 + 32
    addi a5, a5, 3
    s32i a5, a1, 16 + 32
    l32i a5, a4, 4
    addi a5, a5, 1
    s32i a5, a4, 4
    ssai 3
    retw
    .data
    .align 4
cause: .word 0, 0"
    );
    let (machine, stop) = run(&source);
    assert_eq!(stop, Stop::Halted(0), "at {:#x}", machine.core.pc);
    let ar = machine.core.ar;
    assert_eq!((ar[1], ar[4], ar[8], ar[15]), (STACK, 0x8a5, 0x108, 0x115));
    assert_eq!(ar[6], 21, "SAR travels in the saved PS word");
    assert_eq!(machine.core.special.ps.0, 0x80);
    assert!(machine.core.dispatch.is_normal());
}

#[test]
fn without_a_handler_return_addresses_are_plain_code() {
    // RET to VECBASE + 12 only means dispatch once vector code stands there.
    let source = "movi a2, 0x00180000\nwsr.vecbase a2\naddi a0, a2, 12\nmovi a4, 0x5200\ns32i a4, a0, 0\nret";
    assert_eq!(run(source).1, Stop::Halted(0));
}

/// Counts timer interrupts in a3 while the program spins, then stops.
fn timer_program(wait: &str) -> String {
    format!(
        "{VECTORS}
    .text
    .global _start
_start:
    movi a2, table
    wsr.isb a2
    movi a4, 0x00122000 + 4 * 29
    movi a5, 0x101
    wer a5, a4
    rsr.ccount a5
    addi a5, a5, 100
    wsr.ccompare1 a5
    movi a6, count
1:  {wait}
    l32i a3, a6, 0
    movi a7, 3
    blt a3, a7, 1b
    rsr.ccount a7
    halt 0
handler:
    halt 9
    .align 4
interrupt:
    entry a1, 32
    movi a4, count
    l32i a5, a4, 0
    addi a5, a5, 1
    s32i a5, a4, 0
    s32i a2, a4, 4
    rsr.ccompare1 a5
    addi a5, a5, 100
    wsr.ccompare1 a5
    retw
    .data
    .align 4
count: .word 0, 0
table: .word interrupt, 0"
    )
}

#[test]
fn timer_interrupts_reach_their_handler() {
    for wait in ["nop", "waiti 0"] {
        let (mut machine, program) = load(&timer_program(wait));
        assert_eq!(machine.run(&limits(), &mut NoHost), Stop::Halted(0), "{wait}");
        assert_eq!(machine.core.ar[3], 3, "{wait}");
        let count = program.symbols().iter().find(|symbol| symbol.name == "count").unwrap().address;
        let mut bytes = [0; 4];
        machine.core.memory.read_bytes(count + 4, &mut bytes).unwrap();
        assert_eq!(u32::from_le_bytes(bytes), 4 * 29, "the handler's argument is 4 * number");
        assert!((300..400).contains(&machine.core.ar[7]), "{wait}: {}", machine.core.ar[7]);
    }
}

#[test]
fn disabled_interrupts_wait() {
    let source = timer_program("movi a8, 0x88\nwsr.ps a8\nj spin\nspin: j spin");
    assert_eq!(run(&source).1, Stop::Idle);
}

#[test]
fn idle_machines_stop() {
    for source in ["1: j 1b", "waiti 0"] {
        assert_eq!(run(source).1, Stop::Idle, "{source}");
    }
}

#[test]
fn a_second_exception_in_dispatch_goes_to_its_own_vector() {
    let source = "
    .section .vectors, \"ax\"
    .org 6
    j twice
    .org 60
    ill
    twice: rsr.ms a9
    halt 2
    .text
    .global _start
    _start: syscall 0";
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Halted(2));
    assert_eq!(machine.core.ar[9] >> 5 & 1, 1, "MS.DE");
}

#[test]
fn special_registers_keep_the_bits_they_have() {
    // Masks from xea3/fields.csv and core-isa/extra-special-registers.csv.
    for (name, mask) in [
        ("sar", 0x3f),
        ("br", 0xffff),
        ("lbeg", u32::MAX),
        ("lend", u32::MAX),
        ("ps", 0x0070_00ec),
        ("wb", 0xc000_0777),
        ("vecbase", 0xffff_ffc0),
        ("cpenable", 0x7f),
        ("mpuenb", 0xffff),
        ("cacheadrdis", 0xff),
        ("atomctl", 0x3ff),
        ("isl", 0xffff_fff1),
        ("ksl", 0xffff_fff1),
        ("misc0", u32::MAX),
        ("ccompare2", u32::MAX),
    ] {
        // RING stays 0: the privileged registers must stay readable.
        let value = if name == "ps" { 0xffff_ffef } else { u32::MAX };
        let source =
            format!("movi a2, {value:#x}\nmovi a15, 0\nwsr.{name} a2\nrsr.{name} a3\nxsr.{name} a15\nhalt 0");
        let (machine, stop) = run(&source);
        assert_eq!(stop, Stop::Halted(0), "{name}");
        if name != "wb" {
            assert_eq!(machine.core.ar[3], mask, "{name}");
            assert_eq!(machine.core.ar[15], mask, "{name}");
        } else {
            assert_eq!(machine.core.windows.word(), 0, "XSR wrote 0 back");
        }
    }
    let ar = registers(
        "rsr.configid0 a2\nrsr.configid1 a3\nrsr.mpucfg a4\nrsr.ps a5\nrsr.wb a6\nrsr.cpenable a7\nhalt 0",
    );
    assert_eq!(ar[2..8], [0xc401_9686, 0x2908_e4e3, 16, 0x80, 0x4000_0000, 2]);
}

#[test]
fn ccount_counts_bundles() {
    let ar = registers(
        "rsr.ccount a2\nnop\nnop\nrsr.ccount a3\nmovi a4, 1000\nwsr.ccount a4\nnop\nrsr.ccount a5\nhalt 0",
    );
    assert_eq!(ar[3] - ar[2], 3);
    assert_eq!(ar[5] - ar[4], 2);
}

#[test]
fn exclusive_stores_need_a_reservation() {
    let source = "
        movi a2, 0x00180000
        movi a3, 1
        s32ex a3, a2
        movi a4, 0
        getex a4
        l32ex a5, a2
        movi a6, 7
        s32ex a6, a2
        movi a7, 0
        getex a7
        l32i a8, a2, 0
        l32ex a9, a2
        clrex
        s32ex a3, a2
        movi a10, 0
        getex a10
        halt 0";
    let ar = registers(source);
    assert_eq!((ar[4], ar[5], ar[7], ar[8], ar[10]), (0, 0, 1, 7, 0));
}

#[test]
fn host_calls_move_bytes() {
    let source = "
        movi a2, 3
        movi a3, 0
        movi a4, 0x00180000
        movi a5, 16
        simcall 0
        mov a5, a2
        movi a2, 4
        movi a3, 1
        simcall 0
        movi a2, 1000
        simcall 0
        mov a10, a2
        movi a2, 1002
        movi a3, 0x00190000
        simcall 0
        movi a4, 0x00190000
        l32i a11, a4, 4
        l8ui a11, a11, 0
        movi a2, 77
        simcall 0
        mov a12, a3
        movi a2, 4
        movi a4, 0x90000
        simcall 0
        mov a13, a3
        movi a2, 1
        movi a3, 42
        simcall 0";
    let (mut machine, _) = load(source);
    let arguments = vec![b"program".to_vec(), b"xyz".to_vec()];
    let mut host = Streams { input: b"hello".to_vec(), arguments, ..Streams::default() };
    assert_eq!(machine.run(&limits(), &mut host), Stop::Exit(42));
    assert_eq!(host.output, b"hello");
    let ar = machine.core.ar;
    assert_eq!((ar[10], ar[11], ar[12], ar[13]), (2, u32::from(b'x'), 88, 14));
}

#[test]
fn host_input_may_be_code() {
    // Reads `halt 0` over an already executed `ill` slot.
    let source = "
        movi a9, 0
        call0 1f
        movi a2, 3
        movi a3, 0
        movi a4, 1f
        movi a5, 3
        simcall 0
        call0 1f
        halt 7
        .align 4
    1:  ret
        nop";
    let (mut machine, _) = load(source);
    let mut host = Streams { input: vec![0x00, 0x52, 0x00], ..Streams::default() };
    assert_eq!(machine.run(&limits(), &mut host), Stop::Halted(0));
}

#[test]
fn instructions_without_semantics_stop_with_their_name() {
    for (source, what) in [("setw 1", "setw"), ("exit", "exit")] {
        assert_eq!(run(source).1, Stop::UnknownSemantics { what: what.into() });
    }
}

struct Blind;

impl Observer for Blind {
    fn issue(&mut self, _cycle: u64, _pc: u32, _bundle: Option<&q7_isa::Bundle>) {}
}

#[test]
fn observed_runs_compute_the_same() {
    let source = timer_program("addi a9, a9, 1");
    let (mut plain, _) = load(&source);
    let (mut observed, _) = load(&source);
    let limits = Limits { max_bundles: Some(5000), ..Limits::default() };
    let stop = plain.run(&limits, &mut NoHost);
    assert_eq!(observed.run_observed(&limits, &mut NoHost, &mut Blind), stop);
    assert_eq!(observed.core.snapshot(), plain.core.snapshot());
}

#[test]
fn rewriting_vecbase_keeps_the_handler() {
    let source = "
    .section .vectors, \"ax\"
    .space 60
    halt 7
    .text
    .global _start
    _start: movi a2, 0
    wsr.vecbase a2
    ill";
    assert_eq!(run(source).1, Stop::Halted(7));
}

#[test]
fn a_handler_installed_through_an_alias_counts() {
    let text = "extend_default = true\n[[region]]\nname='mirror'\nbase=0xa0000000\nsize=0x1000\nalias='iram'";
    let map = q7_core::MemoryMap::from_toml(text).unwrap();
    let program = common::assemble("movi a2, 0xa0000000\nmovi a3, 0x5240\ns32i a3, a2, 60\nill");
    let mut machine = q7_core::Machine::new(q7_isa::Isa::embedded(), &map).unwrap();
    for segment in program.segments() {
        machine.core.memory.write_bytes(segment.address, &segment.data).unwrap();
    }
    machine.start(program.entry(), STACK);
    assert_eq!(machine.run(&limits(), &mut NoHost), Stop::Halted(4));
}

#[test]
fn a_faulting_double_exception_vector_stops() {
    // The save vector is undefined code, and so is the double-exception vector.
    let source = "
    .section .vectors, \"ax\"
    .space 60
    .byte 0x35, 0, 0
    .text
    .global _start
    _start: ill";
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Exception(Exception::new(Cause::ILL)));
    assert_eq!(machine.core.pc, 6);
}

#[test]
fn waiting_stops_if_nothing_can_come() {
    let timer_on = "movi a2, 0x122070\nmovi a3, 0x101\nwer a3, a2\n";
    for source in [
        // Another interrupt is active.
        format!("movi a2, 0x122000\nmovi a3, 0x404\nwer a3, a2\n{timer_on}waiti 0"),
        // Dispatch code takes no interrupts.
        format!("{timer_on}movi a4, 2\nwsr.ms a4\nwaiti 0"),
        // Nobody handles it.
        format!("{timer_on}waiti 0"),
        "movi a2, 0x122000\nmovi a3, 0x303\nwer a3, a2\n1: j 1b".to_owned(),
    ] {
        assert_eq!(run(&source).1, Stop::Idle, "{source}");
    }
}

#[test]
fn bytes_that_were_no_bundle_may_become_one() {
    // 00 60 00 is reserved; the handler's store to its second byte makes it HALT 2 (00 52 00 | 2 << 4).
    let source = "
    .section .vectors, \"ax\"
    .space 60
    movi a2, 1
    slli a2, a2, 20
    movi a3, 0x52
    s8i a3, a2, 1
    movi a3, 0x20
    s8i a3, a2, 0
    jx a2
    .text
    .global _start
    _start: .byte 0x00, 0x60, 0x00";
    assert_eq!(run(source).1, Stop::Halted(2));
}

#[test]
fn timers_match_when_they_are_reached_and_not_otherwise() {
    let pending = "movi a2, 0x122070\nrer a5, a2\nhalt 0";
    for (source, expected) in [
        // Set behind CCOUNT.
        (format!("nop\nnop\nnop\nnop\nmovi a3, 3\nwsr.ccompare0 a3\nnop\n{pending}"), 0),
        // Jumped over.
        (format!("movi a3, 0x10000\nwsr.ccompare0 a3\nmovi a3, 0x10003\nwsr.ccount a3\nnop\n{pending}"), 0),
        // Reached.
        (format!("movi a3, 5\nwsr.ccompare0 a3\nnop\nnop\nnop\nnop\nnop\nnop\n{pending}"), 2),
    ] {
        assert_eq!(registers(&source)[5], expected, "{source}");
    }
}

#[test]
fn windowed_calls_need_windows() {
    for call in ["call8 1f", "movi a4, 1f\ncallx8 a4"] {
        let source = format!("movi a2, 0\nwsr.wb a2\n{call}\n.align 4\n1: halt 3");
        assert_eq!(run(&source).1, Stop::Exception(Exception::new(Cause::ILLEGAL_ENTRY)), "{call}");
    }
}

#[test]
fn a_spill_that_faults_writes_nothing() {
    // The save area straddles the end of DataRAM: its first word lies inside, its second outside.
    let source = "
    .global _start
    _start:
        movi a1, 0x9001c
        movi a2, 0
        wsr.wb a2
        movi a2, 0x40000610
        wsr.wb a2
        call8 1f
        .align 4
    1:  nop";
    let (machine, stop) = run(source);
    let Stop::Exception(exception) = stop else { panic!("{stop:?}") };
    assert_ne!(exception.cause, Cause::NONE);
    let mut bytes = [0; 4];
    machine.core.memory.read_bytes(0x8_fffc, &mut bytes).unwrap();
    assert_eq!(u32::from_le_bytes(bytes), 0x0123_4567, "the fill pattern");
}

#[test]
fn an_instruction_without_semantics_does_not_count_a_loop() {
    let (machine, stop) = run("movi a2, 5\nloop a2, 1f\nsetw 1\n1: halt 0");
    assert_eq!(stop, Stop::UnknownSemantics { what: "setw".into() });
    assert_eq!(machine.core.lcount, 4);
}

#[test]
fn an_interrupt_that_waits_for_a_handler_comes_when_vecbase_finds_one() {
    let source = "
    .section .vectors, \"ax\"
    .org 60
    rsr.epc1 a9
    halt 3
    .text
    .global _start
_start:
    movi a2, 0x00180000
    wsr.vecbase a2
    movi a4, 0x00122000 + 4 * 29
    movi a5, 0x303
    wer a5, a4
    movi a6, 5
1:  addi a6, a6, -1
    bnez a6, 1b
    movi a2, 0
    wsr.vecbase a2
next:
    addi a7, a7, 1
    halt 0";
    let (mut machine, program) = load(source);
    assert_eq!(machine.run(&limits(), &mut NoHost), Stop::Halted(3));
    let next = program.symbols().iter().find(|symbol| symbol.name == "next").unwrap().address;
    assert_eq!((machine.core.ar[9], machine.core.ar[7]), (next, 0));
}
