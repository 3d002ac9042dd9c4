//! Loads and stores against a plain array of bytes.

use q7_datapath::{Align512, HalfLane, LineStore, Vec512, memory};

use crate::support::{Random, Shape, read, truth, write};

const ROUNDS: usize = 300;

/// A few lines of memory, and the line at an address.
struct Memory(Vec<u8>);

impl Memory {
    fn random(random: &mut Random) -> Self {
        Self((0..1024).map(|_| random.next() as u8).collect())
    }

    fn line(&self, address: u32) -> Vec512 {
        let start = address as usize / 64 * 64;
        Vec512::from_low_bytes(&self.0[start..start + 64])
    }

    fn apply(&mut self, address: u32, step: LineStore) {
        let start = address as usize / 64 * 64;
        for k in (0..64).filter(|k| step.enable >> k & 1 == 1) {
            self.0[start + k] = step.line.bytes()[k];
        }
    }
}

#[test]
fn load_streams_deliver_the_bytes_at_the_pointer() {
    let mut random = Random::new(60);
    for _ in 0..ROUNDS {
        let memory = Memory::random(&mut random);
        let mut pointer = random.below(128) as u32;
        let mut align = Align512::from_line(memory.line(pointer));
        for _ in 0..8 {
            let count = if random.below(2) == 0 { 64 } else { random.below(65) as u32 };
            // With nothing to read there is no line; the datapath must not need one.
            let fresh = if count == 0 { Vec512::ONES } else { memory.line(pointer + count - 1) };
            let (data, next) = align.load(fresh, pointer, count);
            let start = pointer as usize;
            assert_eq!(data, Vec512::from_low_bytes(&memory.0[start..start + count as usize]));
            align = next;
            pointer += count;
        }
    }
}

/// An access inside one line, and an aligned one, never need the register.
#[test]
fn bytes_of_the_last_line_come_from_memory() {
    let mut random = Random::new(63);
    let memory = Memory::random(&mut random);
    let stale = Align512::from_line(random.vec(8));
    for (address, count) in [(64u32, 64u32), (64, 1), (70, 58), (70, 10), (127, 1)] {
        let line = memory.line(address + count - 1);
        let (data, next) = stale.load(line, address, count);
        let start = address as usize;
        assert_eq!(data, Vec512::from_low_bytes(&memory.0[start..start + count as usize]));
        assert_eq!(next.line(), line);
    }
    // One byte of the next line makes all bytes before it come from the register.
    let (data, _) = stale.load(memory.line(128), 70, 59);
    assert_eq!(data.bytes()[..58], stale.line().bytes()[6..]);
    assert_eq!(data.bytes()[58..60], [memory.0[128], 0]);
}

#[test]
fn store_streams_change_exactly_their_bytes() {
    let mut random = Random::new(61);
    for _ in 0..ROUNDS {
        let mut memory = Memory::random(&mut random);
        let mut expected = memory.0.clone();
        let mut align = Align512::EMPTY;
        let mut pointer = random.below(128) as u32;
        for _ in 0..3 {
            for _ in 0..random.below(6) {
                let count = match random.below(3) {
                    0 => 64,
                    1 => random.below(65) as u32,
                    _ => random.below(9) as u32,
                };
                let data = random.vec(8);
                let step = align.store(data, pointer, count);
                memory.apply(pointer, step);
                align = step.align;
                let (start, count) = (pointer as usize, count as usize);
                expected[start..start + count].copy_from_slice(&data.bytes()[..count]);
                pointer += count as u32;
                // What waits is not in memory yet, but nothing else may differ.
                let line = pointer as usize / 64 * 64;
                assert_eq!(memory.0[..line], expected[..line]);
                assert_eq!(memory.0[pointer as usize..], expected[pointer as usize..]);
            }
            let step = align.flush(pointer);
            memory.apply(pointer, step);
            assert_eq!(memory.0, expected);
            assert_eq!(step.align, Align512::EMPTY);
            align = step.align;
            // The next row starts elsewhere with the same register.
            pointer += random.below(40) as u32;
        }
    }
}

/// SALIGN and LALIGN in the middle of a stream: the register image is all there is.
#[test]
fn a_spilled_stream_goes_on() {
    let data = Vec512::from_fn(|k| k as u8);
    let step = Align512::EMPTY.store(data, 70, 10);
    assert_eq!(step.enable, 0);
    let reloaded = Align512::from_line(step.align.line());
    let flushed = reloaded.flush(80);
    assert_eq!(flushed.enable, 0x3ff << 6);
    assert_eq!(flushed.line.bytes()[6..16], data.bytes()[..10]);
}

