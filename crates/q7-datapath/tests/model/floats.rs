//! Floating-point operations that do not round, against exact values: both formats are subsets of `f64`.

use q7_datapath::{F16, F32, Float, FpFlags, Lane, Pred64, Vec512, float_alu, float_compare, reduce_float};

use crate::support::{Random, predicate, read, truth, write};

/// A format, by its field widths.
#[derive(Clone, Copy, Debug)]
struct Format {
    exponent: u32,
    fraction: u32,
}

const HALF: Format = Format { exponent: 5, fraction: 10 };
const SINGLE: Format = Format { exponent: 8, fraction: 23 };

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Number(f64),
    Nan { signaling: bool },
}

impl Format {
    fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn fields(self, word: i128) -> (i128, i128, i128) {
        let exponent = word >> self.fraction & ((1 << self.exponent) - 1);
        (word >> (self.width() - 1) & 1, exponent, word & ((1 << self.fraction) - 1))
    }

    fn word(self, sign: i128, exponent: i128, fraction: i128) -> i128 {
        sign << (self.width() - 1) | exponent << self.fraction | fraction
    }

    fn value(self, word: i128) -> Value {
        let (sign, exponent, fraction) = self.fields(word);
        let bias = (1 << (self.exponent - 1)) - 1;
        let top = (1 << self.exponent) - 1;
        if exponent == top && fraction != 0 {
            return Value::Nan { signaling: fraction >> (self.fraction - 1) == 0 };
        }
        let size = match exponent {
            _ if exponent == top => f64::INFINITY,
            0 => fraction as f64 * 2f64.powi(1 - bias - self.fraction as i32),
            _ => {
                (fraction + (1 << self.fraction)) as f64
                    * 2f64.powi(exponent as i32 - bias - self.fraction as i32)
            }
        };
        Value::Number(if sign == 1 { -size } else { size })
    }

    /// Words of every class, near every boundary.
    fn edges(self) -> Vec<i128> {
        let top = (1 << self.exponent) - 1;
        let bias = top / 2;
        let all = (1 << self.fraction) - 1;
        let quiet = 1 << (self.fraction - 1);
        let mut words = Vec::new();
        for sign in [0, 1] {
            for (exponent, fraction) in [
                (0, 0),
                (0, 1),
                (0, all),
                (1, 0),
                (bias - 1, all),
                (bias, 0),
                (bias, 1),
                (bias + 1, 0),
                (top - 1, all),
                (top, 0),
                (top, 1),
                (top, quiet - 1),
                (top, quiet),
                (top, quiet | 0x55),
                (top, all),
            ] {
                words.push(self.word(sign, exponent, fraction));
            }
        }
        words
    }

    fn vec(self, random: &mut Random) -> Vec512 {
        let edges = self.edges();
        let lanes: Vec<i128> = (0..512 / self.width())
            .map(|_| match random.below(3) {
                0 => i128::from(random.next()),
                _ => edges[random.below(edges.len() as u64) as usize],
            })
            .collect();
        write(self.width(), &lanes)
    }

    fn read(self, v: Vec512) -> Vec<i128> {
        read(self.width(), false, v.bytes())
    }
}

const ROUNDS: usize = 400;

fn any_nan(values: &[Value]) -> bool {
    values.iter().any(|value| matches!(value, Value::Nan { .. }))
}

fn any_signaling(values: &[Value]) -> bool {
    values.iter().any(|value| matches!(value, Value::Nan { signaling: true }))
}

fn flags(invalid: bool) -> FpFlags {
    if invalid { FpFlags::INVALID } else { FpFlags::NONE }
}

type Extremum = fn(Vec512, Vec512, Pred64) -> (Vec512, FpFlags);
type Compare = fn(Vec512, Vec512, Pred64) -> (Pred64, FpFlags);

fn extremum(format: Format, f: Extremum, quiet: bool, first_wins: impl Fn(Value, Value) -> bool) {
    let mut random = Random::new(10);
    for _ in 0..ROUNDS {
        let (a, b, active) = (format.vec(&mut random), format.vec(&mut random), random.pred());
        let (got, raised) = f(a, b, active);
        let mut invalid = false;
        let mut lanes = Vec::new();
        for (lane, (a, b)) in format.read(a).into_iter().zip(format.read(b)).enumerate() {
            let values = [format.value(a), format.value(b)];
            let raises = if quiet { any_signaling(&values) } else { any_nan(&values) };
            invalid |= raises && truth(active, format.width(), lane);
            lanes.push(if first_wins(values[0], values[1]) { a } else { b });
        }
        assert_eq!((got, raised), (write(format.width(), &lanes), flags(invalid)), "{format:?} {a:?} {b:?}");
    }
}

/// -0 below +0.
fn below(a: f64, b: f64) -> bool {
    a < b || (a == b && a.is_sign_negative() && b.is_sign_positive())
}

