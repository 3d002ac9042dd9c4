//! Unaligned streams through the alignment registers (`semantics-from-kernels/semantics.md` section 1).

use q7_datapath::{Align512, LineStore, Vec512, memory};

use super::address::{I, Ip, Mode};
use crate::core::Core;
use crate::exception::Exception;
use crate::exec::Row;
use crate::memory::Stored;
use crate::op::Exit;

impl Core {
    #[inline(always)]
    fn valign(&self, register: u8) -> Align512 {
        self.vectors.valign[(register & 3) as usize]
    }

    #[inline(always)]
    fn set_valign(&mut self, register: u8, value: Align512) {
        self.vectors.valign[(register & 3) as usize] = value;
    }

    /// The 64-byte line that holds `address`.
    #[inline(always)]
    fn line(&mut self, address: u32) -> Result<Vec512, Exception> {
        self.memory.load(address & !63).map(Vec512::from_bytes)
    }

    /// What a step of a load stream gives, as long as the register is the line that memory holds: then all bytes lie
    /// there side by side. `count` is not 0.
    #[inline(always)]
    fn load_side_by_side(&self, align: Align512, address: u32, count: u32) -> Option<(Vec512, Align512)> {
        let bytes = Vec512::from_bytes(self.memory.unaligned(address)?);
        let line = |address: u32| self.memory.unaligned(address & !63).map(Vec512::from_bytes);
        let last = line(address.wrapping_add(count - 1))?;
        let crosses = address % 64 + count > 64;
        if crosses && !align.holds(line(address)?) {
            return None;
        }
        Some((memory::first_bytes(bytes, count), Align512::from_line(last)))
    }

    /// True if the line that holds `address` is sure to load.
    #[inline(always)]
    fn line_loads(&self, address: u32) -> bool {
        self.memory.loads(address & !63, 64)
    }

    /// True if the line that holds `address` is sure to be stored.
    #[inline(always)]
    fn line_stores(&self, address: u32) -> bool {
        self.memory.stores(address & !63, 64)
    }

    /// Carries out one step of a store stream.
    #[inline(always)]
    fn store_line(&mut self, address: u32, step: &LineStore) -> Result<Stored, Exception> {
        if step.enable == 0 {
            return Ok(Stored::Data);
        }
        self.memory.store_enabled(address & !63, *step.line.bytes(), step.enable)
    }
}

/// One step of a load stream: operands vt, u, base and what `$step` names.
macro_rules! load_stream {
    (|$core:ident, $op:ident| $count:expr, $step:expr, $f:expr) => {
        vector!(|$core, $op| {
            let (address, count) = ($core.ar($op.r[2]), $count);
            let mut align = $core.valign($op.r[1]);
            let mut bytes = Vec512::ZERO;
            if count > 0 {
                (bytes, align) = match $core.load_side_by_side(align, address, count) {
                    Some(loaded) => loaded,
                    None => {
                        let line = attempt!($core, $core.line(address.wrapping_add(count - 1)));
                        align.load(line, address, count)
                    }
                };
            }
            let step = $step;
            $core.set_vec($op.r[0], $f(bytes));
            $core.set_valign($op.r[1], align);
            $core.set_ar($op.r[2], address.wrapping_add(step));
            Exit::NEXT
        })
        .probed_by(probe!(|$core, $op| {
            let count = $count;
            count == 0 || $core.line_loads($core.ar($op.r[2]).wrapping_add(count - 1))
        }))
    };
}

/// `_ip`: a full access, the base goes on by its size.
macro_rules! la_ip {
    ($size:literal, $f:expr) => {
        load_stream!(|core, op| $size, $size, $f)
    };
}

/// `_xp`: a full access, the base goes on by a register.
macro_rules! la_xp {
    ($size:literal, $f:expr) => {
        load_stream!(|core, op| $size, core.ar(op.r[3]), $f)
    };
}

/// `lav`: as many bytes as a register says, the base goes on by them.
macro_rules! lav {
    ($size:literal, $f:expr) => {
        load_stream!(
            |core, op| memory::stream_count(core.ar(op.r[3]), $size),
            memory::stream_count(core.ar(op.r[3]), $size),
            $f
        )
    };
}

