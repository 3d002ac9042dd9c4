//! Moves and bridges between register files, and what has operands of its own in the other families:
//! boolean bridges, squeeze patterns, histogram steps (`load-store-move-gather/spec-b09.md`, `spec-b16.md`,
//! `predicate-shift-select-divide/spec-b11.md`, `spec-b24.md`).

use q7_datapath::{
    F16, F32, Pred64, alu_flag, compare, control, count, moves, predicate, reduce_float, replicate, scalar,
    squeeze,
};

use crate::exec::{Binding, Row};
use crate::registers::COPY;

/// `vt = f(s)`: operands vt, AR s.
macro_rules! vec_from_ar {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.ar(op.r[1]))))
    };
}

/// `t = f(vr)`: operands AR t, vr.
macro_rules! ar_from_vec {
    ($f:expr) => {
        compute!(|core, op| core.set_ar(op.r[0], $f(core.vec(op.r[1]))))
    };
}

/// `t = f(vr, immediate)`: operands AR t, vr, immediate.
macro_rules! ar_from_lane {
    ($f:expr) => {
        compute!(|core, op| core.set_ar(op.r[0], $f(core.vec(op.r[1]), op.imm as u32)))
    };
}

/// `prt = f(vr, immediate)`: operands prt, vr, immediate.
macro_rules! pr_from_lane {
    ($f:expr) => {
        compute!(|core, op| core.set_pr(op.r[0], $f(core.vec(op.r[1]), op.imm as u32)))
    };
}

/// `bt = f(vbr)`: operands BR t, vbr.
macro_rules! boolean_from_pred {
    ($f:expr) => {
        compute!(|core, op| core.set_boolean(op.r[0], $f(core.vbool(op.r[1]))))
    };
}

/// `vbt = f(s)`: operands vbt, AR s.
macro_rules! pred_from_ar {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(core.ar(op.r[1]))))
    };
}

/// `vbt = f(immediate)`: operands vbt, immediate.
macro_rules! pred_from_imm {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(op.imm as u32)))
    };
}

/// `vbt = f(vr, immediate)`: operands vbt, vr, immediate.
macro_rules! pred_from_bits {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(core.vec(op.r[1]), op.imm as u32)))
    };
}

/// `vt, t = f(vbr)`: operands vt, AR t, vbr.
macro_rules! pattern {
    ($f:expr) => {
        compute!(|core, op| {
            let (value, bytes) = $f(core.vbool(op.r[2]));
            core.set_vec(op.r[0], value);
            core.set_ar(op.r[1], bytes)
        })
    };
}

/// `vt, s = f(vs, vr, gates, block)`: operands vt, AR s, vs, vr and for M forms vbs, vbr.
macro_rules! histogram {
    ($f:expr, |$core:ident, $op:ident| $gates:expr, $block:expr) => {
        compute!(|$core, $op| {
            let (first, second) = $gates;
            let block = $block;
            let (value, next) = $f($core.vec($op.r[2]), $core.vec($op.r[3]), first, second, block);
            $core.set_vec($op.r[0], value);
            $core.set_ar($op.r[1], next)
        })
    };
}

/// `FSn = f(vs, vr)`: operands vs, vr.
macro_rules! state_compare {
    ($n:literal) => {
        compute!(|core, op| { core.vectors.fs[$n] = compare::lt::<u8>(core.vec(op.r[0]), core.vec(op.r[1])) })
    };
}

/// `vb, vt, FSR = f(vr, all lanes)`: operands vb, vt, vr.
macro_rules! float_extremum {
    ($f:expr) => {
        compute!(|core, op| {
            let (flag, value, flags) = $f(core.vec(op.r[2]), Pred64::ALL);
            core.raise_flags(flags);
            core.set_vbool(op.r[0], flag);
            core.set_vec(op.r[1], value)
        })
    };
}

/// `vb, vt, FSR = f(vr, vbr)`: operands vb, vt, vr, vbr.
macro_rules! float_extremum_t {
    ($f:expr) => {
        compute!(|core, op| {
            let (flag, value, flags) = $f(core.vec(op.r[2]), core.vbool(op.r[3]));
            core.raise_flags(flags);
            core.set_vbool(op.r[0], flag);
            core.set_vec(op.r[1], value)
        })
    };
}

/// `vt, FSR = f(vr, all lanes)`: operands vt, vr.
macro_rules! float_reduce {
    ($f:expr) => {
        compute!(|core, op| {
            let (value, flags) = $f(core.vec(op.r[1]), Pred64::ALL);
            core.raise_flags(flags);
            core.set_vec(op.r[0], value)
        })
    };
}

/// `vt, FSR = f(vr, vbr)`: operands vt, vr, vbr.
macro_rules! float_reduce_t {
    ($f:expr) => {
        compute!(|core, op| {
            let (value, flags) = $f(core.vec(op.r[1]), core.vbool(op.r[2]));
            core.raise_flags(flags);
            core.set_vec(op.r[0], value)
        })
    };
}