#[test]
fn minimum_and_maximum() {
    use Value::{Nan, Number};
    let max = |a, b| matches!((a, b), (Number(a), Number(b)) if a > b);
    let min = |a, b| matches!((a, b), (Number(a), Number(b)) if a < b);
    extremum(HALF, float_alu::max::<F16>, false, max);
    extremum(SINGLE, float_alu::max::<F32>, false, max);
    extremum(HALF, float_alu::min::<F16>, false, min);
    extremum(SINGLE, float_alu::min::<F32>, false, min);
    let maxnum = |a, b| match (a, b) {
        (Number(a), Number(b)) => below(b, a),
        (Number(_), Nan { .. }) => true,
        _ => false,
    };
    let minnum = |a, b| match (a, b) {
        (Number(a), Number(b)) => below(a, b),
        (Number(_), Nan { .. }) => true,
        _ => false,
    };
    extremum(HALF, float_alu::maxnum::<F16>, true, maxnum);
    extremum(SINGLE, float_alu::maxnum::<F32>, true, maxnum);
    extremum(HALF, float_alu::minnum::<F16>, true, minnum);
    extremum(SINGLE, float_alu::minnum::<F32>, true, minnum);
}

fn compare(half: Compare, single: Compare, quiet: bool, unordered: bool, holds: impl Fn(f64, f64) -> bool) {
    for (format, f) in [(HALF, half), (SINGLE, single)] {
        let mut random = Random::new(11);
        for round in 0..ROUNDS {
            let a = format.vec(&mut random);
            let b = if round % 4 == 0 { a } else { format.vec(&mut random) };
            let active = random.pred();
            let mut invalid = false;
            let mut lanes = Vec::new();
            for (lane, (a, b)) in format.read(a).into_iter().zip(format.read(b)).enumerate() {
                let values = [format.value(a), format.value(b)];
                let raises = if quiet { any_signaling(&values) } else { any_nan(&values) };
                invalid |= raises && truth(active, format.width(), lane);
                lanes.push(match values {
                    [Value::Number(a), Value::Number(b)] => holds(a, b),
                    _ => unordered,
                });
            }
            let expected = (predicate(format.width(), &lanes), flags(invalid));
            assert_eq!(f(a, b, active), expected, "{format:?} {a:?} {b:?}");
        }
    }
}

#[test]
fn comparisons() {
    use float_compare as f;
    compare(f::oeq::<F16>, f::oeq::<F32>, true, false, |a, b| a == b);
    compare(f::ole::<F16>, f::ole::<F32>, false, false, |a, b| a <= b);
    compare(f::olt::<F16>, f::olt::<F32>, false, false, |a, b| a < b);
    compare(f::ueq::<F16>, f::ueq::<F32>, true, true, |a, b| a == b);
    compare(f::ule::<F16>, f::ule::<F32>, true, true, |a, b| a <= b);
    compare(f::uleq::<F16>, f::uleq::<F32>, false, true, |a, b| a <= b);
    compare(f::ult::<F16>, f::ult::<F32>, true, true, |a, b| a < b);
    compare(f::ultq::<F16>, f::ultq::<F32>, false, true, |a, b| a < b);
    compare(f::uneq::<F16>, f::uneq::<F32>, true, true, |a, b| a != b);
    compare(f::un::<F16>, f::un::<F32>, true, true, |_, _| false);
}

/// CLSFY and the sign operations over every half word, and over single words of every class.
fn each_word(format: Format, check: impl Fn(i128, Vec512)) {
    let random = (0..4096).map({
        let mut random = Random::new(12);
        move |_| i128::from(random.next()) & ((1 << format.width()) - 1)
    });
    let words: Vec<i128> = if format.width() == 16 {
        (0..1 << 16).collect()
    } else {
        format.edges().into_iter().chain(random).collect()
    };
    for word in words {
        check(word, write(format.width(), &vec![word; 512 / format.width() as usize]));
    }
}

fn unary<F: Float>(format: Format) {
    each_word(format, |word, v| {
        let (sign, exponent, fraction) = format.fields(word);
        let first = |v: Vec512| format.read(v)[0];
        assert_eq!(first(float_alu::abs::<F>(v)), format.word(0, exponent, fraction));
        assert_eq!(first(float_alu::neg::<F>(v)), format.word(1 - sign, exponent, fraction));
        let subnormal = exponent == 0 && fraction != 0;
        let finite = matches!(format.value(word), Value::Number(value) if value.is_finite());
        let classes = [
            sign == 1,
            format.value(word) == Value::Number(0.0),
            subnormal,
            finite && exponent != 0,
            matches!(format.value(word), Value::Number(value) if value.is_infinite()),
            any_nan(&[format.value(word)]),
            any_signaling(&[format.value(word)]),
            finite,
        ];
        let mask: i128 = classes.iter().enumerate().map(|(bit, &class)| i128::from(class) << bit).sum();
        assert_eq!(first(float_alu::clsfy::<F>(v)), mask, "{word:#x}");
    });
}

