//! Pure functions: values in, values out. Nothing here knows the machine or an encoding.
//!
//! *Types*: [`Vec512`] (a `vec` register), [`Wide1536`] (`wvec`), [`Pred64`] (`vbool`), [`Align512`]
//! (`valign`), [`Pr64`] (`b32_pr`) and [`FpFlags`]; [`Lane`] and [`Float`] name the lane shapes.
//!
//! *Functions*: one module per family, one function per operation, generic over the lane shape only, so that
//! `alu::adds::<i16>` is `ivp_addsnx16` with nothing left to decide at run time. Vector functions are
//! `#[inline(always)]`: a caller compiled for more CPU features than the baseline gets code that uses them.
//!
//! Operands come in assembly order. A predicated (`t`) operation is the plain one followed by
//! [`predicate::merge`]; only operations that treat false lanes in another way have a function of their own.
//! Floating-point operations that raise flags take the active lanes and return the flags of those lanes.

mod align;
pub mod alu;
pub mod alu_flag;
pub mod compare;
pub mod control;
pub mod count;
mod float;
pub mod float_alu;
pub mod float_compare;
mod lane;
pub mod logic;
pub mod memory;
pub mod moves;
mod pr;
mod pred;
pub mod predicate;
pub mod reduce;
pub mod reduce_float;
pub mod replicate;
pub mod scalar;
pub mod select;
pub mod shift;
pub mod squeeze;
mod vec512;
mod wide;

pub use align::{Align512, LineStore};
pub use float::{F16, F32, Float, FpFlags};
pub use lane::{HalfLane, Lane, Sum};
pub use pr::Pr64;
pub use pred::Pred64;
pub use vec512::Vec512;
pub use wide::Wide1536;
