//! Vector stores (`semantics-from-kernels/ops.csv`, DECISIONS, Memory). An address that is not a multiple of
//! the access size is rounded down to one (A11); narrow stores move 32 bytes.

use q7_datapath::memory;

use super::address::{I, Ip, Mode, X, Xp};
use crate::exec::Row;

/// `memory = f(vr)`: operands vr, base, immediate or index.
macro_rules! store {
    ($mode:ty, $size:literal, |$v:ident| $value:expr) => {
        vector!(|core, op| {
            let address = <$mode>::address::<1>(core, op) & !($size - 1);
            let $v = core.vec(op.r[0]);
            let mut bytes = [0; $size];
            bytes.copy_from_slice(&$value.bytes()[..$size]);
            let stored = attempt!(core, core.memory.store(address, bytes));
            <$mode>::update::<1>(core, op);
            core.after_store(op, stored)
        })
        .probed_by(probe!(|core, op| {
            core.memory.stores(<$mode>::address::<1>(core, op) & !($size - 1), $size)
        }))
    };
}

/// As `store!`, only the bytes that `enable(vb)` allows: operands vr, base, immediate or index, vb.
macro_rules! store_t {
    ($mode:ty, $size:literal, |$v:ident| $value:expr, |$vb:ident| $enable:expr) => {
        vector!(|core, op| {
            let address = <$mode>::address::<1>(core, op) & !($size - 1);
            let ($v, $vb) = (core.vec(op.r[0]), core.vbool(op.r[3]));
            let mut bytes = [0; $size];
            bytes.copy_from_slice(&$value.bytes()[..$size]);
            let stored = attempt!(core, core.memory.store_enabled(address, bytes, $enable));
            <$mode>::update::<1>(core, op);
            core.after_store(op, stored)
        })
        .probed_by(probe!(|core, op| {
            core.memory.stores(<$mode>::address::<1>(core, op) & !($size - 1), $size)
        }))
    };
}

/// `memory = vbr`: operands vbr, base, immediate.
macro_rules! store_pred {
    ($mode:ty) => {
        vector!(|core, op| {
            let bits = core.vbool(op.r[0]).bits();
            let stored = attempt!(core, core.memory.store(<$mode>::address::<1>(core, op), bits));
            <$mode>::update::<1>(core, op);
            core.after_store(op, stored)
        })
        .probed_by(probe!(|core, op| core.memory.stores(<$mode>::address::<1>(core, op), 8)))
    };
}

