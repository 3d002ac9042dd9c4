//! The unit of execution: one instruction, resolved.

use crate::core::Core;

/// How an operation leaves its block, or that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Exit(pub u8);

impl Exit {
    /// Go on with the next operation of the block.
    pub const NEXT: Exit = Exit(0);
    /// The block is done; go on behind it.
    pub const FALL: Exit = Exit(1);
    /// Leave the block for the static target of the operation.
    pub const TAKEN: Exit = Exit(2);
    /// The block is done; go on at `core.next_pc`, which LOOP's LBEG gave.
    pub const LOOP_BACK: Exit = Exit(3);
    /// The block is done; go on at `core.next_pc`.
    pub const INDIRECT: Exit = Exit(4);
    /// The operation is done; leave the block at `core.next_pc` and look at interrupts and decoded
    /// code again.
    pub const SYNC: Exit = Exit(5);
    /// The operation raised `core.exception` and changed nothing.
    pub const FAULT: Exit = Exit(6);
    /// The operation is done and asks for `core.request`; go on at `core.next_pc`.
    pub const REQUEST: Exit = Exit(7);
    /// The operations of this bundle need more than running in order; see `bundle.rs`.
    pub const BUNDLE: Exit = Exit(8);
}

/// The function that executes an operation.
pub(crate) type OpFn = fn(&mut Core, &Op) -> Exit;

/// One instruction of a block with resolved operands; 32 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Op {
    /// Executes it.
    pub run: OpFn,
    /// The low 8 bits of each operand in assembly order: register numbers and small immediates.
    pub r: [u8; 8],
    /// The last operand that is a number.
    pub imm: i32,
    /// The absolute target of a branch, jump, call, loop or literal load.
    pub target: u32,
    /// Address of the bundle.
    pub pc: u32,
    /// The opcode, for reports.
    pub id: u16,
    /// Index of the bundle in its block.
    pub index: u8,
    /// Length of the bundle in bytes.
    pub length: u8,
}

impl Op {
    /// Address of the bundle behind this one.
    #[inline(always)]
    pub fn next_pc(&self) -> u32 {
        self.pc.wrapping_add(u32::from(self.length))
    }
}

const _: () = assert!(size_of::<Op>() == 32);
