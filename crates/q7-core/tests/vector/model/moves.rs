//! Moves, replication and extraction, control words, counts.

use q7_datapath::Vec512;

use super::Step;
use super::name::Name;
use crate::support::{read, truth, write};

pub fn by_name(step: &mut Step<'_>, name: &str) -> Option<()> {
    match name {
        "movvv" => step.set_vec("vt", step.vec("vr")),
        "movww" => {
            let (to, from) = (step.register("wvt"), step.register("wvr"));
            step.state.wvec[to] = step.state.wvec[from];
        }
        "movprpr" => set_pr(step, step.state.pr[step.register("prr")]),
        "movpra32" => set_pr(step, i64::from(step.ar("ars") as i32) as u64),
        "movvpr" => step.set_vec("vt", write(64, &[step.state.pr[step.register("prr")].into()])),
        "movva8" | "movva16" | "movva32" => {
            step.set_vec("vt", write(name[5..].parse().ok()?, &[step.ar("art").into(); 64]));
        }
        "movav8" | "movav16" | "movav32" => {
            step.set_ar("art", step.signed("vr", name[5..].parse().ok()?)[0] as u32);
        }
        "movavu8" | "movavu16" => step.set_ar("art", step.unsigned("vr", name[6..].parse().ok()?)[0] as u32),
        "movvint8" | "movvint16" => {
            step.set_vec("vt", write(name[7..].parse().ok()?, &[step.imm("imm"); 64]));
        }
        "movvinx16" => {
            let first = step.imm("imm");
            step.set_vec("vt", write(16, &(0..32).map(|lane| first + lane).collect::<Vec<_>>()));
        }
        "movpa16" | "movqa16" => half_lanes(step, name, i128::from(step.ar("art"))),
        "movpint16" | "movqint16" => half_lanes(step, name, step.imm("imm")),
        "mov2nx8t" => {
            let (pred, yes, no) = (step.pred("vbr"), step.vec("vs"), step.vec("vr"));
            step.set_vec("vt", chosen(8, |lane| truth(pred, 8, lane), yes, no));
        }
        "movnx16t" => {
            let (pred, yes, no) = (step.pred("vbr"), step.vec("vr"), step.vec("vt"));
            step.set_vec("vt", chosen(16, |lane| truth(pred, 16, lane), yes, no));
        }
        "movab1" => step.set_ar("art", step.boolean("bs").into()),
        "movba1" => step.set_boolean("bt", step.ar("ars") % 2 == 1),
        "movfsv" => {
            let bytes = *step.vec("vr").bytes();
            for (n, state) in step.state.fs.iter_mut().enumerate() {
                let bits = (0..64).map(|k| u64::from(bytes[k] >> n & 1) << k).sum();
                *state = q7_datapath::Pred64::from_bits(bits);
            }
        }
        "movvfs" => {
            let fs = step.state.fs;
            let byte = |k: usize| (0..8).map(|n| i128::from(truth(fs[n], 8, k)) << n).sum();
            step.set_vec("vt", write(8, &(0..64).map(byte).collect::<Vec<_>>()));
        }
        // Flags in 14:10, rounding mode in 9:8, enables in 6:2.
        "movvscf" => {
            let (fcr, fsr) = (i128::from(step.state.fcr), i128::from(step.state.fsr));
            step.set_vec("vt", write(32, &[fsr * 1024 + fcr % 4 * 256 + fcr / 4 * 4]));
        }
        "movscfv" => {
            let word = step.unsigned("vr", 32)[0] as u32;
            step.state.fcr = word / 256 % 4 + word / 4 % 32 * 4;
            step.state.fsr = word / 1024 % 32;
        }
        "rur.fcr" => step.set_ar("art", step.state.fcr),
        "rur.fsr" => step.set_ar("art", step.state.fsr),
        "wur.fcr" => step.state.fcr = step.ar("art") % 128,
        "wur.fsr" => step.state.fsr = step.ar("art") % 32,
        "addmod16u" => {
            let (a, b) = (step.ar("ars"), step.ar("art"));
            let (sum, modulus) = (a % 65536 + b % 65536, b / 65536);
            let reduced = if modulus != 0 && sum >= modulus { sum - modulus } else { sum };
            step.set_ar("arr", reduced % 65536);
        }
        "extrvrn_2x32" => {
            let (bytes, index) = (*step.vec("vs").bytes(), step.ar("ars") as usize);
            let byte = |k: usize| u32::from(*bytes.get(index + k).unwrap_or(&0));
            step.set_ar("art", (0..4).map(|k| byte(k) << (8 * k)).sum());
        }
        "extrprvrn_2x32" => {
            let lane = step.ar("ars") as usize % 16;
            set_pr(step, step.unsigned("vs", 32)[lane] as u64);
        }
        "extrpr64n_4x64" => extract_pr(step, 64),
        "dextrprn_2x32" => {
            let high = step.unsigned("vs", 32)[step.imm("lane_high") as usize];
            let low = step.unsigned("vr", 32)[step.imm("lane_low") as usize];
            set_pr(step, (high << 32 | low) as u64);
        }
        _ if name.starts_with("count") => histogram(step, name),
        _ => return by_lanes(step, &Name::parse(name)?),
    }
    Some(())
}

