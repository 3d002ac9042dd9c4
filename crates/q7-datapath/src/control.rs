//! The floating-point control and status words.
//!
//! Sources: `floating-point/spec-fp-sub-isa.md`, DECISIONS (Arithmetic). FCR: rounding mode 1:0, enables 6:2.
//! FSR: flags 4:0. Flags and enables stand in the order Invalid, DivZero, Overflow, Underflow, Inexact
//! (assumption A4). RUR.FCR and RUR.FSR read the words as they are.

use crate::Vec512;

/// WUR.FCR: the bits that exist.
#[inline(always)]
pub fn wur_fcr(ar: u32) -> u32 {
    ar & 0x7f
}

/// WUR.FSR: the bits that exist.
#[inline(always)]
pub fn wur_fsr(ar: u32) -> u32 {
    ar & 0x1f
}

/// MOVVSCF: both words in 32-bit lane 0 (flags 14:10, rounding mode 9:8, enables 6:2), zeros above (assumption A32).
#[inline(always)]
pub fn movvscf(fcr: u32, fsr: u32) -> Vec512 {
    Vec512::lane_zero((fsr & 0x1f) << 10 | (fcr & 3) << 8 | (fcr & 0x7c))
}

/// MOVSCFV: FCR and FSR from 32-bit lane 0 (assumption A32).
#[inline(always)]
pub fn movscfv(v: Vec512) -> (u32, u32) {
    let state = dense_state(v.lane(0));
    (state >> 5 & 3 | (state & 0x1f) << 2, state >> 7)
}

/// The twelve state bits of a packed word, without the gaps: enables 4:0, rounding mode 6:5, flags 11:7.
#[inline(always)]
pub fn dense_state(word: u32) -> u32 {
    word >> 2 & 0x1f | word >> 3 & 0xfe0
}