/// The printed sweep of the store leaf: payload byte `j` is the old byte below the offset, then the new ones.
#[test]
fn stores_splice_at_the_offset() {
    for offset in [0u32, 4, 8, 16, 32, 48, 60] {
        let mut align = Align512::EMPTY;
        if offset > 0 {
            align = align.store(Vec512::splat(0xbbu8), 128, offset).align;
        }
        let step = align.store(Vec512::splat(0xaau8), 128 + offset, 64);
        let expected = Vec512::from_fn(|j| if (j as u32) < offset { 0xbb } else { 0xaau8 });
        assert_eq!((step.line, step.enable), (expected, !0));
    }
}

#[test]
fn funnel_takes_any_byte_offset() {
    let (low, high) = (Vec512::from_fn(|k| k as u8), Vec512::from_fn(|k| 64 + k as u8));
    for shift in 0..128 {
        let expected = Vec512::from_fn(|k| (shift % 64) as u8 + k as u8);
        assert_eq!(memory::funnel(low, high, shift), expected);
    }
}

fn widths<H: HalfLane>() {
    let (half, mut random) = (Shape::of::<H>(), Random::new(62));
    let full = Shape { width: 2 * half.width, ..half };
    for _ in 0..ROUNDS {
        let v = random.vec(full.width);
        let elements = &half.read(v)[..full.read(v).len()];
        assert_eq!(memory::widen::<H>(v), write(full.width, elements));
        let lanes = full.read(v);
        assert_eq!(memory::narrow_truncating::<H>(v), write(half.width, &lanes));
        let clamped: Vec<i128> = lanes.iter().map(|&lane| half.clamp(lane)).collect();
        assert_eq!(memory::narrow_saturating::<H>(v), write(half.width, &clamped));
        let element = H::load(&v.bytes()[..H::BYTES]);
        assert_eq!(memory::element(element), write(full.width, &half.read(v)[..1]));
        assert_eq!(memory::replicated(element), write(half.width, &[half.read(v)[0]; 64]));
        let pred = random.pred();
        let stored = memory::narrow_enable::<H>(pred);
        for byte in 0..64 {
            let lane = byte / H::BYTES;
            let expected = byte < 32 && truth(pred, full.width, lane);
            assert_eq!(stored >> byte & 1 == 1, expected);
        }
    }
}

#[test]
fn elements_change_width() {
    widths::<i8>();
    widths::<u8>();
    widths::<i16>();
    widths::<u16>();
}

#[test]
fn line_elements() {
    let line = Vec512::from_fn(|k| k as u8);
    for amount in 0..64u32 {
        let start = (amount - amount % 2) as usize;
        let byte = |k: usize| if start + k < 64 { (start + k) as u8 } else { 0 };
        assert_eq!(memory::line_element::<4>(line, amount), [byte(0), byte(1), byte(2), byte(3)]);
        let (placed, enable) = memory::element_in_line([1, 2, 3, 4], amount);
        let position = |k: u32| (k + 64 - amount) as usize;
        let expected = Vec512::from_fn(|k| match position(k as u32) {
            p @ 64..68 => p as u8 - 63,
            _ => 0,
        });
        assert_eq!((placed, enable), (expected, 0xf << amount));
    }
}

#[test]
fn stream_counts_are_signed_and_clamped() {
    for (count, full, expected) in
        [(-1i32, 64, 0), (0, 64, 0), (7, 64, 7), (64, 64, 64), (65, 64, 64), (40, 32, 32)]
    {
        assert_eq!(memory::stream_count(count as u32, full), expected);
    }
    assert_eq!(memory::stream_count(0x8000_0000, 32), 0);
}

/// A LAVNX8S step: the count is in memory bytes, the lanes above it are zero.
#[test]
fn variable_loads_widen_zeros() {
    let memory = Memory((0..=255).map(|k| k as u8 | 0x80).cycle().take(1024).collect());
    let (address, count) = (100, memory::stream_count(5, 32));
    let primed = Align512::from_line(memory.line(address));
    let (bytes, _) = primed.load(memory.line(address + count - 1), address, count);
    let lanes = read(16, true, memory::widen::<i8>(bytes).bytes());
    let expected: Vec<i128> =
        (0..32).map(|k| if k < 5 { i128::from(((100 + k as u8) | 0x80) as i8) } else { 0 }).collect();
    assert_eq!(lanes, expected);
}
