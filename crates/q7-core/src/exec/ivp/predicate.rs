//! Logic of vbools (`predicate-shift-select-divide/spec-b11.md`).

use q7_datapath::predicate;

use crate::exec::Row;

pub(super) const TABLE: &[Row] = &[
    ("ivp_andb", pred2!(predicate::andb)),
    ("ivp_andnotb", pred2!(predicate::andnotb)),
    ("ivp_extractbh", pred1!(predicate::extractbh)),
    ("ivp_extractbl", pred1!(predicate::extractbl)),
    ("ivp_joinb", pred2!(predicate::joinb)),
    ("ivp_mb", pred1!(predicate::mb)),
    ("ivp_notb", pred1!(predicate::notb)),
    ("ivp_orb", pred2!(predicate::orb)),
    ("ivp_ornotb", pred2!(predicate::ornotb)),
    ("ivp_xorb", pred2!(predicate::xorb)),
];
