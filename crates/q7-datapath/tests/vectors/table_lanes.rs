//! Integer lane operations: arithmetic, logic, comparison, shift, count.

use q7_datapath::{
    Lane, Pred64, Vec512, alu, alu_flag, compare as cmp, count, logic, predicate, scalar, shift,
};

use crate::row::{Outcome, Produced, Row};
use crate::table::{Table, compare, each, one, two, view};

pub fn register(t: &mut Table) {
    arithmetic(t);
    flagged(t);
    each!(compare(t, "eq", cmp::eq): i8 i16 i32);
    each!(compare(t, "neq", cmp::neq): i8 i16 i32);
    each!(compare(t, "lt", cmp::lt): i8 i16 i32);
    each!(compare(t, "le", cmp::le): i8 i16 i32);
    each!(compare(t, "ltu", cmp::lt): u8 u16 u32);
    each!(compare(t, "leu", cmp::le): u8 u16 u32);
    shifts(t);
    scalars(t);
    for (name, f) in
        [("and", logic::and as fn(Vec512, Vec512) -> Vec512), ("or", logic::or), ("xor", logic::xor)]
    {
        let run =
            move |row: &Row| Ok(Produced::vec::<u8>("out", f(row.vec::<u8>("a")?, row.vec::<u8>("b")?)));
        t.add(format!("{name}_512_512_512"), run);
    }
    t.add("not_512_512", |row| Ok(Produced::vec::<u8>("out", logic::not(row.vec::<u8>("a")?))));
}

fn arithmetic(t: &mut Table) {
    each!(two(t, "add", alu::add): i8 i16 i32);
    each!(two(t, "sub", alu::sub): i8 i16 i32);
    each!(two(t, "adds", alu::adds): i8 i16 i32);
    each!(two(t, "subs", alu::subs): i8 i16 i32);
    each!(two(t, "min", alu::min): i8 i16 i32);
    each!(two(t, "max", alu::max): i8 i16 i32);
    each!(two(t, "minu", alu::min): u8 u16 u32);
    each!(two(t, "maxu", alu::max): u8 u16 u32);
    each!(two(t, "abssub", alu::abssub): i8 i16 i32);
    each!(two(t, "abssubu", alu::abssub): u8 u16 u32);
    each!(two(t, "absssub", alu::absssub): i8 i16 i32);
    each!(two(t, "avg", alu::avg): i8 i16 i32);
    each!(two(t, "avgu", alu::avg): u8 u16 u32);
    each!(two(t, "avgr", alu::avgr): i8 i16 i32);
    each!(two(t, "avgru", alu::avgr): u8 u16 u32);
    each!(two(t, "mulsgn", alu::mulsgn): i8 i16 i32);
    each!(two(t, "mulsgns", alu::mulsgns): i8 i16 i32);
    each!(one(t, "neg", alu::neg): i8 i16 i32);
    each!(one(t, "negs", alu::negs): i8 i16 i32);
    each!(one(t, "abs", alu::abs): i8 i16 i32);
    each!(one(t, "abss", alu::abss): i8 i16 i32);
    each!(predicated(t, "add", alu::add): i8 i16 i32);
    each!(predicated(t, "adds", alu::adds): i16);
    each!(predicated(t, "sub", alu::sub): i8 i16 i32);
    each!(predicated(t, "subs", alu::subs): i16);
    each!(predicated(t, "max", alu::max): i8 i16 i32);
    each!(predicated(t, "min", alu::min): i8 i16 i32);
    each!(predicated(t, "maxu", alu::max): u8 u16 u32);
    each!(predicated(t, "minu", alu::min): u8 u16 u32);
}

/// `ivp_<op><view>t` on one lane: `mask` is the lane predicate, `keep` the mask of the new result.
fn predicated<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    t.add(format!("ivp_{op}{}t", view::<L>()), move |row| {
        let new = f(row.vec::<L>("a")?, row.vec::<L>("b")?);
        let mask = row.pred::<L>("mask")?;
        let out = predicate::merge::<L>(mask, new, row.vec::<L>("old")?);
        Ok(Produced::vec::<L>("out", out).and_vec::<L>("keep", mask.mask::<L>()))
    });
}

fn flagged(t: &mut Table) {
    each!(two_flag(t, "bmax", alu_flag::bmax): i8 i16 i32);
    each!(two_flag(t, "bmaxu", alu_flag::bmax): u8 u16 u32);
    each!(two_flag(t, "bmin", alu_flag::bmin): i8 i16 i32);
    each!(two_flag(t, "bminu", alu_flag::bmin): u8 u16 u32);
    each!(two_flag(t, "babssub", alu_flag::babssub): i8 i16);
    each!(two_flag(t, "babssubu", alu_flag::babssub): u8 u16);
    two_flag::<i16>(t, "baddnorm", alu_flag::baddnorm);
    two_flag::<i16>(t, "bsubnorm", alu_flag::bsubnorm);
    each!(one_flag(t, "babs", alu_flag::babs): i8 i16 i32);
    t.add("bxorabssubu_1_8_8_8_1", |row| {
        let pin = row.pred::<u8>("pin")?;
        let (pred, out) = alu_flag::bxorabssubu(row.vec::<u8>("a")?, row.vec::<u8>("b")?, pin);
        Ok(Produced::vec::<u8>("out", out).and_pred::<u8>("pred", pred))
    });
}