#[test]
fn signs_and_classes() {
    unary::<F16>(HALF);
    unary::<F32>(SINGLE);
}

fn exponents<F: Float>(format: Format) {
    let mut random = Random::new(13);
    let range = 1i128 << format.exponent;
    let bias = range / 2 - 1;
    for _ in 0..ROUNDS {
        let (a, b) = (format.vec(&mut random), format.vec(&mut random));
        let (plain, minus) = (float_alu::addexp::<F>(a, b), float_alu::addexpm::<F>(a, b));
        for (lane, (a, b)) in format.read(a).into_iter().zip(format.read(b)).enumerate() {
            let ((sa, ea, fa), (sb, eb, fb)) = (format.fields(a), format.fields(b));
            let sum = (ea + eb - bias).rem_euclid(range);
            assert_eq!(format.read(plain)[lane], format.word(sa ^ sb, sum, fa));
            // One fraction bit for the sign, then an exponent.
            let (sm, em) =
                (fb >> (format.fraction - 1), fb >> (format.fraction - 1 - format.exponent) & (range - 1));
            let sum = (ea + em - bias).rem_euclid(range);
            assert_eq!(format.read(minus)[lane], format.word(sa ^ sm, sum, fa));
        }
    }
}

#[test]
fn exponent_addition() {
    exponents::<F16>(HALF);
    exponents::<F32>(SINGLE);
}

fn reductions<F: Float>(format: Format) {
    let mut random = Random::new(14);
    let default_nan = format.word(0, (1 << format.exponent) - 1, 1 << (format.fraction - 1));
    for round in 0..ROUNDS {
        let v = if round % 8 == 0 {
            write(format.width(), &vec![default_nan + 3; 32])
        } else {
            format.vec(&mut random)
        };
        let active = random.pred();
        let lanes = format.read(v);
        let on = |lane: usize| truth(active, format.width(), lane);
        let signaling = (0..lanes.len()).any(|lane| on(lane) && any_signaling(&[format.value(lanes[lane])]));
        let numbers =
            (0..lanes.len()).filter(|&lane| on(lane)).filter_map(|lane| match format.value(lanes[lane]) {
                Value::Number(value) => Some((value, lanes[lane])),
                Value::Nan { .. } => None,
            });
        let numbers: Vec<_> = numbers.collect();
        let better = |wins: fn(f64, f64) -> bool| {
            let best =
                numbers.iter().copied().reduce(|best, next| if wins(next.0, best.0) { next } else { best });
            best.map_or(default_nan, |(_, word)| word)
        };
        let ties = |word: i128| {
            let tied = |lane: usize| on(lane) && !numbers.is_empty() && lanes[lane] == word;
            predicate(format.width(), &(0..lanes.len()).map(tied).collect::<Vec<_>>())
        };
        let all = |word: i128| write(format.width(), &vec![word; lanes.len()]);
        let (largest, smallest) = (better(|next, best| below(best, next)), better(below));
        let flags = flags(signaling);
        assert_eq!(reduce_float::rmaxnum::<F>(v, active), (write(format.width(), &[largest]), flags));
        assert_eq!(reduce_float::rminnum::<F>(v, active), (write(format.width(), &[smallest]), flags));
        assert_eq!(reduce_float::rbmaxnum::<F>(v, active), (ties(largest), all(largest), flags));
        assert_eq!(reduce_float::rbminnum::<F>(v, active), (ties(smallest), all(smallest), flags));
    }
}

#[test]
fn extremes_across_lanes() {
    reductions::<F16>(HALF);
    reductions::<F32>(SINGLE);
}

/// The prose rows that state rules for a NaN class: one signaling operand is enough, and only Invalid is raised.
#[test]
fn a_signaling_nan_is_invalid_everywhere() {
    let (two, signaling) = (Vec512::splat(0x4000u16), Vec512::splat(0x7d01u16));
    let compares: [Compare; 10] = [
        float_compare::oeq::<F16>,
        float_compare::ole::<F16>,
        float_compare::olt::<F16>,
        float_compare::ueq::<F16>,
        float_compare::ule::<F16>,
        float_compare::uleq::<F16>,
        float_compare::ult::<F16>,
        float_compare::ultq::<F16>,
        float_compare::uneq::<F16>,
        float_compare::un::<F16>,
    ];
    for f in compares {
        assert_eq!(f(two, signaling, Pred64::ALL).1, FpFlags::INVALID);
    }
    assert_eq!(float_alu::maxnum::<F16>(signaling, two, Pred64::ALL), (two, FpFlags::INVALID));
    let lanes = Vec512::from_lanes([0x3c00u16, 0x7d01, 0x4000]);
    let (largest, flags) = reduce_float::rmaxnum::<F16>(lanes, Pred64::ALL);
    assert_eq!((largest.lane::<u16>(0), flags), (0x4000, FpFlags::INVALID));
    assert_eq!(u16::load(&largest.bytes()[2..4]), 0);
}
