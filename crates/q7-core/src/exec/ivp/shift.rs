//! Shifts, normalisation amounts and population count of lanes (`predicate-shift-select-divide/spec-b12.md`).

use q7_datapath::{count, shift};

use crate::exec::Row;

pub(super) const TABLE: &[Row] = &[
    ("ivp_nsan_2x32", vec1!(shift::nsa::<i32>)),
    ("ivp_nsanx16", vec1!(shift::nsa::<i16>)),
    ("ivp_nsaun_2x32", vec1!(shift::nsau::<u32>)),
    ("ivp_nsaunx16", vec1!(shift::nsau::<u16>)),
    ("ivp_popc2nx8", vec1!(count::popc)),
    ("ivp_rotri2nx8", vec1i!(shift::rotri::<u8>)),
    ("ivp_rotrin_2x32", vec1i!(shift::rotri::<u32>)),
    ("ivp_rotrinx16", vec1i!(shift::rotri::<u16>)),
    ("ivp_rotrn_2x32", vec2!(shift::rotr::<u32>)),
    ("ivp_rotrnx16", vec2!(shift::rotr::<u16>)),
    ("ivp_slli2nx8", vec1i!(shift::slli::<u8>)),
    ("ivp_sllin_2x32", vec1i!(shift::slli::<u32>)),
    ("ivp_sllinx16", vec1i!(shift::slli::<u16>)),
    ("ivp_slln_2x32", vec2!(shift::sll::<u32>)),
    ("ivp_sllnx16", vec2!(shift::sll::<u16>)),
    ("ivp_srai2nx8", vec1i!(shift::srai::<i8>)),
    ("ivp_srain_2x32", vec1i!(shift::srai::<i32>)),
    ("ivp_srainx16", vec1i!(shift::srai::<i16>)),
    ("ivp_sran_2x32", vec2!(shift::sra::<i32>)),
    ("ivp_sranx16", vec2!(shift::sra::<i16>)),
    ("ivp_srli2nx8", vec1i!(shift::srli::<u8>)),
    ("ivp_srlin_2x32", vec1i!(shift::srli::<u32>)),
    ("ivp_srlinx16", vec1i!(shift::srli::<u16>)),
    ("ivp_srln_2x32", vec2!(shift::srl::<u32>)),
    ("ivp_srlnx16", vec2!(shift::srl::<u16>)),
];
