//! Random programs in pieces that each end with a dump of the whole state.

mod access;
mod batch;
mod check;
mod generate;
mod mnemonics;
mod shrink;

pub use batch::{Batch, SCRATCH};
pub use check::check;
pub use generate::sequence;
pub use mnemonics::Mnemonics;

/// The mnemonic of an [`Op`] that jumps to the instruction behind it.
const JUMP_TO_NEXT: &str = "j";

/// One instruction of a sequence, without a label operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Mnemonic.
    pub mnemonic: &'static str,
    /// Operands; of L32R only the register.
    pub operands: Vec<i32>,
    /// The literal that L32R loads.
    pub literal: Option<u32>,
}

/// A part of a sequence. Items can be left out without making the rest invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Instructions that belong together and are never entered in the middle.
    Straight(Vec<Op>),
    /// A conditional branch or a jump over the next `skip` items of its body, or out of the body.
    Branch {
        /// The branch without its label.
        op: Op,
        /// Items to skip.
        skip: usize,
        /// Goes to the end of the enclosing body instead.
        out: bool,
    },
    /// JX over the next `skip` items.
    JumpRegister {
        /// Holds the target.
        register: i32,
        /// Items to skip.
        skip: usize,
    },
    /// A zero-overhead loop.
    Loop {
        /// LOOP, LOOPNEZ or LOOPGTZ.
        mnemonic: &'static str,
        /// Holds the count.
        register: i32,
        /// The count.
        count: i32,
        /// What is repeated.
        body: Vec<Item>,
    },
    /// A zero-overhead loop set up by writing LBEG, LEND and LCOUNT.
    ManualLoop {
        /// Writes them with XSR instead of WSR.
        exchange: bool,
        /// Used to write the loop registers.
        register: i32,
        /// Repetitions after the first pass.
        count: i32,
        /// What is repeated.
        body: Vec<Item>,
    },
    /// A loop that counts down and branches backwards.
    Countdown {
        /// Counts; not written by the body.
        register: i32,
        /// The count.
        count: i32,
        /// What is repeated.
        body: Vec<Item>,
    },
    /// A call of a function that stands behind the call and is jumped over.
    Call {
        /// Holds the address for CALLX0; `None` for CALL0.
        register: Option<i32>,
        /// The function; does not write a0.
        body: Vec<Item>,
        /// RET, RET.N, or JX a0.
        end: &'static str,
    },
}

impl Item {
    /// The items inside.
    pub fn body(&self) -> &[Item] {
        match self {
            Item::Straight(_) | Item::Branch { .. } | Item::JumpRegister { .. } => &[],
            Item::Loop { body, .. }
            | Item::ManualLoop { body, .. }
            | Item::Countdown { body, .. }
            | Item::Call { body, .. } => body,
        }
    }

    /// The items inside, to be changed.
    pub fn body_mut(&mut self) -> Option<&mut Vec<Item>> {
        match self {
            Item::Straight(_) | Item::Branch { .. } | Item::JumpRegister { .. } => None,
            Item::Loop { body, .. }
            | Item::ManualLoop { body, .. }
            | Item::Countdown { body, .. }
            | Item::Call { body, .. } => Some(body),
        }
    }
}

/// A program of its own: the state it starts in and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Its number in the run.
    pub index: u64,
    /// Initial a0..a15; the one that `base` names is given by `offset`.
    pub ar: [u32; 16],
    /// The register that points to the scratch memory and is never written.
    pub base: i32,
    /// Where it points, counted from the start of the scratch memory.
    pub offset: i32,
    /// Initial SAR, BR, THREADPTR, MISC0 and MISC1.
    pub special: [u32; 5],
    /// Initial scratch memory.
    pub scratch: [u8; SCRATCH],
    /// What is executed.
    pub items: Vec<Item>,
}