pub(super) const TABLE: &[Row] = &[
    ("ivp_sv2nx8_i", store!(I, 64, |v| v)),
    ("ivp_sv2nx8_ip", store!(Ip, 64, |v| v)),
    ("ivp_sv2nx8_x", store!(X, 64, |v| v)),
    ("ivp_sv2nx8_xp", store!(Xp, 64, |v| v)),
    ("ivp_svnx8s_i", store!(I, 32, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_svnx8s_ip", store!(Ip, 32, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_svnx8s_x", store!(X, 32, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_svnx8s_xp", store!(Xp, 32, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_svnx8u_i", store!(I, 32, |v| memory::narrow_truncating::<u8>(v))),
    ("ivp_svnx8u_ip", store!(Ip, 32, |v| memory::narrow_truncating::<u8>(v))),
    ("ivp_svnx8u_x", store!(X, 32, |v| memory::narrow_truncating::<u8>(v))),
    ("ivp_svnx8u_xp", store!(Xp, 32, |v| memory::narrow_truncating::<u8>(v))),
    ("ivp_svn_2x16s_i", store!(I, 32, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_svn_2x16s_ip", store!(Ip, 32, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_svn_2x16s_x", store!(X, 32, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_svn_2x16s_xp", store!(Xp, 32, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_svn_2x16u_i", store!(I, 32, |v| memory::narrow_truncating::<u16>(v))),
    ("ivp_svn_2x16u_ip", store!(Ip, 32, |v| memory::narrow_truncating::<u16>(v))),
    ("ivp_svn_2x16u_x", store!(X, 32, |v| memory::narrow_truncating::<u16>(v))),
    ("ivp_svn_2x16u_xp", store!(Xp, 32, |v| memory::narrow_truncating::<u16>(v))),
    ("ivp_ss2nx8_i", store!(I, 1, |v| v)),
    ("ivp_ss2nx8_ip", store!(Ip, 1, |v| v)),
    ("ivp_ss2nx8_x", store!(X, 1, |v| v)),
    ("ivp_ss2nx8_xp", store!(Xp, 1, |v| v)),
    ("ivp_ssnx16_i", store!(I, 2, |v| v)),
    ("ivp_ssnx16_ip", store!(Ip, 2, |v| v)),
    ("ivp_ssnx16_x", store!(X, 2, |v| v)),
    ("ivp_ssnx16_xp", store!(Xp, 2, |v| v)),
    ("ivp_ssn_2x32_i", store!(I, 4, |v| v)),
    ("ivp_ssn_2x32_ip", store!(Ip, 4, |v| v)),
    ("ivp_ssn_2x32_x", store!(X, 4, |v| v)),
    ("ivp_ssn_2x32_xp", store!(Xp, 4, |v| v)),
    ("ivp_ssn_4x64_i", store!(I, 8, |v| v)),
    ("ivp_ssn_4x64_ip", store!(Ip, 8, |v| v)),
    ("ivp_ssn_4x64_x", store!(X, 8, |v| v)),
    ("ivp_ssn_4x64_xp", store!(Xp, 8, |v| v)),
    ("ivp_ssn_8x128_i", store!(I, 16, |v| v)),
    ("ivp_ssn_8x128_ip", store!(Ip, 16, |v| v)),
    ("ivp_ssn_8x128_x", store!(X, 16, |v| v)),
    ("ivp_ssn_8x128_xp", store!(Xp, 16, |v| v)),
    ("ivp_ssn_16x256_i", store!(I, 32, |v| v)),
    ("ivp_ssn_16x256_ip", store!(Ip, 32, |v| v)),
    ("ivp_ssn_16x256_x", store!(X, 32, |v| v)),
    ("ivp_ssn_16x256_xp", store!(Xp, 32, |v| v)),
    ("ivp_ssnx8s_i", store!(I, 1, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_ssnx8s_ip", store!(Ip, 1, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_ssnx8s_x", store!(X, 1, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_ssnx8s_xp", store!(Xp, 1, |v| memory::narrow_saturating::<i8>(v))),
    ("ivp_ssn_2x16s_i", store!(I, 2, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_ssn_2x16s_ip", store!(Ip, 2, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_ssn_2x16s_x", store!(X, 2, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_ssn_2x16s_xp", store!(Xp, 2, |v| memory::narrow_saturating::<i16>(v))),
    ("ivp_sv2nx8t_i", store_t!(I, 64, |v| v, |vb| vb.bits())),
    ("ivp_sv2nx8t_ip", store_t!(Ip, 64, |v| v, |vb| vb.bits())),
    ("ivp_sv2nx8t_x", store_t!(X, 64, |v| v, |vb| vb.bits())),
    ("ivp_sv2nx8t_xp", store_t!(Xp, 64, |v| v, |vb| vb.bits())),
    (
        "ivp_svnx8st_i",
        store_t!(I, 32, |v| memory::narrow_saturating::<i8>(v), |vb| memory::narrow_enable::<i8>(vb)),
    ),
    (
        "ivp_svnx8st_ip",
        store_t!(Ip, 32, |v| memory::narrow_saturating::<i8>(v), |vb| memory::narrow_enable::<i8>(vb)),
    ),
    (
        "ivp_svnx8st_x",
        store_t!(X, 32, |v| memory::narrow_saturating::<i8>(v), |vb| memory::narrow_enable::<i8>(vb)),
    ),
    (
        "ivp_svnx8st_xp",
        store_t!(Xp, 32, |v| memory::narrow_saturating::<i8>(v), |vb| memory::narrow_enable::<i8>(vb)),
    ),
    (
        "ivp_svnx8ut_i",
        store_t!(I, 32, |v| memory::narrow_truncating::<u8>(v), |vb| memory::narrow_enable::<u8>(vb)),
    ),
    (
        "ivp_svnx8ut_ip",
        store_t!(Ip, 32, |v| memory::narrow_truncating::<u8>(v), |vb| memory::narrow_enable::<u8>(vb)),
    ),
    (
        "ivp_svnx8ut_x",
        store_t!(X, 32, |v| memory::narrow_truncating::<u8>(v), |vb| memory::narrow_enable::<u8>(vb)),
    ),
    (
        "ivp_svnx8ut_xp",
        store_t!(Xp, 32, |v| memory::narrow_truncating::<u8>(v), |vb| memory::narrow_enable::<u8>(vb)),
    ),
    (
        "ivp_svn_2x16st_i",
        store_t!(I, 32, |v| memory::narrow_saturating::<i16>(v), |vb| memory::narrow_enable::<i16>(vb)),
    ),
    (
        "ivp_svn_2x16st_ip",
        store_t!(Ip, 32, |v| memory::narrow_saturating::<i16>(v), |vb| memory::narrow_enable::<i16>(vb)),
    ),
    (
        "ivp_svn_2x16st_x",
        store_t!(X, 32, |v| memory::narrow_saturating::<i16>(v), |vb| memory::narrow_enable::<i16>(vb)),
    ),
    (
        "ivp_svn_2x16st_xp",
        store_t!(Xp, 32, |v| memory::narrow_saturating::<i16>(v), |vb| memory::narrow_enable::<i16>(vb)),
    ),
    (
        "ivp_svn_2x16ut_i",
        store_t!(I, 32, |v| memory::narrow_truncating::<u16>(v), |vb| memory::narrow_enable::<u16>(vb)),
    ),
    (
        "ivp_svn_2x16ut_ip",
        store_t!(Ip, 32, |v| memory::narrow_truncating::<u16>(v), |vb| memory::narrow_enable::<u16>(vb)),
    ),
    (
        "ivp_svn_2x16ut_x",
        store_t!(X, 32, |v| memory::narrow_truncating::<u16>(v), |vb| memory::narrow_enable::<u16>(vb)),
    ),
    (
        "ivp_svn_2x16ut_xp",
        store_t!(Xp, 32, |v| memory::narrow_truncating::<u16>(v), |vb| memory::narrow_enable::<u16>(vb)),
    ),
    // The name without a suffix is the spelling of the immediate form on one page.
    (
        "ivp_svnx8ut",
        store_t!(I, 32, |v| memory::narrow_truncating::<u8>(v), |vb| memory::narrow_enable::<u8>(vb)),
    ),
    ("ivp_sb2n_i", store_pred!(I)),
    ("ivp_sb2n_ip", store_pred!(Ip)),
    ("ivp_sbn_i", store_pred!(I)),
    ("ivp_sbn_ip", store_pred!(Ip)),
    ("ivp_sbn_2_i", store_pred!(I)),
    ("ivp_sbn_2_ip", store_pred!(Ip)),
];
