//! The value of an alignment register and the two streams that use it.

use crate::Vec512;

/// The value of a `valign` register.
///
/// A load stream holds the image of one 64-byte memory line. A store stream holds the bytes that wait for the
/// rest of their line, at their positions in it; how many there are is kept in byte 63, which a waiting byte
/// never occupies (assumption D1). Zero is the empty store stream, as ZALIGN needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Align512(Vec512);

/// What one step of a store stream does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStore {
    /// The line at the 64-byte boundary at or below the address of the step.
    pub line: Vec512,
    /// Bit `k` set: byte `k` of the line is written. Zero: nothing is written.
    pub enable: u64,
    /// The alignment register afterwards.
    pub align: Align512,
}

impl Align512 {
    /// ZALIGN: no line, nothing waiting.
    pub const EMPTY: Self = Self(Vec512::ZERO);

    /// LA_PP, LALIGN: the image of a memory line (or of a spilled register).
    #[inline(always)]
    pub const fn from_line(line: Vec512) -> Self {
        Self(line)
    }

    /// SALIGN: the register image.
    #[inline(always)]
    pub const fn line(self) -> Vec512 {
        self.0
    }

    /// One step of a load stream: `count` (0..=64) bytes from memory address `address`, zeros above them.
    ///
    /// `line` is the memory line that holds the last of those bytes; bytes of the line before it come from the
    /// register, which takes `line`. A `count` of 0 reads nothing and leaves the register alone
    /// (`semantics-from-kernels/semantics.md` section 1).
    #[inline(always)]
    pub fn load(self, line: Vec512, address: u32, count: u32) -> (Vec512, Self) {
        if count == 0 {
            return (Vec512::ZERO, self);
        }
        let offset = address % 64;
        let low = if offset + count > 64 { self.0 } else { line };
        (first_bytes(funnel(low, line, offset), count), Self(line))
    }

    /// One step of a store stream: the low `count` (0..=64) bytes of `data` to memory address `address`.
    ///
    /// A line is written once its last byte is there, and only the bytes that the stream gave
    /// (`semantics-from-kernels/semantics.md` section 1).
    #[inline(always)]
    pub fn store(self, data: Vec512, address: u32, count: u32) -> LineStore {
        let offset = address % 64;
        let waiting = self.waiting().min(offset);
        let (line, tail) = splice(self.0, data, offset);
        let end = offset + count;
        if end < 64 {
            let align = Self::with_waiting(first_bytes(line, end), waiting + count);
            return LineStore { line, enable: 0, align };
        }
        let enable = !low_bits(offset - waiting);
        let tail = first_bytes(tail, end - 64);
        LineStore { line, enable, align: Self::with_waiting(tail, end - 64) }
    }

    /// SAPOS: writes what waits before `address`; the register is empty afterwards
    /// (`semantics-from-kernels/semantics.md` section 1).
    #[inline(always)]
    pub fn flush(self, address: u32) -> LineStore {
        let offset = address % 64;
        let waiting = self.waiting().min(offset);
        let enable = low_bits(offset) & !low_bits(offset - waiting);
        LineStore { line: self.0, enable, align: Self::EMPTY }
    }

    #[inline(always)]
    fn waiting(self) -> u32 {
        u32::from(self.0.bytes()[63] & 63)
    }

    #[inline(always)]
    fn with_waiting(line: Vec512, waiting: u32) -> Self {
        Self(line.with_lane(63, waiting as u8))
    }
}

/// Bytes `shift..shift + 64` (`shift` modulo 64) of the two lines, `low` first: the byte funnel of the unaligned
/// loads (leaf `lashift`, `load-store-move-gather/spec-b06.md`).
#[inline(always)]
pub fn funnel(low: Vec512, high: Vec512, shift: u32) -> Vec512 {
    let mut both = [0; 128];
    both[..64].copy_from_slice(low.bytes());
    both[64..].copy_from_slice(high.bytes());
    let start = shift as usize % 64;
    Vec512::from_low_bytes(&both[start..start + 64])
}

/// `low` in bytes `0..offset`, `data` from byte `offset` (modulo 64) on, as two lines: the funnel of the unaligned
/// stores.
#[inline(always)]
fn splice(low: Vec512, data: Vec512, offset: u32) -> (Vec512, Vec512) {
    let start = offset as usize % 64;
    let mut both = [0; 128];
    both[..64].copy_from_slice(low.bytes());
    both[start..start + 64].copy_from_slice(data.bytes());
    (Vec512::from_low_bytes(&both[..64]), Vec512::from_low_bytes(&both[64..]))
}

/// The first `count` (0..=64) bytes, zeros above them.
#[inline(always)]
fn first_bytes(v: Vec512, count: u32) -> Vec512 {
    Vec512::from_fn(|k| if (k as u32) < count { v.bytes()[k] } else { 0 })
}

/// The lowest `count` (0..=64) bits.
#[inline(always)]
pub(crate) const fn low_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
