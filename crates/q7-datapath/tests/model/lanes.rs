//! Integer lane operations against arithmetic on wide integers.

use q7_datapath::{Lane, Pred64, Vec512, alu, alu_flag, compare, count, logic, predicate, shift};

use crate::support::{Random, Shape, predicate as flags_of, truth, write};

const ROUNDS: usize = 200;

/// Every lane of `f` equals `model` modulo 2^width.
fn two<L: Lane>(f: fn(Vec512, Vec512) -> Vec512, model: impl Fn(i128, i128, Shape) -> i128) {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(1));
    for _ in 0..ROUNDS {
        let (a, b) = (random.vec(shape.width), random.vec(shape.width));
        let lanes: Vec<i128> =
            shape.read(a).into_iter().zip(shape.read(b)).map(|(a, b)| model(a, b, shape)).collect();
        assert_eq!(f(a, b), write(shape.width, &lanes), "{shape:?} of {a:?} and {b:?}");
    }
}

fn one<L: Lane>(f: fn(Vec512) -> Vec512, model: impl Fn(i128, Shape) -> i128) {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(2));
    for _ in 0..ROUNDS {
        let a = random.vec(shape.width);
        let lanes: Vec<i128> = shape.read(a).into_iter().map(|a| model(a, shape)).collect();
        assert_eq!(f(a), write(shape.width, &lanes), "{shape:?} of {a:?}");
    }
}

/// A result lane and a flag from every pair of lanes.
fn flagged<L: Lane>(
    f: fn(Vec512, Vec512) -> (Pred64, Vec512),
    model: impl Fn(i128, i128, Shape) -> (bool, i128),
) {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(3));
    for _ in 0..ROUNDS {
        let (a, b) = (random.vec(shape.width), random.vec(shape.width));
        let (flags, lanes): (Vec<bool>, Vec<i128>) =
            shape.read(a).into_iter().zip(shape.read(b)).map(|(a, b)| model(a, b, shape)).unzip();
        let expected = (flags_of(shape.width, &flags), write(shape.width, &lanes));
        assert_eq!(f(a, b), expected, "{shape:?} of {a:?} and {b:?}");
    }
}

fn ordered<L: Lane>(f: fn(Vec512, Vec512) -> Pred64, model: impl Fn(i128, i128) -> bool) {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(4));
    for round in 0..ROUNDS {
        let a = random.vec(shape.width);
        let b = if round % 3 == 0 { a } else { random.vec(shape.width) };
        let lanes: Vec<bool> =
            shape.read(a).into_iter().zip(shape.read(b)).map(|(a, b)| model(a, b)).collect();
        assert_eq!(f(a, b), flags_of(shape.width, &lanes), "{shape:?} of {a:?} and {b:?}");
    }
}

macro_rules! lanes {
    ($check:ident($module:ident::$function:ident, $model:expr): $($lane:ident)+) => {
        $( $check::<$lane>($module::$function::<$lane>, $model); )+
    };
}

#[test]
fn sums_and_differences() {
    lanes!(two(alu::add, |a, b, _| a + b): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::sub, |a, b, _| a - b): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::adds, |a, b, shape: Shape| shape.clamp(a + b)): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::subs, |a, b, shape: Shape| shape.clamp(a - b)): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::abssub, |a, b, _| (a - b).abs()): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::absssub, |a, b, shape: Shape| shape.clamp((a - b).abs())): i8 i16 i32);
    lanes!(two(alu::avg, |a, b, _| (a + b).div_euclid(2)): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::avgr, |a, b, _| (a + b + 1).div_euclid(2)): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::mulsgn, |a, b, _| if a < 0 { -b } else { b }): i8 i16 i32);
    lanes!(two(alu::mulsgns, |a, b, shape: Shape| shape.clamp(if a < 0 { -b } else { b })): i8 i16 i32);
}

