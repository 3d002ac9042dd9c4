//! Which operation runs a row: one entry per value leaf or mnemonic.
//!
//! Leaf names read `op_<result widths>_<operand widths>`; every width and sign of a family has its entry, whether
//! or not the file uses it. Operand names are those of the vector file.

use std::collections::BTreeMap;

use q7_datapath::{Lane, Pred64, Vec512};

use crate::row::{Outcome, Produced, Row};

pub type Run = Box<dyn Fn(&Row) -> Outcome>;

pub struct Table {
    entries: BTreeMap<String, Run>,
}

impl Table {
    pub fn new() -> Self {
        let mut table = Self { entries: BTreeMap::new() };
        crate::table_lanes::register(&mut table);
        crate::table_float::register(&mut table);
        crate::table_predicate::register(&mut table);
        crate::table_reduce::register(&mut table);
        crate::table_move::register(&mut table);
        table
    }

    pub fn get(&self, op: &str) -> Option<&Run> {
        self.entries.get(op)
    }

    pub fn add(&mut self, name: impl Into<String>, run: impl Fn(&Row) -> Outcome + 'static) {
        let name = name.into();
        assert!(self.entries.insert(name.clone(), Box::new(run)).is_none(), "{name} twice");
    }
}

/// Registers `$function::<lane>` under `$register` for each lane.
macro_rules! each {
    ($register:ident($table:expr, $name:literal, $module:ident::$function:ident): $($lane:ident)+) => {
        $( $register::<$lane>($table, $name, $module::$function::<$lane>); )+
    };
}
pub(crate) use each;

/// `op_w_w_w`: lanes of `a` and `b` to lanes of `out`.
pub fn two<L: Lane>(table: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Vec512) {
    let w = L::BITS;
    table.add(format!("{op}_{w}_{w}_{w}"), move |row| {
        Ok(Produced::vec::<L>("out", f(row.vec::<L>("a")?, row.vec::<L>("b")?)))
    });
}

/// `op_w_w`: lanes of `a` to lanes of `out`.
pub fn one<L: Lane>(table: &mut Table, op: &str, f: fn(Vec512) -> Vec512) {
    let w = L::BITS;
    table.add(format!("{op}_{w}_{w}"), move |row| Ok(Produced::vec::<L>("out", f(row.vec::<L>("a")?))));
}

/// The part of a name that stands for a register view.
pub fn view<L: Lane>() -> &'static str {
    match L::BYTES {
        1 => "2nx8",
        2 => "nx16",
        4 => "n_2x32",
        _ => "n_4x64",
    }
}

/// `op_p_w_w`: lanes of `a` and `b` to a group per lane.
pub fn compare<L: Lane>(table: &mut Table, op: &str, f: fn(Vec512, Vec512) -> Pred64) {
    let (w, p) = (L::BITS, L::BYTES);
    table.add(format!("{op}_{p}_{w}_{w}"), move |row| {
        Ok(Produced::pred::<L>("out", f(row.vec::<L>("a")?, row.vec::<L>("b")?)))
    });
}
