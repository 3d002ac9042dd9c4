//! Vector loads (`load-store-move-gather/spec-b06.md`). An address that is not a multiple of the access size
//! is rounded down to one (DECISIONS A11).

use q7_datapath::{Pred64, Vec512, memory};

use super::address::{I, Ip, Mode, X, Xp};
use crate::exec::Row;
use crate::op::Exit;

/// `vt = f(bytes)`: operands vt, base, immediate or index.
macro_rules! load {
    ($mode:ty, $size:literal, $f:expr) => {
        vector!(|core, op| {
            let address = <$mode>::address::<1>(core, op) & !($size - 1);
            let bytes: [u8; $size] = attempt!(core, core.memory.load(address));
            core.set_vec(op.r[0], $f(bytes));
            <$mode>::update::<1>(core, op);
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| {
            core.memory.loads(<$mode>::address::<1>(core, op) & !($size - 1), $size)
        }))
    };
}

/// `vbt = 8 bytes`: operands vbt, base, immediate.
macro_rules! load_pred {
    ($mode:ty) => {
        vector!(|core, op| {
            let bits: u64 = attempt!(core, core.memory.load(<$mode>::address::<1>(core, op)));
            core.set_vbool(op.r[0], Pred64::from_bits(bits));
            <$mode>::update::<1>(core, op);
            Exit::NEXT
        })
        .probed_by(probe!(|core, op| core.memory.loads(<$mode>::address::<1>(core, op), 8)))
    };
}

fn low<const N: usize>(bytes: [u8; N]) -> Vec512 {
    Vec512::from_low_bytes(&bytes)
}

