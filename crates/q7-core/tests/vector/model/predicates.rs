//! Operations on vbools and booleans, bit by bit.

use q7_datapath::Pred64;

use super::Step;
use crate::support::{predicate, read, truth, write};

/// The vbool with these bits.
fn bits(bit: impl Fn(usize) -> bool) -> Pred64 {
    Pred64::from_bits((0..64).map(|k| u64::from(bit(k)) << k).sum())
}

fn bit(pred: Pred64, k: usize) -> bool {
    pred.bits() >> k & 1 == 1
}

/// Bits of a lane by the suffix that says how many lanes there are.
fn width_of(suffix: &str) -> Option<u32> {
    Some(match suffix {
        "2n" | "2nx8" => 8,
        "n" | "nx16" => 16,
        "n_2" | "n_2x32" => 32,
        _ => return None,
    })
}

/// The lowest lanes.
fn lowest(width: u32, count: i64) -> Pred64 {
    predicate(width, &(0..512 / i64::from(width)).map(|lane| lane < count).collect::<Vec<_>>())
}

fn logic(name: &str) -> Option<fn(bool, bool) -> bool> {
    Some(match name {
        "andb" => |a, b| a && b,
        "orb" => |a, b| a || b,
        "xorb" => |a, b| a != b,
        "andnotb" | "andnotb1" => |a, b| a && !b,
        "ornotb" | "ornotb1" => |a, b| a || !b,
        _ => return None,
    })
}

pub fn by_name(step: &mut Step<'_>, name: &str) -> Option<()> {
    if let Some(f) = logic(name) {
        if name.ends_with('1') {
            step.set_boolean("bt", f(step.boolean("br"), step.boolean("bs")));
        } else {
            let (a, b) = (step.pred("vbr"), step.pred("vbs"));
            step.set_pred("vbt", bits(|k| f(bit(a, k), bit(b, k))));
        }
        return Some(());
    }
    match name {
        "notb" => step.set_pred("vbt", Pred64::from_bits(!step.pred("vbr").bits())),
        "mb" => step.set_pred("vbt", step.pred("vbr")),
        "notb1" => step.set_boolean("bt", !step.boolean("br")),
        // Even bits of the two, the first one in the upper half.
        "joinb" => {
            let (high, low) = (step.pred("vbr"), step.pred("vbs"));
            step.set_pred("vbt", bits(|k| if k < 32 { bit(low, 2 * k) } else { bit(high, 2 * (k - 32)) }));
        }
        "extractbl" | "extractbh" => {
            let (source, from) = (step.pred("vbr"), if name.ends_with('h') { 32 } else { 0 });
            step.set_pred("vbt", bits(|k| bit(source, from + k / 2)));
        }
        "borfs2n" | "bnorfs2n" => {
            let (fs, inverted) = (step.state.fs, name.starts_with("bn"));
            step.set_pred("vbt", bits(|k| fs.iter().any(|&state| bit(state, k)) != inverted));
        }
        _ => return by_suffix(step, name),
    }
    Some(())
}

fn by_suffix(step: &mut Step<'_>, name: &str) -> Option<()> {
    let operation = |prefix: &str| name.strip_prefix(prefix).and_then(width_of);
    if let Some(width) = operation("randb") {
        let pred = step.pred("vbr");
        step.set_boolean("bt", (0..512 / width as usize).all(|lane| truth(pred, width, lane)));
    } else if let Some(width) = operation("rorb") {
        let pred = step.pred("vbr");
        step.set_boolean("bt", (0..512 / width as usize).any(|lane| truth(pred, width, lane)));
    } else if let Some(width) = operation("ltrs") {
        step.set_pred("vbt", lowest(width, i64::from(step.ar("ars") as i32)));
    } else if let Some(width) = operation("ltr") {
        step.set_pred("vbt", lowest(width, i64::from(step.ar("ars") % (512 / width))));
    } else if let Some(width) = name.strip_prefix("ltr").and_then(|rest| width_of(rest.strip_suffix('i')?)) {
        step.set_pred("vbt", lowest(width, i64::from(step.call.get("count"))));
    } else if let Some(width) = operation("extbi") {
        let position = step.imm("bit") % i128::from(width);
        let flags: Vec<bool> =
            step.unsigned("vr", width).iter().map(|lane| lane >> position & 1 == 1).collect();
        step.set_pred("vbt", predicate(width, &flags));
    } else if let Some(width) = operation("injbi") {
        // The field can be wider than the lane in some slots.
        let (position, pred) = (step.imm("bit") % i128::from(width), step.pred("vbr"));
        let old = read(width, false, step.vec("vt").bytes());
        let set = |(lane, old): (usize, i128)| {
            let rest = old - (old & 1 << position);
            rest + if truth(pred, width, lane) { 1 << position } else { 0 }
        };
        let lanes: Vec<i128> = old.into_iter().enumerate().map(set).collect();
        step.set_vec("vt", write(width, &lanes));
    } else {
        return None;
    }
    Some(())
}
