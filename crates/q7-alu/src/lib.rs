//! TPB numbers: ALU operations, element types, which combinations are legal, and what they compute.
//!
//! * [`AluOp`], [`Dtype`], [`BirDtype`], [`Generation`]: the enums with their exact ordinals and presence.
//! * [`predicate`]: membership predicates as the headers give them; [`legality`]: what an instruction class accepts;
//!   [`matrix`]: the operation x dtype table that follows from both.
//! * [`evaluate()`], [`Plan`]: the evaluator, for single elements and for slices.
//! * [`number`]: formats, fp32 arithmetic, conversions; [`mx`]: scaled blocks.
//! * [`sequencer`]: the scalar path with its branches, [`trace`]: the firmware's trace lines.
//! * [`promotion`]: which dtype the host language gives to an operation on two others.
//!
//! The crate knows no instruction layout and no memory. What the sources leave open, and what was chosen, is listed
//! in `docs/assumptions-alu.md` (L1 ...).
//!
//! ```
//! use q7_alu::{AluOp, Dtype, Dtypes, Generation, State, evaluate};
//!
//! let mut state = State::default();
//! let sum = evaluate(AluOp::Add, 200, 100, Dtypes::all(Dtype::Uint8), Generation::Cayman, &mut state);
//! assert_eq!(sum, Ok(44)); // wraps
//! ```

pub mod bir;
pub mod dtype;
mod evaluate;
mod generation;
pub mod legality;
pub mod matrix;
pub mod mx;
pub mod number;
pub mod op;
pub mod predicate;
pub mod promotion;
pub mod sequencer;
pub mod text;
pub mod trace;

pub use bir::BirDtype;
pub use dtype::Dtype;
pub use evaluate::{
    Domain, Dtypes, EvalError, IntDivision, Lanes, LanesMut, Mode, Plan, State, crc32, evaluate,
};
pub use generation::{Generation, NoAluOperations, UnknownGeneration};
pub use legality::{Engine, OpClass, Rejection, check, check_pair};
pub use number::{Conversion, Flags, FloatToInt, Fp8Config, Rounding, Switches};
pub use op::{AluOp, CompressOp};