/// 64 bytes at any address from two lines; the alignment register takes the second line (D15).
macro_rules! load_two_lines {
    (|$core:ident, $op:ident| $step:expr) => {
        vector!(|$core, $op| {
            let address = $core.ar($op.r[2]);
            let low = attempt!($core, $core.line(address));
            let high = attempt!($core, $core.line(address.wrapping_add(63)));
            let step = $step;
            $core.set_vec($op.r[0], memory::funnel(low, high, address));
            $core.set_valign($op.r[1], Align512::from_line(high));
            $core.set_ar($op.r[2], address.wrapping_add(step));
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| two_lines_load(core, core.ar(op.r[2]))))
    };
}

/// `u = line`: operands u, base, immediate.
macro_rules! load_align {
    ($mode:ty) => {
        vector!(|core, op| {
            let line = attempt!(core, core.line(<$mode>::address::<1>(core, op)));
            core.set_valign(op.r[0], Align512::from_line(line));
            <$mode>::update::<1>(core, op);
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| core.line_loads(<$mode>::address::<1>(core, op))))
    };
}

/// `line = u`: operands u, base, immediate.
macro_rules! store_align {
    ($mode:ty) => {
        vector!(|core, op| {
            let address = <$mode>::address::<1>(core, op) & !63;
            let line = *core.valign(op.r[0]).line().bytes();
            let stored = attempt!(core, core.memory.store(address, line));
            <$mode>::update::<1>(core, op);
            core.after_store(op, stored)
        })
        .probed_by(probe!(|core, op| core.line_stores(<$mode>::address::<1>(core, op))))
    };
}

/// One step of a store stream: operands vr, u, base and for counted forms a register.
macro_rules! store_stream {
    (|$core:ident, $op:ident, $v:ident| $data:expr, $count:expr) => {
        vector!(|$core, $op| {
            let (address, count) = ($core.ar($op.r[2]), $count);
            let $v = $core.vec($op.r[0]);
            let step = $core.valign($op.r[1]).store($data, address, count);
            let stored = attempt!($core, $core.store_line(address, &step));
            $core.set_valign($op.r[1], step.align);
            $core.set_ar($op.r[2], address.wrapping_add(count));
            $core.after_store($op, stored)
        })
        .probed_by(probe!(|core, op| core.line_stores(core.ar(op.r[2]))))
    };
}

/// Writes what waits: operands u, base; the base goes on by `$step`.
macro_rules! flush_stream {
    (|$core:ident, $op:ident| $step:expr) => {
        vector!(|$core, $op| {
            let address = $core.ar($op.r[1]);
            let step = $core.valign($op.r[0]).flush(address);
            let stored = attempt!($core, $core.store_line(address, &step));
            let distance = $step;
            $core.set_valign($op.r[0], step.align);
            $core.set_ar($op.r[1], address.wrapping_add(distance));
            $core.after_store($op, stored)
        })
        .probed_by(probe!(|core, op| core.line_stores(core.ar(op.r[1]))))
    };
}

#[inline(always)]
fn two_lines_load(core: &Core, address: u32) -> bool {
    core.line_loads(address) && core.line_loads(address.wrapping_add(63))
}

fn whole(bytes: Vec512) -> Vec512 {
    bytes
}

