//! Operations on predicates, and the merge masks.

use q7_datapath::{Lane, Pred64, Vec512, compare, moves, predicate};

use crate::row::{Produced, Row};
use crate::table::Table;

pub fn register(t: &mut Table) {
    logic(t);
    lane_masks::<u8>(t);
    lane_masks::<u16>(t);
    lane_masks::<u32>(t);
    first_lanes::<u8>(t, "2n");
    first_lanes::<u16>(t, "n");
    first_lanes::<u32>(t, "n_2");
    states(t);
    for (name, lanes) in [("popc64_7_64", u64::MAX), ("popc32_6_32", 0xffff_ffff), ("popc16_5_16", 0xffff)] {
        t.add(name, move |row| {
            Ok(Produced::word("out", Pred64::from_bits(row.word("a")? & lanes).true_lanes::<u8>()))
        });
    }
}

fn logic(t: &mut Table) {
    for (name, f) in [
        ("andb", predicate::andb as fn(Pred64, Pred64) -> Pred64),
        ("orb", predicate::orb),
        ("xorb", predicate::xorb),
        ("andnotb", predicate::andnotb),
        ("ornotb", predicate::ornotb),
        ("joinb", predicate::joinb),
    ] {
        let run = move |row: &Row| {
            let (a, b) = (Pred64::from_bits(row.word("a")?), Pred64::from_bits(row.word("b")?));
            Ok(Produced::pred::<u8>("out", f(a, b)))
        };
        t.add(format!("{name}_64_64_64"), run);
    }
    for (name, f) in [("notb_64_64", predicate::notb as fn(Pred64) -> Pred64), ("mov_64_64", predicate::mb)] {
        t.add(name, move |row| Ok(Produced::pred::<u8>("out", f(Pred64::from_bits(row.word("a")?)))));
    }
    for (name, f) in [
        ("andnotb1_1_1_1", predicate::andnotb1 as fn(bool, bool) -> bool),
        ("ornotb1_1_1_1", predicate::ornotb1),
    ] {
        t.add(name, move |row| {
            Ok(Produced::word("out", f(row.word("a")? & 1 != 0, row.word("b")? & 1 != 0)))
        });
    }
    t.add("notb1_1_1", |row| Ok(Produced::word("out", predicate::notb1(row.word("a")? & 1 != 0))));
    // The leaf doubles one bit; low and high half differ in where it comes from.
    for (name, f) in [
        ("extractbl_2_1", predicate::extractbl as fn(Pred64) -> Pred64),
        ("extractbh_2_1", predicate::extractbh),
    ] {
        t.add(name, move |row| {
            let every = if row.word("a")? & 1 != 0 { Pred64::ALL } else { Pred64::NONE };
            Ok(Produced::pred::<u16>("out", f(every)))
        });
    }
}

fn lane_masks<L: Lane>(t: &mut Table) {
    let (w, p) = (L::BITS, L::BYTES);
    t.add(format!("extbi_{p}_{w}_32"), |row| {
        Ok(Produced::pred::<L>("out", predicate::extbi::<L>(row.vec::<L>("a")?, row.word("k")? as u32)))
    });
    t.add(format!("injbi_{w}_{w}_{p}_32"), |row| {
        let (a, pred, k) = (row.vec::<L>("a")?, row.pred::<L>("pred")?, row.word("k")? as u32);
        Ok(Produced::vec::<L>("out", predicate::injbi::<L>(a, pred, k)))
    });
    t.add(format!("bitkillf_{w}_{p}"), |row| {
        Ok(Produced::vec::<L>("out", row.pred::<L>("pred")?.mask::<L>()))
    });
    t.add(format!("bitkillt_{w}_{p}"), |row| {
        Ok(Produced::vec::<L>("out", predicate::notb(row.pred::<L>("pred")?).mask::<L>()))
    });
    if p > 1 {
        t.add(format!("sext_{p}_1"), |row| {
            let every = if row.word("a")? & 1 != 0 { Pred64::ALL } else { Pred64::NONE };
            Ok(Produced::pred::<L>("out", every.replicated::<L>()))
        });
        t.add(format!("predflag{p}t_1_{}_64", L::LANES), |row| {
            let lane = row.word(if row.has("lane") { "lane" } else { "k" })? as usize;
            Ok(Produced::word("out", Pred64::from_bits(row.word("a")?).lane::<L>(lane)))
        });
    }
}

fn first_lanes<L: Lane>(t: &mut Table, view: &str) {
    for (name, f) in [
        (format!("ltr{view}_64_32"), predicate::ltr::<L> as fn(u32) -> Pred64),
        (format!("ltr{view}i_64_32"), predicate::ltri::<L>),
        (format!("ltrs{view}_64_32"), predicate::ltrs::<L>),
    ] {
        t.add(name, move |row| Ok(Produced::pred::<L>("out", f(row.word("n")? as u32))));
    }
    for (name, f) in [
        (format!("randb{view}_64_64"), predicate::randb::<L> as fn(Pred64) -> bool),
        (format!("rorb{view}_64_64"), predicate::rorb::<L>),
    ] {
        t.add(name, move |row| Ok(Produced::word("out", f(Pred64::from_bits(row.word("a")?)))));
    }
}

/// The eight states FS0..FS7.
fn states(t: &mut Table) {
    for name in ["borfs_2n", "borfs_2n_64x9"] {
        t.add(name, |row| Ok(Produced::pred::<u8>("out", predicate::borfs(eight(row)?))));
    }
    for name in ["bnorfs_2n", "bnorfs_2n_64x9"] {
        t.add(name, |row| Ok(Produced::pred::<u8>("out", predicate::bnorfs(eight(row)?))));
    }
    for n in 0..8 {
        t.add(format!("fs{n}ltu_64_8_8"), |row| {
            let (a, b): (Vec512, Vec512) = (row.vec::<u8>("a")?, row.vec::<u8>("b")?);
            Ok(Produced::pred::<u8>("out", compare::lt::<u8>(a, b)))
        });
    }
    t.add("movfsv", |row| {
        let fs = moves::movfsv(row.vec::<u8>("a")?).map(Pred64::bits);
        Ok(Produced::default().and_list("out", fs.to_vec()).and_list("fs", fs.to_vec()))
    });
    t.add("movvfs", |row| Ok(Produced::vec::<u8>("out", moves::movvfs(eight(row)?))));
}

fn eight(row: &Row) -> Result<[Pred64; 8], String> {
    let states: Vec<_> = row.list("m")?.into_iter().map(Pred64::from_bits).collect();
    states.try_into().map_err(|_| "not eight states".to_owned())
}
