//! The instruction set of the Vision-Q7 "Cairo" core (`ncore2gp`) as data.
//!
//! One description (`spec/*.csv`) holds the formats, slots, operand codecs, opcodes and placements.
//! From it come framing ([`Isa::frame`]), decoding ([`Isa::decode`]), encoding ([`Isa::encode`]) and
//! text ([`Isa::text`]). The crate knows nothing of register contents, memory or time.
//!
//! An [`Isa`] is a value: [`Isa::embedded`] is built from the committed spec, another may be built
//! from any [`spec::IsaSpec`] of the same form.

mod build;
mod choose;
mod codec;
pub mod coverage;
mod decision;
mod decode;
mod encode;
mod field;
mod format;
mod gather;
mod isa;
mod refusal;
mod text;

pub mod spec;

pub use choose::{Filling, Unplaced};
pub use codec::Codec;
pub use decode::{Bundle, DecodeError, Instruction, MAX_SLOTS, Operands};
pub use encode::EncodeError;
pub use format::Format;
pub use isa::{Isa, Opcode, Operand, Placement, Slot};
pub use refusal::FormatError;
pub use spec::{Certainty, Direction, File, Flags};

/// Index of a format in [`Isa::formats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormatId(pub u8);

/// Index of a slot in [`Isa::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u8);

/// Index of an opcode (mnemonic) in [`Isa::opcodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpcodeId(pub u16);

/// Index of a placement, an opcode's encoding in one slot, in [`Isa::placements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlacementId(pub u16);
