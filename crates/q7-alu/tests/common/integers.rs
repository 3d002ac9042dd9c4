//! Integers: the exact result in 128 bits, cut to the width.

/// Does an operation, by name, take its sign from the dtype? (The `_INT` ones that both sign sets list do.)
fn is_signed(name: &str, dtype_signed: bool) -> bool {
    let shared =
        ["ADD_INT", "MULT_INT", "SUBTRACT_INT", "DIVIDE_INT", "MOD_INT", "IS_EQUAL_INT", "IS_NE_INT"];
    if name.ends_with("_UINT") {
        false
    } else if name.ends_with("_INT") && !shared.contains(&name) {
        true
    } else {
        dtype_signed
    }
}

fn number(bits: u64, width: u32, signed: bool) -> i128 {
    let value = i128::from(bits);
    if signed && bits >> (width - 1) & 1 != 0 { value - (1i128 << width) } else { value }
}

/// An operation on the bits of two elements of one integer dtype.
pub type Model = Box<dyn Fn(u64, u64) -> u64>;

/// The exact operation on numbers; `None`: it needs the bits, or integers do not do it.
fn on_numbers(stem: &str) -> Option<fn(i128, i128) -> i128> {
    Some(match stem {
        "BYPASS" => |x, _| x,
        "LOGICAL_AND" => |x, y| i128::from(x != 0 && y != 0),
        "LOGICAL_OR" => |x, y| i128::from(x != 0 || y != 0),
        "LOGICAL_XOR" => |x, y| i128::from((x != 0) != (y != 0)),
        "ADD" => |x, y| x + y,
        "SUBTRACT" => |x, y| x - y,
        // Exact products of 64-bit numbers may need 129 bits with sign; the low bits are the same.
        "MULT" => |x, y| x.wrapping_mul(y),
        "SQUARE" => |x, _| x.wrapping_mul(x),
        "DIVIDE" => |x, y| if y == 0 { 0 } else { x / y },
        "MOD" => |x, y| if y == 0 { 0 } else { x % y },
        "MAX" => i128::max,
        "MIN" => i128::min,
        "IS_EQ" | "IS_EQUAL" => |x, y| i128::from(x == y),
        "IS_NE" => |x, y| i128::from(x != y),
        "IS_GT" => |x, y| i128::from(x > y),
        "IS_GE" => |x, y| i128::from(x >= y),
        "IS_LE" => |x, y| i128::from(x <= y),
        "IS_LT" => |x, y| i128::from(x < y),
        "ABSOLUTE_DIFF" | "ABS_DIFF" => |x, y| (x - y).abs(),
        "ABSOLUTE_VALUE" | "ABS_VALUE" => |x, _| x.abs(),
        "ABS_MAX" => |x, y| x.abs().max(y.abs()),
        "ABS_MIN" => |x, y| x.abs().min(y.abs()),
        "RE_LU" => |x, _| x.max(0),
        "SYMMETRIC_CLAMP" => |x, y| x.signum() * x.abs().max(y.abs()),
        "AMAX" => |x, y| i128::from(y > x),
        "AMIN" => |x, y| i128::from(y < x),
        _ => return None,
    })
}

/// The exact operation on bit strings of a width.
fn on_bits(name: &str, width: u32) -> Option<Model> {
    let count = |b: u64| u128::from(b).min(100) as u32;
    Some(match name {
        "BITWISE_NOT" => Box::new(|a, _| u64::MAX - a),
        "BITWISE_AND" => Box::new(|a, b| a & b),
        "BITWISE_OR" => Box::new(|a, b| a | b),
        "BITWISE_XOR" => Box::new(|a, b| (a | b) - (a & b)),
        "ARITH_SHIFT_LEFT" | "LOGICAL_SHIFT_LEFT" => {
            Box::new(move |a, b| if count(b) >= width { 0 } else { (u128::from(a) * (1 << count(b))) as u64 })
        }
        "LOGICAL_SHIFT_RIGHT" => Box::new(move |a, b| (u128::from(a) / (1 << count(b))) as u64),
        "ARITH_SHIFT_RIGHT" => Box::new(move |a, b| number(a, width, true).div_euclid(1 << count(b)) as u64),
        "CRC32" => {
            let table = crc_table();
            Box::new(move |a, b| {
                crc32(&table, a as u32, &b.to_le_bytes()[..width.div_ceil(8) as usize]).into()
            })
        }
        _ => return None,
    })
}

/// The model of an operation by name. `None`: integers do not do it.
pub fn model(name: &str, width: u32, dtype_signed: bool) -> Option<Model> {
    let mask = u64::MAX >> (64 - width);
    let stem = name.trim_end_matches("_INT").trim_end_matches("_UINT");
    if let Some(operation) = on_numbers(stem) {
        let signed = is_signed(name, dtype_signed);
        return Some(Box::new(move |a, b| {
            operation(number(a, width, signed), number(b, width, signed)) as u64 & mask
        }));
    }
    let operation = on_bits(name, width)?;
    Some(Box::new(move |a, b| operation(a, b) & mask))
}

/// Remainders of the polynomial by the textbook, most significant bit first, then mirrored.
fn crc_table() -> [u32; 256] {
    let mut table = [0u32; 256];
    for (index, entry) in table.iter_mut().enumerate() {
        let mut remainder = (index as u32).reverse_bits();
        for _ in 0..8 {
            let carry = remainder >> 31;
            remainder = remainder << 1 ^ if carry == 1 { 0x04C1_1DB7 } else { 0 };
        }
        *entry = remainder.reverse_bits();
    }
    table
}

fn crc32(table: &[u32; 256], previous: u32, bytes: &[u8]) -> u32 {
    let fold = |crc: u32, &byte: &u8| crc >> 8 ^ table[usize::from(crc as u8 ^ byte)];
    bytes.iter().fold(previous ^ u32::MAX, fold) ^ u32::MAX
}

/// 64-bit arithmetic from 32-bit halves, as the firmware builds it.
pub mod halves {
    fn split(value: u64) -> (u32, u32) {
        ((value >> 32) as u32, value as u32)
    }

    fn join(high: u32, low: u32) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }

    pub fn add(a: u64, b: u64) -> u64 {
        let ((ha, la), (hb, lb)) = (split(a), split(b));
        let low = la.wrapping_add(lb);
        let carry = u32::from(low < la);
        join(ha.wrapping_add(hb).wrapping_add(carry), low)
    }

    pub fn subtract(a: u64, b: u64) -> u64 {
        let ((ha, la), (hb, lb)) = (split(a), split(b));
        let borrow = u32::from(la < lb);
        join(ha.wrapping_sub(hb).wrapping_sub(borrow), la.wrapping_sub(lb))
    }

    pub fn multiply(a: u64, b: u64) -> u64 {
        let ((ha, la), (hb, lb)) = (split(a), split(b));
        let low = u64::from(la) * u64::from(lb);
        let cross = ha.wrapping_mul(lb).wrapping_add(la.wrapping_mul(hb));
        join(((low >> 32) as u32).wrapping_add(cross), low as u32)
    }

    /// `a < b`: the high halves decide, signed for INT64; the low halves, unsigned, break a tie.
    pub fn less(a: u64, b: u64, signed: bool) -> bool {
        let ((ha, la), (hb, lb)) = (split(a), split(b));
        match (ha == hb, signed) {
            (true, _) => la < lb,
            (false, true) => (ha as i32) < (hb as i32),
            (false, false) => ha < hb,
        }
    }
}