/// Keeps vec register `r[0]` for the operations of a bundle that read it after it is written.
pub(in crate::exec) const KEEP: Binding =
    compute!(|core, op| core.set_vec(op.r[0] + COPY, core.vec(op.r[0])));

pub(super) const TABLE: &[Row] = &[
    ("ivp_movvv", compute!(|core, op| core.set_vec(op.r[0], core.vec(op.r[1])))),
    ("ivp_movprpr", compute!(|core, op| core.set_pr(op.r[0], core.pr(op.r[1])))),
    (
        "ivp_movww",
        compute!(|core, op| {
            core.vectors.wvec[(op.r[0] & 3) as usize] = core.vectors.wvec[(op.r[1] & 3) as usize]
        }),
    ),
    (
        "ivp_malign",
        compute!(|core, op| {
            core.vectors.valign[(op.r[0] & 3) as usize] = core.vectors.valign[(op.r[1] & 3) as usize]
        }),
    ),
    ("ivp_movva8", vec_from_ar!(moves::movva::<u8>)),
    ("ivp_movva16", vec_from_ar!(moves::movva::<u16>)),
    ("ivp_movva32", vec_from_ar!(moves::movva::<u32>)),
    ("ivp_movav8", ar_from_vec!(moves::movav::<i8>)),
    ("ivp_movav16", ar_from_vec!(moves::movav::<i16>)),
    ("ivp_movav32", ar_from_vec!(moves::movav::<i32>)),
    ("ivp_movavu8", ar_from_vec!(moves::movav::<u8>)),
    ("ivp_movavu16", ar_from_vec!(moves::movav::<u16>)),
    ("ivp_movvint8", compute!(|core, op| core.set_vec(op.r[0], moves::movvint::<u8>(op.imm)))),
    ("ivp_movvint16", compute!(|core, op| core.set_vec(op.r[0], moves::movvint::<u16>(op.imm)))),
    ("ivp_movvinx16", compute!(|core, op| core.set_vec(op.r[0], moves::movvinx16(op.imm)))),
    (
        "ivp_movpint16",
        compute!(|core, op| core.set_vec(op.r[0], moves::movp16(core.vec(op.r[0]), op.imm as u32))),
    ),
    (
        "ivp_movqint16",
        compute!(|core, op| core.set_vec(op.r[0], moves::movq16(core.vec(op.r[0]), op.imm as u32))),
    ),
    (
        "ivp_movpa16",
        compute!(|core, op| core.set_vec(op.r[0], moves::movp16(core.vec(op.r[0]), core.ar(op.r[1])))),
    ),
    (
        "ivp_movqa16",
        compute!(|core, op| core.set_vec(op.r[0], moves::movq16(core.vec(op.r[0]), core.ar(op.r[1])))),
    ),
    ("ivp_movpra32", compute!(|core, op| core.set_pr(op.r[0], moves::movpra32(core.ar(op.r[1]))))),
    ("ivp_movvpr", compute!(|core, op| core.set_vec(op.r[0], moves::movvpr(core.pr(op.r[1]))))),
    (
        "ivp_mov2nx8t",
        compute!(|core, op| {
            let value = moves::movt::<u8>(core.vec(op.r[1]), core.vec(op.r[2]), core.vbool(op.r[3]));
            core.set_vec(op.r[0], value)
        }),
    ),
    (
        "ivp_movnx16t",
        compute!(|core, op| {
            let value = moves::movt::<u16>(core.vec(op.r[1]), core.vec(op.r[0]), core.vbool(op.r[2]));
            core.set_vec(op.r[0], value)
        }),
    ),
    ("ivp_movab1", compute!(|core, op| core.set_ar(op.r[0], moves::movab1(core.boolean(op.r[1]))))),
    ("ivp_movba1", compute!(|core, op| core.set_boolean(op.r[0], moves::movba1(core.ar(op.r[1]))))),
    ("ivp_movfsv", compute!(|core, op| core.vectors.fs = moves::movfsv(core.vec(op.r[0])))),
    ("ivp_movvfs", compute!(|core, op| core.set_vec(op.r[0], moves::movvfs(core.vectors.fs)))),
    (
        "ivp_movvscf",
        compute!(|core, op| { core.set_vec(op.r[0], control::movvscf(core.special.fcr, core.special.fsr)) }),
    ),
    (
        "ivp_movscfv",
        compute!(|core, op| { (core.special.fcr, core.special.fsr) = control::movscfv(core.vec(op.r[0])) }),
    ),
    ("ivp_borfs2n", compute!(|core, op| core.set_vbool(op.r[0], predicate::borfs(core.vectors.fs)))),
    ("ivp_bnorfs2n", compute!(|core, op| core.set_vbool(op.r[0], predicate::bnorfs(core.vectors.fs)))),
    ("ivp_notb1", compute!(|core, op| core.set_boolean(op.r[0], predicate::notb1(core.boolean(op.r[1]))))),
    (
        "ivp_andnotb1",
        compute!(|core, op| {
            core.set_boolean(op.r[0], predicate::andnotb1(core.boolean(op.r[1]), core.boolean(op.r[2])))
        }),
    ),
    (
        "ivp_ornotb1",
        compute!(|core, op| {
            core.set_boolean(op.r[0], predicate::ornotb1(core.boolean(op.r[1]), core.boolean(op.r[2])))
        }),
    ),
    ("ivp_randb2n", boolean_from_pred!(predicate::randb::<u8>)),
    ("ivp_randbn", boolean_from_pred!(predicate::randb::<u16>)),
    ("ivp_randbn_2", boolean_from_pred!(predicate::randb::<u32>)),
    ("ivp_rorb2n", boolean_from_pred!(predicate::rorb::<u8>)),
    ("ivp_rorbn", boolean_from_pred!(predicate::rorb::<u16>)),
    ("ivp_rorbn_2", boolean_from_pred!(predicate::rorb::<u32>)),
    ("ivp_ltr2n", pred_from_ar!(predicate::ltr::<u8>)),
    ("ivp_ltrn", pred_from_ar!(predicate::ltr::<u16>)),
    ("ivp_ltrn_2", pred_from_ar!(predicate::ltr::<u32>)),
    ("ivp_ltrs2n", pred_from_ar!(predicate::ltrs::<u8>)),
    ("ivp_ltrsn", pred_from_ar!(predicate::ltrs::<u16>)),
    ("ivp_ltrsn_2", pred_from_ar!(predicate::ltrs::<u32>)),
    ("ivp_ltr2ni", pred_from_imm!(predicate::ltri::<u8>)),
    ("ivp_ltrni", pred_from_imm!(predicate::ltri::<u16>)),
    ("ivp_ltrn_2i", pred_from_imm!(predicate::ltri::<u32>)),
    ("ivp_extbi2nx8", pred_from_bits!(predicate::extbi::<u8>)),
    ("ivp_extbinx16", pred_from_bits!(predicate::extbi::<u16>)),
    ("ivp_extbin_2x32", pred_from_bits!(predicate::extbi::<u32>)),
    (
        "ivp_injbi2nx8",
        compute!(|core, op| {
            core.set_vec(
                op.r[0],
                predicate::injbi::<u8>(core.vec(op.r[0]), core.vbool(op.r[1]), op.imm as u32),
            )
        }),
    ),
    (
        "ivp_injbinx16",
        compute!(|core, op| {
            core.set_vec(
                op.r[0],
                predicate::injbi::<u16>(core.vec(op.r[0]), core.vbool(op.r[1]), op.imm as u32),
            )
        }),
    ),
    (
        "ivp_injbin_2x32",
        compute!(|core, op| {
            core.set_vec(
                op.r[0],
                predicate::injbi::<u32>(core.vec(op.r[0]), core.vbool(op.r[1]), op.imm as u32),
            )
        }),
    ),
    ("ivp_extr2nx8", ar_from_lane!(replicate::extr::<u8>)),
    ("ivp_extrnx16", ar_from_lane!(replicate::extr::<i16>)),
    ("ivp_extrn_2x32", ar_from_lane!(replicate::extr::<u32>)),
    ("ivp_extrpr2nx8", pr_from_lane!(replicate::extrpr::<u8>)),
    ("ivp_extrprnx16", pr_from_lane!(replicate::extrpr::<u16>)),
    ("ivp_extrprn_2x32", pr_from_lane!(replicate::extrpr::<u32>)),
    ("ivp_extrpr64n_4x64", pr_from_lane!(replicate::extrpr::<u64>)),
    (
        "ivp_extrprvrn_2x32",
        compute!(|core, op| {
            core.set_pr(op.r[0], replicate::extrprvr(core.vec(op.r[1]), core.ar(op.r[2])))
        }),
    ),
    (
        "ivp_extrvrn_2x32",
        compute!(|core, op| { core.set_ar(op.r[0], replicate::extrvr(core.vec(op.r[1]), core.ar(op.r[2]))) }),
    ),
    (
        "ivp_dextrprn_2x32",
        compute!(|core, op| {
            let (high_lane, low_lane) = (u32::from(op.r[3]), u32::from(op.r[4]));
            let value = replicate::dextrpr(core.vec(op.r[1]), core.vec(op.r[2]), high_lane, low_lane);
            core.set_pr(op.r[0], value)
        }),
    ),
    (
        "ivp_bxorabssubu2nx8",
        compute!(|core, op| {
            let (flag, value) =
                alu_flag::bxorabssubu(core.vec(op.r[2]), core.vec(op.r[3]), core.vbool(op.r[0]));
            core.set_vbool(op.r[0], flag);
            core.set_vec(op.r[1], value)
        }),
    ),
    ("ivp_fs0ltu2nx8", state_compare!(0)),
    ("ivp_fs1ltu2nx8", state_compare!(1)),
    ("ivp_fs2ltu2nx8", state_compare!(2)),
    ("ivp_fs3ltu2nx8", state_compare!(3)),
    ("ivp_fs4ltu2nx8", state_compare!(4)),
    ("ivp_fs5ltu2nx8", state_compare!(5)),
    ("ivp_fs6ltu2nx8", state_compare!(6)),
    ("ivp_fs7ltu2nx8", state_compare!(7)),
    ("ivp_rmaxnumn_2xf32", float_reduce!(reduce_float::rmaxnum::<F32>)),
    ("ivp_rmaxnumnxf16", float_reduce!(reduce_float::rmaxnum::<F16>)),
    ("ivp_rminnumn_2xf32", float_reduce!(reduce_float::rminnum::<F32>)),
    ("ivp_rminnumnxf16", float_reduce!(reduce_float::rminnum::<F16>)),
    ("ivp_rmaxnumn_2xf32t", float_reduce_t!(reduce_float::rmaxnum::<F32>)),
    ("ivp_rmaxnumnxf16t", float_reduce_t!(reduce_float::rmaxnum::<F16>)),
    ("ivp_rminnumn_2xf32t", float_reduce_t!(reduce_float::rminnum::<F32>)),
    ("ivp_rminnumnxf16t", float_reduce_t!(reduce_float::rminnum::<F16>)),
    ("ivp_rbmaxnumn_2xf32", float_extremum!(reduce_float::rbmaxnum::<F32>)),
    ("ivp_rbmaxnumnxf16", float_extremum!(reduce_float::rbmaxnum::<F16>)),
    ("ivp_rbminnumn_2xf32", float_extremum!(reduce_float::rbminnum::<F32>)),
    ("ivp_rbminnumnxf16", float_extremum!(reduce_float::rbminnum::<F16>)),
    ("ivp_rbmaxnumn_2xf32t", float_extremum_t!(reduce_float::rbmaxnum::<F32>)),
    ("ivp_rbmaxnumnxf16t", float_extremum_t!(reduce_float::rbmaxnum::<F16>)),
    ("ivp_rbminnumn_2xf32t", float_extremum_t!(reduce_float::rbminnum::<F32>)),
    ("ivp_rbminnumnxf16t", float_extremum_t!(reduce_float::rbminnum::<F16>)),
    ("ivp_sqz2n", pattern!(squeeze::sqz::<u8>)),
    ("ivp_sqzn", pattern!(squeeze::sqz::<u16>)),
    ("ivp_sqzn_2", pattern!(squeeze::sqz::<u32>)),
    ("ivp_unsqz2n", pattern!(squeeze::unsqz::<u8>)),
    ("ivp_unsqzn", pattern!(squeeze::unsqz::<u16>)),
    ("ivp_unsqzn_2", pattern!(squeeze::unsqz::<u32>)),
    ("ivp_counteq4nx8", histogram!(count::counteq, |core, op| (Pred64::ALL, Pred64::ALL), core.ar(op.r[1]))),
    ("ivp_counteqz4nx8", histogram!(count::counteq, |core, op| (Pred64::ALL, Pred64::ALL), 0)),
    (
        "ivp_counteqm4nx8",
        histogram!(count::counteq, |core, op| (core.vbool(op.r[4]), core.vbool(op.r[5])), core.ar(op.r[1])),
    ),
    (
        "ivp_counteqmz4nx8",
        histogram!(count::counteq, |core, op| (core.vbool(op.r[4]), core.vbool(op.r[5])), 0),
    ),
    ("ivp_countle4nx8", histogram!(count::countle, |core, op| (Pred64::ALL, Pred64::ALL), core.ar(op.r[1]))),
    ("ivp_countlez4nx8", histogram!(count::countle, |core, op| (Pred64::ALL, Pred64::ALL), 0)),
    (
        "ivp_countlem4nx8",
        histogram!(count::countle, |core, op| (core.vbool(op.r[4]), core.vbool(op.r[5])), core.ar(op.r[1])),
    ),
    (
        "ivp_countlemz4nx8",
        histogram!(count::countle, |core, op| (core.vbool(op.r[4]), core.vbool(op.r[5])), 0),
    ),
    (
        "ivp_addmod16u",
        compute!(|core, op| { core.set_ar(op.r[0], scalar::addmod16u(core.ar(op.r[1]), core.ar(op.r[2]))) }),
    ),
];
