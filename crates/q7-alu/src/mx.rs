//! Numbers of scaled blocks: scale exponents, packing, and the narrow codes of dequantisation.
//!
//! Source: `tpb-dtypes-and-patterns/spec-mx-microscaling.md`, `extra-mx-emax.csv`;
//! `tpb-remaining-kernels/extra-settled.md` (item 4), `spec-mx-path.md`;
//! `tpb-more-kernels/extra-dequant-formats.csv`, `extra-nf4-codebook.csv`.

use crate::bir::BirDtype;
use crate::number::{FloatFormat, Fp8Config, Rounding};

/// The largest exponent of an element format, as the quantiser's table has it (0 for types it does not produce).
pub const fn emax(dtype: BirDtype) -> u8 {
    match dtype {
        BirDtype::Float4E2m1fnX4 => 2,
        BirDtype::Float8E4m3fn | BirDtype::Float8E4m3fnX4 => 8,
        BirDtype::Float8e5 | BirDtype::Float8E5m2X4 => 15,
        _ => 0,
    }
}

/// The largest biased exponent of a block: bits 30:23 of each element, so zero and subnormals count 0 and infinity
/// and NaN 255.
pub fn max_exponent(block: &[f32]) -> u8 {
    block.iter().map(|value| (value.to_bits() >> 23) as u8).max().unwrap_or(0)
}

/// How a block's exponent becomes its scale. Three sources, four rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScaleRule {
    /// Public API, the newest: `M - (Emax - 1)`; small `M` is clamped to 0 (its all-zero block has scale byte 0).
    #[default]
    Api,
    /// Compiler simulator: `max(1, M - Emax)`.
    Simulator,
    /// Compiler simulator in its alternative mode: `max(1, M - (Emax - 1))`.
    SimulatorAlternative,
    /// Kernel language simulator: `M - Emax` in eight bits, wrapping.
    Wrapping,
}

/// The E8M0 code of a block whose largest biased exponent is `max_exponent`.
pub fn scale_code(max_exponent: u8, emax: u8, rule: ScaleRule) -> u8 {
    let below = emax.saturating_sub(1);
    match rule {
        ScaleRule::Api => max_exponent.saturating_sub(below),
        ScaleRule::Simulator => max_exponent.saturating_sub(emax).max(1),
        ScaleRule::SimulatorAlternative => max_exponent.saturating_sub(below).max(1),
        ScaleRule::Wrapping => max_exponent.wrapping_sub(emax),
    }
}

/// What the quantiser multiplies by: 2^(127 - code), by its bits. Codes 254 and 255 leave the normal range: 254 gives
/// zero bits, 255 wraps into the sign, as the formula says.
pub const fn multiplier(scale: u8) -> f32 {
    f32::from_bits(254u32.wrapping_sub(scale as u32) << 23)
}

/// What dequantisation multiplies by: 2^(code - 127), NaN for 255.
pub const fn scale_value(scale: u8) -> f32 {
    f32::from_bits(FloatFormat::E8M0.decode(scale as u32))
}

/// E8M0 as the host library encodes it: the exponent is rounded in the logarithm, not the value; NaN is 255.
/// Zero and negative numbers, on which its source is silent, give the smallest scale.
pub fn host_scale_code(value: f32) -> u8 {
    if value.is_nan() {
        return 0xFF;
    }
    // Clamping before the cast; the logarithm of zero is minus infinity, that of a negative number NaN, which casts to 0.
    (libm::log2(f64::from(value)).round() + 127.0).clamp(0.0, 254.0) as u8
}

/// Nibble position of a logical FP4 element: the element's own for stride 1, pairs reversed within each window of twice the
/// stride otherwise. Stride 0 repeats an element, which stays where it is. Positions beyond 32 bits wrap.
pub fn fp4_lane_remap(stride: u32, index: u32) -> u32 {
    if stride == 0 {
        return index;
    }
    let (window, index) = (2 * u64::from(stride), u64::from(index));
    let mirrored = window * (index / window + 1) - index % window;
    (if index.is_multiple_of(2) { mirrored - 2 } else { mirrored }) as u32
}

/// Four FP4 codes in a 2-byte container, the first in the low bits.
pub const fn pack_fp4(codes: [u8; 4]) -> u16 {
    let [a, b, c, d] = codes;
    (a & 15) as u16 | ((b & 15) as u16) << 4 | ((c & 15) as u16) << 8 | ((d & 15) as u16) << 12
}

/// The four FP4 codes of a 2-byte container.
pub const fn unpack_fp4(container: u16) -> [u8; 4] {
    [
        (container & 15) as u8,
        (container >> 4 & 15) as u8,
        (container >> 8 & 15) as u8,
        (container >> 12) as u8,
    ]
}

/// Narrow codes that the dequantisation kernel widens to FP8. The discriminant is the format field of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Dequantize {
    /// FP4 to E5M2, exact.
    E2m1ToE5m2 = 1,
    /// 4-bit integer to E5M2, exact.
    Int4ToE5m2 = 2,
    /// NF4 to E4M3, rounded to nearest even.
    Nf4ToE4m3 = 3,
    /// FP6 to E4M3, exact; subnormals are normalised (the published pseudocode does not, and is wrong there).
    E2m3ToE4m3 = 4,
}

impl Dequantize {
    /// All four by code.
    pub const ALL: [Dequantize; 4] =
        [Dequantize::E2m1ToE5m2, Dequantize::Int4ToE5m2, Dequantize::Nf4ToE4m3, Dequantize::E2m3ToE4m3];

    /// The conversion of a format field.
    pub fn from_code(code: u8) -> Option<Dequantize> {
        Dequantize::ALL.into_iter().find(|format| *format as u8 == code)
    }

    /// Bits of a code.
    pub const fn code_bits(self) -> u32 {
        if matches!(self, Dequantize::E2m3ToE4m3) { 6 } else { 4 }
    }

    /// The value of a code.
    pub fn value(self, code: u8) -> f32 {
        match self {
            Dequantize::E2m1ToE5m2 => f32::from_bits(FloatFormat::E2M1.decode(u32::from(code & 15))),
            Dequantize::Int4ToE5m2 => f32::from((code << 4) as i8 >> 4),
            Dequantize::Nf4ToE4m3 => NF4[usize::from(code & 15)],
            Dequantize::E2m3ToE4m3 => f32::from_bits(FloatFormat::E2M3.decode(u32::from(code & 63))),
        }
    }

    /// The FP8 byte of a code.
    pub fn widen(self, code: u8) -> u8 {
        let target = match self {
            Dequantize::E2m1ToE5m2 | Dequantize::Int4ToE5m2 => &FloatFormat::E5M2,
            Dequantize::Nf4ToE4m3 | Dequantize::E2m3ToE4m3 => &FloatFormat::E4M3FN,
        };
        target.encode(self.value(code).to_bits(), Rounding::NearestEven, Fp8Config::default()) as u8
    }
}

/// The public NF4 code book. The device's own table is not published (certainty: medium).
#[allow(clippy::excessive_precision)] // the digits of the source
const NF4: [f32; 16] = [
    -1.0,
    -0.6961928009986877,
    -0.5250730514526367,
    -0.39491748809814453,
    -0.28444138169288635,
    -0.18477343022823334,
    -0.09105003625154495,
    0.0,
    0.07958029955625534,
    0.16093020141124725,
    0.24611230194568634,
    0.33791524171829224,
    0.44070982933044434,
    0.5626170039176941,
    0.7229568362236023,
    1.0,
];
