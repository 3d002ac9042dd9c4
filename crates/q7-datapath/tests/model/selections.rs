//! Selection, squeezing and counting.

use q7_datapath::{Lane, Pred64, Vec512, count, select, squeeze};

use crate::support::{Random, read, truth, write};

const ROUNDS: usize = 200;

fn lanes_of(v: Vec512, width: u32) -> Vec<i128> {
    read(width, false, v.bytes())
}

fn selected<L: Lane>() {
    let (width, mut random) = (L::BITS, Random::new(40));
    for _ in 0..ROUNDS {
        let (high, low, control) = (random.vec(8), random.vec(8), random.vec(width));
        let pool: Vec<i128> = [lanes_of(low, width), lanes_of(high, width)].concat();
        let pick = |from: &[i128], index: i128| from[index as usize % from.len()];
        let by = |from: &[i128]| -> Vec<i128> {
            lanes_of(control, width).into_iter().map(|index| pick(from, index)).collect()
        };
        assert_eq!(select::sel::<L>(high, low, control), write(width, &by(&pool)));
        assert_eq!(select::shfl::<L>(low, control), write(width, &by(&lanes_of(low, width))));
    }
}

#[test]
fn control_lanes_are_masked() {
    selected::<u8>();
    selected::<u16>();
    selected::<u32>();
}

fn dual<L: Lane>() {
    let (width, mut random) = (L::BITS, Random::new(41));
    for _ in 0..ROUNDS {
        let (high, low, control, pred) = (random.vec(8), random.vec(8), random.vec(width), random.pred());
        let old = (random.vec(width), random.vec(width));
        let pool: Vec<i128> = [lanes_of(low, width), lanes_of(high, width)].concat();
        let by = |byte: u32| -> Vec<i128> {
            let index = |lane: i128| (lane >> (8 * byte) & 0xff) as usize % pool.len();
            lanes_of(control, width).into_iter().map(|lane| pool[index(lane)]).collect()
        };
        let (vu, vt) = (by(1), by(0));
        assert_eq!(select::dsel::<L>(high, low, control), (write(width, &vu), write(width, &vt)));
        let gated = |new: &[i128], old: Vec512, part: usize| -> Vec512 {
            let group = width as usize / 8;
            let on = |k: usize| pred.bits() >> (k * group + part * group / 2) & 1 == 1;
            let old = lanes_of(old, width);
            write(width, &(0..new.len()).map(|k| if on(k) { new[k] } else { old[k] }).collect::<Vec<_>>())
        };
        let expected = (gated(&vu, old.0, 1), gated(&vt, old.1, 0));
        assert_eq!(select::dselt::<L>(high, low, control, pred, old), expected);
    }
}

#[test]
fn dual_selects_split_control_and_predicate() {
    dual::<u16>();
    dual::<u32>();
}

/// The three-channel interleave of public kernels as replayed in the reference: one bit pair per lane, `vt` written
/// everywhere, `vu` in the upper half only.
#[test]
fn dual_select_under_the_public_mask() {
    let (high, low, control) = (Vec512::splat(1u16), Vec512::splat(2u16), Vec512::ZERO);
    let mask = Pred64::from_bits(0xffff_ffff_5555_5555);
    let (vu, vt) = select::dselt::<u16>(high, low, control, mask, (Vec512::ZERO, Vec512::ZERO));
    assert_eq!(vt, Vec512::splat(2u16));
    assert_eq!(vu, Vec512::from_fn(|lane| if lane < 16 { 0 } else { 2u16 }));
}

#[test]
fn known_patterns_interleave() {
    let (high, low) = (Vec512::from_fn(|k| 100 + k as u8), Vec512::from_fn(|k| k as u8));
    let select = |number| select::seli(number).map(|control| select::sel::<u8>(high, low, control));
    for (number, width, upper) in [(32, 16, 0), (33, 16, 1), (59, 8, 0), (60, 8, 1)] {
        let (high, low) = (lanes_of(high, width), lanes_of(low, width));
        let start = upper * low.len() / 2;
        let expected: Vec<i128> = (start..start + low.len() / 2).flat_map(|k| [low[k], high[k]]).collect();
        assert_eq!(select(number), Some(write(width, &expected)), "{number}");
    }
    for number in (0..128).filter(|number| ![32, 33, 59, 60].contains(number)) {
        assert_eq!(select::seli(number), None);
    }
    assert!((0..128).all(|number| select::shfli(number).is_none() && select::dseli(number).is_none()));
    let halves = select::upper_half(Vec512::ONES, Vec512::ZERO);
    assert_eq!(
        lanes_of(halves, 64),
        [0, 0, 0, 0].into_iter().chain([u64::MAX.into(); 4]).collect::<Vec<i128>>()
    );
}

