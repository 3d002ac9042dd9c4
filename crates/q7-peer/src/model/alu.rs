//! Instructions that compute one AR from ARs, numbers, SAR and booleans.
//!
//! Every result is an exact integer, reduced modulo 2^32 at the end.

use super::{Model, Stop};

const WORD: i128 = 1 << 32;
const HALF: i128 = 1 << 16;

/// The word congruent to an integer.
pub(super) fn wrap(exact: i128) -> u32 {
    exact.rem_euclid(WORD) as u32
}

/// A word read as two's complement number of `bits` bits; higher bits do not count.
fn signed(value: i128, bits: u32) -> i128 {
    let range = 1i128 << bits;
    let value = value.rem_euclid(range);
    if value < range / 2 { value } else { value - range }
}

fn power(exponent: i128) -> i128 {
    1 << exponent
}

/// Combines two words bit by bit.
fn bits(a: u32, b: u32, rule: impl Fn(bool, bool) -> bool) -> i128 {
    let bit = |word: u32, place: u32| word / (1 << place) % 2 == 1;
    (0..32).filter(|&place| rule(bit(a, place), bit(b, place))).map(|place| power(place.into())).sum()
}

/// What the instruction writes to its first operand, or `None` if it is of another kind.
pub(super) fn result(model: &Model, mnemonic: &str, o: &[i32]) -> Result<Option<u32>, Stop> {
    let word = |index: usize| model.ar(o[index]);
    let u = |index: usize| i128::from(word(index));
    let s = |index: usize| signed(u(index), 32);
    let n = |index: usize| i128::from(o[index]);
    let sar = power(model.sar.into());
    let choose = |condition: bool| if condition { u(1) } else { u(0) };
    let exact = match mnemonic {
        "add" | "add.n" => u(1) + u(2),
        "addx2" => 2 * u(1) + u(2),
        "addx4" => 4 * u(1) + u(2),
        "addx8" => 8 * u(1) + u(2),
        "sub" => u(1) - u(2),
        "subx2" => 2 * u(1) - u(2),
        "subx4" => 4 * u(1) - u(2),
        "subx8" => 8 * u(1) - u(2),
        "addi" | "addi.n" | "addmi" => u(1) + n(2),
        "neg" => -u(1),
        "abs" => s(1).abs(),
        "and" => bits(word(1), word(2), |a, b| a && b),
        "or" => bits(word(1), word(2), |a, b| a || b),
        "xor" => bits(word(1), word(2), |a, b| a != b),
        "min" => s(1).min(s(2)),
        "max" => s(1).max(s(2)),
        "minu" => u(1).min(u(2)),
        "maxu" => u(1).max(u(2)),
        "salt" => i128::from(s(1) < s(2)),
        "saltu" => i128::from(u(1) < u(2)),
        "mov.n" | "movsp" => u(1),
        "movi" | "movi.n" => n(1),
        "const16" => u(0) * HALF + n(1).rem_euclid(HALF),
        "moveqz" => choose(s(2) == 0),
        "movnez" => choose(s(2) != 0),
        "movltz" => choose(s(2) < 0),
        "movgez" => choose(s(2) >= 0),
        "movt" => choose(model.booleans[o[2] as usize]),
        "movf" => choose(!model.booleans[o[2] as usize]),
        "sext" => signed(u(1), o[2] as u32 + 1),
        "clamps" => s(1).min(power(n(2)) - 1).max(-power(n(2))),
        // Zeros above a number that needs `used` bits; signed numbers need one for the sign.
        "nsau" => 32 - (0..).find(|&used| u(1) < power(used)).unwrap_or(0),
        "nsa" => 31 - (0..).find(|&used| (-power(used)..power(used)).contains(&s(1))).unwrap_or(0),
        "mull" => u(1) * u(2),
        "muluh" => u(1) * u(2) / WORD,
        "mulsh" => (s(1) * s(2)).div_euclid(WORD),
        "mul16u" => (u(1) % HALF) * (u(2) % HALF),
        "mul16s" => signed(u(1), 16) * signed(u(2), 16),
        "quou" | "quos" | "remu" | "rems" if word(2) == 0 => return Err(Stop::DivideByZero),
        "quou" => u(1) / u(2),
        "remu" => u(1) % u(2),
        // i128 division truncates, and the remainder has the sign of the dividend.
        "quos" => s(1) / s(2),
        "rems" => s(1) % s(2),
        "slli" => u(1) * power(n(2)),
        "srli" => u(1) / power(n(2)),
        "srai" => s(1).div_euclid(power(n(2))),
        "extui" => u(1) / power(n(2)) % power(n(3)),
        "sll" => u(1) * WORD / sar,
        "srl" => u(1) / sar,
        "sra" => s(1).div_euclid(sar),
        "src" => (u(1) * WORD + u(2)) / sar,
        _ => return Ok(None),
    };
    Ok(Some(wrap(exact)))
}
