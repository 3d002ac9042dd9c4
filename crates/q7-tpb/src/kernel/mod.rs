//! What kernels compute for one channel, over fp32 elements: reading, converting and writing them is the caller's.

pub mod dequantize;
pub mod pool;
pub mod range_select;
pub mod search;
pub mod sequence_bounds;
