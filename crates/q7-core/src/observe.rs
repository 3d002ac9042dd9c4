//! What observers see of a run.

use q7_isa::Bundle;

use crate::exception::Exception;
use crate::memory::Access;

/// A register that a bundle wrote, by the name it has afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// Visible address register.
    Ar(u8),
    /// A register that has one name.
    Named(&'static str),
}

impl std::fmt::Display for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Register::Ar(number) => write!(f, "a{number}"),
            Register::Named(name) => f.write_str(name),
        }
    }
}

/// Gets typed events of a run, bundle by bundle. Attaching one selects the slower runner; a run
/// without observers pays nothing.
pub trait Observer {
    /// A bundle is about to execute. `bundle` is `None` if the bytes at `pc` are none.
    fn issue(&mut self, cycle: u64, pc: u32, bundle: Option<&Bundle>);
    /// The bundle wrote a register.
    fn register_write(&mut self, _register: Register, _value: u32) {}
    /// The bundle wrote a register of the vector unit, named as the tools print it (`v3`, `vb0`, `wv1`);
    /// its bytes from the lowest up.
    fn vector_write(&mut self, _prefix: &'static str, _number: u8, _bytes: &[u8]) {}
    /// The bundle accessed memory, or the host did for it.
    fn memory_access(&mut self, _access: Access) {}
    /// The bundle is done, with the host call it made and the turn of the loop it ended; or the run stops at it because
    /// it has no semantics, and nothing of it happened.
    fn retire(&mut self) {}
    /// The bundle raised an exception instead.
    fn exception(&mut self, _pc: u32, _exception: Exception) {}
    /// An interrupt is taken before the bundle at `pc`.
    fn interrupt(&mut self, _pc: u32) {}
}
