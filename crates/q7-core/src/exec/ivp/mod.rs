//! The vector unit: one file per family, one table each.

#[macro_use]
mod shapes;

mod address;
mod alu;
mod compare;
mod float_alu;
mod load;
mod moves;
mod predicate;
mod reduce;
mod replicate;
mod select;
mod shift;
mod store;
mod stream;

use super::Row;
pub(super) use moves::KEEP;
pub(super) use select::pattern_has_meaning;

/// The family tables.
pub(super) const FAMILIES: [&[Row]; 12] = [
    alu::TABLE,
    compare::TABLE,
    float_alu::TABLE,
    load::TABLE,
    moves::TABLE,
    predicate::TABLE,
    reduce::TABLE,
    replicate::TABLE,
    select::TABLE,
    shift::TABLE,
    store::TABLE,
    stream::TABLE,
];
