//! Floating-point operations that do not round: words taken apart by hand, values compared as exact `f64`.

use super::Step;
use super::name::Name;
use crate::support::{predicate, write};

/// A format by its field widths.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    fn of(width: u32) -> Format {
        if width == 16 { Format { exponent: 5, fraction: 10 } } else { Format { exponent: 8, fraction: 23 } }
    }

    /// Sign, exponent field, fraction field.
    fn fields(self, word: i128) -> (i128, i128, i128) {
        let exponent = (word >> self.fraction) % (1 << self.exponent);
        (word >> (self.exponent + self.fraction) & 1, exponent, word % (1 << self.fraction))
    }

    fn word(self, sign: i128, exponent: i128, fraction: i128) -> i128 {
        (sign << self.exponent | exponent) << self.fraction | fraction
    }

    fn top(self) -> i128 {
        (1 << self.exponent) - 1
    }

    /// The number, or none for a NaN.
    fn value(self, word: i128) -> Option<f64> {
        let (sign, exponent, fraction) = self.fields(word);
        let lowest = 2 - (1 << (self.exponent - 1)) - self.fraction as i32;
        let size = match exponent {
            0 => fraction as f64 * 2f64.powi(lowest),
            _ if exponent < self.top() => {
                (fraction + (1 << self.fraction)) as f64 * 2f64.powi(lowest + exponent as i32 - 1)
            }
            _ if fraction == 0 => f64::INFINITY,
            _ => return None,
        };
        Some(if sign == 1 { -size } else { size })
    }

    fn signaling(self, word: i128) -> bool {
        self.value(word).is_none() && word >> (self.fraction - 1) & 1 == 0
    }

    /// Class mask: sign, zero, subnormal, normal, infinity, NaN, signaling NaN, finite.
    fn class(self, word: i128) -> i128 {
        let (sign, exponent, fraction) = self.fields(word);
        let finite = exponent != self.top();
        let classes = [
            sign == 1,
            exponent == 0 && fraction == 0,
            exponent == 0 && fraction != 0,
            finite && exponent != 0,
            !finite && fraction == 0,
            !finite && fraction != 0,
            self.signaling(word),
            finite,
        ];
        classes.iter().rev().fold(0, |mask, &class| mask * 2 + i128::from(class))
    }

    /// `a` times the power of two and sign of a word with these fields.
    fn scaled(self, a: i128, sign: i128, exponent: i128) -> i128 {
        let (old_sign, old, fraction) = self.fields(a);
        let bias = self.top() / 2;
        self.word((old_sign + sign) % 2, (old + exponent - bias).rem_euclid(self.top() + 1), fraction)
    }
}

/// `a < b`, with -0 below +0.
fn below(a: f64, b: f64) -> bool {
    a < b || a == b && a.is_sign_negative() && !b.is_sign_negative()
}

/// FSR bit of the invalid operation.
const INVALID: u32 = 1;

/// A comparison: Invalid on signaling NaNs only, result for unordered operands, result for ordered ones.
type Comparison = (bool, bool, fn(f64, f64) -> bool);

fn comparison(stem: &str) -> Option<Comparison> {
    Some(match stem {
        "oeq" => (true, false, |a, b| a == b),
        "ole" => (false, false, |a, b| a <= b),
        "olt" => (false, false, |a, b| a < b),
        "ueq" => (true, true, |a, b| a == b),
        "ule" => (true, true, |a, b| a <= b),
        "uleq" => (false, true, |a, b| a <= b),
        "ult" => (true, true, |a, b| a < b),
        "ultq" => (false, true, |a, b| a < b),
        "uneq" => (true, true, |a, b| a != b),
        "un" => (true, true, |_, _| false),
        _ => return None,
    })
}

/// Whether the first operand is the result; by the two values.
fn first_wins(stem: &str, a: Option<f64>, b: Option<f64>) -> Option<bool> {
    Some(match (stem, a, b) {
        ("max", Some(a), Some(b)) => a > b,
        ("min", Some(a), Some(b)) => a < b,
        ("maxnum", Some(a), Some(b)) => below(b, a),
        ("minnum", Some(a), Some(b)) => below(a, b),
        ("maxnum" | "minnum", Some(_), None) => true,
        ("max" | "min" | "maxnum" | "minnum", ..) => false,
        _ => return None,
    })
}

