//! Replication and extraction of lanes (`load-store-move-gather/spec-b16.md`).

use q7_datapath::predicate::merge;
use q7_datapath::replicate;

use crate::exec::Row;

pub(super) const TABLE: &[Row] = &[
    ("ivp_rep2nx8", vec1i!(replicate::rep::<u8>)),
    ("ivp_rep2nx8t", vec1it!(replicate::rep::<u8>, u8)),
    ("ivp_repn_2x32", vec1i!(replicate::rep::<u32>)),
    ("ivp_repn_2x32t", vec1it!(replicate::rep::<u32>, u32)),
    ("ivp_repnx16", vec1i!(replicate::rep::<u16>)),
    ("ivp_repnx16t", vec1it!(replicate::rep::<u16>, u16)),
];
