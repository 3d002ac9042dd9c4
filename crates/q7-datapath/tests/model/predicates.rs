//! Operations on predicates, bit by bit.

use q7_datapath::{Lane, Pred64, predicate};

use crate::support::{Random, predicate as flags_of, read, truth, write};

const ROUNDS: usize = 200;

fn bit(p: Pred64, k: usize) -> bool {
    p.bits() >> k & 1 == 1
}

fn bits(f: impl Fn(usize) -> bool) -> Pred64 {
    flags_of(8, &(0..64).map(f).collect::<Vec<_>>())
}

#[test]
fn logic_works_on_all_64_bits() {
    let mut random = Random::new(20);
    for _ in 0..ROUNDS {
        let (a, b) = (random.pred(), random.pred());
        assert_eq!(predicate::andb(a, b), bits(|k| bit(a, k) && bit(b, k)));
        assert_eq!(predicate::orb(a, b), bits(|k| bit(a, k) || bit(b, k)));
        assert_eq!(predicate::xorb(a, b), bits(|k| bit(a, k) != bit(b, k)));
        assert_eq!(predicate::andnotb(a, b), bits(|k| bit(a, k) && !bit(b, k)));
        assert_eq!(predicate::ornotb(a, b), bits(|k| bit(a, k) || !bit(b, k)));
        assert_eq!(predicate::notb(a), bits(|k| !bit(a, k)));
        assert_eq!(predicate::mb(a), a);
    }
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(predicate::notb1(a), !a);
        assert_eq!((predicate::andnotb1(a, b), predicate::ornotb1(a, b)), (a && !b, a || !b));
    }
}

#[test]
fn halves_join_and_come_apart() {
    let mut random = Random::new(21);
    for _ in 0..ROUNDS {
        let (high, low) = (random.pred(), random.pred());
        let joined = predicate::joinb(high, low);
        assert_eq!(joined, bits(|k| if k < 32 { bit(low, 2 * k) } else { bit(high, 2 * (k - 32)) }));
        assert_eq!(predicate::extractbl(low), bits(|k| bit(low, k / 2)));
        assert_eq!(predicate::extractbh(low), bits(|k| bit(low, 32 + k / 2)));
        assert_eq!(predicate::extractbl(joined), low.replicated::<u16>());
        assert_eq!(predicate::extractbh(joined), high.replicated::<u16>());
    }
}

fn lane_bits<L: Lane>() {
    let (width, mut random) = (L::BITS, Random::new(22));
    for _ in 0..ROUNDS {
        let (v, pred, k) = (random.vec(width), random.pred(), random.below(80) as u32);
        let lanes = read(width, false, v.bytes());
        let extracted: Vec<bool> = lanes.iter().map(|lane| lane >> (k % width) & 1 == 1).collect();
        assert_eq!(predicate::extbi::<L>(v, k), flags_of(width, &extracted));
        let injected: Vec<i128> = (0..lanes.len())
            .map(|lane| {
                let rest = lanes[lane] & !(1 << (k % width));
                rest | i128::from(truth(pred, width, lane)) << (k % width)
            })
            .collect();
        assert_eq!(predicate::injbi::<L>(v, pred, k), write(width, &injected));
    }
}

#[test]
fn bits_of_lanes() {
    lane_bits::<u8>();
    lane_bits::<u16>();
    lane_bits::<u32>();
}

fn counted<L: Lane>() {
    let lanes = L::LANES as i64;
    for n in (-70..=140).chain([i64::from(i32::MIN), i64::from(i32::MAX)]) {
        let first = |count: i64| flags_of(L::BITS, &(0..lanes).map(|lane| lane < count).collect::<Vec<_>>());
        let register = n as u32;
        assert_eq!(predicate::ltr::<L>(register), first(n.rem_euclid(lanes)), "{n}");
        assert_eq!(predicate::ltrs::<L>(register), first(n), "{n}");
        if n >= 0 {
            assert_eq!(predicate::ltri::<L>(register), first(n), "{n}");
        }
    }
}

#[test]
fn first_lanes() {
    counted::<u8>();
    counted::<u16>();
    counted::<u32>();
}

fn folded<L: Lane>() {
    let mut random = Random::new(23);
    for round in 0..ROUNDS {
        let p = if round % 2 == 0 { predicate::notb(random.pred()) } else { random.pred() };
        let lanes: Vec<bool> = (0..L::LANES).map(|lane| bit(p, lane * 64 / L::LANES)).collect();
        assert_eq!(predicate::randb::<L>(p), lanes.iter().all(|&lane| lane));
        assert_eq!(predicate::rorb::<L>(p), lanes.iter().any(|&lane| lane));
    }
}

#[test]
fn folds_test_the_lowest_bit_of_every_group() {
    folded::<u8>();
    folded::<u16>();
    folded::<u32>();
    assert!(predicate::randb::<u32>(Pred64::from_bits(0x1111_1111_1111_1111)));
    assert!(!predicate::rorb::<u32>(Pred64::from_bits(!0x1111_1111_1111_1111)));
}

#[test]
fn states_fold_bitwise() {
    let mut random = Random::new(24);
    for _ in 0..ROUNDS {
        let fs = [(); 8].map(|()| Pred64::from_bits(random.next() & random.next() & random.next()));
        let any = |k: usize| fs.iter().any(|&state| bit(state, k));
        assert_eq!(predicate::borfs(fs), bits(any));
        assert_eq!(predicate::bnorfs(fs), bits(|k| !any(k)));
    }
}

fn kept<L: Lane>() {
    let mut random = Random::new(25);
    for _ in 0..ROUNDS {
        let (pred, new, old) = (random.pred(), random.pred(), random.pred());
        let group = L::BYTES;
        let expected = bits(|k| if truth(pred, L::BITS, k / group) { bit(new, k) } else { bit(old, k) });
        assert_eq!(predicate::merge_pred::<L>(pred, new, old), expected);
    }
}

#[test]
fn predicated_comparisons_keep_old_groups() {
    kept::<u8>();
    kept::<u16>();
    kept::<u32>();
}
