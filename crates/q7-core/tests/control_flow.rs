//! Loops, windows, calls and self-modifying code. Expected values are worked out by hand.

mod common;

use common::{STACK, limits, load, registers, run};
use q7_core::{Limits, Machine, MemoryMap, NoHost, Stop};
use q7_isa::spec::{IsaSpec, OperandRow};
use q7_isa::{Direction, File, Instruction, Isa, Operands};

#[test]
fn loops_run_as_often_as_they_say() {
    for (instruction, count, expected) in [
        ("loop", 1, 1),
        ("loop", 5, 5),
        ("loopnez", 0, 0),
        ("loopnez", 3, 3),
        ("loopgtz", 0, 0),
        ("loopgtz", -4, 0),
        ("loopgtz", 2, 2),
    ] {
        let source =
            format!("movi a2, {count}\nmovi a3, 0\n{instruction} a2, 1f\naddi a3, a3, 1\n nop\n1: halt 0");
        assert_eq!(registers(&source)[3], expected, "{instruction} {count}");
    }
}

#[test]
fn nested_loops_need_only_saved_registers() {
    // Inner loops overwrite LBEG, LEND and LCOUNT, so the outer one is a branch.
    let source = "movi a2, 7\nmovi a4, 0\n1: movi a3, 11\nloop a3, 2f\naddi a4, a4, 1\n2: addi a2, a2, -1\nbnez a2, 1b\nhalt 0";
    assert_eq!(registers(source)[4], 77);
}

#[test]
fn a_branch_may_be_the_last_of_a_loop_body() {
    // Not taken it loops back; taken it leaves the loop with LCOUNT as it is.
    let source = "movi a2, 10\nmovi a3, 0\nmovi a5, 6\nloop a2, 1f\naddi a3, a3, 1\nbeq a3, a5, 2f\n1: movi a6, 1\nhalt 0\n2: rsr.lcount a7\nhalt 0";
    let ar = registers(source);
    assert_eq!((ar[3], ar[6], ar[7]), (6, 0, 4));
}

#[test]
fn a_jump_to_the_loop_end_leaves_the_loop() {
    let source = "movi a2, 10\nmovi a3, 0\nloop a2, 1f\naddi a3, a3, 1\nj 1f\nnop\n1: rsr.lcount a7\nhalt 0";
    let ar = registers(source);
    assert_eq!((ar[3], ar[7]), (1, 9));
}

#[test]
fn block_ending_instructions_may_be_the_last_of_a_loop_body() {
    for last in ["isync", "wsr.ps a4", "wer a9, a9"] {
        let source = format!(
            "movi a2, 10\nmovi a3, 0\nrsr.ps a4\nmovi a9, 0\nloop a2, 1f\naddi a3, a3, 1\n{last}\n1: halt 0"
        );
        assert_eq!(registers(&source)[3], 10, "{last}");
    }
}

#[test]
fn a_loop_can_be_set_up_by_hand() {
    let source = "movi a3, 0\nmovi a4, 1f\nmovi a5, 2f\nmovi a6, 4\nwsr.lbeg a4\nwsr.lend a5\nwsr.lcount a6\n1: addi a3, a3, 1\n nop\n2: halt 0";
    assert_eq!(registers(source)[3], 5);
}

#[test]
fn a_loop_end_found_later_cuts_blocks_decoded_before() {
    // The body is first run straight through as one block, then again as a loop.
    let source = "movi a3, 0\nmovi a8, 0\n1: addi a3, a3, 1\n2: addi a3, a3, 16\nbnez a8, 9f\nmovi a8, 1\n\
                  movi a4, 1b\nmovi a5, 2b\nmovi a6, 2\nwsr.lbeg a4\nwsr.lend a5\nwsr.lcount a6\nj 1b\n9: halt 0";
    // Once 1 + 16; then the loop adds 1 three times before 16.
    assert_eq!(registers(source)[3], 1 + 16 + 3 + 16);
}

#[test]
fn deep_windowed_recursion_spills_and_fills() {
    let source = "
    _start:
        movi a10, 40
        call8 sum
        mov a2, a10
        halt 0
        .align 4
    sum:
        entry a1, 48
        movi a3, 0x55
        beqz a2, 1f
        addi a10, a2, -1
        call8 sum
        add a2, a2, a10
        movi a4, 0x55
        beq a3, a4, 1f
        movi a2, -1
    1:  retw";
    let ar = registers(source);
    assert_eq!(ar[2], 40 * 41 / 2);
    assert_eq!(ar[1], STACK);
}

