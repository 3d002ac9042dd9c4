//! Integer reductions.

use q7_datapath::{Lane, Pred64, Sum, Vec512, reduce};

use crate::support::{Random, Shape, predicate, truth, write};

const ROUNDS: usize = 200;

/// The lanes that count.
fn active(shape: Shape, v: Vec512, pred: Pred64) -> Vec<i128> {
    let lanes = shape.read(v).into_iter().enumerate();
    lanes.filter(|&(lane, _)| truth(pred, shape.width, lane)).map(|(_, value)| value).collect()
}

fn sums<L: Sum>() {
    let (shape, total_width, mut random) = (Shape::of::<L>(), L::Total::BITS, Random::new(50));
    for _ in 0..ROUNDS {
        let (v, pred) = (random.vec(shape.width), random.pred());
        let total = |pred| write(total_width, &[active(shape, v, pred).into_iter().sum()]);
        assert_eq!(reduce::radd::<L>(v), total(Pred64::ALL));
        assert_eq!(reduce::raddt::<L>(v, pred), total(pred));
    }
}

#[test]
fn sums_stand_in_lane_zero() {
    sums::<i8>();
    sums::<u8>();
    sums::<i16>();
    sums::<u16>();
    sums::<i32>();
}

#[test]
fn saturating_sum() {
    let (shape, mut random) = (Shape::of::<i16>(), Random::new(51));
    for _ in 0..ROUNDS {
        let (v, pred) = (random.vec(16), random.pred());
        let total = |pred| write(16, &[shape.clamp(active(shape, v, pred).into_iter().sum())]);
        assert_eq!(reduce::radds(v), total(Pred64::ALL));
        assert_eq!(reduce::raddst(v, pred), total(pred));
    }
}

fn extremes<L: Lane>() {
    let (shape, mut random) = (Shape::of::<L>(), Random::new(52));
    let width = shape.width;
    for round in 0..ROUNDS {
        let v = random.vec(width);
        let pred = if round == 0 { Pred64::NONE } else { random.pred() };
        let largest = |pred| active(shape, v, pred).into_iter().max().unwrap_or(shape.lowest());
        let smallest = |pred| active(shape, v, pred).into_iter().min().unwrap_or(shape.highest());
        assert_eq!(reduce::rmax::<L>(v), write(width, &[largest(Pred64::ALL)]));
        assert_eq!(reduce::rmin::<L>(v), write(width, &[smallest(Pred64::ALL)]));
        assert_eq!(reduce::rmaxt::<L>(v, pred), write(width, &[largest(pred)]));
        assert_eq!(reduce::rmint::<L>(v, pred), write(width, &[smallest(pred)]));
        let tied = |value: i128| {
            let lanes = shape.read(v);
            let flags: Vec<bool> = lanes.iter().map(|&lane| lane == value).collect();
            (predicate(width, &flags), write(width, &vec![value; lanes.len()]))
        };
        assert_eq!(reduce::rbmax::<L>(v), tied(largest(Pred64::ALL)));
        assert_eq!(reduce::rbmin::<L>(v), tied(smallest(Pred64::ALL)));
    }
}

#[test]
fn extremes_and_their_lanes() {
    extremes::<i8>();
    extremes::<u8>();
    extremes::<i16>();
    extremes::<u16>();
    extremes::<i32>();
    extremes::<u32>();
}

/// The printed run with a tie (prose in the vector file): every tied lane is flagged, not the first only.
#[test]
fn ties_are_all_flagged() {
    let v = Vec512::ZERO.with_lane(2, 0x200i16).with_lane(9, 0x200i16);
    let (flags, value) = reduce::rbmax::<i16>(v);
    assert_eq!(flags, Pred64::from_bits(3 << 4 | 3 << 18));
    assert_eq!(value, Vec512::splat(0x200i16));
}
