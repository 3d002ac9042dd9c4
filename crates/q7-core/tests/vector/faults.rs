//! Bundles written by hand: exchanges, loads beside stores, faults, disabled units, code that changes, control flow.

use q7_core::{Cause, Exception, Machine, NoHost, Stop};
use q7_datapath::Vec512;
use q7_isa::{Isa, Operands, Unplaced};

use crate::common::{limits, load};

const DATA: u32 = 0x0020_0000;
const NOWHERE: u32 = 0x5000_0000;

/// A machine with the program, a2 and a3 at two lines of data, and a different number in every vector.
fn machine(source: &str) -> Machine<'static> {
    let (mut machine, _) = load(source);
    for k in 0..32 {
        machine.core.vectors.vec[k] = Vec512::splat(k as u16 + 1);
    }
    (machine.core.ar[2], machine.core.ar[3]) = (DATA, DATA + 64);
    machine.core.memory.write_bytes(DATA, &[7; 64]).unwrap();
    machine.core.memory.write_bytes(DATA + 64, &[9; 64]).unwrap();
    machine
}

fn run(machine: &mut Machine<'_>) -> Stop {
    machine.run(&limits(), &mut NoHost)
}

/// Runs a program to its HALT.
fn finished(source: &str) -> Machine<'static> {
    let mut machine = machine(source);
    assert_eq!(run(&mut machine), Stop::Halted(0), "at {:#x}\n{source}", machine.core.pc);
    machine
}

/// The 16-bit lanes 0 of vectors.
fn vec<const N: usize>(machine: &Machine<'_>, registers: [usize; N]) -> [u16; N] {
    registers.map(|register| machine.core.vectors.vec[register].lane(0))
}

fn byte(machine: &Machine<'_>, address: u32) -> u8 {
    let mut byte = [0];
    machine.core.memory.read_bytes(address, &mut byte).unwrap();
    byte[0]
}

#[test]
fn slots_exchange_registers() {
    let machine = finished("{ ivp_movvv v0, v1; ivp_movvv v1, v0 }\nhalt 0");
    assert_eq!(vec(&machine, [0, 1]), [2, 1]);
    let machine = finished("{ mov.n a4, a2; mov.n a2, a3; mov.n a3, a2 }\nhalt 0");
    assert_eq!(machine.core.ar[2..5], [DATA + 64, DATA, DATA]);
    // A ring of three, one of them a load whose base another slot replaces.
    let machine =
        finished("{ ivp_lv2nx8_ip v4, a2, 64; ivp_movva16 v5, a2; ivp_maxnx16 v6, v4, v5 }\nhalt 0");
    assert_eq!(vec(&machine, [4, 5, 6]), [0x0707, DATA as u16, 6]);
    assert_eq!(machine.core.ar[2], DATA + 64);
}

#[test]
fn a_register_read_and_written_in_one_bundle() {
    let machine = finished("{ ivp_movvv v3, v2; ivp_addnx16 v2, v2, v2 }\nhalt 0");
    assert_eq!(vec(&machine, [2, 3]), [6, 3]);
    // The other slot uses what was there before the load.
    let machine = finished("{ ivp_lv2nx8_i v2, a2, 0; ivp_addnx16 v3, v2, v2 }\nhalt 0");
    assert_eq!(vec(&machine, [2, 3]), [0x0707, 6]);
}

#[test]
fn loads_see_memory_before_the_stores_of_their_bundle() {
    let machine =
        finished("{ ivp_sv2nx8_i v1, a2, 0; ivp_lv2nx8_i v2, a2, 0 }\nivp_lv2nx8_i v3, a2, 0\nhalt 0");
    assert_eq!(vec(&machine, [2, 3]), [0x0707, 2]);
    // What is stored is what the loaded register was before.
    let machine =
        finished("{ ivp_sv2nx8_i v2, a2, 0; ivp_lv2nx8_i v2, a2, 0 }\nivp_lv2nx8_i v3, a2, 0\nhalt 0");
    assert_eq!(vec(&machine, [2, 3]), [0x0707, 3]);
}