#[test]
fn spills_lie_below_the_stack_pointer_of_the_callee() {
    // Eight calls deep, the two oldest frames have left the file: six older ones may stay.
    let source = "
    _start:
        movi a2, 0x11
        movi a10, 7
        call8 down
        halt 0
        .align 4
    down:
        entry a1, 32
        addi a3, a2, 0x20
        bnez a2, 1f
        halt 0
    1:  addi a10, a2, -1
        call8 down
        retw";
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Halted(0));
    let word = |address: u32| {
        let mut bytes = [0; 4];
        machine.core.memory.read_bytes(address, &mut bytes).unwrap();
        u32::from_le_bytes(bytes)
    };
    // The frame of _start is below the stack pointer of its callee: STACK - 32.
    assert_eq!(word(STACK - 32 - 32 + 4), STACK);
    assert_eq!(word(STACK - 32 - 32 + 8), 0x11);
    // Its callee (a2 = 7, a3 = 0x27) is below the next one.
    assert_eq!(word(STACK - 64 - 32 + 4), STACK - 32);
    assert_eq!(word(STACK - 64 - 32 + 12), 0x27);
    assert_eq!(machine.core.windows.live(), 6);
}

#[test]
fn spillw_keeps_sar_frames() {
    let source = "
    _start:
        call8 a
        halt 0
        .align 4
    a:  entry a1, 32
        call8 b
        retw
        .align 4
    b:  entry a1, 32
        call8 c
        retw
        .align 4
    c:  entry a1, 32
        ssai 1
        spillw
        halt 0";
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Halted(0));
    assert_eq!(machine.core.windows.live(), 1);
    assert_eq!(machine.core.windows.current(), 3);
}

#[test]
fn code_may_be_rewritten_in_its_own_block() {
    // The stored word replaces `movi a3, 1; nop` two bundles ahead by `movi a3, 2; nop`.
    let source = "
        movi a4, 1f
        movi a5, 2f
        l32i a6, a5, 0
        s32i a6, a4, 0
        .align 4
    1:  movi a3, 1
        nop
        halt 0
        .align 4
    2:  movi a3, 2
        nop";
    assert_eq!(registers(source)[3], 2);
}

#[test]
fn a_function_may_be_generated_again_and_again() {
    // Writes `movi a2, n; ret` with n from 0 to 9 and adds up what the calls return.
    let source = "
    _start:
        movi a8, 0x00180000
        movi a9, 0
        movi a10, 10
        movi a11, 0
        movi a12, 0x8000a022    # movi a2, imm8; first byte of ret
    1:  movi a7, 0
        slli a6, a9, 16
        or a6, a6, a12
        s32i a6, a8, 0
        s16i a7, a8, 4
        callx0 a8
        add a11, a11, a2
        addi a9, a9, 1
        bne a9, a10, 1b
        halt 0";
    assert_eq!(registers(source)[11], 45);
}

#[test]
fn data_beside_code_does_not_drop_blocks() {
    let source = "
        movi a2, 1f
        movi a3, 1000
        loop a3, 9f
        l32i a4, a2, 0
        addi a4, a4, 1
        s32i a4, a2, 0
    9:  halt 0
        .align 4
    1:  .word 0";
    let (machine, stop) = run(source);
    assert_eq!(stop, Stop::Halted(0));
    assert_eq!(machine.core.ar[4], 1000);
    assert!(machine.blocks_built() < 10, "{}", machine.blocks_built());
}

#[test]
fn limits_are_exact() {
    let source = "movi a2, 0\n1: addi a2, a2, 1\nnop\nnop\nj 1b";
    for bundles in [1, 2, 3, 5, 100, 1001] {
        let (mut machine, _) = load(source);
        let limits = Limits { max_bundles: Some(bundles), ..Limits::default() };
        assert_eq!(machine.run(&limits, &mut NoHost), Stop::BundleLimit);
        assert_eq!(machine.core.bundles(), bundles);
        assert_eq!(u64::from(machine.core.ar[2]), (bundles - 1).div_ceil(4));
        let more = Limits { max_cycles: Some(bundles + 7), ..Limits::default() };
        assert_eq!(machine.run(&more, &mut NoHost), Stop::CycleLimit);
        assert_eq!(machine.core.cycle, bundles + 7);
    }
}

