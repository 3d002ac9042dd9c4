//! Bitwise logic on whole 512-bit registers (`vector-alu/spec-b01.md`).

use crate::Vec512;

/// AND2NX8.
#[inline(always)]
pub fn and(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: u64, c: u64| b & c)
}

/// OR2NX8.
#[inline(always)]
pub fn or(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: u64, c: u64| b | c)
}

/// XOR2NX8.
#[inline(always)]
pub fn xor(b: Vec512, c: Vec512) -> Vec512 {
    b.zip(c, |b: u64, c: u64| b ^ c)
}

/// NOT2NX8.
#[inline(always)]
pub fn not(b: Vec512) -> Vec512 {
    b.map(|b: u64| !b)
}
