//! TPB numbers: ALU operations and element types, with exact ordinals, presence and predicates.

pub mod bir;
pub mod dtype;
mod generation;
pub mod number;
pub mod op;
pub mod predicate;
pub mod text;

pub use bir::BirDtype;
pub use dtype::Dtype;
pub use generation::{Generation, UnknownGeneration};
pub use number::{Conversion, Flags, FloatToInt, Fp8Config, Rounding};
pub use op::{AluOp, CompressOp};
