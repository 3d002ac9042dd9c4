//! Floating-point operations without rounding (`vector-alu/spec-b02.md`).

use q7_datapath::predicate::merge;
use q7_datapath::{F16, F32, Pred64, float_alu};

use crate::exec::Row;

pub(super) const TABLE: &[Row] = &[
    ("ivp_absn_2xf32", vec1!(float_alu::abs::<F32>)),
    ("ivp_absn_2xf32t", vec1t!(float_alu::abs::<F32>, u32)),
    ("ivp_absnxf16", vec1!(float_alu::abs::<F16>)),
    ("ivp_absnxf16t", vec1t!(float_alu::abs::<F16>, u16)),
    ("ivp_addexpmn_2xf32", update1!(float_alu::addexpm::<F32>)),
    ("ivp_addexpmn_2xf32t", update1t!(float_alu::addexpm::<F32>, u32)),
    ("ivp_addexpmnxf16", update1!(float_alu::addexpm::<F16>)),
    ("ivp_addexpmnxf16t", update1t!(float_alu::addexpm::<F16>, u16)),
    ("ivp_addexpn_2xf32", update1!(float_alu::addexp::<F32>)),
    ("ivp_addexpn_2xf32t", update1t!(float_alu::addexp::<F32>, u32)),
    ("ivp_addexpnxf16", update1!(float_alu::addexp::<F16>)),
    ("ivp_addexpnxf16t", update1t!(float_alu::addexp::<F16>, u16)),
    ("ivp_clsfyn_2xf32", vec1!(float_alu::clsfy::<F32>)),
    ("ivp_clsfyn_2xf32t", vec1t!(float_alu::clsfy::<F32>, u32)),
    ("ivp_clsfynxf16", vec1!(float_alu::clsfy::<F16>)),
    ("ivp_clsfynxf16t", vec1t!(float_alu::clsfy::<F16>, u16)),
    ("ivp_maxn_2xf32", float2!(float_alu::max::<F32>)),
    ("ivp_maxn_2xf32t", float2t!(float_alu::max::<F32>, u32)),
    ("ivp_maxnumn_2xf32", float2!(float_alu::maxnum::<F32>)),
    ("ivp_maxnumn_2xf32t", float2t!(float_alu::maxnum::<F32>, u32)),
    ("ivp_maxnumnxf16", float2!(float_alu::maxnum::<F16>)),
    ("ivp_maxnumnxf16t", float2t!(float_alu::maxnum::<F16>, u16)),
    ("ivp_maxnxf16", float2!(float_alu::max::<F16>)),
    ("ivp_maxnxf16t", float2t!(float_alu::max::<F16>, u16)),
    ("ivp_minn_2xf32", float2!(float_alu::min::<F32>)),
    ("ivp_minn_2xf32t", float2t!(float_alu::min::<F32>, u32)),
    ("ivp_minnumn_2xf32", float2!(float_alu::minnum::<F32>)),
    ("ivp_minnumn_2xf32t", float2t!(float_alu::minnum::<F32>, u32)),
    ("ivp_minnumnxf16", float2!(float_alu::minnum::<F16>)),
    ("ivp_minnumnxf16t", float2t!(float_alu::minnum::<F16>, u16)),
    ("ivp_minnxf16", float2!(float_alu::min::<F16>)),
    ("ivp_minnxf16t", float2t!(float_alu::min::<F16>, u16)),
    ("ivp_negn_2xf32", vec1!(float_alu::neg::<F32>)),
    ("ivp_negn_2xf32t", vec1t!(float_alu::neg::<F32>, u32)),
    ("ivp_negnxf16", vec1!(float_alu::neg::<F16>)),
    ("ivp_negnxf16t", vec1t!(float_alu::neg::<F16>, u16)),
];
