//! The Vision-Q7 machine: architectural state, memory, exceptions, windows, and the execution of
//! bundles block by block.
//!
//! A [`Machine`] owns a [`Core`] and the code it has decoded. Load bytes through
//! [`Memory::write_bytes`], set it up with [`Machine::start`] or [`Machine::call`], and [`Machine::run`]
//! it until a [`Stop`]. The crate knows no files, terminals or arguments: host files come in through
//! [`Host`], traces go out through [`Observer`].

#[macro_use]
mod op;

mod block;
mod builder;
mod bundle;
mod call;
mod core;
mod exception;
mod exec;
mod interrupt;
mod machine;
mod memory;
mod observe;
mod plan;
mod registers;
mod semantics;
mod semihost;
mod snapshot;
mod special;
mod timing;
mod watch;
mod window;
mod xea3;

pub use call::Abi;
pub use core::Core;
pub use exception::{Cause, Exception};
pub use interrupt::{CONTROL_BASE, INTERRUPTS, Interrupts};
pub use machine::{Limits, Machine, RECENT_BUNDLES, Stop};
pub use memory::{Access, Backing, MapError, Memory, MemoryMap, PAGE_SIZE, Region, Stored, Value};
pub use observe::{Observer, Register};
pub use registers::{VecFile, Vectors};
pub use semantics::{Semantics, semantics};
pub use semihost::{Host, NoHost, errno};
pub use snapshot::Snapshot;
pub use special::{Ps, REGISTERS, Special};
pub use timing::Timing;
pub use window::Windows;
pub use xea3::{Dispatch, State};