#[test]
fn extremes_and_signs() {
    lanes!(two(alu::min, |a, b, _| a.min(b)): i8 u8 i16 u16 i32 u32);
    lanes!(two(alu::max, |a, b, _| a.max(b)): i8 u8 i16 u16 i32 u32);
    lanes!(one(alu::neg, |a, _| -a): i8 i16 i32);
    lanes!(one(alu::negs, |a, shape: Shape| shape.clamp(-a)): i8 i16 i32);
    lanes!(one(alu::abs, |a: i128, _| a.abs()): i8 i16 i32);
    lanes!(one(alu::abss, |a: i128, shape: Shape| shape.clamp(a.abs())): i8 i16 i32);
}

#[test]
fn flagged_forms() {
    lanes!(flagged(alu_flag::bmax, |a, b, _| (a > b, a.max(b))): i8 u8 i16 u16 i32 u32);
    lanes!(flagged(alu_flag::bmin, |a, b, _| (a < b, a.min(b))): i8 u8 i16 u16 i32 u32);
    lanes!(flagged(alu_flag::babssub, |a, b, _| (a < b, (a - b).abs())): i8 u8 i16 u16);
    flagged::<i8>(|a, _| alu_flag::babs::<i8>(a), |a, _, _| (a < 0, a.abs()));
    flagged::<i16>(|a, _| alu_flag::babs::<i16>(a), |a, _, _| (a < 0, a.abs()));
    flagged::<i32>(|a, _| alu_flag::babs::<i32>(a), |a, _, _| (a < 0, a.abs()));
    let norm = |exact: i128, shape: Shape| {
        let overflow = exact != shape.clamp(exact);
        (overflow, if overflow { exact.div_euclid(2) } else { exact })
    };
    flagged::<i16>(alu_flag::baddnorm, |a, b, shape| norm(a + b, shape));
    flagged::<i16>(alu_flag::bsubnorm, |a, b, shape| norm(a - b, shape));
}

#[test]
fn sign_of_difference_inverts_the_flag() {
    let (shape, mut random) = (Shape::of::<u8>(), Random::new(5));
    for _ in 0..ROUNDS {
        let (a, b, pin) = (random.vec(8), random.vec(8), random.pred());
        let (flags, difference) = alu_flag::bxorabssubu(a, b, pin);
        for (lane, (a, b)) in shape.read(a).into_iter().zip(shape.read(b)).enumerate() {
            assert_eq!(truth(flags, 8, lane), truth(pin, 8, lane) ^ (a < b));
            assert_eq!(shape.read(difference)[lane], (a - b).abs());
        }
    }
}

#[test]
fn comparisons() {
    lanes!(ordered(compare::eq, |a, b| a == b): i8 u8 i16 u16 i32 u32);
    lanes!(ordered(compare::neq, |a, b| a != b): i8 u8 i16 u16 i32 u32);
    lanes!(ordered(compare::lt, |a, b| a < b): i8 u8 i16 u16 i32 u32);
    lanes!(ordered(compare::le, |a, b| a <= b): i8 u8 i16 u16 i32 u32);
}

#[test]
fn whole_register_logic() {
    two::<u8>(logic::and, |a, b, _| a & b);
    two::<u8>(logic::or, |a, b, _| a | b);
    two::<u8>(logic::xor, |a, b, _| a ^ b);
    one::<u8>(logic::not, |a, _| !a);
}

/// All the exactly computed values of a shift by a signed amount, left positive.
fn shifted(value: i128, amount: i128) -> i128 {
    if amount >= 0 { value << amount.min(64) } else { value >> (-amount).min(64) }
}

