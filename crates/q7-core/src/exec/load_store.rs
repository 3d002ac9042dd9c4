//! Scalar loads and stores (`core-isa/spec-b26.md`, `microarchitecture/spec-atomics-ordering.md`).

use super::{Row, straight};
use crate::core::Core;
use crate::exception::Exception;
use crate::memory::Stored;
use crate::op::{Exit, Op};

/// `t = extend(memory[address])`: operand t, and those of the address.
macro_rules! load {
    ($type:ty as $($through:ty)*, from $address:ident) => {{
        fn write(core: &mut Core, op: &Op, value: $type) {
            core.set_ar(op.r[0], value $(as $through)* as u32);
        }
        fn quick(core: &mut Core, op: &Op) -> bool {
            core.memory.load_quick($address(core, op)).map(|value| write(core, op, value)).is_some()
        }
        fn run(core: &mut Core, op: &Op) -> Exit {
            let value = attempt!(core, core.memory.load($address(core, op)));
            write(core, op, value);
            Exit::NEXT
        }
        straight(threaded!(quick, else run))
            .probed_by(probe!(|core, op| core.memory.loads($address(core, op), size_of::<$type>() as u32)))
    }};
}

/// `memory[s + imm] = t`: operands t, s, immediate.
macro_rules! store {
    ($type:ty) => {{
        fn quick(core: &mut Core, op: &Op) -> bool {
            core.memory.store_quick(base_and_offset(core, op), core.ar(op.r[0]) as $type)
        }
        fn run(core: &mut Core, op: &Op) -> Exit {
            let result = core.memory.store(base_and_offset(core, op), core.ar(op.r[0]) as $type);
            finish_store(core, op, result)
        }
        straight(threaded!(quick, else run)).probed_by(probe!(|core, op| {
            core.memory.stores(base_and_offset(core, op), size_of::<$type>() as u32)
        }))
    }};
}

/// The literal that L32R names.
#[inline(always)]
fn literal(_core: &Core, op: &Op) -> u32 {
    op.target
}

/// The address `s + imm`.
#[inline(always)]
fn base_and_offset(core: &Core, op: &Op) -> u32 {
    core.ar(op.r[1]).wrapping_add(op.imm as u32)
}

#[inline(always)]
fn finish_store(core: &mut Core, op: &Op, result: Result<Stored, Exception>) -> Exit {
    match result {
        Ok(Stored::Data) => Exit::NEXT,
        Ok(Stored::Code) => core.sync(op),
        Err(exception) => core.raise(exception),
    }
}

pub(super) const TABLE: &[Row] = &[
    ("l8ui", load!(u8 as, from base_and_offset)),
    ("l16ui", load!(u16 as, from base_and_offset)),
    ("l16si", load!(u16 as i16 i32, from base_and_offset)),
    ("l32i", load!(u32 as, from base_and_offset)),
    ("l32i.n", load!(u32 as, from base_and_offset)),
    ("l32ai", load!(u32 as, from base_and_offset)),
    ("l32r", load!(u32 as, from literal)),
    ("s8i", store!(u8)),
    ("s16i", store!(u16)),
    ("s32i", store!(u32)),
    ("s32i.n", store!(u32)),
    ("s32ri", store!(u32)),
    ("l32ex", straight(threaded!(l32ex))),
    ("s32ex", straight(threaded!(s32ex))),
    ("getex", straight(threaded!(getex))),
    ("clrex", straight(threaded!(clrex))),
];

/// Loads and reserves the word.
fn l32ex(core: &mut Core, op: &Op) -> Exit {
    let address = core.ar(op.r[1]);
    let value = attempt!(core, core.memory.load::<u32>(address));
    core.set_ar(op.r[0], value);
    core.special.reservation = Some(address);
    Exit::NEXT
}

/// Stores if the word is still reserved; GETEX fetches the outcome from ATOMCTL bit 8
/// (`xea3/corrections.csv`, S32EX result).
fn s32ex(core: &mut Core, op: &Op) -> Exit {
    let address = core.ar(op.r[1]);
    attempt!(core, core.memory.check_store(address, 4));
    let reserved = core.special.reservation == Some(address);
    let mut exit = Exit::NEXT;
    if reserved {
        let result = core.memory.store(address, core.ar(op.r[0]));
        exit = finish_store(core, op, result);
        if exit == Exit::FAULT {
            return exit;
        }
    }
    core.special.reservation = None;
    core.special.atomctl = core.special.atomctl & !0x100 | u32::from(reserved) << 8;
    exit
}

/// Exchanges bit 0 of t with ATOMCTL bit 8; the other bits of t become 0.
fn getex(core: &mut Core, op: &Op) -> Exit {
    let given = core.ar(op.r[0]) & 1;
    core.set_ar(op.r[0], core.special.atomctl >> 8 & 1);
    core.special.atomctl = core.special.atomctl & !0x100 | given << 8;
    Exit::NEXT
}

fn clrex(core: &mut Core, _op: &Op) -> Exit {
    core.special.reservation = None;
    Exit::NEXT
}