pub(super) const TABLE: &[Row] = &[
    ("ivp_lv2nx8_i", load!(I, 64, Vec512::from_bytes)),
    ("ivp_lv2nx8_ip", load!(Ip, 64, Vec512::from_bytes)),
    ("ivp_lv2nx8_x", load!(X, 64, Vec512::from_bytes)),
    ("ivp_lv2nx8_xp", load!(Xp, 64, Vec512::from_bytes)),
    ("ivp_lvnx8s_i", load!(I, 32, |bytes| memory::widen::<i8>(low(bytes)))),
    ("ivp_lvnx8s_ip", load!(Ip, 32, |bytes| memory::widen::<i8>(low(bytes)))),
    ("ivp_lvnx8s_x", load!(X, 32, |bytes| memory::widen::<i8>(low(bytes)))),
    ("ivp_lvnx8s_xp", load!(Xp, 32, |bytes| memory::widen::<i8>(low(bytes)))),
    ("ivp_lvnx8u_i", load!(I, 32, |bytes| memory::widen::<u8>(low(bytes)))),
    ("ivp_lvnx8u_ip", load!(Ip, 32, |bytes| memory::widen::<u8>(low(bytes)))),
    ("ivp_lvnx8u_x", load!(X, 32, |bytes| memory::widen::<u8>(low(bytes)))),
    ("ivp_lvnx8u_xp", load!(Xp, 32, |bytes| memory::widen::<u8>(low(bytes)))),
    ("ivp_lvn_2x16s_i", load!(I, 32, |bytes| memory::widen::<i16>(low(bytes)))),
    ("ivp_lvn_2x16s_ip", load!(Ip, 32, |bytes| memory::widen::<i16>(low(bytes)))),
    ("ivp_lvn_2x16s_x", load!(X, 32, |bytes| memory::widen::<i16>(low(bytes)))),
    ("ivp_lvn_2x16s_xp", load!(Xp, 32, |bytes| memory::widen::<i16>(low(bytes)))),
    ("ivp_lvn_2x16u_i", load!(I, 32, |bytes| memory::widen::<u16>(low(bytes)))),
    ("ivp_lvn_2x16u_ip", load!(Ip, 32, |bytes| memory::widen::<u16>(low(bytes)))),
    ("ivp_lvn_2x16u_x", load!(X, 32, |bytes| memory::widen::<u16>(low(bytes)))),
    ("ivp_lvn_2x16u_xp", load!(Xp, 32, |bytes| memory::widen::<u16>(low(bytes)))),
    ("ivp_ls2nx8_i", load!(I, 1, low)),
    ("ivp_ls2nx8_ip", load!(Ip, 1, low)),
    ("ivp_ls2nx8_x", load!(X, 1, low)),
    ("ivp_ls2nx8_xp", load!(Xp, 1, low)),
    ("ivp_lsnx16_i", load!(I, 2, low)),
    ("ivp_lsnx16_ip", load!(Ip, 2, low)),
    ("ivp_lsnx16_x", load!(X, 2, low)),
    ("ivp_lsnx16_xp", load!(Xp, 2, low)),
    ("ivp_lsn_2x32_i", load!(I, 4, low)),
    ("ivp_lsn_2x32_ip", load!(Ip, 4, low)),
    ("ivp_lsn_2x32_x", load!(X, 4, low)),
    ("ivp_lsn_2x32_xp", load!(Xp, 4, low)),
    ("ivp_lsn_4x64_i", load!(I, 8, low)),
    ("ivp_lsn_4x64_ip", load!(Ip, 8, low)),
    ("ivp_lsn_4x64_x", load!(X, 8, low)),
    ("ivp_lsn_4x64_xp", load!(Xp, 8, low)),
    ("ivp_lsn_8x128_i", load!(I, 16, low)),
    ("ivp_lsn_8x128_ip", load!(Ip, 16, low)),
    ("ivp_lsn_8x128_x", load!(X, 16, low)),
    ("ivp_lsn_8x128_xp", load!(Xp, 16, low)),
    ("ivp_lsn_16x256_i", load!(I, 32, low)),
    ("ivp_lsn_16x256_ip", load!(Ip, 32, low)),
    ("ivp_lsn_16x256_x", load!(X, 32, low)),
    ("ivp_lsn_16x256_xp", load!(Xp, 32, low)),
    ("ivp_lsnx8s_i", load!(I, 1, |bytes| memory::element(i8::from_le_bytes(bytes)))),
    ("ivp_lsnx8s_ip", load!(Ip, 1, |bytes| memory::element(i8::from_le_bytes(bytes)))),
    ("ivp_lsnx8s_x", load!(X, 1, |bytes| memory::element(i8::from_le_bytes(bytes)))),
    ("ivp_lsnx8s_xp", load!(Xp, 1, |bytes| memory::element(i8::from_le_bytes(bytes)))),
    ("ivp_lsn_2x16s_i", load!(I, 2, |bytes| memory::element(i16::from_le_bytes(bytes)))),
    ("ivp_lsn_2x16s_ip", load!(Ip, 2, |bytes| memory::element(i16::from_le_bytes(bytes)))),
    ("ivp_lsn_2x16s_x", load!(X, 2, |bytes| memory::element(i16::from_le_bytes(bytes)))),
    ("ivp_lsn_2x16s_xp", load!(Xp, 2, |bytes| memory::element(i16::from_le_bytes(bytes)))),
    ("ivp_lsr2nx8_i", load!(I, 1, |bytes| memory::replicated(u8::from_le_bytes(bytes)))),
    ("ivp_lsr2nx8_ip", load!(Ip, 1, |bytes| memory::replicated(u8::from_le_bytes(bytes)))),
    ("ivp_lsr2nx8_x", load!(X, 1, |bytes| memory::replicated(u8::from_le_bytes(bytes)))),
    ("ivp_lsr2nx8_xp", load!(Xp, 1, |bytes| memory::replicated(u8::from_le_bytes(bytes)))),
    ("ivp_lsrnx16_i", load!(I, 2, |bytes| memory::replicated(u16::from_le_bytes(bytes)))),
    ("ivp_lsrnx16_ip", load!(Ip, 2, |bytes| memory::replicated(u16::from_le_bytes(bytes)))),
    ("ivp_lsrnx16_x", load!(X, 2, |bytes| memory::replicated(u16::from_le_bytes(bytes)))),
    ("ivp_lsrnx16_xp", load!(Xp, 2, |bytes| memory::replicated(u16::from_le_bytes(bytes)))),
    ("ivp_lsrn_2x32_i", load!(I, 4, |bytes| memory::replicated(u32::from_le_bytes(bytes)))),
    ("ivp_lsrn_2x32_ip", load!(Ip, 4, |bytes| memory::replicated(u32::from_le_bytes(bytes)))),
    ("ivp_lsrn_2x32_x", load!(X, 4, |bytes| memory::replicated(u32::from_le_bytes(bytes)))),
    ("ivp_lsrn_2x32_xp", load!(Xp, 4, |bytes| memory::replicated(u32::from_le_bytes(bytes)))),
    ("ivp_lsrn_4x64_i", load!(I, 8, |bytes| memory::replicated(u64::from_le_bytes(bytes)))),
    ("ivp_lsrn_4x64_ip", load!(Ip, 8, |bytes| memory::replicated(u64::from_le_bytes(bytes)))),
    ("ivp_lsrn_4x64_x", load!(X, 8, |bytes| memory::replicated(u64::from_le_bytes(bytes)))),
    ("ivp_lsrn_4x64_xp", load!(Xp, 8, |bytes| memory::replicated(u64::from_le_bytes(bytes)))),
    ("ivp_lb2n_i", load_pred!(I)),
    ("ivp_lb2n_ip", load_pred!(Ip)),
    ("ivp_lbn_i", load_pred!(I)),
    ("ivp_lbn_ip", load_pred!(Ip)),
    ("ivp_lbn_2_i", load_pred!(I)),
    ("ivp_lbn_2_ip", load_pred!(Ip)),
];
