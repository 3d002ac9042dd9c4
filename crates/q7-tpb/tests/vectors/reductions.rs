//! Reductions over the lanes of a register: the leaves of the cross-lane kernels, in `q7_datapath`.

use q7_datapath::{Lane, Pred64, Sum, Vec512, predicate, reduce};

use crate::call::{Entry, Inputs, Outputs, out};

/// Names and functions.
pub const OPS: &[Entry] = &[
    (&["radd_2nx8_16_512"], sum::<i8>),
    (&["raddu_2nx8_16_512"], sum::<u8>),
    (&["radd_nx16_32_512"], sum::<i16>),
    (&["raddu_nx16_32_512"], sum::<u16>),
    (&["radd_n_2x32_32_512"], sum::<i32>),
    (&["radds_nx16_16_512"], |inputs| out(reduce::radds(lanes::<i16>(inputs)?).lane::<u16>(0))),
    (&["rmax_2nx8_8_512"], |inputs| first::<i8>(inputs, reduce::rmax::<i8>)),
    (&["rmaxu_2nx8_8_512"], |inputs| first::<u8>(inputs, reduce::rmax::<u8>)),
    (&["rmax_nx16_16_512"], |inputs| first::<i16>(inputs, reduce::rmax::<i16>)),
    (&["rmaxu_nx16_16_512"], |inputs| first::<u16>(inputs, reduce::rmax::<u16>)),
    (&["rmax_n_2x32_32_512"], |inputs| first::<i32>(inputs, reduce::rmax::<i32>)),
    (&["rmaxu_n_2x32_32_512"], |inputs| first::<u32>(inputs, reduce::rmax::<u32>)),
    (&["rmin_2nx8_8_512"], |inputs| first::<i8>(inputs, reduce::rmin::<i8>)),
    (&["rminu_2nx8_8_512"], |inputs| first::<u8>(inputs, reduce::rmin::<u8>)),
    (&["rmin_nx16_16_512"], |inputs| first::<i16>(inputs, reduce::rmin::<i16>)),
    (&["rminu_nx16_16_512"], |inputs| first::<u16>(inputs, reduce::rmin::<u16>)),
    (&["rmin_n_2x32_32_512"], |inputs| first::<i32>(inputs, reduce::rmin::<i32>)),
    (&["rminu_n_2x32_32_512"], |inputs| first::<u32>(inputs, reduce::rmin::<u32>)),
    (&["randb2n_64_64"], |inputs| out(predicate::randb::<u8>(flags(inputs)?))),
    (&["randbn_64_64"], |inputs| out(predicate::randb::<u16>(flags(inputs)?))),
    (&["randbn_2_64_64"], |inputs| out(predicate::randb::<u32>(flags(inputs)?))),
    (&["rorb2n_64_64"], |inputs| out(predicate::rorb::<u8>(flags(inputs)?))),
    (&["rorbn_64_64"], |inputs| out(predicate::rorb::<u16>(flags(inputs)?))),
    (&["rorbn_2_64_64"], |inputs| out(predicate::rorb::<u32>(flags(inputs)?))),
];

fn lanes<L: Lane>(inputs: &Inputs) -> Option<Vec512> {
    let listed = inputs.list("a")?;
    Some(Vec512::from_fn(|k| L::truncated(listed.get(k).copied().unwrap_or(0))))
}

fn flags(inputs: &Inputs) -> Option<Pred64> {
    Some(Pred64::from_bits(inputs.one("a")?))
}

fn sum<L: Sum>(inputs: &Inputs) -> Option<Outputs> {
    let total = reduce::radd::<L>(lanes::<L>(inputs)?).lane::<<L::Total as Lane>::Unsigned>(0);
    out(total.extended())
}

fn first<L: Lane>(inputs: &Inputs, reduction: fn(Vec512) -> Vec512) -> Option<Outputs> {
    out(reduction(lanes::<L>(inputs)?).lane::<L::Unsigned>(0).extended())
}
