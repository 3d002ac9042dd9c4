//! Kernel models and random numbers.

use q7_tpb::address::PARTITIONS;
use q7_tpb::kernel::pool;
use q7_tpb::random::{self, Algorithm, Xorwow};

use crate::call::{Entry, out};

/// Names and functions.
pub const OPS: &[Entry] = &[
    (&["pool_scale"], |inputs| {
        let elements = inputs.list("window")?.into_iter().product::<u64>();
        Some(vec![("scale", pool::average_scale(elements as u32).to_bits().into())])
    }),
    (&["getseq_const"], |_| Some(vec![("POOLING_NUM_CHANNELS", PARTITIONS.into())])),
    (&["xorwow_seed"], |_| {
        let seed = Xorwow::default();
        let [x, y, z, w, v, d] = seed.words().map(u64::from);
        Some(vec![("x", x), ("y", y), ("z", z), ("w", w), ("v", v), ("d_low16", d & 0xFFFF)])
    }),
    (&["xorwow_weyl"], |_| {
        // What a draw adds, not the constant alone.
        let mut lane = Xorwow::default();
        let before = lane.d;
        lane.draw();
        Some(vec![("const", lane.d.wrapping_sub(before).into())])
    }),
    (&["xorwow_state_size"], |inputs| {
        let counts = ["words", "lanes", "bytes"].map(|key| inputs.one(key));
        let ours = [Xorwow::WORDS, Xorwow::LANES, 4].map(|count| Some(count as u64));
        // The row repeats the counts that the size follows from.
        if counts == ours { out(Xorwow::STATE_BYTES as u64) } else { None }
    }),
    (&["uniform_float_consts"], |_| {
        Some(vec![("127 << 23", random::UNIT.into()), ("mask", random::MANTISSA.into())])
    }),
    (&["rand_algo_select"], |inputs| {
        let bit = Algorithm::from_code(inputs.any(&["rand_algo", "algo"])? as u32)?.uses_lfsr_state();
        Some(vec![("bit", bit.into()), ("out", bit.into())])
    }),
];
