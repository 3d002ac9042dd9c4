//! The unit of execution: one instruction, resolved.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::block::BlockId;
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

/// The function that executes an operation. It gives [`Exit::NEXT`] and the operation that it executed, or, if it is
/// threaded, executes the operations behind too, as long as they go on, and gives how and where that ended.
pub(crate) type OpFn = for<'a> fn(&mut Core, At<'a>) -> (Exit, At<'a>);

/// An operation and its place: unless it leaves, another one lies behind it.
#[derive(Clone, Copy)]
pub(crate) struct At<'a>(NonNull<Op>, PhantomData<&'a Op>);

impl<'a> At<'a> {
    /// The first of some operations.
    ///
    /// # Safety
    /// The last one must not give [`Exit::NEXT`] to a caller that goes on behind it.
    #[inline(always)]
    pub unsafe fn first(ops: &'a [Op]) -> At<'a> {
        At(NonNull::from(ops).cast(), PhantomData)
    }

    /// The operation itself.
    #[inline(always)]
    pub fn op(self) -> &'a Op {
        // SAFETY: it is one of the operations that `first` was given, borrowed for `'a`.
        unsafe { self.0.as_ref() }
    }

    /// The place behind.
    ///
    /// # Safety
    /// The operation must have given [`Exit::NEXT`], so that it is not the last.
    #[inline(always)]
    pub unsafe fn behind(self) -> At<'a> {
        // SAFETY: as the caller says, another operation of the same slice follows.
        At(unsafe { self.0.add(1) }, PhantomData)
    }

    /// Goes on behind an operation that gave `exit`: the tail of a threaded operation.
    #[inline(always)]
    pub fn go_on(self, core: &mut Core, exit: Exit) -> (Exit, At<'a>) {
        if exit != Exit::NEXT {
            return (exit, self);
        }
        // SAFETY: it gave NEXT.
        let next = unsafe { self.behind() };
        (next.run)(core, next)
    }
}

impl Deref for At<'_> {
    type Target = Op;

    #[inline(always)]
    fn deref(&self) -> &Op {
        self.op()
    }
}

/// The operation function of a `fn(&mut Core, &Op) -> Exit`: executes the one operation.
macro_rules! single {
    ($run:expr) => {{
        fn single<'a>(
            core: &mut $crate::core::Core,
            at: $crate::op::At<'a>,
        ) -> ($crate::op::Exit, $crate::op::At<'a>) {
            let run: fn(&mut $crate::core::Core, &$crate::op::Op) -> $crate::op::Exit = $run;
            (run(core, at.op()), at)
        }
        single
    }};
}

/// As `single!`, going on with the operation behind by itself. The compiler makes that a jump, so that every
/// operation has its own indirect jump, which hosts predict better than the one of a loop. Where it does not, the
/// depth is that of a block: at most 128 bundles.
macro_rules! threaded {
    ($run:expr) => {{
        fn threaded<'a>(
            core: &mut $crate::core::Core,
            at: $crate::op::At<'a>,
        ) -> ($crate::op::Exit, $crate::op::At<'a>) {
            let run: fn(&mut $crate::core::Core, &$crate::op::Op) -> $crate::op::Exit = $run;
            let exit = run(core, at.op());
            at.go_on(core, exit)
        }
        threaded
    }};
    // `$quick` does the usual cases and tells whether it did; only else `$run` does the operation, alone. Nothing
    // then has to survive a call on the usual way.
    ($quick:expr, else $run:expr) => {{
        fn threaded<'a>(
            core: &mut $crate::core::Core,
            at: $crate::op::At<'a>,
        ) -> ($crate::op::Exit, $crate::op::At<'a>) {
            const WHOLE: $crate::op::OpFn = single!($run);
            let quick: fn(&mut $crate::core::Core, &$crate::op::Op) -> bool = $quick;
            if quick(core, at.op()) { at.go_on(core, $crate::op::Exit::NEXT) } else { WHOLE(core, at) }
        }
        threaded
    }};
}

/// One instruction of a block with resolved operands; 32 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Op {
    /// Executes it.
    pub run: OpFn,
    /// The low 8 bits of each operand in assembly order: register numbers and small immediates. Branches and jumps
    /// have few operands and keep their link in the last four ([`Op::link`]).
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
    /// Executes this operation and no other.
    pub fn run_alone(&self, core: &mut Core) -> Exit {
        let ops = [*self, NOTHING];
        // SAFETY: the last one goes nowhere, and nobody goes on behind it here.
        let (exit, _) = (self.run)(core, unsafe { At::first(&ops) });
        exit
    }

    /// The block at the static target of a branch or jump.
    #[inline(always)]
    pub fn link(&self) -> BlockId {
        let [_, _, _, _, link @ ..] = self.r;
        BlockId::from_ne_bytes(link)
    }

    /// Sets the link of a branch or jump.
    pub fn set_link(&mut self, to: BlockId) {
        self.r[4..].copy_from_slice(&to.to_ne_bytes());
    }

    /// Address of the bundle behind this one.
    #[inline(always)]
    pub fn next_pc(&self) -> u32 {
        self.pc.wrapping_add(u32::from(self.length))
    }
}

/// Does nothing; not even a threaded operation goes on behind it.
pub(crate) const NOTHING: Op = Op {
    run: single!(|_core, _op| Exit::NEXT),
    r: [0; 8],
    imm: 0,
    target: 0,
    pc: 0,
    id: 0,
    index: 0,
    length: 0,
};

const _: () = assert!(size_of::<Op>() == 32);