#[test]
fn decompression_fills_with_the_last_byte() {
    let mut random = Random::new(42);
    for _ in 0..ROUNDS {
        let (v, pred) = (random.vec(8), random.pred());
        let expected: Vec<i128> = (0..64)
            .map(|k| {
                let below = (0..k).filter(|&j| truth(pred, 8, j)).count();
                v.bytes()[if truth(pred, 8, k) { below } else { 63 }].into()
            })
            .collect();
        assert_eq!(select::dcmprs(v, pred), write(8, &expected));
    }
}

fn squeezed<L: Lane>() {
    let (width, mut random) = (L::BITS, Random::new(43));
    for _ in 0..ROUNDS {
        let pred = random.pred();
        let holds: Vec<usize> = (0..L::LANES).filter(|&lane| truth(pred, width, lane)).collect();
        let ones = (0..64).filter(|k| pred.bits() >> k & 1 == 1).count() as u32;
        let mut packed = vec![0; L::LANES];
        let mut spread = vec![0; L::LANES];
        for (position, &lane) in holds.iter().enumerate() {
            packed[position] = lane as i128;
            spread[lane] = position as i128;
        }
        assert_eq!(squeeze::sqz::<L>(pred), (write(width, &packed), ones));
        assert_eq!(squeeze::unsqz::<L>(pred), (write(width, &spread), ones));
    }
}

#[test]
fn true_lanes_pack_and_spread() {
    squeezed::<u8>();
    squeezed::<u16>();
    squeezed::<u32>();
}

/// The use the pair is made for: what SQZ packs with SHFL, UNSQZ puts back.
#[test]
fn patterns_undo_each_other() {
    let mut random = Random::new(44);
    for _ in 0..ROUNDS {
        let (v, pred) = (random.vec(16), random.pred());
        let packed = select::shfl::<u16>(v, squeeze::sqz::<u16>(pred).0);
        let spread = select::shfl::<u16>(packed, squeeze::unsqz::<u16>(pred).0);
        for lane in (0..32).filter(|&lane| truth(pred, 16, lane)) {
            assert_eq!(spread.lane::<u16>(lane), v.lane::<u16>(lane));
        }
    }
}

#[test]
fn histograms() {
    let mut random = Random::new(45);
    for round in 0..ROUNDS {
        let (mut vs, vr, vbs, vbr) = (random.vec(8), random.vec(8), random.pred(), random.pred());
        let ar = random.next() as u32;
        if round % 8 == 0 {
            // All in one bin, mostly of the block that is counted.
            vs = Vec512::splat((32 * (ar % 8) + random.below(36) as u32) as u8);
        }
        let counted = |wanted: &dyn Fn(u8, u32) -> bool| -> Vec<i128> {
            (0..32)
                .map(|lane| {
                    let bin = 32 * (ar % 8) + lane;
                    let hits = |v: Vec512, gate: Pred64| {
                        (0..64).filter(|&k| truth(gate, 8, k) && wanted(v.bytes()[k], bin)).count()
                    };
                    (hits(vs, vbs) + hits(vr, vbr)) as i128
                })
                .collect()
        };
        let next = (ar % 8 + 1) % 8;
        let equal = counted(&|byte, bin| u32::from(byte) == bin);
        assert_eq!(count::counteq(vs, vr, vbs, vbr, ar), (write(16, &equal), next));
        let at_most = counted(&|byte, bin| u32::from(byte) <= bin);
        assert_eq!(count::countle(vs, vr, vbs, vbr, ar), (write(16, &at_most), next));
    }
}
