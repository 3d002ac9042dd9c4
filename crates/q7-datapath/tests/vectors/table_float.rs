//! Floating-point operations that do not round.

use q7_datapath::{
    F16, F32, Float, FpFlags, Lane, Pred64, Vec512, float_alu as alu, float_compare as cmp, predicate,
};

use crate::row::Produced;
use crate::table::{Table, each};

pub fn register(t: &mut Table) {
    each!(one(t, "abs", alu::abs): F16 F32);
    each!(one(t, "neg", alu::neg): F16 F32);
    each!(one(t, "clsfy", alu::clsfy): F16 F32);
    each!(exponent(t, "addexp", alu::addexp): F16 F32);
    each!(exponent(t, "addexpm", alu::addexpm): F16 F32);
    each!(extremum(t, "max", alu::max): F16 F32);
    each!(extremum(t, "min", alu::min): F16 F32);
    each!(extremum(t, "maxnum", alu::maxnum): F16 F32);
    each!(extremum(t, "minnum", alu::minnum): F16 F32);
    each!(compare(t, "oeq", cmp::oeq): F16 F32);
    each!(compare(t, "ole", cmp::ole): F16 F32);
    each!(compare(t, "olt", cmp::olt): F16 F32);
    each!(compare(t, "ueq", cmp::ueq): F16 F32);
    each!(compare(t, "ule", cmp::ule): F16 F32);
    each!(compare(t, "uleq", cmp::uleq): F16 F32);
    each!(compare(t, "ult", cmp::ult): F16 F32);
    each!(compare(t, "ultq", cmp::ultq): F16 F32);
    each!(compare(t, "uneq", cmp::uneq): F16 F32);
    each!(compare(t, "un", cmp::un): F16 F32);
}

fn width<F: Float>() -> u32 {
    F::Bits::BITS
}

fn one<F: Float>(t: &mut Table, op: &str, f: fn(Vec512) -> Vec512) {
    let w = width::<F>();
    t.add(format!("{op}_{w}f_{w}f"), move |row| {
        Ok(Produced::vec::<F::Bits>("out", f(row.vec::<F::Bits>("a")?)).and_flags(FpFlags::NONE))
    });
}

/// `a` is the old destination. The vector file knows one of these leaves by a short name only.
fn exponent<F: Float>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    let w = width::<F>();
    for name in [format!("{op}_{w}f_{w}f_{w}f"), format!("{op}_f{w}")] {
        t.add(name, move |row| {
            let out = f(row.vec::<F::Bits>("a")?, row.vec::<F::Bits>("b")?);
            Ok(Produced::vec::<F::Bits>("out", out).and_flags(FpFlags::NONE))
        });
    }
}

type Extremum = fn(Vec512, Vec512, Pred64) -> (Vec512, FpFlags);

fn extremum<F: Float>(t: &mut Table, op: &str, f: Extremum) {
    let w = width::<F>();
    t.add(format!("{op}_1_{w}f_{w}f_{w}f"), move |row| {
        let (out, flags) = f(row.vec::<F::Bits>("a")?, row.vec::<F::Bits>("b")?, Pred64::ALL);
        Ok(Produced::vec::<F::Bits>("out", out).and_flags(flags))
    });
}

type Compare = fn(Vec512, Vec512, Pred64) -> (Pred64, FpFlags);

/// `_1_1_` leaves state one bit, `_1_p_` leaves a group; `_t` leaves give 0 for a false lane.
fn compare<F: Float>(t: &mut Table, op: &str, f: Compare) {
    let (w, p) = (width::<F>(), F::Bits::BYTES);
    for bits in [1, p] {
        t.add(format!("{op}_1_{bits}_{w}f_{w}f"), move |row| {
            let (out, flags) = f(row.vec::<F::Bits>("a")?, row.vec::<F::Bits>("b")?, Pred64::ALL);
            Ok(Produced::pred::<F::Bits>("out", out).and_flags(flags))
        });
    }
    t.add(format!("{op}_1_{p}_{w}f_{w}f_{p}f_t"), move |row| {
        let pred = row.pred::<F::Bits>("pred")?;
        let (new, flags) = f(row.vec::<F::Bits>("a")?, row.vec::<F::Bits>("b")?, pred);
        let out = predicate::merge_pred::<F::Bits>(pred, new, Pred64::NONE);
        Ok(Produced::pred::<F::Bits>("out", out).and_flags(flags))
    });
}
