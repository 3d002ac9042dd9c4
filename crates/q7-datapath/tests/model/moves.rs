//! Moves, replication and extraction.

use q7_datapath::{Lane, Pr64, Pred64, Vec512, control, moves, replicate};

use crate::support::{Random, read, truth, write};

const ROUNDS: usize = 200;

#[test]
fn registers_to_lanes_and_back() {
    let mut random = Random::new(30);
    for _ in 0..ROUNDS {
        let (ar, v) = (random.next() as u32, random.vec(16));
        let all = |width: u32| write(width, &vec![ar.into(); 64]);
        assert_eq!((moves::movva::<u8>(ar), moves::movva::<u16>(ar)), (all(8), all(16)));
        assert_eq!((moves::movva::<u32>(ar), moves::movvint::<i16>(ar as i32)), (all(32), all(16)));
        let lane = |width, signed| read(width, signed, v.bytes())[0] as u32;
        assert_eq!((moves::movav::<i8>(v), moves::movav::<u8>(v)), (lane(8, true), lane(8, false)));
        assert_eq!((moves::movav::<i16>(v), moves::movav::<u16>(v)), (lane(16, true), lane(16, false)));
        assert_eq!(moves::movav::<u32>(v), lane(32, false));
        assert_eq!(moves::movpra32(ar).bits() as i64, i64::from(ar as i32));
        assert_eq!(moves::movvpr(Pr64::from_bits(7 << 40)), write(64, &[7 << 40]));
        assert_eq!((moves::movba1(ar), moves::movab1(ar % 2 == 1)), (ar % 2 == 1, ar % 2));
    }
    let numbers: Vec<i128> = (0..32).map(|lane| lane - 3).collect();
    assert_eq!(moves::movvinx16(-3), write(16, &numbers));
}

#[test]
fn half_lane_moves_and_predicated_moves() {
    let mut random = Random::new(31);
    for _ in 0..ROUNDS {
        let (old, b, pred, value) = (random.vec(16), random.vec(16), random.pred(), random.next() as u32);
        let old_lanes = read(16, false, old.bytes());
        let placed = |odd: usize| -> Vec<i128> {
            old_lanes
                .iter()
                .enumerate()
                .map(|(k, &old)| if k % 2 == odd { value.into() } else { old })
                .collect()
        };
        assert_eq!(moves::movp16(old, value), write(16, &placed(0)));
        assert_eq!(moves::movq16(old, value), write(16, &placed(1)));
        let bytes = |k: usize| if truth(pred, 8, k) { b.bytes()[k] } else { old.bytes()[k] };
        assert_eq!(moves::movt::<u8>(b, old, pred), Vec512::from_fn(bytes));
    }
}

#[test]
fn states_are_bit_planes_of_the_bytes() {
    let mut random = Random::new(32);
    for _ in 0..ROUNDS {
        let v = random.vec(8);
        let fs = moves::movfsv(v);
        for (n, state) in fs.iter().enumerate() {
            for k in 0..64 {
                assert_eq!(state.lane::<u8>(k), v.bytes()[k] >> n & 1 == 1);
            }
        }
        assert_eq!(moves::movvfs(fs), v);
    }
    // The two printed probes: bits 7 and 14 of word 0.
    let probe = |bit: u32| moves::movfsv(Vec512::lane_zero(1u32 << bit));
    assert_eq!((probe(7)[7], probe(14)[6]), (Pred64::from_bits(1), Pred64::from_bits(2)));
    assert_eq!(probe(7)[..7], [Pred64::NONE; 7]);
}

fn picked<L: Lane>() {
    let (width, mut random) = (L::BITS, Random::new(33));
    for _ in 0..ROUNDS {
        let (v, k) = (random.vec(width), random.below(200));
        let unsigned = read(width, false, v.bytes());
        let chosen = unsigned[k as usize % unsigned.len()];
        assert_eq!(replicate::rep::<L>(v, k as u32), write(width, &vec![chosen; unsigned.len()]));
        let signed = read(width, L::MIN != L::ZERO, v.bytes())[k as usize % unsigned.len()];
        assert_eq!(replicate::extr::<L>(v, k as u32), signed as u32);
        assert_eq!(replicate::extrpr::<L::Unsigned>(v, k as u32).bits(), chosen as u64);
    }
}

#[test]
fn lanes_by_number() {
    picked::<u8>();
    picked::<i16>();
    picked::<u32>();
    picked::<u64>();
    let mut random = Random::new(34);
    for _ in 0..ROUNDS {
        let (a, b) = (random.vec(32), random.vec(32));
        let (j, k) = (random.below(40) as u32, random.below(40) as u32);
        let lane = |v: Vec512, k: u32| read(32, false, v.bytes())[k as usize % 16] as u32;
        let both = replicate::dextrpr(a, b, j, k);
        assert_eq!((both.high(), both.low()), (lane(a, j), lane(b, k)));
        assert_eq!(replicate::extrprvr(a, j).bits(), lane(a, j).into());
    }
}

#[test]
fn byte_windows() {
    let v = Vec512::from_fn(|k| 0x40 + k as u8);
    for index in (0..70).chain([0x80, 0x8000_0000, u32::MAX]) {
        let byte = |k: u32| if u64::from(index) + u64::from(k) < 64 { 0x40 + index + k } else { 0 };
        let expected = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
        assert_eq!(replicate::extrvr(v, index), expected, "{index:#x}");
    }
}

#[test]
fn control_words() {
    for fcr in 0..0x80 {
        for fsr in 0..0x20 {
            let v = moves::movva::<u32>(0).with_lane(3, 5u32);
            assert_eq!(control::movscfv(v), (0, 0));
            assert_eq!(control::movscfv(control::movvscf(fcr, fsr)), (fcr, fsr));
        }
    }
    assert_eq!((control::wur_fcr(!0), control::wur_fsr(!0)), (0x7f, 0x1f));
    // Printed positions: Inexact flag 14, rounding mode 9:8, Inexact enable 6, Invalid enable 2.
    assert_eq!(control::movvscf(0, 1 << 4).lane::<u32>(0), 1 << 14);
    assert_eq!(control::movvscf(3, 0).lane::<u32>(0), 3 << 8);
    assert_eq!(control::movvscf(1 << 6 | 1 << 2, 1).lane::<u32>(0), 1 << 10 | 1 << 6 | 1 << 2);
    assert_eq!(control::movvscf(!0, !0), write(32, &[0x7f7c]));
}
