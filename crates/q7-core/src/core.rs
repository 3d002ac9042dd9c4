//! Architectural state.

use crate::exception::{Cause, Exception};
use crate::interrupt::Interrupts;
use crate::memory::Memory;
use crate::op::{Exit, Op};
use crate::registers::{Scratch, Vectors};
use crate::special::Special;
use crate::window::Windows;
use crate::xea3::Dispatch;

/// What an operation asks the machine for when it returns [`Exit::REQUEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// SIMCALL: a host call.
    HostCall,
    /// HALT or HALT.N with its immediate.
    Halt(u32),
    /// WAITI: sleep until an interrupt.
    Wait,
    /// A jump to itself: nothing but an interrupt can follow.
    JumpToSelf,
    /// An instruction without semantics.
    NotImplemented,
    /// An instruction with an operand whose meaning nobody has published.
    UnknownSemantics,
}

/// The state of one core and its memory. Hot scalar state comes first.
#[repr(C)]
pub struct Core {
    /// The 16 visible ARs.
    pub ar: [u32; 16],
    /// Shift amount register, 6 bits.
    pub sar: u32,
    /// Loop count: iterations left.
    pub lcount: u32,
    /// Loop begin address.
    pub lbeg: u32,
    /// Loop end address.
    pub lend: u32,
    /// Booleans b15..b0 in bits 15:0.
    pub br: u32,
    /// Where to go on after a dynamic change of control flow.
    pub(crate) next_pc: u32,
    /// Cycles before the running block.
    pub cycle: u64,
    /// Cycle at which the machine must look at limits, timers and the host.
    pub(crate) deadline: u64,
    /// Cycles in which no bundle issued.
    pub(crate) idle_cycles: u64,
    /// PC between blocks.
    pub pc: u32,
    /// The exception of the last [`Exit::FAULT`].
    pub(crate) exception: Exception,
    /// The request of the last [`Exit::REQUEST`].
    pub(crate) request: Request,
    /// The vector unit's register files.
    pub vectors: Vectors,
    /// Guest memory.
    pub memory: Memory,
    /// The register file behind the visible ARs.
    pub windows: Windows,
    /// Special and user registers without state of their own above.
    pub special: Special,
    /// Exception dispatch state.
    pub dispatch: Dispatch,
    /// Interrupt controller and timers.
    pub interrupts: Interrupts,
    /// Room for bundles that copy registers.
    pub(crate) scratch: Scratch,
}

impl Core {
    /// The state after a direct ELF entry without reset code (DECISIONS A37): WB 0x40000000, MS 0,
    /// PS 0x80, VECBASE 0, CPENABLE 0x02.
    pub fn new(memory: Memory) -> Core {
        Core {
            ar: [0; 16],
            sar: 0,
            lcount: 0,
            lbeg: 0,
            lend: 0,
            br: 0,
            next_pc: 0,
            cycle: 0,
            deadline: 0,
            idle_cycles: 0,
            pc: 0,
            exception: Exception::new(Cause::NONE),
            request: Request::Wait,
            vectors: Vectors::default(),
            memory,
            windows: Windows::default(),
            special: Special::default(),
            dispatch: Dispatch::default(),
            interrupts: Interrupts::default(),
            scratch: Scratch::default(),
        }
    }

    /// Reads a visible AR; the number is taken modulo 16.
    #[inline(always)]
    pub(crate) fn ar(&self, register: u8) -> u32 {
        self.ar[(register & 15) as usize]
    }

    /// Writes a visible AR; the number is taken modulo 16.
    #[inline(always)]
    pub(crate) fn set_ar(&mut self, register: u8, value: u32) {
        self.ar[(register & 15) as usize] = value;
    }

    /// Reads a boolean; the number is taken modulo 16.
    #[inline(always)]
    pub(crate) fn boolean(&self, register: u8) -> bool {
        self.br >> (register & 15) & 1 == 1
    }

    /// Writes a boolean; the number is taken modulo 16.
    #[inline(always)]
    pub(crate) fn set_boolean(&mut self, register: u8, value: bool) {
        let bit = register & 15;
        self.br = self.br & !(1 << bit) | u32::from(value) << bit;
    }

    /// Raises an exception from an operation.
    #[cold]
    pub(crate) fn raise(&mut self, exception: Exception) -> Exit {
        self.exception = exception;
        Exit::FAULT
    }

    /// Asks the machine for something; execution goes on behind the operation.
    #[cold]
    pub(crate) fn ask(&mut self, op: &Op, request: Request) -> Exit {
        self.request = request;
        self.next_pc = self.sequential(op);
        Exit::REQUEST
    }

    /// Stops at an operation that has no semantics; nothing of it happens.
    #[cold]
    pub(crate) fn refuse(&mut self, op: &Op, request: Request) -> Exit {
        self.request = request;
        self.next_pc = op.pc;
        Exit::REQUEST
    }

    /// True if a bundle that left its block by `exit` did nothing.
    pub(crate) fn undone(&self, exit: Exit) -> bool {
        let refused = matches!(self.request, Request::NotImplemented | Request::UnknownSemantics);
        exit == Exit::FAULT || exit == Exit::REQUEST && refused
    }

    /// Ends the block behind `op`, so that a change of control state takes effect.
    #[cold]
    pub(crate) fn sync(&mut self, op: &Op) -> Exit {
        self.next_pc = self.sequential(op);
        Exit::SYNC
    }

    /// The address behind `op`, or LBEG if a loop turns back there.
    fn sequential(&mut self, op: &Op) -> u32 {
        if op.next_pc() == self.lend && self.turn_loop() { self.lbeg } else { op.next_pc() }
    }

    /// At LEND: counts an iteration and tells whether another follows. Dispatch code never loops
    /// back (`xea3/spec-xea3.md` section 4).
    #[inline(always)]
    pub(crate) fn turn_loop(&mut self) -> bool {
        let again = self.lcount != 0 && self.dispatch.is_normal();
        self.lcount -= u32::from(again);
        again
    }

    /// Goes to an address known only now.
    #[inline(always)]
    pub(crate) fn go(&mut self, target: u32) -> Exit {
        self.next_pc = target;
        Exit::INDIRECT
    }

    /// Bundles completed before the running block.
    pub fn bundles(&self) -> u64 {
        self.cycle - self.idle_cycles
    }

    /// CCOUNT as `op` sees it: one cycle per bundle before it in the block.
    pub(crate) fn cycle_at(&self, op: &Op) -> u64 {
        self.cycle + u64::from(op.index)
    }

    /// True if privileged instructions must fault (`xea3/spec-xea3.md` section 2): ring 1 outside of
    /// dispatch states.
    #[inline]
    pub fn unprivileged(&self) -> bool {
        self.special.ps.ring() == 1 && self.dispatch.is_normal()
    }

    /// A handler counts as installed once the image or the program has written VECBASE + 60
    /// (DESIGN section 4).
    pub(crate) fn handler_installed(&self) -> bool {
        self.memory.is_written(self.special.vecbase.wrapping_add(60))
    }

    /// CCOUNT at a cycle.
    pub(crate) fn ccount(&self, cycle: u64) -> u32 {
        (cycle as u32).wrapping_add(self.special.ccount_offset)
    }

    /// Latches the timer matches up to a cycle. Due before anything that moves CCOUNT or a compare
    /// register, or looks at pending interrupts.
    pub(crate) fn settle_timers(&mut self, cycle: u64) {
        let from = self.interrupts.settled;
        self.interrupts.advance((from as u32).wrapping_add(self.special.ccount_offset), cycle - from);
        self.interrupts.settled = cycle;
    }
}
