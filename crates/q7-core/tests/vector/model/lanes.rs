//! Integer operations on lanes.

use super::Step;
use super::name::Name;
use crate::support::{Shape, predicate, write};

type Two = fn(i128, i128, Shape) -> i128;
type One = fn(i128, Shape) -> i128;

/// `vt = f(vs, vr)`, signed unless the name says otherwise.
fn two(stem: &str) -> Option<Two> {
    Some(match stem {
        "add" => |a, b, _| a + b,
        "adds" => |a, b, s| s.clamp(a + b),
        "sub" => |a, b, _| a - b,
        "subs" => |a, b, s| s.clamp(a - b),
        "max" | "maxu" => |a, b, _| if a > b { a } else { b },
        "min" | "minu" => |a, b, _| if a < b { a } else { b },
        "abssub" | "abssubu" => |a, b, _| (a - b).abs(),
        "absssub" => |a, b, s| s.clamp((a - b).abs()),
        "avg" => |a, b, _| (a + b).div_euclid(2),
        "avgr" => |a, b, _| (a + b + 1).div_euclid(2),
        "mulsgn" => |a, b, _| if a < 0 { -b } else { b },
        "mulsgns" => |a, b, s| s.clamp(if a < 0 { -b } else { b }),
        "and" => |a, b, _| a & b,
        "or" => |a, b, _| a | b,
        "xor" => |a, b, _| a ^ b,
        _ => return None,
    })
}

/// `vt = f(vr)`.
fn one(stem: &str) -> Option<One> {
    Some(match stem {
        "abs" => |a, _| a.abs(),
        "abss" => |a, s| s.clamp(a.abs()),
        "neg" => |a, _| -a,
        "negs" => |a, s| s.clamp(-a),
        "not" => |a, _| -1 - a,
        "popc" => |a, _| (0..8).map(|k| a >> k & 1).sum(),
        // How far the value can go left and stay what it is.
        "nsa" => |a, s| (1..i128::from(s.width)).take_while(|&k| s.clamp(a << k) == a << k).count() as i128,
        "nsau" => |a, s| (1..=s.width).take_while(|&k| a >> (s.width - k) == 0).count() as i128,
        _ => return None,
    })
}

/// Shifts and rotations of an unsigned lane by a signed amount.
fn shifted(stem: &str, a: i128, amount: i128, s: Shape) -> Option<i128> {
    let width = i128::from(s.width);
    let left = |k: i128| if k >= width { 0 } else { a << k };
    let right = |k: i128| if k >= width { 0 } else { a >> k };
    let negative = a >> (width - 1) & 1 == 1;
    let arithmetic = |k: i128| (if negative { a - (1 << width) } else { a }) >> k.min(width);
    Some(match stem {
        "sll" if amount >= 0 => left(amount),
        "sll" => right(-amount),
        "srl" if amount >= 0 => right(amount),
        "srl" | "sra" if amount < 0 => left(-amount),
        "sra" => arithmetic(amount),
        "rotr" => {
            let k = amount.rem_euclid(width);
            a >> k | a << (width - k)
        }
        _ => return None,
    })
}

fn compared(stem: &str) -> Option<fn(i128, i128) -> bool> {
    Some(match stem {
        "eq" => |a, b| a == b,
        "neq" => |a, b| a != b,
        "lt" | "ltu" => |a, b| a < b,
        "le" | "leu" => |a, b| a <= b,
        _ => return None,
    })
}

type Flagged = fn(i128, i128) -> (bool, i128);

/// `vb, vt = f(vs, vr)`.
fn flagged(stem: &str) -> Option<Flagged> {
    fn halved(exact: i128) -> (bool, i128) {
        let fits = (-0x8000..0x8000).contains(&exact);
        (!fits, if fits { exact } else { exact.div_euclid(2) })
    }
    Some(match stem {
        "bmax" | "bmaxu" => |a, b| (a > b, if a > b { a } else { b }),
        "bmin" | "bminu" => |a, b| (a < b, if a < b { a } else { b }),
        "babssub" | "babssubu" => |a, b| (a < b, (a - b).abs()),
        "baddnorm" => |a, b| halved(a + b),
        "bsubnorm" => |a, b| halved(a - b),
        _ => return None,
    })
}

pub fn by_lanes(step: &mut Step<'_>, name: &Name<'_>) -> Option<()> {
    let (width, stem) = (name.width, name.stem);
    let shape = Shape { width, signed: !stem.ends_with('u') };
    let lanes = |step: &Step<'_>, role: &str| shape.read(step.vec(role));
    if name.float {
        return None;
    }
    if let Some(state) = stem.strip_prefix("fs").and_then(|rest| rest.strip_suffix("ltu")) {
        let pairs = lanes(step, "vs").into_iter().zip(lanes(step, "vr"));
        let flags: Vec<bool> = pairs.map(|(a, b)| a < b).collect();
        step.state.fs[state.parse::<usize>().ok()?] = predicate(width, &flags);
    } else if let Some(f) = two(stem) {
        let pairs = lanes(step, "vs").into_iter().zip(lanes(step, "vr"));
        let result: Vec<i128> = pairs.map(|(a, b)| f(a, b, shape)).collect();
        step.merge(name, &result);
    } else if let Some(f) = one(stem) {
        let result: Vec<i128> = lanes(step, "vr").into_iter().map(|a| f(a, shape)).collect();
        step.merge(name, &result);
    } else if let Some(f) = compared(stem) {
        let pairs = lanes(step, "vs").into_iter().zip(lanes(step, "vr"));
        let flags: Vec<bool> = pairs.map(|(a, b)| f(a, b)).collect();
        step.merge_flags(name, &flags);
    } else if let Some(f) = flagged(stem) {
        let pairs = lanes(step, "vs").into_iter().zip(lanes(step, "vr"));
        let (flags, result): (Vec<bool>, Vec<i128>) = pairs.map(|(a, b)| f(a, b)).unzip();
        step.set_pred("vbt", predicate(width, &flags));
        step.set_vec("vt", write(width, &result));
    } else if stem == "babs" {
        let values = lanes(step, "vr");
        step.set_pred("vbt", predicate(width, &values.iter().map(|&a| a < 0).collect::<Vec<_>>()));
        step.set_vec("vt", write(width, &values.iter().map(|a| a.abs()).collect::<Vec<_>>()));
    } else if stem == "bxorabssubu" {
        let pairs: Vec<(i128, i128)> = lanes(step, "vs").into_iter().zip(lanes(step, "vr")).collect();
        let old = step.pred("vbt").bits();
        let flags: Vec<bool> = (0..64).map(|k| (old >> k & 1 == 1) != (pairs[k].0 < pairs[k].1)).collect();
        step.set_pred("vbt", predicate(width, &flags));
        step.set_vec("vt", write(width, &pairs.iter().map(|(a, b)| (a - b).abs()).collect::<Vec<_>>()));
    } else if step.call.find("amount").is_some() {
        let stem = stem.strip_suffix('i')?;
        let (values, amount) = (step.unsigned("vr", width), step.imm("amount"));
        let result: Option<Vec<i128>> = values.into_iter().map(|a| shifted(stem, a, amount, shape)).collect();
        step.merge(name, &result?);
    } else {
        let pairs = step
            .unsigned("vr", width)
            .into_iter()
            .zip(step.call.find("vs").map(|_| step.signed("vs", width))?);
        let result: Option<Vec<i128>> = pairs.map(|(a, amount)| shifted(stem, a, amount, shape)).collect();
        step.merge(name, &result?);
    }
    Some(())
}
