//! XEA3 exception dispatch: the state that gives the dispatch instructions their meaning.
//!
//! Source: `xea3/spec-xea3.md` sections 3 to 5, `s32e-l32e-codes.csv`, `ps-stack.csv`. The codes of
//! MS.DISPST other than 0 and 0x10 are not published, ours are private (docs/assumptions.md, X1).

use crate::core::Core;
use crate::exception::{Cause, Exception};
use crate::memory::Stored;
use crate::op::{Exit, Op};
use crate::special::Ps;

/// MS.DISPST.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    /// Running a program.
    #[default]
    Normal = 0,
    /// S32E stores a8..a15 and fetches the exception registers.
    Save = 1,
    /// Between the save segment and the dispatch of a handler.
    Entry = 2,
    /// Back from a handler: dispatch the next one or leave.
    Tailchain = 3,
    /// L32E loads the frame.
    Exit = 4,
    /// L32E restores a8..a15 and the exception registers.
    Restore = 5,
    /// What a debugger writes.
    Debug = 0x10,
}

/// Dispatch state: MS and what the dispatch instructions pass on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    state: State,
    /// MS.DE, taken as the double-exception flag.
    double: bool,
}

/// Dispatch offsets from VECBASE (`xea3/exception-vectors.csv`).
pub(crate) const DOUBLE_EXCEPTION: u32 = 6;
const TAILCHAIN: u32 = 12;
const EXCEPTION_RETURN: u32 = 15;
const SAVE: u32 = 60;

impl Dispatch {
    /// True while a program runs (or a debugger).
    pub fn is_normal(&self) -> bool {
        matches!(self.state, State::Normal | State::Debug)
    }

    /// MS as a word: DISPST 4:0, DE 5.
    pub fn word(&self) -> u32 {
        self.state as u32 | u32::from(self.double) << 5
    }

    /// Writes MS; a code without a meaning counts as normal.
    pub fn set_word(&mut self, word: u32) {
        self.double = word >> 5 & 1 == 1;
        self.state = match word & 0x1f {
            1 => State::Save,
            2 => State::Entry,
            3 => State::Tailchain,
            4 => State::Exit,
            5 => State::Restore,
            0x10 => State::Debug,
            _ => State::Normal,
        };
    }
}

impl Core {
    /// True if an interrupt is to be taken before the next bundle.
    pub(crate) fn interrupt_waits(&self) -> bool {
        self.dispatch.is_normal()
            && !self.special.ps.interrupts_disabled()
            && self.interrupts.deliverable().is_some()
    }

    /// Enters dispatch for an exception raised at `pc`; gives the address of the vector code.
    pub(crate) fn enter_exception(&mut self, pc: u32, exception: Exception) -> u32 {
        if !self.dispatch.is_normal() {
            self.dispatch.double = true;
            return self.special.vecbase.wrapping_add(DOUBLE_EXCEPTION);
        }
        if let Some(address) = exception.address {
            self.special.excvaddr = address;
        }
        self.enter_dispatch(pc, exception.cause)
    }

    /// Enters dispatch for an interrupt before the bundle at `pc`.
    pub(crate) fn enter_interrupt(&mut self, pc: u32) -> u32 {
        self.enter_dispatch(pc, Cause::NONE)
    }

    fn enter_dispatch(&mut self, pc: u32, cause: Cause) -> u32 {
        self.special.epc = pc;
        self.special.exccause = cause.0;
        self.special.reservation = None;
        self.dispatch.state = State::Save;
        self.special.vecbase.wrapping_add(SAVE)
    }

    /// RET and RETW recognise the dispatch addresses and enter the tailchain state.
    #[inline(always)]
    pub(crate) fn go_or_tailchain(&mut self, target: u32) -> Exit {
        let offset = target.wrapping_sub(self.special.vecbase);
        if offset == TAILCHAIN || offset == EXCEPTION_RETURN {
            return self.tailchain(target);
        }
        self.go(target)
    }

