//! Selection and permutation of lanes (`predicate-shift-select-divide/spec-b21.md`).

use q7_datapath::predicate::merge;
use q7_datapath::select;

use crate::core::Request;
use crate::exec::Row;
use crate::op::Exit;

/// Whether the pattern number of a selection is published.
pub(crate) fn pattern_has_meaning(mnemonic: &str, number: u32) -> bool {
    match mnemonic {
        name if name.starts_with("ivp_sel2nx8i") => select::seli(number).is_some(),
        name if name.starts_with("ivp_shfl2nx8i") => select::shfli(number).is_some(),
        _ => select::dseli(number).is_some(),
    }
}

/// `vu, vt = f(vs, vr, sr)`: operands vu, vt, vs, vr, sr.
macro_rules! dsel {
    ($lane:ty) => {
        compute!(|core, op| {
            let (vu, vt) = select::dsel::<$lane>(core.vec(op.r[2]), core.vec(op.r[3]), core.vec(op.r[4]));
            core.set_vec(op.r[0], vu);
            core.set_vec(op.r[1], vt)
        })
    };
}

/// As `dsel!` under a predicate with split groups: operands vu, vt, vs, vr, sr, vb.
macro_rules! dselt {
    ($lane:ty) => {
        compute!(|core, op| {
            let old = (core.vec(op.r[0]), core.vec(op.r[1]));
            let (high, low, control) = (core.vec(op.r[2]), core.vec(op.r[3]), core.vec(op.r[4]));
            let (vu, vt) = select::dselt::<$lane>(high, low, control, core.vbool(op.r[5]), old);
            core.set_vec(op.r[0], vu);
            core.set_vec(op.r[1], vt)
        })
    };
}

/// `vt = sel(vs, vr, pattern)`: operands vt, vs, vr, pattern number.
macro_rules! sel_pattern {
    () => {
        vector!(|core, op| match select::seli(op.imm as u32) {
            Some(control) => {
                let value = select::sel::<u8>(core.vec(op.r[1]), core.vec(op.r[2]), control);
                core.set_vec(op.r[0], value);
                Exit::NEXT
            }
            None => core.refuse(op, Request::UnknownSemantics),
        })
    };
}

/// `vt = shfl(vr, pattern)`: operands vt, vr, pattern number.
macro_rules! shfl_pattern {
    () => {
        vector!(|core, op| match select::shfli(op.imm as u32) {
            Some(control) => {
                core.set_vec(op.r[0], select::shfl::<u8>(core.vec(op.r[1]), control));
                Exit::NEXT
            }
            None => core.refuse(op, Request::UnknownSemantics),
        })
    };
}

/// `vu, vt = dsel(vs, vr, pattern)`: operands vu, vt, vs, vr, pattern number; `$vu` merges with the old vu.
macro_rules! dsel_pattern {
    (|$new:ident, $old:ident| $vu:expr) => {
        vector!(|core, op| match select::dseli(op.imm as u32) {
            Some((first, second)) => {
                let (high, low) = (core.vec(op.r[2]), core.vec(op.r[3]));
                let ($new, $old) = (select::sel::<u8>(high, low, first), core.vec(op.r[0]));
                core.set_vec(op.r[0], $vu);
                core.set_vec(op.r[1], select::sel::<u8>(high, low, second));
                Exit::NEXT
            }
            None => core.refuse(op, Request::UnknownSemantics),
        })
    };
}

pub(super) const TABLE: &[Row] = &[
    ("ivp_dcmprs2nx8", masked1!(select::dcmprs)),
    ("ivp_dsel2nx8i", dsel_pattern!(|new, _old| new)),
    ("ivp_dsel2nx8i_h", dsel_pattern!(|new, old| select::upper_half(new, old))),
    ("ivp_dseln_2x32", dsel!(u32)),
    ("ivp_dseln_2x32t", dselt!(u32)),
    ("ivp_dselnx16", dsel!(u16)),
    ("ivp_dselnx16t", dselt!(u16)),
    ("ivp_sel2nx8i", sel_pattern!()),
    ("ivp_sel2nx8i_s0", sel_pattern!()),
    ("ivp_sel2nx8i_s2", sel_pattern!()),
    ("ivp_sel2nx8i_s4", sel_pattern!()),
    ("ivp_shfl2nx8i", shfl_pattern!()),
    ("ivp_shfl2nx8i_s0", shfl_pattern!()),
    ("ivp_shfl2nx8i_s2", shfl_pattern!()),
    ("ivp_shfl2nx8i_s4", shfl_pattern!()),
    ("ivp_sel2nx8", vec3!(select::sel::<u8>)),
    ("ivp_sel2nx8t", vec3t!(select::sel::<u8>, u8)),
    ("ivp_seln_2x32", vec3!(select::sel::<u32>)),
    ("ivp_seln_2x32t", vec3t!(select::sel::<u32>, u32)),
    ("ivp_selnx16", vec3!(select::sel::<u16>)),
    ("ivp_selnx16t", vec3t!(select::sel::<u16>, u16)),
    ("ivp_shfl2nx8", vec2!(select::shfl::<u8>)),
    ("ivp_shfln_2x32", vec2!(select::shfl::<u32>)),
    ("ivp_shflnx16", vec2!(select::shfl::<u16>)),
];
