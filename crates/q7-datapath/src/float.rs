//! Floating-point lane formats, and the exception flags they raise.

use core::ops::{BitOr, BitOrAssign};

use crate::{Lane, Pred64, Vec512};

/// The binary format of a floating-point lane (`vector-alu/spec-b02.md`).
pub trait Float {
    /// The lane as a word.
    type Bits: Lane<Unsigned = Self::Bits>;
    /// Width of the exponent field.
    const EXPONENT_BITS: u32;
    /// Width of the fraction field.
    const FRACTION_BITS: u32;
    /// The sign bit.
    const SIGN: Self::Bits;
    /// The exponent field, which is also the word of infinity.
    const INFINITY: Self::Bits;
    /// The top bit of the fraction: set in a quiet NaN.
    const QUIET: Self::Bits;
    /// The word of 1.0: the exponent bias in place.
    const ONE: Self::Bits;
    /// The NaN that an invalid operation generates (DECISIONS, Arithmetic).
    const DEFAULT_NAN: Self::Bits;
}

/// binary16, 32 lanes (`nxf16`).
#[derive(Clone, Copy, Debug)]
pub enum F16 {}

/// binary32, 16 lanes (`n_2xf32`).
#[derive(Clone, Copy, Debug)]
pub enum F32 {}

impl Float for F16 {
    type Bits = u16;
    const EXPONENT_BITS: u32 = 5;
    const FRACTION_BITS: u32 = 10;
    const SIGN: u16 = 0x8000;
    const INFINITY: u16 = 0x7c00;
    const QUIET: u16 = 0x0200;
    const ONE: u16 = 0x3c00;
    const DEFAULT_NAN: u16 = 0x7e00;
}

impl Float for F32 {
    type Bits = u32;
    const EXPONENT_BITS: u32 = 8;
    const FRACTION_BITS: u32 = 23;
    const SIGN: u32 = 0x8000_0000;
    const INFINITY: u32 = 0x7f80_0000;
    const QUIET: u32 = 0x0040_0000;
    const ONE: u32 = 0x3f80_0000;
    const DEFAULT_NAN: u32 = 0x7fc0_0000;
}

type SignedBits<F> = <<F as Float>::Bits as Lane>::Signed;

/// The word without its sign.
#[inline(always)]
pub(crate) fn magnitude<F: Float>(x: F::Bits) -> F::Bits {
    x & !F::SIGN
}

/// Quiet or signaling NaN.
#[inline(always)]
pub(crate) fn is_nan<F: Float>(x: F::Bits) -> bool {
    magnitude::<F>(x) > F::INFINITY
}

/// Signaling NaN: the top fraction bit is clear (`semantics-and-validation/spec-fp-soft-float.md`).
#[inline(always)]
pub(crate) fn is_signaling<F: Float>(x: F::Bits) -> bool {
    is_nan::<F>(x) & (x & F::QUIET == F::Bits::ZERO)
}

/// A signed integer that orders numbers as IEEE comparison does; both zeros give 0.
#[inline(always)]
pub(crate) fn value_key<F: Float>(x: F::Bits) -> SignedBits<F> {
    let size = magnitude::<F>(x).signed();
    if x.signed() < SignedBits::<F>::ZERO { SignedBits::<F>::ZERO.wrapping_sub(size) } else { size }
}

/// A signed integer that orders numbers with -0 below +0. It is an involution on the words.
#[inline(always)]
pub(crate) fn total_key<F: Float>(x: F::Bits) -> SignedBits<F> {
    let size = magnitude::<F>(x).signed();
    if x.signed() < SignedBits::<F>::ZERO { !size } else { size }
}

/// IEEE exception flags, placed as in the FSR register: Invalid 0, DivZero 1, Overflow 2, Underflow 3,
/// Inexact 4 (DECISIONS, Arithmetic, A4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct FpFlags(u8);

impl FpFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Invalid operation.
    pub const INVALID: Self = Self(1);
    /// Division of a finite number by zero.
    pub const DIV_ZERO: Self = Self(2);
    /// Overflow.
    pub const OVERFLOW: Self = Self(4);
    /// Underflow.
    pub const UNDERFLOW: Self = Self(8);
    /// Inexact result.
    pub const INEXACT: Self = Self(16);

    /// The flags as FSR bits.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// From FSR bits; bits that are no flags are dropped.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits as u8 & 0x1f)
    }

    /// Whether all flags of `other` are set.
    #[inline(always)]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Invalid if any active lane of `mask` is set. Inactive lanes raise nothing (assumption D2).
    #[inline(always)]
    pub(crate) fn invalid_in<F: Float>(mask: Vec512, active: Pred64) -> Self {
        Self(Pred64::from_mask(mask).any_of::<F::Bits>(active).into())
    }
}

impl BitOr for FpFlags {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for FpFlags {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