/// Lanes that are switched off raise no flag.
fn raise(step: &mut Step<'_>, invalid: impl Iterator<Item = bool>, active: &[bool]) {
    if invalid.zip(active).any(|(invalid, &active)| invalid && active) {
        step.state.fsr |= INVALID;
    }
}

pub fn by_lanes(step: &mut Step<'_>, name: &Name<'_>) -> Option<()> {
    if !name.float {
        return None;
    }
    let (format, stem, width) = (Format::of(name.width), name.stem, name.width);
    if stem.starts_with('r') {
        return reduction(step, name, format);
    }
    let sign = 1i128 << (width - 1);
    let one: Option<&dyn Fn(i128, i128) -> i128> = match stem {
        "abs" => Some(&|_, a| a & !sign),
        "neg" => Some(&|_, a| a ^ sign),
        "clsfy" => Some(&|_, a| format.class(a)),
        "addexp" => Some(&|old, a| format.scaled(old, format.fields(a).0, format.fields(a).1)),
        // Sign and exponent stand in the upper fraction bits.
        "addexpm" => Some(&|old, a| {
            let upper = format.fields(a).2 >> (format.fraction - format.exponent - 1);
            format.scaled(old, upper >> format.exponent, upper & format.top())
        }),
        _ => None,
    };
    if let Some(f) = one {
        let pairs = step.unsigned("vt", width).into_iter().zip(step.unsigned("vr", width));
        let result: Vec<i128> = pairs.map(|(old, a)| f(old, a)).collect();
        step.merge(name, &result);
        return Some(());
    }
    let pairs: Vec<(i128, i128)> = step
        .call
        .find("vs")
        .map(|_| step.unsigned("vs", width))?
        .into_iter()
        .zip(step.unsigned("vr", width))
        .collect();
    let active = step.active(name);
    let invalid = |quiet: bool| {
        pairs.iter().map(move |&(a, b)| match quiet {
            true => format.signaling(a) || format.signaling(b),
            false => format.value(a).is_none() || format.value(b).is_none(),
        })
    };
    if let Some((quiet, unordered, holds)) = comparison(stem) {
        let flags: Vec<bool> = pairs
            .iter()
            .map(|&(a, b)| match (format.value(a), format.value(b)) {
                (Some(a), Some(b)) => holds(a, b),
                _ => unordered,
            })
            .collect();
        raise(step, invalid(quiet), &active);
        step.merge_flags(name, &flags);
    } else {
        let result: Option<Vec<i128>> = pairs
            .iter()
            .map(|&(a, b)| Some(if first_wins(stem, format.value(a), format.value(b))? { a } else { b }))
            .collect();
        raise(step, invalid(stem.ends_with("num")), &active);
        step.merge(name, &result?);
    }
    Some(())
}

/// RMAXNUM and its sisters: the extreme number of the lanes that count, the default NaN if there is none.
fn reduction(step: &mut Step<'_>, name: &Name<'_>, format: Format) -> Option<()> {
    let (broadcast, stem) = match name.stem.strip_prefix("rb") {
        Some(stem) => (true, stem),
        None => (false, name.stem.strip_prefix('r')?),
    };
    let (lanes, active) = (step.unsigned("vr", name.width), step.active(name));
    let mut best: Option<i128> = None;
    for (&word, _) in lanes.iter().zip(&active).filter(|(_, active)| **active) {
        let better = match best {
            None => format.value(word).is_some(),
            Some(best) => first_wins(stem, format.value(word), format.value(best))?,
        };
        best = if better { Some(word) } else { best };
    }
    raise(step, lanes.iter().map(|&word| format.signaling(word)), &active);
    let word = best.unwrap_or(format.word(0, format.top(), 1 << (format.fraction - 1)));
    if broadcast {
        let tied: Vec<bool> =
            lanes.iter().zip(&active).map(|(&lane, &active)| active && Some(lane) == best).collect();
        step.set_pred("vbt", predicate(name.width, &tied));
        step.set_vec("vt", write(name.width, &vec![word; lanes.len()]));
    } else {
        step.set_vec("vt", write(name.width, &[word]));
    }
    Some(())
}