    /// An installed handler is needed for the address to mean anything; without one it is plain code.
    #[cold]
    fn tailchain(&mut self, target: u32) -> Exit {
        if self.handler_installed() {
            self.dispatch.state = State::Tailchain;
        }
        self.next_pc = target;
        Exit::SYNC
    }

    /// S32E: a store whose address and side effect depend on the state.
    pub(crate) fn s32e(&mut self, op: &Op) -> Result<Exit, Exception> {
        let (t, s, offset) = (op.r[0], op.r[1], op.imm);
        let saving = self.dispatch.state == State::Save;
        let address = self.frame_address(t, s, offset, saving);
        let stored = self.memory.store(address, self.ar(t))?;
        if saving {
            let special = &self.special;
            let moved = match offset {
                -52 => Some(special.excvaddr),
                -28 => Some(special.ps.0 & 0x00ff_ffff | self.sar << 24),
                -48 => Some(special.epc),
                -24 => Some(special.exccause),
                -44 => Some(self.lbeg),
                -40 => Some(self.lend),
                -36 => Some(self.lcount),
                -32 => Some(self.ar[1]),
                _ => None,
            };
            if let Some(value) = moved {
                self.set_ar(t, value);
            }
            if offset == -32 {
                self.dispatch.state = State::Entry;
            }
        }
        Ok(self.after_store(op, stored))
    }

    /// L32E: a load whose address and side effect depend on the state.
    pub(crate) fn l32e(&mut self, op: &Op) -> Result<Exit, Exception> {
        let (t, s, offset) = (op.r[0], op.r[1], op.imm);
        let restoring = self.dispatch.state == State::Restore;
        let value: u32 = self.memory.load(self.frame_address(t, s, offset, restoring))?;
        let saved = self.ar(t);
        self.set_ar(t, value);
        if !restoring {
            return Ok(Exit::NEXT);
        }
        match offset {
            -44 => self.lbeg = saved,
            -40 => self.lend = saved,
            -36 => self.lcount = saved,
            -60 => {
                self.special.ps = Ps(saved & Ps::WRITABLE);
                self.sar = saved >> 24 & 0x3f;
            }
            -48 => self.special.epc = saved,
            -64 if t == 15 => {
                self.dispatch.state = State::Normal;
                self.next_pc = self.special.epc;
                return Ok(Exit::SYNC);
            }
            _ => {}
        }
        Ok(Exit::NEXT)
    }

    /// Save and restore ignore the immediate: a8..a15 lie in order from the old SP - 64. Elsewhere
    /// dispatch offsets count from SP - 64; in normal state the base is the AR itself.
    fn frame_address(&self, t: u8, s: u8, offset: i32, by_register: bool) -> u32 {
        if by_register {
            let slot = u32::from(t.wrapping_sub(8) & 7);
            self.ar[1].wrapping_sub(64).wrapping_add(4 * slot)
        } else if self.dispatch.is_normal() {
            self.ar(s).wrapping_add(offset as u32)
        } else {
            self.ar(s).wrapping_sub(64).wrapping_add(offset as u32)
        }
    }

    /// Goes on behind a store that is done; one over decoded code ends the block.
    pub(crate) fn after_store(&mut self, op: &Op, stored: Stored) -> Exit {
        if stored == Stored::Code { self.sync(op) } else { Exit::NEXT }
    }

    /// S32SI.X4: chooses the interrupt to dispatch. From entry it stores EPC in the frame first; when
    /// chaining the frame already holds it (the registers are the returned handler's), and the active
    /// interrupt ends (docs/assumptions.md, X2).
    pub(crate) fn s32si(&mut self, op: &Op) -> Result<Exit, Exception> {
        let mut stored = Stored::Data;
        if self.dispatch.state == State::Tailchain {
            self.interrupts.retire();
        } else {
            stored = self.memory.store(self.ar(op.r[1]).wrapping_sub(80), self.ar(op.r[0]))?;
        }
        let selected =
            if self.special.ps.interrupts_disabled() { None } else { self.interrupts.deliverable() };
        if let Some(number) = selected {
            self.interrupts.activate(number);
        }
        self.interrupts.selected = selected;
        self.set_ar(op.r[0], selected.map_or(0, |number| 4 * number));
        Ok(self.after_store(op, stored))
    }

