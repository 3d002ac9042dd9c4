//! Selection and permutation of lanes, squeeze patterns.

use q7_datapath::Vec512;

use super::name::Name;
use super::{Outcome, Step};
use crate::support::{read, truth, write};

/// Low lanes from `vr`, high lanes from `vs`.
fn pool(step: &Step<'_>, width: u32) -> Vec<i128> {
    [step.unsigned("vr", width), step.unsigned("vs", width)].concat()
}

/// Selections by a pattern number; published are only the interleaves 32, 33 (16-bit) and 59, 60 (8-bit).
pub fn pattern(step: &mut Step<'_>, name: &str) -> Option<Outcome> {
    let number = step.call.find("pattern")?;
    let (width, half) = match number {
        32 => (16, 0),
        33 => (16, 1),
        59 => (8, 0),
        60 => (8, 1),
        _ => return Some(Outcome::Unknown),
    };
    if !name.starts_with("sel2nx8i") {
        return Some(Outcome::Unknown);
    }
    let (low, high) = (step.unsigned("vr", width), step.unsigned("vs", width));
    let start = half * low.len() / 2;
    let lanes: Vec<i128> = (start..start + low.len() / 2).flat_map(|k| [low[k], high[k]]).collect();
    step.set_vec("vt", write(width, &lanes));
    Some(Outcome::Done)
}

pub fn by_name(step: &mut Step<'_>, name: &str) -> Option<()> {
    match name {
        // A false byte takes the last one of the source.
        "dcmprs2nx8" => {
            let (bytes, pred) = (*step.vec("vr").bytes(), step.pred("vbr"));
            let mut next = bytes.iter();
            let lane = |k: usize| if truth(pred, 8, k) { next.next() } else { bytes.last() };
            let lanes: Vec<i128> = (0..64).map(lane).map(|byte| i128::from(*byte.unwrap())).collect();
            step.set_vec("vt", write(8, &lanes));
        }
        "sqz2n" | "unsqz2n" => squeeze(step, name, 8),
        "sqzn" | "unsqzn" => squeeze(step, name, 16),
        "sqzn_2" | "unsqzn_2" => squeeze(step, name, 32),
        _ => return by_lanes(step, &Name::parse(name)?),
    }
    Some(())
}

fn by_lanes(step: &mut Step<'_>, name: &Name<'_>) -> Option<()> {
    let width = name.width;
    match name.stem {
        "sel" => {
            let pool = pool(step, width);
            let control = step.unsigned("sr", width);
            let lanes: Vec<i128> = control.iter().map(|&index| pool[index as usize % pool.len()]).collect();
            step.merge(name, &lanes);
        }
        "shfl" => {
            let (source, control) = (step.unsigned("vr", width), step.unsigned("sr", width));
            let lanes: Vec<i128> =
                control.iter().map(|&index| source[index as usize % source.len()]).collect();
            step.set_vec("vt", write(width, &lanes));
        }
        "dsel" => {
            let (first, second) = (dual(step, name, 1, "vu"), dual(step, name, 0, "vt"));
            step.set_vec("vu", first);
            step.set_vec("vt", second);
        }
        _ => return None,
    }
    Some(())
}

/// One output of DSEL: byte `part` of each control lane selects; in predicated forms the bit in the middle of
/// the group gates the first output, the lowest one the second.
fn dual(step: &Step<'_>, name: &Name<'_>, part: usize, role: &str) -> Vec512 {
    let (width, bytes) = (name.width, name.width as usize / 8);
    let (pool, old) = (pool(step, width), read(width, false, step.vec(role).bytes()));
    let control = *step.vec("sr").bytes();
    let lane = |k: usize| {
        let index = usize::from(control[k * bytes + part]) % pool.len();
        let gate = k * bytes + part * bytes / 2;
        if !name.predicated || step.pred("vbr").bits() >> gate & 1 == 1 { pool[index] } else { old[k] }
    };
    write(width, &(0..old.len()).map(lane).collect::<Vec<_>>())
}

/// SQZ: numbers of the true lanes, packed. UNSQZ: for each true lane how many there are below.
fn squeeze(step: &mut Step<'_>, name: &str, width: u32) {
    let (pred, count) = (step.pred("vbr"), 512 / width as usize);
    let holds: Vec<usize> = (0..count).filter(|&lane| truth(pred, width, lane)).collect();
    let mut lanes = vec![0; count];
    for (position, &lane) in holds.iter().enumerate() {
        let (at, value) = if name.starts_with("un") { (lane, position) } else { (position, lane) };
        lanes[at] = value as i128;
    }
    step.set_vec("vt", write(width, &lanes));
    step.set_ar("art", (0..64).filter(|k| pred.bits() >> k & 1 == 1).count() as u32);
}