#[test]
fn running_in_pieces_changes_nothing() {
    let source = "
        movi a2, 50
        movi a3, 0
        loop a2, 1f
        addi a3, a3, 3
        bbci a3, 1, 2f
        addi a3, a3, 1
    2:  nop
    1:  halt 0";
    let whole = registers(source);
    let (mut machine, _) = load(source);
    for step in 1.. {
        let limits = Limits { max_bundles: Some(step), ..Limits::default() };
        match machine.run(&limits, &mut NoHost) {
            Stop::BundleLimit => assert!(step < 10_000),
            stop => {
                assert_eq!(stop, Stop::Halted(0));
                break;
            }
        }
    }
    assert_eq!(machine.core.ar, whole);
}

/// However often its code has been decoded, and from where.
#[test]
fn a_loop_with_an_empty_body_never_turns() {
    for instruction in ["loop.w15", "loopgtz.w15", "loopnez.w15"] {
        let source = format!(
            "movi a2, 5\nmovi a4, 3\n1: addi a5, a5, 1\n{{ {instruction} a2, 2f; nop }}\n\
             2: rsr.lcount a3\naddi a4, a4, -1\nbnez a4, 1b\nhalt 0"
        );
        let (mut whole, _) = load(&source);
        assert_eq!(whole.run(&limits(), &mut NoHost), Stop::Halted(0));
        assert_eq!((whole.core.ar[3], whole.core.lcount), (4, 4), "{instruction}");
        let (mut stepped, _) = load(&source);
        let mut step = Limits { max_bundles: Some(0), ..Limits::default() };
        while stepped.run(&step, &mut NoHost) == Stop::BundleLimit {
            step.max_bundles = Some(stepped.core.bundles() + 1);
        }
        assert_eq!((stepped.core.ar, stepped.core.lcount), (whole.core.ar, 4), "{instruction}");
    }
}

#[test]
fn functions_are_called_by_the_convention_they_use() {
    let source = "
        .global windowed
        .global call0
    windowed:
        entry a1, 32
        add a2, a2, a7
        l32i a3, a1, 32
        add a2, a2, a3
        retw
    call0:
        add a2, a2, a7
        l32i a3, a1, 4
        add a2, a2, a3
        ret";
    for (name, expected) in [("windowed", 1 + 6 + 7), ("call0", 1 + 6 + 8)] {
        let (mut machine, program) = load(source);
        let address = program.symbols().iter().find(|symbol| symbol.name == name).unwrap().address;
        let abi = machine.call(address, &[1, 2, 3, 4, 5, 6, 7, 8], STACK).unwrap();
        assert_eq!(machine.run(&limits(), &mut NoHost), Stop::Returned, "{name}");
        assert_eq!(machine.result(abi), expected, "{name}");
    }
}

/// An imported instruction set may give a branch more operands than the published ones; its link to the next block is
/// none of them.
#[test]
fn a_branch_may_have_many_operands() {
    let mut spec = IsaSpec::from_bytes(include_bytes!("../../q7-isa/spec/isa.bin")).unwrap();
    let bnez = spec.opcodes.iter_mut().find(|row| row.mnemonic == "bnez").unwrap();
    for role in ["hint0", "hint1", "hint2", "hint3"] {
        let (direction, file) = (Direction::In, File::Imm);
        bnez.operands.push(OperandRow { direction, file, role: role.into(), codec: "u".into() });
    }
    let placement = spec.placements.iter_mut().find(|row| row.mnemonic == "bnez").unwrap();
    placement.windows[1].truncate(8);
    placement.windows.extend([vec![15], vec![14], vec![13], vec![12]]);
    let isa = Isa::from_spec(&spec).unwrap();
    let instruction = |name: &str, operands: &[i32]| {
        let opcode = isa.find(name).unwrap();
        let slot = isa.placement(isa.single_placement(opcode).unwrap()).slot;
        isa.single(Instruction { opcode, slot, operands: Operands::from_iter(operands.iter().copied()) })
    };
    let mut machine = Machine::new(&isa, &MemoryMap::default()).unwrap();
    let start = 0x0010_0000;
    let program = [
        instruction("addi", &[2, 2, -1]),
        instruction("bnez", &[2, start, 1, 1, 1, 1]),
        instruction("halt", &[0]),
    ];
    let mut pc = start as u32;
    for bundle in program {
        let bytes = isa.encode(&bundle, pc).unwrap();
        machine.core.memory.write_bytes(pc, &bytes).unwrap();
        pc += bytes.len() as u32;
    }
    machine.start(start as u32, STACK);
    machine.core.ar[2] = 10;
    assert_eq!(machine.run(&limits(), &mut NoHost), Stop::Halted(0));
    assert_eq!((machine.core.ar[2], machine.core.bundles()), (0, 21));
}
