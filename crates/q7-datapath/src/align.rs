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

    /// True if the register is the image of `line`.
    #[inline(always)]
    pub fn holds(self, line: Vec512) -> bool {
        // Not `==`: a call of memcmp is slower.
        let differences = self.0.zip(line, |ours: u64, theirs: u64| ours ^ theirs);
        differences.lanes::<u64>().fold(0, |all, difference| all | difference) == 0
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
        // Without bytes of the line before it none come from the register.
        let from_line = if offset + count > 64 { offset } else { 64 };
        let bytes = rotated_down(first_of(line, self.0, from_line), offset);
        (first_bytes(bytes, count), Self(line))
    }

    /// One step of a store stream: the low `count` (0..=64) bytes of `data` to memory address `address`.
    ///
    /// A line is written once its last byte is there, and only the bytes that the stream gave
    /// (`semantics-from-kernels/semantics.md` section 1).
    #[inline(always)]
    pub fn store(self, data: Vec512, address: u32, count: u32) -> LineStore {
        let offset = address % 64;
        let waiting = self.waiting().min(offset);
        // As rotated, the data fill the line from the offset on, and their last bytes begin the next line.
        let rotated = rotated_down(data, 64 - offset);
        let line = first_of(self.0, rotated, offset);
        let end = offset + count;
        if end < 64 {
            let align = Self::with_waiting(first_bytes(line, end), waiting + count);
            return LineStore { line, enable: 0, align };
        }
        let enable = !low_bits(offset - waiting);
        let tail = first_bytes(rotated, end - 64);
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
        Self(first_of(line, Vec512::splat(waiting as u8), 63))
    }
}

/// Bytes `shift..shift + 64` (`shift` modulo 64) of the two lines, `low` first: the byte funnel of the unaligned
/// loads (leaf `lashift`, `load-store-move-gather/spec-b06.md`).
#[inline(always)]
pub fn funnel(low: Vec512, high: Vec512, shift: u32) -> Vec512 {
    rotated_down(first_of(high, low, shift % 64), shift)
}

/// Byte `k` is byte `k + count` of `v`, modulo 64.
///
/// Shuffles in registers: a byte offset into memory that was just written makes the host wait for the writes.
#[inline(always)]
fn rotated_down(v: Vec512, count: u32) -> Vec512 {
    let v = rotated_words::<4>(v, count & 32 != 0);
    let v = rotated_words::<2>(v, count & 16 != 0);
    // Both from `v`: a shuffle of the first would go through memory again.
    let words = rotated_words::<1>(v, count & 8 != 0);
    let next = rotated_words::<1>(words_from::<1>(v), count & 8 != 0);
    let bits = count % 8 * 8;
    words.zip(next, |word: u64, next: u64| word >> bits | next << 1 << (63 - bits))
}

/// Word `k` is word `k + N` modulo 8, if `really`.
#[inline(always)]
fn rotated_words<const N: usize>(v: Vec512, really: bool) -> Vec512 {
    Vec512::splat(0u64.wrapping_sub(really.into())).blend(words_from::<N>(v), v)
}

/// Word `k` is word `k + N` modulo 8.
#[inline(always)]
fn words_from<const N: usize>(v: Vec512) -> Vec512 {
    Vec512::from_fn(|k| v.lane::<u64>((k + N) % 8))
}

/// The first `count` (0..=64) bytes of `first`, then bytes of `rest`.
#[inline(always)]
fn first_of(first: Vec512, rest: Vec512, count: u32) -> Vec512 {
    below(count).blend(first, rest)
}

/// The first `count` (0..=64) bytes, zeros above them.
#[inline(always)]
pub fn first_bytes(v: Vec512, count: u32) -> Vec512 {
    v.zip(below(count), |byte: u8, mask: u8| byte & mask)
}

/// Ones in the first `count` (0..=64) bytes.
#[inline(always)]
fn below(count: u32) -> Vec512 {
    let count = count as u8;
    POSITIONS.map(|k: u8| if k < count { 0xffu8 } else { 0 })
}

/// The number of every byte.
const POSITIONS: Vec512 = {
    let mut bytes = [0; 64];
    let mut k = 0;
    while k < 64 {
        bytes[k] = k as u8;
        k += 1;
    }
    Vec512::from_bytes(bytes)
};

/// The lowest `count` (0..=64) bits.
#[inline(always)]
pub(crate) const fn low_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