/// `op_p_w_w_w`: lanes of `a` and `b` to a group and a lane.
fn two_flag<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> (Pred64, Vec512)) {
    let (w, p) = (L::BITS, L::BYTES);
    t.add(format!("{op}_{p}_{w}_{w}_{w}"), move |row| {
        let (pred, out) = f(row.vec::<L>("a")?, row.vec::<L>("b")?);
        Ok(Produced::vec::<L>("out", out).and_pred::<L>("pred", pred))
    });
}

/// `op_p_w_w`: lanes of `a` to a group and a lane.
fn one_flag<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512) -> (Pred64, Vec512)) {
    let (w, p) = (L::BITS, L::BYTES);
    t.add(format!("{op}_{p}_{w}_{w}"), move |row| {
        let (pred, out) = f(row.vec::<L>("a")?);
        Ok(Produced::vec::<L>("out", out).and_pred::<L>("pred", pred))
    });
}

fn shifts(t: &mut Table) {
    each!(immediate_shift(t, "sll", shift::slli): u8 u16 u32);
    each!(immediate_shift(t, "srl", shift::srli): u8 u16 u32);
    each!(immediate_shift(t, "sra", shift::srai): i8 i16 i32);
    each!(immediate_shift(t, "rotr", shift::rotri): u8 u16 u32);
    each!(signed_shift(t, "sll", shift::sll): u16 u32);
    each!(signed_shift(t, "srl", shift::srl): u16 u32);
    each!(signed_shift(t, "sra", shift::sra): i16 i32);
    each!(signed_shift(t, "sls", shift::sls): i16 i32);
    each!(signed_shift(t, "srs", shift::srs): i16 i32);
    each!(unsigned_shift(t, "sls", shift::sls): i16 i32);
    each!(unsigned_shift(t, "srs", shift::srs): i16 i32);
    each!(rotation(t, "rotr", shift::rotr): u16 u32);
    each!(one(t, "nsa", shift::nsa): i8 i16 i32);
    each!(one(t, "nsau", shift::nsau): u8 u16 u32);
    normalize::<i16>(t);
    normalize::<i32>(t);
    t.add("popc_8_8", |row| Ok(Produced::vec::<u8>("out", count::popc(row.vec::<u8>("a")?))));
}

/// `op_u_w_w_n`: an unsigned amount, in the field of the immediate forms and in that of the variable forms.
fn immediate_shift<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, u32) -> Vec512) {
    let w = L::BITS;
    for field in [w.ilog2(), w.ilog2() + 2] {
        t.add(format!("{op}_u_{w}_{w}_{field}"), move |row: &Row| {
            Ok(Produced::vec::<L>("out", f(row.vec::<L>("a")?, row.word("amt")? as u32)))
        });
    }
}

/// `op_s_w_w_n`: a signed amount of the width it is stated at, sign-extended into the amount lane.
fn signed_shift<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    let w = L::BITS;
    t.add(format!("{op}_s_{w}_{w}_{}", w.ilog2() + 2), move |row| {
        let field = row.literal("amt")?;
        let amount = (field.bits as i64) << (64 - field.width) >> (64 - field.width);
        let amounts = Vec512::splat(L::truncated(amount as u64));
        Ok(Produced::vec::<L>("out", f(row.vec::<L>("a")?, amounts)))
    });
}

/// `op_u_w_w_n` of an operation that has no immediate form.
fn unsigned_shift<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    let w = L::BITS;
    t.add(format!("{op}_u_{w}_{w}_{}", w.ilog2() + 2), move |row| variable::<L>(row, f));
}

/// `op_s_w_w_n`: an amount that is taken modulo the width.
fn rotation<L: Lane>(t: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    let w = L::BITS;
    t.add(format!("{op}_s_{w}_{w}_{}", w.ilog2()), move |row| variable::<L>(row, f));
}

fn variable<L: Lane>(row: &Row, f: fn(Vec512, Vec512) -> Vec512) -> Outcome {
    Ok(Produced::vec::<L>("out", f(row.vec::<L>("a")?, row.vec::<L>("amt")?)))
}

fn normalize<L: Lane>(t: &mut Table) {
    t.add(format!("nsa+sll normalize {}", L::BITS), |row| {
        let v = row.vec::<L>("a")?;
        Ok(Produced::vec::<L>("out", shift::sll::<L>(v, shift::nsa::<L>(v))))
    });
}

/// Base instructions that this crate computes.
fn scalars(t: &mut Table) {
    for (name, f) in [("abs", scalar::abs as fn(u32) -> u32), ("nsa", scalar::nsa), ("nsau", scalar::nsau)] {
        t.add(name, move |row| Ok(Produced::word("out", f(row.word("a")? as u32))));
    }
    for (name, f) in [
        ("quos", scalar::quos as fn(u32, u32) -> Option<u32>),
        ("quou", scalar::quou),
        ("rems", scalar::rems),
        ("remu", scalar::remu),
    ] {
        t.add(name, move |row| {
            let result = f(row.word("ars")? as u32, row.word("art")? as u32);
            result.map(|word| Produced::word("out", word)).ok_or_else(|| "division by zero".into())
        });
    }
    for (name, top) in [("sext_32_8", 7), ("sext_32_16", 15)] {
        t.add(name, move |row| Ok(Produced::word("out", scalar::sext(row.word("a")? as u32, top))));
    }
    t.add("ivp_addmod16u", |row| {
        Ok(Produced::word("arr", scalar::addmod16u(row.word("ars")? as u32, row.word("art")? as u32)))
    });
}
