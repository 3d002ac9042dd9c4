//! Access to special, user and external registers and to the MPU (`core-isa/spec-b27.md`, `spec-b29.md`).

use super::{Binding, Row, straight};
use crate::core::Core;
use crate::exception::{Cause, Exception};
use crate::op::{Exit, Op, OpFn};
use crate::special::{REGISTERS, register_index};

/// `rur.X r`: operand r.
macro_rules! rur {
    ($field:ident) => {
        operation!(|core, op| {
            core.set_ar(op.r[0], core.special.$field);
            Exit::NEXT
        })
    };
}

/// `wur.X t`: operand t.
macro_rules! wur {
    ($field:ident, $mask:expr) => {
        operation!(|core, op| {
            core.special.$field = core.ar(op.r[0]) & $mask;
            Exit::NEXT
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("rur.threadptr", rur!(threadptr)),
    ("rur.fcr", rur!(fcr)),
    ("rur.fsr", rur!(fsr)),
    ("wur.threadptr", wur!(threadptr, u32::MAX)),
    // Rounding mode 1:0, enables 6:2; flags 4:0 (DECISIONS A4).
    ("wur.fcr", wur!(fcr, 0x7f)),
    ("wur.fsr", wur!(fsr, 0x1f)),
    (
        "rer",
        operation!(|core, op| {
            attempt!(core, external_access(core));
            core.settle_timers(core.cycle_at(op));
            core.set_ar(op.r[0], core.interrupts.read(core.ar(op.r[1])));
            Exit::NEXT
        }),
    ),
    (
        "wer",
        operation!(|core, op| {
            attempt!(core, external_access(core));
            let (address, value) = (core.ar(op.r[1]), core.ar(op.r[0]));
            core.settle_timers(core.cycle_at(op));
            core.interrupts.write(address, value);
            core.sync(op)
        }),
    ),
    (
        "wptlb",
        privileged!(|core, op| {
            let (attributes, address) = (core.ar(op.r[0]), core.ar(op.r[1]));
            if let Some(entry) = core.special.mpu.get_mut((attributes & 0x1f) as usize) {
                *entry = (address, attributes & !0x1f);
            }
            Exit::NEXT
        }),
    ),
    (
        "rptlb0",
        privileged!(|core, op| {
            let value = mpu_entry(core, op).0;
            core.set_ar(op.r[0], value);
            Exit::NEXT
        }),
    ),
    (
        "rptlb1",
        privileged!(|core, op| {
            let value = mpu_entry(core, op).1;
            core.set_ar(op.r[0], value);
            Exit::NEXT
        }),
    ),
    (
        "pptlb",
        privileged!(|core, op| {
            let value = probe_mpu(&core.special.mpu, core.ar(op.r[1]));
            core.set_ar(op.r[0], value);
            Exit::NEXT
        }),
    ),
];

fn external_access(core: &Core) -> Result<(), Exception> {
    if core.unprivileged() {
        return Err(Exception::new(Cause::EXTERNAL_REGISTER_PRIVILEGE));
    }
    Ok(())
}

fn mpu_entry(core: &Core, op: &Op) -> (u32, u32) {
    core.special.mpu.get((core.ar(op.r[1]) & 0x1f) as usize).copied().unwrap_or_default()
}

/// The attributes that hold at an address, its entry number, and where they come from: bit 30 a
/// foreground entry, bit 31 the background map (docs/assumptions.md, X8). Protection is not enforced.
fn probe_mpu(entries: &[(u32, u32); 16], address: u32) -> u32 {
    const BACKGROUND: u32 = 0x8000_0000 | 6 << 12 | 7 << 8;
    let found =
        entries.iter().enumerate().filter(|(_, entry)| entry.0 & 1 == 1 && entry.0 & !0xfff <= address);
    found
        .max_by_key(|(_, entry)| entry.0)
        .map_or(BACKGROUND, |(index, entry)| 0x4000_0000 | entry.1 | index as u32)
}

/// Binds `rsr.X`, `wsr.X` and `xsr.X` by register name; the register's index is the parameter.
pub(super) fn bind_register_move(mnemonic: &str) -> Option<Binding> {
    let (prefix, name) = mnemonic.split_once('.')?;
    let run: OpFn = match prefix {
        "rsr" => threaded!(rsr),
        "wsr" => threaded!(wsr),
        "xsr" => threaded!(xsr),
        _ => return None,
    };
    Some(Binding { parameter: i32::from(register_index(name)?), ..straight(run) })
}

fn may_access(core: &Core, index: u8) -> Result<(), Exception> {
    if core.unprivileged() && REGISTERS[index as usize].privileged {
        return Err(Exception::new(Cause::PRIVILEGED));
    }
    Ok(())
}

fn rsr(core: &mut Core, op: &Op) -> Exit {
    let index = op.imm as u8;
    attempt!(core, may_access(core, index));
    let value = core.read_special(index, core.cycle_at(op));
    core.set_ar(op.r[0], value);
    Exit::NEXT
}

fn wsr(core: &mut Core, op: &Op) -> Exit {
    let index = op.imm as u8;
    attempt!(core, may_access(core, index));
    if core.write_special(index, core.ar(op.r[0]), core.cycle_at(op)) { core.sync(op) } else { Exit::NEXT }
}

/// The AR is written first, so that XSR.WB exchanges in the old window.
fn xsr(core: &mut Core, op: &Op) -> Exit {
    let index = op.imm as u8;
    attempt!(core, may_access(core, index));
    let cycle = core.cycle_at(op);
    let (old, new) = (core.read_special(index, cycle), core.ar(op.r[0]));
    core.set_ar(op.r[0], old);
    if core.write_special(index, new, cycle) { core.sync(op) } else { Exit::NEXT }
}
