//! The 64-bit coefficient register value.

/// The value of a `b32_pr` register: two 32-bit words (`vector-alu/spec-cas-predicate-boolean.md`, Files).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Pr64(u64);

impl Pr64 {
    /// From the register image.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// From its words.
    #[inline(always)]
    pub const fn from_words(high: u32, low: u32) -> Self {
        Self((high as u64) << 32 | low as u64)
    }

    /// The register image.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Bits 31:0.
    #[inline(always)]
    pub const fn low(self) -> u32 {
        self.0 as u32
    }

    /// Bits 63:32.
    #[inline(always)]
    pub const fn high(self) -> u32 {
        (self.0 >> 32) as u32
    }
}
