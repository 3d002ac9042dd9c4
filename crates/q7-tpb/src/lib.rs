//! The TPB side beside the core: parts of 64-byte instructions, addresses, access patterns, and what the kernels
//! that the instructions start compute per channel.
//!
//! * [`header`], [`encoding`]: the first word of an instruction; how choices are written into its bytes.
//! * [`dispatch`]: from an opcode to its handler, on the sequencer and on the POOL cores.
//! * [`address`], [`pattern`]: ADDR4 words; the order in which a strided pattern visits elements.
//! * [`random`]: random number generators. [`kernel`]: kernel models over fp32 elements.
//!
//! Numbers, operations and dtypes are those of `q7_alu`. The crate knows nothing of the Q7 core. What the sources
//! leave open, and what was chosen, is listed in `docs/assumptions-tpb.md` (T1 ...).
//!
//! ```
//! use q7_tpb::address::{Addr4, Location};
//! use q7_tpb::pattern::Pattern;
//!
//! // Two rows of two elements each, four elements apart.
//! let pattern = Pattern::<2>::new(Addr4(0x0004_0010), &[(1, 2), (4, 2)]);
//! assert_eq!(pattern.start.location(), Some(Location::StateBuffer { partition: 1, byte: 16 }));
//! assert_eq!(pattern.offsets().collect::<Vec<_>>(), [0, 1, 4, 5]);
//! ```

pub mod address;
pub mod dispatch;
pub mod encoding;
pub mod header;
pub mod kernel;
pub mod pattern;
pub mod random;