/// The bundle faults at `address` and nothing has changed.
fn faults(bundle: &str, cause: Cause, address: Option<u32>, prepare: impl Fn(&mut Machine<'_>)) {
    let mut machine = machine(&format!("{bundle}\nhalt 0"));
    prepare(&mut machine);
    let (pc, ar, br) = (machine.core.pc, machine.core.ar, machine.core.br);
    let before = machine.core.vectors.clone();
    assert_eq!(run(&mut machine), Stop::Exception(Exception { cause, address }), "{bundle}");
    assert_eq!((machine.core.pc, machine.core.ar, machine.core.br), (pc, ar, br), "{bundle}");
    let after = &machine.core.vectors;
    assert_eq!((*after.vec, after.vbool, after.pr), (*before.vec, before.vbool, before.pr), "{bundle}");
    assert_eq!((after.valign, after.fs), (before.valign, before.fs), "{bundle}");
    let memory: Vec<u8> = (0..128).map(|k| byte(&machine, DATA + k)).collect();
    assert_eq!(memory, [[7; 64], [9; 64]].concat(), "{bundle}");
}

#[test]
fn a_fault_leaves_nothing_half_written() {
    let lost = |register: usize| move |machine: &mut Machine<'_>| machine.core.ar[register] = NOWHERE;
    let space = Cause::INVALID_MEMORY_SPACE;
    let both = "{ ivp_lv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v1, a3, 64 }";
    faults(both, space, Some(NOWHERE), lost(3));
    faults(both, space, Some(NOWHERE), lost(2));
    let exchange = "{ ivp_lv2nx8_ip v0, a2, 64; nop; nop; ivp_addnx16 v1, v0, v0 }";
    faults(exchange, space, Some(NOWHERE), lost(2));
    let ring = "{ ivp_lv2nx8_ip v4, a2, 64; ivp_movva16 v5, a2; ivp_maxnx16 v6, v4, v5 }";
    faults(ring, space, Some(NOWHERE), lost(2));
    // The store may not happen before the load is known to work.
    let beside = "{ ivp_sv2nx8_ip v0, a2, 64; ivp_lv2nx8_i v1, a3, 0 }";
    faults(beside, space, Some(NOWHERE), lost(3));
    faults(beside, space, Some(NOWHERE), lost(2));
    let scalar = "{ s32i a2, a2, 0; l32i a4, a3, 0; ivp_addnx16 v1, v0, v0 }";
    faults(scalar, Cause::UNALIGNED_ACCESS, Some(DATA + 65), |machine| machine.core.ar[3] = DATA + 65);
    faults("ivp_lb2n_ip vb0, a2, 8", Cause::UNALIGNED_ACCESS, Some(DATA + 4), |machine| {
        machine.core.ar[2] += 4
    });
    // A masked store needs its whole block, even where no byte is written.
    faults("ivp_sv2nx8t_i v0, a2, 0, vb0", space, Some(NOWHERE), lost(2));
}

/// Two accesses of a bundle run on side by side until one of them, which is known to work at first, does not any more.
#[test]
fn a_fault_comes_after_many_passes() {
    let end = 0x4010_0000;
    for (bundle, far) in [
        ("{ ivp_lv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v1, a3, 64 }", 2),
        ("{ ivp_lv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v1, a3, 64 }", 3),
        ("{ ivp_sv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v0, a3, 64 }", 2),
        ("{ ivp_sv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v0, a3, 64 }", 3),
        ("{ ivp_sv2nx8_ip v0, a2, 64; ivp_lv2nx8_ip v1, a3, 64 }", 2),
        ("{ ivp_sa2nx8_ip v0, u1, a2; ivp_la2nx8_ip v0, u0, a3 }", 2),
        ("{ ivp_sa2nx8_ip v0, u1, a2; ivp_la2nx8_ip v0, u0, a3 }", 3),
    ] {
        let mut machine = machine(&format!("ivp_zalign u0\nivp_zalign u1\nloop a4, 1f\n{bundle}\n1: halt 0"));
        machine.core.ar[4] = 1000;
        machine.core.ar[far] = end - 64 * 100;
        let start = machine.core.ar;
        // What the next pass would load differs from what is there.
        let lines: Vec<u8> = (0..200 * 64).map(|k| (k / 64) as u8).collect();
        machine.core.memory.write_bytes(start[3], &lines[..6400]).unwrap();
        let exception = Exception::at(Cause::INVALID_MEMORY_SPACE, end);
        assert_eq!(run(&mut machine), Stop::Exception(exception), "{bundle}");
        assert_eq!(machine.core.ar[2..4], [start[2] + 6400, start[3] + 6400], "{bundle}");
        assert_eq!(machine.core.lcount, 1000 - 1 - 100, "{bundle}");
        let loaded = if bundle.contains("v1") { 1 } else { 0 };
        assert_eq!(vec(&machine, [loaded]), [99 * 0x101], "{bundle}");
        // The store of the pass that faulted did not happen.
        assert!(far == 2 || byte(&machine, start[2] + 6400) == 0, "{bundle}");
    }
}

/// The instructions in one bundle behind each other, then HALT.
fn encoded(instructions: &[(&str, &[i32])]) -> Vec<u8> {
    let isa = Isa::embedded();
    let unplaced = |&(name, operands): &(&str, &[i32])| Unplaced {
        opcode: isa.find(name).unwrap(),
        operands: Operands::from_iter(operands.iter().copied()),
    };
    let bundle: Vec<Unplaced> = instructions.iter().map(unplaced).collect();
    let chosen = isa.choose_format(&bundle, 0x0010_0000).unwrap();
    let mut bytes = isa.encode(&chosen, 0x0010_0000).unwrap().to_vec();
    let halt = isa.choose_format(&[unplaced(&("halt", &[0]))], 0x0010_0000).unwrap();
    bytes.extend(isa.encode(&halt, 0x0010_0000).unwrap());
    bytes
}

#[test]
fn two_writers_of_one_register_are_illegal() {
    let code = encoded(&[("ivp_movvv", &[0, 5]), ("ivp_addnx16", &[0, 6, 7])]);
    assert!(Isa::embedded().decode_strict(&code, 0x0010_0000).is_err());
    for (strict, stop) in
        [(true, Stop::Exception(Exception::new(Cause::ILLEGAL_INSTRUCTION))), (false, Stop::Halted(0))]
    {
        let mut machine = machine("halt 0");
        machine.set_strict(strict);
        machine.core.memory.write_bytes(0x0010_0000, &code).unwrap();
        assert_eq!(run(&mut machine), stop);
        // The higher slot holds the addition of 7 and 8.
        assert_eq!(vec(&machine, [0]), [if strict { 1 } else { 15 }]);
    }
    // Reading what another slot writes is no conflict.
    let code = encoded(&[("ivp_movvv", &[0, 5]), ("ivp_addnx16", &[1, 0, 0])]);
    let mut machine = machine("halt 0");
    machine.core.memory.write_bytes(0x0010_0000, &code).unwrap();
    assert_eq!(run(&mut machine), Stop::Halted(0));
    assert_eq!(vec(&machine, [0, 1]), [6, 2]);
}

/// Runs a bundle with the same machine in strict mode, which refuses it, and otherwise.
fn lenient(instructions: &[(&str, &[i32])], prepare: impl Fn(&mut Machine<'_>)) -> Machine<'static> {
    let code = encoded(instructions);
    let run_with = |strict: bool| {
        let mut machine = machine("halt 0");
        machine.set_strict(strict);
        machine.core.memory.write_bytes(0x0010_0000, &code).unwrap();
        prepare(&mut machine);
        let stop = run(&mut machine);
        (machine, stop)
    };
    let (_, stop) = run_with(true);
    assert_eq!(stop, Stop::Exception(Exception::new(Cause::ILLEGAL_INSTRUCTION)), "{instructions:?}");
    let (machine, stop) = run_with(false);
    assert_eq!(stop, Stop::Halted(0), "{instructions:?}");
    machine
}

#[test]
fn of_two_writers_the_higher_slot_wins_even_with_the_old_value() {
    // An exchange has no order: v1 takes v0, and v0 its own old value rather than v1.
    let machine = lenient(
        &[("ivp_movvv", &[0, 1]), ("ivp_addnx16", &[1, 0, 4]), ("ivp_maxnx16", &[0, 0, 5])],
        |machine| machine.core.vectors.vec[5] = Vec512::ZERO,
    );
    assert_eq!(vec(&machine, [0, 1]), [1, 6]);
    // The store of the lower slot comes last, but its base register does not: the load leaves a2 alone.
    let machine = lenient(&[("ivp_sv2nx8_ip", &[1, 2, 64]), ("ivp_lv2nx8_ip", &[1, 2, 0])], |_| {});
    assert_eq!((machine.core.ar[2], vec(&machine, [1])), (DATA, [0x0707]));
    assert_eq!(byte(&machine, DATA), 2);
}

#[test]
fn two_writers_of_a_register_without_a_name_are_illegal() {
    let machine = lenient(&[("ssl", &[4]), ("ssr", &[5])], |machine| {
        (machine.core.ar[4], machine.core.ar[5]) = (3, 7);
    });
    assert_eq!(machine.core.sar, 7);
    // Sticky flags add up.
    finished("{ ivp_oltn_2xf32 vb0, v0, v1; ivp_oltn_2xf32 vb1, v0, v1 }\nhalt 0");
}

#[test]
fn vector_operations_trap_while_their_unit_is_disabled() {
    let disabled = Cause::coprocessor_disabled(1);
    assert_eq!(disabled, Cause(0x108));
    let off = |machine: &mut Machine<'_>| machine.core.special.cpenable = 0;
    for bundle in [
        "ivp_addnx16 v0, v1, v2",
        "ivp_lv2nx8_ip v0, a2, 64",
        "ivp_sv2nx8_ip v0, a2, 64",
        "ivp_andb vb0, vb1, vb2",
        "ivp_movav32 a4, v0",
        "ivp_zalign u0",
        "rur.fcr a4",
        "{ s32i a2, a2, 0; nop; nop; ivp_addnx16 v0, v1, v2 }",
        "{ addi a2, a2, 8; addi a3, a3, 8; nop; ivp_addnx16 v0, v1, v2 }",
        "{ mov.n a2, a3; mov.n a3, a2; nop; ivp_addnx16 v0, v1, v2 }",
    ] {
        faults(bundle, disabled, None, off);
    }
    for (source, fcr) in
        [("wur.fcr a2\nhalt 0", 0x5), ("wur.fsr a2\nhalt 0", 0), ("ivp_addmod16u a3, a2, a2\nhalt 0", 0)]
    {
        let mut machine = machine(source);
        (machine.core.special.cpenable, machine.core.ar[2]) = (0, 5);
        assert_eq!(run(&mut machine), Stop::Halted(0), "{source}");
        assert_eq!(machine.core.special.fcr, fcr, "{source}");
    }
    // Enabled in mid-program: the same bytes then work.
    let mut machine = machine("movi a4, 2\nwsr.cpenable a4\nrsync\nivp_addnx16 v0, v1, v2\nhalt 0");
    machine.core.special.cpenable = 0;
    assert_eq!(run(&mut machine), Stop::Halted(0));
    assert_eq!(vec(&machine, [0]), [5]);
}

#[test]
fn a_store_in_a_bundle_changes_code() {
    let source = "movi a2, 1f\nmovi a3, 2f\nl32i a4, a3, 0\nmovi a6, 0\n\
                  0: { s32i a4, a2, 0; ivp_addnx16 v0, v1, v1 }\n\
                  .align 4\n1: movi a5, 1\nnop\nbnez a6, 3f\nmovi a6, 1\nj 0b\n3: halt 0\n\
                  .align 4\n2: movi a5, 2\nnop\n";
    let machine = finished(source);
    assert_eq!((machine.core.ar[5], vec(&machine, [0])), (2, [4]));
    // The same by a vector store of a whole line.
    let source = "movi a2, 1f\nmovi a3, 2f\nivp_lv2nx8_i v1, a3, 0\n\
                  { ivp_sv2nx8_ip v1, a2, 64; ivp_lv2nx8_i v3, a3, 0; ivp_addnx16 v2, v4, v4 }\n\
                  .align 64\n1: movi a5, 1\nhalt 0\n.align 64\n2: movi a5, 2\nhalt 0\n.align 64\nnop\n";
    let machine = finished(source);
    assert_eq!((machine.core.ar[5], vec(&machine, [2])), (2, [10]));
    assert_eq!(machine.core.vectors.vec[3], machine.core.vectors.vec[1]);
}

#[test]
fn branches_stand_beside_vector_operations() {
    // Taken or not, the other slots work; the branch looks at the register as it was.
    for (value, skipped) in [(0, true), (1, false)] {
        let source = format!(
            "movi a2, {value}\nmovi a5, 0\n\
             {{ beqz.w15 a2, 1f; addi a2, a2, 1; nop; ivp_addnx16 v0, v1, v2 }}\nmovi a5, 1\n1: halt 0"
        );
        let machine = finished(&source);
        assert_eq!(machine.core.ar[2], value + 1);
        assert_eq!((machine.core.ar[5] == 0, vec(&machine, [0])), (skipped, [5]));
    }
}

#[test]
fn loops_stand_beside_vector_operations() {
    for (instruction, count, passes) in
        [("loop", 5, 5), ("loopgtz", -1, 0), ("loopgtz", 3, 3), ("loopnez", 0, 0)]
    {
        let source = format!(
            "movi a4, {count}\n\
             {{ {instruction}.w15 a4, 1f; addi a4, a4, 100; nop; ivp_movvv v0, v31 }}\n\
             {{ ivp_sv2nx8_ip v0, a2, 64; ivp_addnx16 v0, v0, v1 }}\n1: halt 0"
        );
        let machine = finished(&source);
        assert_eq!(machine.core.ar[4], (count + 100) as u32, "{instruction} {count}");
        assert_eq!(machine.core.ar[2], DATA + 64 * passes, "{instruction} {count}");
        assert_eq!(vec(&machine, [0]), [32 + 2 * passes as u16], "{instruction} {count}");
    }
}
