//! Lane shapes: what a 512-bit register is divided into.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// One lane as a Rust integer; its type fixes width and signedness.
///
/// `i8`/`u8` are the `2nx8` view (64 lanes), `i16`/`u16` `nx16` (32), `i32`/`u32` `n_2x32` (16) and `u64`
/// `n_4x64` (8). A `vbool` holds [`BYTES`](Self::BYTES) equal bits per lane (`vector-alu/spec-b01.md`).
pub trait Lane:
    Copy
    + Ord
    + Debug
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Width in bits.
    const BITS: u32;
    /// Width in bytes: also the number of `vbool` bits per lane.
    const BYTES: usize;
    /// Lanes in a 512-bit register.
    const LANES: usize = 64 / Self::BYTES;
    /// All bits clear.
    const ZERO: Self;
    /// All bits set.
    const ONES: Self;
    /// The smallest value.
    const MIN: Self;
    /// The largest value.
    const MAX: Self;
    /// The signed type of the same width.
    type Signed: Lane<Signed = Self::Signed, Unsigned = Self::Unsigned>;
    /// The unsigned type of the same width.
    type Unsigned: Lane<Signed = Self::Signed, Unsigned = Self::Unsigned>;

    /// From exactly [`BYTES`](Self::BYTES) little-endian bytes.
    fn load(bytes: &[u8]) -> Self;
    /// To exactly [`BYTES`](Self::BYTES) little-endian bytes.
    fn store(self, bytes: &mut [u8]);
    /// The low bits of `bits`.
    fn truncated(bits: u64) -> Self;
    /// The value, sign-extended for a signed lane and zero-extended for an unsigned one.
    fn extended(self) -> u64;
    /// The same bits as a signed lane.
    fn signed(self) -> Self::Signed;
    /// The same bits as an unsigned lane.
    fn unsigned(self) -> Self::Unsigned;

    /// Sum modulo 2^BITS.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference modulo 2^BITS.
    fn wrapping_sub(self, other: Self) -> Self;
    /// Sum clamped to the range of the lane.
    fn saturating_add(self, other: Self) -> Self;
    /// Difference clamped to the range of the lane.
    fn saturating_sub(self, other: Self) -> Self;
    /// Absolute value as an unsigned 32-bit number (the low 32 bits of a 64-bit lane).
    fn magnitude(self) -> u32;
    /// Shifted left by any amount; zero from [`BITS`](Self::BITS) on.
    fn shift_left(self, amount: u32) -> Self;
    /// Shifted right with zero fill by any amount; zero from [`BITS`](Self::BITS) on.
    fn shift_right(self, amount: u32) -> Self;
    /// Shifted right with sign fill by any amount, whatever the signedness of the type.
    fn shift_right_arithmetic(self, amount: u32) -> Self;
    /// Rotated right by `amount` modulo [`BITS`](Self::BITS).
    fn rotate_right(self, amount: u32) -> Self;
    /// Number of leading zeros.
    fn leading_zeros(self) -> u32;
    /// Number of one bits.
    fn count_ones(self) -> u32;

    /// All ones for true, zero for false: the form in which lane conditions travel.
    #[inline(always)]
    fn mask(condition: bool) -> Self {
        if condition { Self::ONES } else { Self::ZERO }
    }
}

macro_rules! lane {
    ($($lane:ident $signed:ident $unsigned:ident $extended:ident,)*) => { $(
        impl Lane for $lane {
            const BITS: u32 = $lane::BITS;
            const BYTES: usize = size_of::<$lane>();
            const ZERO: Self = 0;
            const ONES: Self = !0;
            const MIN: Self = $lane::MIN;
            const MAX: Self = $lane::MAX;
            type Signed = $signed;
            type Unsigned = $unsigned;

            #[inline(always)]
            fn load(bytes: &[u8]) -> Self {
                $lane::from_le_bytes(bytes.try_into().expect("one lane of bytes"))
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                // An assignment: `copy_from_slice` checks more in every lane in checked builds.
                *<&mut [u8; size_of::<$lane>()]>::try_from(bytes).expect("one lane of bytes") = self.to_le_bytes();
            }
            #[inline(always)]
            fn truncated(bits: u64) -> Self {
                bits as $lane
            }
            #[inline(always)]
            fn extended(self) -> u64 {
                self as $extended as u64
            }
            #[inline(always)]
            fn signed(self) -> $signed {
                self as $signed
            }
            #[inline(always)]
            fn unsigned(self) -> $unsigned {
                self as $unsigned
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                $lane::wrapping_add(self, other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                $lane::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn saturating_add(self, other: Self) -> Self {
                $lane::saturating_add(self, other)
            }
            #[inline(always)]
            fn saturating_sub(self, other: Self) -> Self {
                $lane::saturating_sub(self, other)
            }
            #[inline(always)]
            fn magnitude(self) -> u32 {
                // Written with a comparison, so that it serves signed and unsigned types alike.
                (if self < $lane::ZERO { $lane::ZERO.wrapping_sub(self) } else { self }) as $unsigned as u32
            }
            #[inline(always)]
            fn shift_left(self, amount: u32) -> Self {
                if amount < $lane::BITS { self << amount } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, amount: u32) -> Self {
                if amount < $lane::BITS { (self as $unsigned >> amount) as $lane } else { 0 }
            }
            #[inline(always)]
            fn shift_right_arithmetic(self, amount: u32) -> Self {
                (self as $signed >> amount.min($lane::BITS - 1)) as $lane
            }
            #[inline(always)]
            fn rotate_right(self, amount: u32) -> Self {
                $lane::rotate_right(self, amount % $lane::BITS)
            }
            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                $lane::leading_zeros(self)
            }
            #[inline(always)]
            fn count_ones(self) -> u32 {
                $lane::count_ones(self)
            }
        }
    )* };
}

lane! {
    i8 i8 u8 i64,
    u8 i8 u8 u64,
    i16 i16 u16 i64,
    u16 i16 u16 u64,
    i32 i32 u32 i64,
    u32 i32 u32 u64,
    u64 i64 u64 u64,
    i64 i64 u64 i64,
}

/// A lane that memory operations hold at half its register width (`nx8`: 8 bits in memory, 16 in the register;
/// `n_2x16`: 16 and 32).
pub trait HalfLane: Lane {
    /// The register lane, of the same signedness.
    type Double: Lane;
}

/// A lane and the width at which its sum reduction delivers (`vector-alu/spec-b08.md`).
pub trait Sum: Lane {
    /// The result lane, of the same signedness.
    type Total: Lane;
}

macro_rules! widths {
    ($($lane:ident $double:ident,)*) => { $(
        impl HalfLane for $lane { type Double = $double; }
        impl Sum for $lane { type Total = $double; }
    )* };
}

widths! { i8 i16, u8 u16, i16 i32, u16 u32, }

impl Sum for i32 {
    type Total = i32;
}