    /// L32DIS.IT: loads a word of the interrupt table.
    pub(crate) fn l32dis_it(&mut self, op: &Op) -> Result<Exit, Exception> {
        let value = self.memory.load(self.special.isb.wrapping_add(self.ar(op.r[1])))?;
        self.set_ar(op.r[0], value);
        Ok(Exit::NEXT)
    }

    /// L32DIS.EPC: loads EPC from the frame; a deliverable interrupt chains, else restoring begins.
    pub(crate) fn l32dis_epc(&mut self, op: &Op) -> Result<Exit, Exception> {
        let value = self.memory.load(self.ar(op.r[1]).wrapping_sub(80))?;
        self.set_ar(op.r[0], value);
        if !self.special.ps.interrupts_disabled() && self.interrupts.deliverable().is_some() {
            self.dispatch.state = State::Tailchain;
            self.next_pc = self.special.vecbase.wrapping_add(TAILCHAIN);
            return Ok(Exit::SYNC);
        }
        self.dispatch.state = State::Restore;
        Ok(Exit::NEXT)
    }

    /// S32STK: gives the stack pointer of the handler and the next stack state. From entry it stores
    /// the PS word in the frame; when chaining the frame already holds it (X2).
    pub(crate) fn s32stk(&mut self, op: &Op) -> Result<Exit, Exception> {
        let base = self.ar(op.r[1]);
        let chaining = self.dispatch.state == State::Tailchain;
        let interrupt = self.interrupts.selected.is_some();
        let (stack, on_interrupt_stack) = match self.special.ps.stack() {
            // Only an interrupt that leaves a kernel or task stack crosses to the interrupt stack.
            3 | 5 if interrupt => (1, true),
            5 => (3, false),
            // A chained handler runs where the one before it ran.
            1 if chaining => (1, true),
            0 | 1 | 4 if interrupt => (0, false),
            other => (other, false),
        };
        let pointer = if on_interrupt_stack { self.special.isb } else { base.wrapping_sub(op.imm as u32) };
        self.check_stack_limit(pointer, stack)?;
        let mut stored = Stored::Data;
        if !chaining {
            stored = self.memory.store(base.wrapping_sub(76), self.ar(op.r[0]))?;
        }
        self.special.ps = self.special.ps.with_stack(stack);
        self.set_ar(op.r[0], pointer);
        Ok(self.after_store(op, stored))
    }

    /// S32DIS.H: drops the exclusive reservation and dispatches: an interrupt handler, or the
    /// exception path of the vector code, or nothing when chaining ends.
    pub(crate) fn s32dis_h(&mut self, op: &Op) -> Exit {
        self.special.reservation = None;
        let target = self.ar(op.r[0]);
        let interrupt = self.interrupts.selected.take();
        if interrupt.is_none() && self.dispatch.state != State::Entry {
            self.dispatch.state = State::Exit;
            return Exit::NEXT;
        }
        if let Err(exception) = self.make_room() {
            return self.raise(exception);
        }
        let link = if interrupt.is_some() { TAILCHAIN } else { EXCEPTION_RETURN };
        self.enter_window();
        self.ar[0] = self.special.vecbase.wrapping_add(link);
        self.special.ps.0 |= Ps::ENTRYNR;
        self.dispatch.state = State::Normal;
        self.next_pc = if interrupt.is_some() { target } else { op.next_pc() };
        Exit::SYNC
    }

    /// Raises a stack limit exception if `pointer` lies below the limit of the stack state:
    /// ISL for states on the interrupt stack (0, 1, 4), KSL for kernel and task states.
    pub(crate) fn check_stack_limit(&self, pointer: u32, stack: u32) -> Result<(), Exception> {
        let limit = if matches!(stack, 0 | 1 | 4) { self.special.isl } else { self.special.ksl };
        if limit & 1 == 1 && pointer < limit & !0xf {
            return Err(Exception::at(Cause::STACK_LIMIT, pointer));
        }
        Ok(())
    }
}
