//! The vector unit as a whole machine: every mnemonic of the lane and data-movement families against an
//! exact model written apart from the datapath, streams at every alignment, and bundles.

mod bundles;
#[path = "../common/mod.rs"]
mod common;
mod families;
mod faults;
mod model;
mod operands;
mod state;
mod streams;
#[allow(dead_code)]
#[path = "../../../q7-datapath/tests/model/support.rs"]
mod support;
