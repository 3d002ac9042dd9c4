//! 32-bit scalar operations of the base instruction set that are more than one Rust operator.
//!
//! Source of the facts: `core-isa/spec-b25.md`, `spec-b26.md`, `spec-b28.md`, `spec-b29.md`.

/// NSAU: number of leading zeros, 32 for 0.
#[inline]
pub fn nsau(value: u32) -> u32 {
    value.leading_zeros()
}

/// NSA: number of redundant sign bits, 31 for 0 and -1.
#[inline]
pub fn nsa(value: u32) -> u32 {
    (value ^ (value as i32 >> 31) as u32).leading_zeros() - 1
}

/// SEXT: sign-extends from bit `top` (7..=22).
#[inline]
pub fn sext(value: u32, top: u32) -> u32 {
    ((value << (31 - top)) as i32 >> (31 - top)) as u32
}

/// CLAMPS: saturates to `-2^top ..= 2^top - 1`, `top` 7..=22.
#[inline]
pub fn clamps(value: u32, top: u32) -> u32 {
    (value as i32).clamp(-(1 << top), (1 << top) - 1) as u32
}

/// ABS; the most negative number stays itself.
#[inline]
pub fn abs(value: u32) -> u32 {
    (value as i32).wrapping_abs() as u32
}

/// EXTUI: `width` bits (1..=16) from bit `shift` (0..=31).
#[inline]
pub fn extui(value: u32, shift: u32, width: u32) -> u32 {
    value >> shift & ((1 << width) - 1)
}

/// SRC: the low word of `high:low` shifted right by 0..=63; amounts above 32 shift in zeros.
#[inline]
pub fn funnel_right(high: u32, low: u32, amount: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) >> (amount & 63)) as u32
}

/// SRL by a 6-bit amount; 32 and more give 0.
#[inline]
pub fn shift_right(value: u32, amount: u32) -> u32 {
    funnel_right(0, value, amount)
}

/// SRA by a 6-bit amount; 32 and more give copies of the sign.
#[inline]
pub fn shift_right_arithmetic(value: u32, amount: u32) -> u32 {
    (value as i32 >> (amount & 63).min(31)) as u32
}

/// MULUH: high word of the unsigned product.
#[inline]
pub fn muluh(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// MULSH: high word of the signed product.
#[inline]
pub fn mulsh(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
}

/// MUL16U: product of the low halves, unsigned.
#[inline]
pub fn mul16u(a: u32, b: u32) -> u32 {
    (a & 0xffff) * (b & 0xffff)
}

/// MUL16S: product of the low halves, signed.
#[inline]
pub fn mul16s(a: u32, b: u32) -> u32 {
    (i32::from(a as i16) * i32::from(b as i16)) as u32
}

/// QUOS: quotient truncated toward zero, `None` for a zero divisor; INT_MIN / -1 is INT_MIN.
#[inline]
pub fn quos(dividend: u32, divisor: u32) -> Option<u32> {
    (divisor != 0).then(|| (dividend as i32).wrapping_div(divisor as i32) as u32)
}

/// REMS: remainder with the sign of the dividend, `None` for a zero divisor.
#[inline]
pub fn rems(dividend: u32, divisor: u32) -> Option<u32> {
    (divisor != 0).then(|| (dividend as i32).wrapping_rem(divisor as i32) as u32)
}

/// QUOU: unsigned quotient, `None` for a zero divisor.
#[inline]
pub fn quou(dividend: u32, divisor: u32) -> Option<u32> {
    dividend.checked_div(divisor)
}

/// REMU: unsigned remainder, `None` for a zero divisor.
#[inline]
pub fn remu(dividend: u32, divisor: u32) -> Option<u32> {
    dividend.checked_rem(divisor)
}

/// ADDMOD16U: 16-bit modular addition in `a[15:0] + b[15:0]`, modulus `b[31:16]` (DECISIONS, Arithmetic).
#[inline]
pub fn addmod16u(a: u32, b: u32) -> u32 {
    let (sum, modulus) = ((a & 0xffff) + (b & 0xffff), b >> 16);
    (if modulus != 0 && sum >= modulus { sum - modulus } else { sum }) & 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_bits() {
        for (value, expected) in
            [(0, 31), (u32::MAX, 31), (1, 30), (0xffff_fffe, 30), (0x4000_0000, 0), (0x8000_0000, 0)]
        {
            assert_eq!(nsa(value), expected, "{value:#x}");
        }
        assert_eq!((nsau(0), nsau(1), nsau(u32::MAX)), (32, 31, 0));
    }

    #[test]
    fn clamping_and_extension() {
        assert_eq!(clamps(200, 7), 127);
        assert_eq!(clamps(-200i32 as u32, 7), -128i32 as u32);
        assert_eq!(clamps(5, 7), 5);
        assert_eq!(sext(0x80, 7), 0xffff_ff80);
        assert_eq!(sext(0x40_0000, 22), 0xffc0_0000);
        assert_eq!(sext(0x7f, 7), 0x7f);
    }

    #[test]
    fn shifts_take_six_bits() {
        assert_eq!(funnel_right(0x1234_5678, 0x9abc_def0, 16), 0x5678_9abc);
        assert_eq!(funnel_right(0x1234_5678, 0, 32), 0x1234_5678);
        assert_eq!(funnel_right(0x1234_5678, 0, 63), 0);
        assert_eq!(shift_right(0x8000_0000, 32), 0);
        assert_eq!(shift_right_arithmetic(0x8000_0000, 40), u32::MAX);
    }

    #[test]
    fn division_truncates() {
        assert_eq!(quos(-7i32 as u32, 2), Some(-3i32 as u32));
        assert_eq!(rems(-7i32 as u32, 2), Some(-1i32 as u32));
        assert_eq!(quos(i32::MIN as u32, u32::MAX), Some(i32::MIN as u32));
        assert_eq!(rems(i32::MIN as u32, u32::MAX), Some(0));
        assert_eq!((quos(1, 0), quou(1, 0), rems(1, 0), remu(1, 0)), (None, None, None, None));
    }

    #[test]
    fn products() {
        assert_eq!(muluh(u32::MAX, u32::MAX), 0xffff_fffe);
        assert_eq!(mulsh(u32::MAX, u32::MAX), 0);
        assert_eq!(mul16s(0xffff, 0x7fff), -0x7fffi32 as u32);
        assert_eq!(mul16u(0xffff, 0xffff), 0xfffe_0001);
    }

    #[test]
    fn modular_sum() {
        assert_eq!(addmod16u(5, 10 << 16 | 7), 2);
        assert_eq!(addmod16u(5, 7), 12);
        assert_eq!(addmod16u(0xffff, 1), 0);
    }
}