#[test]
fn variable_shifts() {
    // The amount lane is read as a signed number.
    let signed =
        |bits: i128, shape: Shape| if bits > shape.highest() / 2 { bits - (1 << shape.width) } else { bits };
    lanes!(two(shift::sll, |a, n, shape| shifted(a, signed(n, shape))): u8 u16 u32);
    lanes!(two(shift::srl, |a, n, shape| shifted(a, -signed(n, shape))): u8 u16 u32);
    lanes!(two(shift::sra, |a, n, _| shifted(a, -n)): i8 i16 i32);
    lanes!(two(shift::sls, |a, n, shape: Shape| shape.clamp(shifted(a, n))): i8 i16 i32);
    let rounded = |a: i128, n: i128| match n {
        65.. => 0,
        1.. => shifted(a + shifted(1, n - 1), -n),
        _ => shifted(a, -n),
    };
    lanes!(two(shift::srs, |a, n, shape: Shape| shape.clamp(rounded(a, n))): i8 i16 i32);
    let rotated = |a: i128, n: i128, shape: Shape| {
        let n = n.rem_euclid(shape.width.into());
        a >> n | a << (i128::from(shape.width) - n)
    };
    lanes!(two(shift::rotr, rotated): u8 u16 u32);
}

#[test]
fn immediate_shifts() {
    for amount in (0..70).map(i128::from) {
        let n = amount as u32;
        let mut random = Random::new(amount as u64);
        for width in [8, 16, 32] {
            let v = random.vec(width);
            let check = |signed: bool, got: Vec512, model: &dyn Fn(i128) -> i128| {
                let lanes: Vec<i128> = Shape { width, signed }.read(v).into_iter().map(model).collect();
                assert_eq!(got, write(width, &lanes), "{width} bits by {amount}");
            };
            let (sll, srl, sra) = match width {
                8 => (shift::slli::<u8>(v, n), shift::srli::<u8>(v, n), shift::srai::<i8>(v, n)),
                16 => (shift::slli::<u16>(v, n), shift::srli::<u16>(v, n), shift::srai::<i16>(v, n)),
                _ => (shift::slli::<u32>(v, n), shift::srli::<u32>(v, n), shift::srai::<i32>(v, n)),
            };
            check(false, sll, &|a| shifted(a, amount));
            check(false, srl, &|a| shifted(a, -amount));
            check(true, sra, &|a| shifted(a, -amount));
        }
        let v = random.vec(16);
        let turn = amount % 16;
        let lanes: Vec<i128> =
            Shape::of::<u16>().read(v).into_iter().map(|a| a >> turn | a << (16 - turn)).collect();
        assert_eq!(shift::rotri::<u16>(v, n), write(16, &lanes));
    }
}

#[test]
fn normalisation_and_population_counts() {
    let zeros =
        |a: i128, shape: Shape| (0..shape.width).take_while(|k| a >> (shape.width - 1 - k) & 1 == 0).count();
    lanes!(one(shift::nsau, |a, shape| zeros(a, shape) as i128): u8 u16 u32);
    // The largest left shift that keeps the number in its range.
    let redundant = |a: i128, shape: Shape| {
        (0..i128::from(shape.width))
            .take_while(|&n| shape.clamp(a << n) == a << n)
            .last()
            .expect("n = 0 keeps it")
    };
    lanes!(one(shift::nsa, redundant): i8 i16 i32);
    one::<u8>(count::popc, |a, _| (0..8).map(|k| a >> k & 1).sum());
}

fn merged<L: Lane>() {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(6));
    for _ in 0..ROUNDS {
        let (new, old, pred) = (random.vec(shape.width), random.vec(shape.width), random.pred());
        let lanes: Vec<i128> = shape
            .read(new)
            .into_iter()
            .zip(shape.read(old))
            .enumerate()
            .map(|(lane, (new, old))| if truth(pred, shape.width, lane) { new } else { old })
            .collect();
        assert_eq!(predicate::merge::<L>(pred, new, old), write(shape.width, &lanes), "{shape:?} {pred:?}");
    }
}

#[test]
fn merges_keep_false_lanes() {
    merged::<u8>();
    merged::<i16>();
    merged::<u32>();
}
