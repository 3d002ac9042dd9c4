//! Integer reductions: the result stands in lane 0 at its own width, the rest is zero.

use super::Step;
use super::name::Name;
use crate::support::{Shape, predicate, write};

pub fn by_lanes(step: &mut Step<'_>, name: &Name<'_>) -> Option<()> {
    let width = name.width;
    let shape = Shape { width, signed: !name.stem.ends_with('u') };
    if name.float
        || !["radd", "rmax", "rmin", "rbmax", "rbmin"].iter().any(|stem| name.stem.starts_with(stem))
    {
        return None;
    }
    let (lanes, active) = (shape.read(step.vec("vr")), step.active(name));
    let counted = lanes.iter().zip(&active).filter(|(_, active)| **active).map(|(&lane, _)| lane);
    let (result_width, result) = match name.stem {
        // The sum of 8- and 16-bit lanes has twice their width.
        "radd" | "raddu" => (32.min(2 * width), counted.sum()),
        "radds" => (width, shape.clamp(counted.sum())),
        "rmax" | "rmaxu" | "rbmax" | "rbmaxu" => (width, counted.max().unwrap_or(shape.lowest())),
        "rmin" | "rminu" | "rbmin" | "rbminu" => (width, counted.min().unwrap_or(shape.highest())),
        _ => return None,
    };
    if name.stem.starts_with("rb") {
        let tied: Vec<bool> = lanes.iter().map(|&lane| lane == result).collect();
        step.set_pred("vbt", predicate(width, &tied));
        step.set_vec("vt", write(width, &vec![result; lanes.len()]));
    } else {
        step.set_vec("vt", write(result_width, &[result]));
    }
    Some(())
}