fn by_lanes(step: &mut Step<'_>, name: &Name<'_>) -> Option<()> {
    match name.stem {
        "rep" => {
            let lanes = step.unsigned("vs", name.width);
            let all = vec![lanes[step.imm("lane") as usize]; lanes.len()];
            step.merge(name, &all);
        }
        // 16-bit lanes are sign-extended, bytes are not.
        "extr" => {
            let lanes = read(name.width, name.width == 16, step.vec("vs").bytes());
            step.set_ar("art", lanes[step.imm("lane") as usize] as u32);
        }
        "extrpr" => extract_pr(step, name.width),
        _ => return None,
    }
    Some(())
}

fn set_pr(step: &mut Step<'_>, value: u64) {
    let register = step.register("prt");
    step.state.pr[register] = value;
}

fn extract_pr(step: &mut Step<'_>, width: u32) {
    let lane = step.imm("lane") as usize;
    set_pr(step, step.unsigned("vs", width)[lane] as u64);
}

fn chosen(width: u32, condition: impl Fn(usize) -> bool, yes: Vec512, no: Vec512) -> Vec512 {
    let (yes, no) = (read(width, false, yes.bytes()), read(width, false, no.bytes()));
    let lanes: Vec<i128> =
        (0..yes.len()).map(|lane| if condition(lane) { yes[lane] } else { no[lane] }).collect();
    write(width, &lanes)
}

/// MOVP: the even 16-bit lanes; MOVQ: the odd ones.
fn half_lanes(step: &mut Step<'_>, name: &str, value: i128) {
    let parity = usize::from(name.starts_with("movq"));
    let (old, all) = (step.vec("vt"), write(16, &[value; 32]));
    step.set_vec("vt", chosen(16, |lane| lane % 2 == parity, all, old));
}

/// COUNTEQ, COUNTLE: bytes equal to (or up to) the number of each 16-bit lane in a block of 32 bins.
fn histogram(step: &mut Step<'_>, name: &str) {
    let kind = name.trim_end_matches("4nx8");
    let block = if kind.ends_with('z') { 0 } else { step.ar("ars") % 8 };
    let masked = kind.contains('m');
    let sources = [("vs", "vbs"), ("vr", "vbr")].map(|(bytes, gate)| {
        let gate = if masked { step.pred(gate).bits() } else { u64::MAX };
        (*step.vec(bytes).bytes(), gate)
    });
    let count = |bin: u32| {
        let hit =
            |byte: u8| if kind.contains("le") { u32::from(byte) <= bin } else { u32::from(byte) == bin };
        let hits =
            |(bytes, gate): ([u8; 64], u64)| (0..64).filter(|&k| gate >> k & 1 == 1 && hit(bytes[k])).count();
        sources.into_iter().map(hits).sum::<usize>() as i128
    };
    let lanes: Vec<i128> = (0..32).map(|lane| count(32 * block + lane)).collect();
    step.set_vec("vt", write(16, &lanes));
    step.set_ar("ars", (block + 1) % 8);
}
