//! fp32 operations on the LLVM soft float, with the core's NaN rules written out.

use q7_alu::{Flags, Rounding};
use rustc_apfloat::ieee::{Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

pub fn round(mode: Rounding) -> Round {
    match mode {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
    }
}

pub fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

pub fn bits(value: Single) -> u32 {
    value.to_bits() as u32
}

fn is_nan(bits: u32) -> bool {
    bits << 1 > 0xFF00_0000
}

fn is_quiet(bits: u32) -> bool {
    is_nan(bits) && bits & 0x40_0000 != 0
}

/// Sums: a quiet NaN first, the first operand before the second.
fn sum_nan(a: u32, b: u32) -> u32 {
    let candidates =
        [(is_quiet(a), a), (is_quiet(b), b), (is_nan(a), a), (is_nan(b), b), (true, 0x7FC0_0000)];
    candidates.into_iter().find(|candidate| candidate.0).unwrap().1 | 0x40_0000
}

/// Products: the second operand's NaN before the first's.
fn product_nan(a: u32, b: u32) -> u32 {
    [b, a, 0x7FC0_0000].into_iter().find(|&bits| is_nan(bits)).unwrap() | 0x40_0000
}

/// IEEE flags of a soft-float status, without underflow: the soft float tests tininess at the subnormal precision,
/// the core at the full one.
pub fn flags(status: Status) -> Flags {
    let pairs = [
        (Status::INVALID_OP, Flags::INVALID),
        (Status::DIV_BY_ZERO, Flags::DIVIDE_BY_ZERO),
        (Status::OVERFLOW, Flags::OVERFLOW),
        (Status::INEXACT, Flags::INEXACT),
    ];
    pairs.into_iter().filter(|(bit, _)| status.contains(*bit)).fold(Flags::NONE, |all, (_, flag)| all | flag)
}

/// Flags of an arithmetic operation. The soft float reports no overflow when the result is the largest number; the
/// standard does when the exact result, seen here in quadruple precision, has an exponent too many.
fn operation_flags(name: &str, x: Single, y: Single, status: Status) -> Flags {
    let mut loses = false;
    let [wide_x, wide_y]: [Quad; 2] = [x, y].map(|value| value.convert(&mut loses).value);
    let exact = match name {
        "ADD" => (wide_x + wide_y).value,
        "SUBTRACT" | "ABSOLUTE_DIFF" => (wide_x - wide_y).value,
        "MULT" => (wide_x * wide_y).value,
        "SQUARE" => (wide_x * wide_x).value,
        "DIVIDE" => (wide_x / wide_y).value,
        _ => Quad::ZERO,
    };
    let half: Quad = single(0x7F00_0000).convert(&mut loses).value;
    let beyond = (half + half).value; // 2^128
    let overflow = exact.is_finite() && exact.abs() >= beyond;
    flags(status) | if overflow { Flags::OVERFLOW } else { Flags::NONE }
}

/// Square root by integers: the root of the significand with 63 bits and a sticky bit, rounded once.
pub fn square_root(a: u32, mode: Rounding) -> u32 {
    if is_nan(a) {
        return a | 0x40_0000;
    }
    if a << 1 == 0 || a == 0x7F80_0000 {
        return a;
    }
    if a >> 31 != 0 {
        return 0x7FC0_0000;
    }
    let field = (a >> 23) as i32;
    let (mut significand, mut exponent) =
        if field == 0 { (u128::from(a), -149) } else { (u128::from(a & 0x7F_FFFF | 0x80_0000), field - 150) };
    if exponent % 2 != 0 {
        significand *= 2;
        exponent -= 1;
    }
    let scaled = significand << 100;
    let root = scaled.isqrt();
    let sticky = u128::from(root * root != scaled);
    // root * 2^(exponent/2 - 50), with one more bit for what was cut off
    let StatusAnd { value, .. } = Single::from_u128_r(root << 1 | sticky, round(mode));
    // The 64 bits round to 24 in one step; scaling by a power of two is exact, a root is never subnormal.
    bits(value.scalbn(exponent / 2 - 51))
}

/// The model's answer: bits of the result; `None` for operations that are not fp32 ones (or that it cannot do: POW).
pub fn model(name: &str, a: u32, b: u32, mode: Rounding) -> Option<u32> {
    Some(with_flags(name, a, b, mode)?.0)
}

/// Result and flags of the arithmetic operations; comparisons, selections and RSQRT have no flags here.
pub fn with_flags(name: &str, a: u32, b: u32, mode: Rounding) -> Option<(u32, Option<Flags>)> {
    let (x, y, r) = (single(a), single(b), round(mode));
    let absolute = |bits: u32| bits & 0x7FFF_FFFF;
    let truth = |condition: bool| (if condition { 0x3F80_0000 } else { 0 }, None);
    let or_nan = |result: StatusAnd<Single>, nan: u32| {
        let flags = operation_flags(name, x, y, result.status);
        (if result.value.is_nan() { nan } else { bits(result.value) }, Some(flags))
    };
    let pick = |first: bool, a: u32, b: u32| (if first { a } else { b }, None);
    let (p, q) = (single(absolute(a)), single(absolute(b)));
    Some(match name {
        "BYPASS" => (a, None),
        "ADD" => or_nan(x.add_r(y, r), sum_nan(a, b)),
        "SUBTRACT" => or_nan(x.sub_r(y, r), sum_nan(a, b)),
        "ABSOLUTE_DIFF" => {
            let (difference, flags) = or_nan(x.sub_r(y, r), sum_nan(a, b));
            (absolute(difference), flags)
        }
        "MULT" => or_nan(x.mul_r(y, r), product_nan(a, b)),
        "SQUARE" => or_nan(x.mul_r(x, r), product_nan(a, a)),
        "DIVIDE" => or_nan(x.div_r(y, r), sum_nan(a, b)),
        "MOD" => or_nan(x.c_fmod(y), sum_nan(a, b)),
        "RSQRT" => {
            let root = square_root(a, mode);
            let result = single(0x3F80_0000).div_r(single(root), r);
            (or_nan(result, sum_nan(0x3F80_0000, root)).0, None)
        }
        "MAX" => pick(x > y, a, b),
        "MIN" => pick(x < y, a, b),
        "ABS_MAX" => pick(p > q, absolute(a), absolute(b)),
        "ABS_MIN" => pick(p < q, absolute(a), absolute(b)),
        "RE_LU" => pick(x > Single::ZERO, a, 0),
        "ABSOLUTE_VALUE" => (absolute(a), None),
        "SYMMETRIC_CLAMP" => {
            let larger = if p > q { absolute(a) } else { absolute(b) };
            pick(x.is_nan() || x.is_zero(), a, larger | a & 0x8000_0000)
        }
        "LOGICAL_AND" => truth(!x.is_zero() && !y.is_zero()),
        "LOGICAL_OR" => truth(!x.is_zero() || !y.is_zero()),
        "LOGICAL_XOR" => truth(x.is_zero() != y.is_zero()),
        "IS_EQ" => truth(x == y),
        "IS_NE" => truth(x != y),
        "IS_GT" => truth(x > y),
        "IS_GE" => truth(x >= y),
        "IS_LE" => truth(x <= y),
        "IS_LT" => truth(x < y),
        _ => return None,
    })
}
