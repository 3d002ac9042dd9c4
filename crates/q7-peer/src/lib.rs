//! Compares q7sim with its peers: QEMU running the same random programs, QEMU's and GNU's
//! disassemblers, and an exact model of the base instruction set that shares no arithmetic with it.
//!
//! * [`sequence`] makes random programs and runs them on several [`runner::Runner`]s.
//! * [`model`] is the exact model: plain integers, an unbounded file of register panes.
//! * [`list`] is the committed list of what is compared with what, and why the rest is not.
//! * [`disassembly`] brings the texts of several disassemblers into one form.
//!
//! The crate exists for its tests. Those that need a program which is not installed say so and pass;
//! `Q7SIM_REQUIRE_PEERS=1` makes them fail. `Q7SIM_PEER_SEED` sets the seed of the random sequences, and
//! `cargo test -p q7-peer -- --ignored` runs many more of them.

pub mod code;
pub mod disassembly;
pub mod elf;
pub mod list;
pub mod model;
pub mod random;
pub mod runner;
pub mod sequence;
pub mod tool;