pub(super) const TABLE: &[Row] = &[
    ("ivp_zalign", compute!(|core, op| core.set_valign(op.r[0], Align512::EMPTY))),
    (
        "ivp_la_pp",
        vector!(|core, op| {
            let line = attempt!(core, core.line(core.ar(op.r[1])));
            core.set_valign(op.r[0], Align512::from_line(line));
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| core.line_loads(core.ar(op.r[1])))),
    ),
    (
        "ivp_la_ppxu",
        vector!(|core, op| {
            let address = core.ar(op.r[1]).wrapping_add(core.ar(op.r[2]));
            let line = attempt!(core, core.line(address));
            core.set_valign(op.r[0], Align512::from_line(line));
            core.set_ar(op.r[1], address);
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| core.line_loads(core.ar(op.r[1]).wrapping_add(core.ar(op.r[2]))))),
    ),
    ("ivp_lalign_i", load_align!(I)),
    ("ivp_lalign_ip", load_align!(Ip)),
    ("ivp_salign_i", store_align!(I)),
    ("ivp_salign_ip", store_align!(Ip)),
    ("ivp_la2nx8_ipi", load_stream!(|core, op| 64, op.imm as u32, whole)),
    (
        "ivp_l2u2nx8_xp",
        vector!(|core, op| {
            let address = core.ar(op.r[1]);
            let low = attempt!(core, core.line(address));
            let high = attempt!(core, core.line(address.wrapping_add(63)));
            let step = core.ar(op.r[2]);
            core.set_vec(op.r[0], memory::funnel(low, high, address));
            core.set_ar(op.r[1], address.wrapping_add(step));
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| two_lines_load(core, core.ar(op.r[1])))),
    ),
    ("ivp_l2a4nx8_ip", load_two_lines!(|core, op| 64)),
    ("ivp_l2au2nx8_ip", load_two_lines!(|core, op| 64)),
    ("ivp_l2au2nx8_ipi", load_two_lines!(|core, op| op.imm as u32)),
    ("ivp_l2au2nx8_xp", load_two_lines!(|core, op| core.ar(op.r[3]))),
    ("ivp_la2nx8_ip", la_ip!(64, whole)),
    ("ivp_la2nx8_xp", la_xp!(64, whole)),
    ("ivp_lav2nx8_xp", lav!(64, whole)),
    ("ivp_lanx8s_ip", la_ip!(32, memory::widen::<i8>)),
    ("ivp_lanx8s_xp", la_xp!(32, memory::widen::<i8>)),
    ("ivp_lavnx8s_xp", lav!(32, memory::widen::<i8>)),
    ("ivp_lanx8u_ip", la_ip!(32, memory::widen::<u8>)),
    ("ivp_lanx8u_xp", la_xp!(32, memory::widen::<u8>)),
    ("ivp_lavnx8u_xp", lav!(32, memory::widen::<u8>)),
    ("ivp_lan_2x16s_ip", la_ip!(32, memory::widen::<i16>)),
    ("ivp_lan_2x16s_xp", la_xp!(32, memory::widen::<i16>)),
    ("ivp_lavn_2x16s_xp", lav!(32, memory::widen::<i16>)),
    ("ivp_lan_2x16u_ip", la_ip!(32, memory::widen::<u16>)),
    ("ivp_lan_2x16u_xp", la_xp!(32, memory::widen::<u16>)),
    ("ivp_lavn_2x16u_xp", lav!(32, memory::widen::<u16>)),
    ("ivp_sa2nx8_ip", store_stream!(|core, op, v| v, 64)),
    ("ivp_sav2nx8_xp", store_stream!(|core, op, v| v, memory::stream_count(core.ar(op.r[3]), 64))),
    ("ivp_sanx8s_ip", store_stream!(|core, op, v| memory::narrow_saturating::<i8>(v), 32)),
    (
        "ivp_savnx8s_xp",
        store_stream!(
            |core, op, v| memory::narrow_saturating::<i8>(v),
            memory::stream_count(core.ar(op.r[3]), 32)
        ),
    ),
    ("ivp_sanx8u_ip", store_stream!(|core, op, v| memory::narrow_truncating::<u8>(v), 32)),
    (
        "ivp_savnx8u_xp",
        store_stream!(
            |core, op, v| memory::narrow_truncating::<u8>(v),
            memory::stream_count(core.ar(op.r[3]), 32)
        ),
    ),
    ("ivp_san_2x16s_ip", store_stream!(|core, op, v| memory::narrow_saturating::<i16>(v), 32)),
    (
        "ivp_savn_2x16s_xp",
        store_stream!(
            |core, op, v| memory::narrow_saturating::<i16>(v),
            memory::stream_count(core.ar(op.r[3]), 32)
        ),
    ),
    ("ivp_san_2x16u_ip", store_stream!(|core, op, v| memory::narrow_truncating::<u16>(v), 32)),
    (
        "ivp_savn_2x16u_xp",
        store_stream!(
            |core, op, v| memory::narrow_truncating::<u16>(v),
            memory::stream_count(core.ar(op.r[3]), 32)
        ),
    ),
    ("ivp_sapos_fp", flush_stream!(|core, op| 0)),
    ("ivp_sapos_fpxp", flush_stream!(|core, op| core.ar(op.r[2]))),
];
