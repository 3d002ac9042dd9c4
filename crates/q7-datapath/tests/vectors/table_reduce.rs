//! Reductions.

use q7_datapath::{F16, F32, Float, FpFlags, Lane, Pred64, Sum, Vec512, reduce, reduce_float};

use crate::row::{Produced, Row};
use crate::table::{Table, view};

pub fn register(t: &mut Table) {
    sum::<i8>(t, "radd");
    sum::<u8>(t, "raddu");
    sum::<i16>(t, "radd");
    sum::<u16>(t, "raddu");
    sum::<i32>(t, "radd");
    // The name under which one page states the rule for no lane.
    t.add("radd_t", |row| {
        let total = reduce::raddt::<i16>(masked_operand::<i16>(row)?, row.pred::<i16>("keep")?);
        Ok(Produced::word("out", total.lane::<u32>(0)))
    });
    narrow(t, "radds_nx16_16_512", reduce::radds, reduce::raddst);
    extremes::<i8>(t, "");
    extremes::<u8>(t, "u");
    extremes::<i16>(t, "");
    extremes::<u16>(t, "u");
    extremes::<i32>(t, "");
    extremes::<u32>(t, "u");
    float::<F16>(t, "nx16f");
    float::<F32>(t, "n_2x32f");
}

/// A masked row may leave its data unstated.
fn masked_operand<L: Lane>(row: &Row) -> Result<Vec512, String> {
    // Values whose sum and extremes are not those of no lane.
    let some = Vec512::splat(L::truncated(0x5a5a_5a5a));
    if row.has("a") || row.has("a[0]") { row.vec::<L>("a") } else { Ok(some) }
}

fn sum<L: Sum>(t: &mut Table, op: &str) {
    let name = format!("{op}_{}_{}_512", view::<L>(), L::Total::BITS);
    t.add(name.clone(), |row| {
        let total = reduce::radd::<L>(row.vec::<L>("a")?).lane::<<L::Total as Lane>::Unsigned>(0);
        Ok(Produced::word("out", total.extended()))
    });
    t.add(format!("{name}_t"), |row| {
        let total = reduce::raddt::<L>(masked_operand::<L>(row)?, row.pred::<L>("keep")?);
        Ok(Produced::word("out", total.lane::<<L::Total as Lane>::Unsigned>(0).extended()))
    });
}

fn narrow(t: &mut Table, name: &str, f: fn(Vec512) -> Vec512, masked: fn(Vec512, Pred64) -> Vec512) {
    t.add(name, move |row| Ok(Produced::word("out", f(row.vec::<i16>("a")?).lane::<u16>(0))));
    t.add(format!("{name}_t"), move |row| {
        let total = masked(masked_operand::<i16>(row)?, row.pred::<i16>("keep")?);
        Ok(Produced::word("out", total.lane::<u16>(0)))
    });
}

fn extremes<L: Lane>(t: &mut Table, sign: &str) {
    let (view, w) = (view::<L>(), L::BITS);
    let first = |v: Vec512| v.lane::<L::Unsigned>(0).extended();
    for (op, f, masked, flagged) in [
        (
            "max",
            reduce::rmax::<L> as fn(Vec512) -> Vec512,
            reduce::rmaxt::<L> as fn(Vec512, Pred64) -> Vec512,
            reduce::rbmax::<L> as fn(Vec512) -> (Pred64, Vec512),
        ),
        ("min", reduce::rmin::<L>, reduce::rmint::<L>, reduce::rbmin::<L>),
    ] {
        t.add(format!("r{op}{sign}_{view}_{w}_512"), move |row| {
            Ok(Produced::word("out", first(f(row.vec::<L>("a")?))))
        });
        t.add(format!("r{op}{sign}_{view}_{w}_512_t"), move |row| {
            Ok(Produced::word("out", first(masked(masked_operand::<L>(row)?, row.pred::<L>("keep")?))))
        });
        t.add(format!("rb{op}{sign}_{view}_64_512_512"), move |row| {
            let (flags, value) = flagged(row.vec::<L>("a")?);
            let one_per_lane = (0..L::LANES).fold(0u64, |bits, k| bits | u64::from(flags.lane::<L>(k)) << k);
            Ok(Produced::vec::<L>("out", value)
                .and_vec::<L>("value", value)
                .and_pred::<L>("pred", flags)
                .and_pred::<L>("vb", flags)
                .and_word("flag_lanes", one_per_lane))
        });
        // The fold step: the lanes that the row does not list must not win.
        t.add(format!("rb{op}{sign}_{w}"), move |row| {
            let listed = row.list("a")?;
            let loser = if op == "max" { L::MIN } else { L::MAX };
            let v = Vec512::from_fn(|k| listed.get(k).map_or(loser, |&bits| L::truncated(bits)));
            let (flags, value) = flagged(v);
            let one_per_lane = (0..L::LANES).fold(0u64, |bits, k| bits | u64::from(flags.lane::<L>(k)) << k);
            Ok(Produced::word("out", first(value)).and_word("flag_lanes", one_per_lane))
        });
    }
}

type Number = fn(Vec512, Pred64) -> (Vec512, FpFlags);
type Flagged = fn(Vec512, Pred64) -> (Pred64, Vec512, FpFlags);

fn float<F: Float>(t: &mut Table, view: &'static str) {
    let w = F::Bits::BITS;
    for (op, f, flagged) in [
        ("maxnum", reduce_float::rmaxnum::<F> as Number, reduce_float::rbmaxnum::<F> as Flagged),
        ("minnum", reduce_float::rminnum::<F>, reduce_float::rbminnum::<F>),
    ] {
        for (suffix, masked) in [("", false), ("_t", true)] {
            let active = move |row: &Row| match masked {
                true => row.pred::<F::Bits>("keep"),
                false => Ok(Pred64::ALL),
            };
            t.add(format!("r{op}_{view}_1_{w}f_512f{suffix}"), move |row| {
                let (value, flags) = f(masked_operand::<F::Bits>(row)?, active(row)?);
                Ok(Produced::word("out", value.lane::<F::Bits>(0).extended()).and_flags(flags))
            });
            t.add(format!("rb{op}_{view}_1_64_{w}f_512f{suffix}"), move |row| {
                let (pred, value, flags) = flagged(masked_operand::<F::Bits>(row)?, active(row)?);
                Ok(Produced::vec::<F::Bits>("out", value).and_pred::<F::Bits>("pred", pred).and_flags(flags))
            });
        }
    }
}
