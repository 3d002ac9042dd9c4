//! The machine: a core, its memory and its decoded code, run block by block.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use q7_isa::{Bundle, Isa};

use crate::block::{self, BlockCache, CLOSING, Decoder, NO_BLOCK, Undecoded};
use crate::bundle::{self, Sets};
use crate::core::{Core, Request};
use crate::exception::Exception;
use crate::exec::{Registry, UNKNOWN_SEMANTICS};
use crate::memory::{MapError, Memory, MemoryMap};
use crate::observe::Observer;
use crate::op::{At, Exit, Op};
use crate::semihost::{self, Host};
use crate::timing::Timing;
use crate::watch;
use crate::xea3::DOUBLE_EXCEPTION;

/// What bounds a run.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Stop before the cycle counter passes this.
    pub max_cycles: Option<u64>,
    /// Stop after this many bundles.
    pub max_bundles: Option<u64>,
    /// Stop soon after this becomes true.
    pub interrupted: Option<Arc<AtomicBool>>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program called exit with this status.
    Exit(i32),
    /// The function started by [`Machine::call`] returned, or the program did from its entry.
    Returned,
    /// An exception with no handler installed; nothing of its bundle happened. The PC stands at it.
    Exception(Exception),
    /// HALT with its immediate.
    Halted(u32),
    /// WAITI or a jump to itself, and no interrupt can come.
    Idle,
    /// The cycle limit.
    CycleLimit,
    /// The bundle limit.
    BundleLimit,
    /// [`Limits::interrupted`] became true.
    Interrupted,
    /// An instruction that has no semantics here; the PC stands at it.
    NotImplemented {
        /// Mnemonic, or why the bundle cannot be decoded.
        what: String,
    },
    /// An instruction, or an operand of it, whose meaning nobody has published; the PC stands at it.
    UnknownSemantics {
        /// Mnemonic.
        what: String,
    },
}

/// Cycles between looks at [`Limits::interrupted`].
const POLL: u64 = 20_000_000;

/// The same for observed runs, which are slow when the observer writes text.
const OBSERVED_POLL: u64 = 100_000;

/// Bundles in [`Machine::recent_bundles`].
pub const RECENT_BUNDLES: usize = 8;

/// Runs of bundles remembered for it: more, because a run may hold no completed bundle.
const RECENT_RUNS: usize = 16;

/// What ended the fast loop.
enum Pause {
    /// The deadline does not leave time for the next block.
    Countdown,
    /// Look at interrupts and changed code, then go on.
    Sync,
    Fault,
    /// The opcode that asks.
    Request(u16),
}

/// A core with the code it has decoded.
pub struct Machine<'isa> {
    /// The architectural state.
    pub core: Core,
    decoder: Decoder<'isa>,
    blocks: BlockCache,
    /// Where [`Machine::call`] returns to: an address in no region.
    return_address: u32,
    recent: Recent,
}

impl<'isa> Machine<'isa> {
    /// A machine with the given memory, in the state of a direct ELF entry.
    ///
    /// # Errors
    /// [`MapError`] if the memory map is not usable.
    pub fn new(isa: &'isa Isa, map: &MemoryMap) -> Result<Machine<'isa>, MapError> {
        let memory = Memory::new(map)?;
        let candidates = [0xffff_fff0, 0x7fff_fff0, 0x5fff_fff0, 0xdfff_fff0];
        let outside = candidates.into_iter().find(|&address| !memory.covers(address, 1));
        let return_address = outside.unwrap_or(candidates[0]);
        Ok(Machine {
            core: Core::new(memory),
            decoder: Decoder { isa, registry: Registry::new(isa), return_address, strict: true },
            blocks: BlockCache::new(),
            return_address,
            recent: Recent::default(),
        })
    }

    /// The instruction set this machine decodes.
    pub fn isa(&self) -> &'isa Isa {
        self.decoder.isa
    }

    /// Whether a bundle in which two slots write one register is illegal (the default); otherwise the
    /// higher slot wins.
    pub fn set_strict(&mut self, strict: bool) {
        self.decoder.strict = strict;
        self.blocks.flush(&mut self.core.memory);
    }

    /// Number of blocks decoded so far.
    pub fn blocks_built(&self) -> u64 {
        self.blocks.built
    }

    /// Where a function started by [`Machine::call`] returns to.
    pub fn return_address(&self) -> u32 {
        self.return_address
    }

    /// Starts at `entry` with the given stack pointer. A program that returns from its entry, by RET or
    /// by RETW, stops with [`Stop::Returned`].
    pub fn start(&mut self, entry: u32, stack: u32) {
        self.core.pc = entry;
        self.core.ar[1] = stack;
        self.core.ar[0] = self.return_address;
        self.core.ar[8] = self.return_address;
    }

    /// Runs until something stops it.
    pub fn run(&mut self, limits: &Limits, host: &mut dyn Host) -> Stop {
        self.run_inner(limits, host, None)
    }

    /// Runs until something stops it, bundle by bundle, and tells an observer.
    pub fn run_observed(
        &mut self,
        limits: &Limits,
        host: &mut dyn Host,
        observer: &mut dyn Observer,
    ) -> Stop {
        self.core.memory.observe(true);
        let stop = self.run_inner(limits, host, Some(observer));
        self.core.memory.observe(false);
        stop
    }

    fn run_inner(
        &mut self,
        limits: &Limits,
        host: &mut dyn Host,
        mut observer: Option<&mut (dyn Observer + '_)>,
    ) -> Stop {
        loop {
            if self.core.memory.code_changed() {
                self.blocks.flush(&mut self.core.memory);
            }
            self.blocks.mark_loop_end(self.core.lend, &mut self.core.memory);
            if self.core.interrupt_waits() && self.core.handler_installed() {
                if let Some(observer) = observer.as_deref_mut() {
                    observer.interrupt(self.core.pc);
                }
                self.core.pc = self.core.enter_interrupt(self.core.pc);
            }
            let budget = match self.budget(limits) {
                Ok(budget) => budget,
                Err(stop) => return stop,
            };
            let before = self.core.cycle;
            let pause = match observer.as_deref_mut() {
                None => {
                    self.core.deadline = before + budget;
                    match self.run_blocks() {
                        Pause::Countdown => self.run_bundles(self.core.deadline - self.core.cycle, None),
                        pause => pause,
                    }
                }
                Some(observer) => self.run_bundles(budget.min(OBSERVED_POLL), Some(observer)),
            };
            self.core.settle_timers(self.core.cycle);
            let stop = match pause {
                Pause::Countdown | Pause::Sync => None,
                Pause::Fault => self.fault(observer.as_deref_mut()),
                Pause::Request(opcode) => self.request(opcode, limits, host, observer.as_deref_mut()),
            };
            if let Some(stop) = stop {
                return stop;
            }
        }
    }

    /// Cycles until a limit, a timer match or the next look at the host.
    fn budget(&self, limits: &Limits) -> Result<u64, Stop> {
        if limits.interrupted.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        let core = &self.core;
        let mut budget = POLL;
        if let Some(most) = limits.max_cycles {
            match most.checked_sub(core.cycle) {
                None | Some(0) => return Err(Stop::CycleLimit),
                Some(left) => budget = budget.min(left),
            }
        }
        if let Some(most) = limits.max_bundles {
            match most.checked_sub(core.bundles()) {
                None | Some(0) => return Err(Stop::BundleLimit),
                // A bundle takes at least a cycle.
                Some(left) => budget = budget.min(left),
            }
        }
        Ok(budget.min(core.interrupts.cycles_to_match(core.ccount(core.cycle))))
    }

    /// Runs whole blocks while the deadline leaves time for them.
    fn run_blocks(&mut self) -> Pause {
        let Machine { core, decoder, blocks, recent, .. } = self;
        let mut id = blocks.at(core.pc, core, decoder);
        loop {
            let block = blocks.block(id);
            if core.cycle + u64::from(block.cost) > core.deadline {
                core.pc = block.pc;
                return Pause::Countdown;
            }
            let (exit, last) = execute(core, blocks.ops(block), blocks.sets());
            if exit.0 > Exit::INDIRECT.0 {
                let (pc, op) = (block.pc, *last);
                return self.leave(pc, exit, op);
            }
            complete(core, recent, block.pc, u32::from(last.index) + 1);
            let (next, target) = blocks.successor(block, last, exit, core.next_pc);
            id = if next != NO_BLOCK {
                next
            } else {
                let at = blocks.index_of(last);
                blocks.follow(id, at, exit, target, core, decoder)
            };
        }
    }

    /// Leaves the block at `pc` by operation `op`, which did not end in plain control flow.
    fn leave(&mut self, pc: u32, exit: Exit, op: Op) -> Pause {
        let undone = self.core.undone(exit);
        complete(&mut self.core, &mut self.recent, pc, u32::from(op.index) + u32::from(!undone));
        self.core.pc = if undone { op.pc } else { self.core.next_pc };
        match exit {
            Exit::FAULT => Pause::Fault,
            Exit::REQUEST => Pause::Request(op.id),
            _ => Pause::Sync,
        }
    }

    /// Runs at most `budget` bundles, one at a time, over the same blocks.
    fn run_bundles(&mut self, mut budget: u64, mut observer: Option<&mut (dyn Observer + '_)>) -> Pause {
        loop {
            let Machine { core, decoder, blocks, recent, .. } = self;
            let id = blocks.at(core.pc, core, decoder);
            let block = blocks.block(id);
            let ops = blocks.ops(block);
            let mut outcome = (Exit::NEXT, &ops[0]);
            let mut position = 0;
            while outcome.0 == Exit::NEXT {
                let end = bundle_end(ops, position);
                let (group, behind) = (&ops[position..end], &ops[end..]);
                let op = &group[0];
                if op.id != CLOSING {
                    if budget == 0 {
                        complete(core, recent, block.pc, u32::from(op.index));
                        core.pc = op.pc;
                        return Pause::Countdown;
                    }
                    budget -= 1;
                }
                outcome = match observer.as_deref_mut() {
                    Some(observer) if op.id != CLOSING && op.pc != self.return_address => {
                        let closing = behind.first().filter(|op| op.id == CLOSING);
                        watch::observe_bundle(core, decoder.isa, group, blocks.sets(), closing, observer)
                    }
                    _ => bundle::run(core, group, blocks.sets()),
                };
                position = end;
            }
            let (exit, last) = outcome;
            if exit.0 > Exit::INDIRECT.0 {
                let (pc, op) = (block.pc, *last);
                return self.leave(pc, exit, op);
            }
            complete(core, recent, block.pc, u32::from(last.index) + 1);
            core.pc = blocks.successor(block, last, exit, core.next_pc).1;
        }
    }

    /// Enters the handler of the exception just raised, or stops.
    fn fault(&mut self, observer: Option<&mut (dyn Observer + '_)>) -> Option<Stop> {
        let (pc, exception) = (self.core.pc, self.core.exception);
        if pc == self.return_address {
            return Some(Stop::Returned);
        }
        if let Some(observer) = observer {
            observer.exception(pc, exception);
        }
        // A fault of the double-exception vector's own first bundle would come again forever.
        let vector = self.core.special.vecbase.wrapping_add(DOUBLE_EXCEPTION);
        let hopeless = pc == vector && !self.core.dispatch.is_normal();
        if hopeless || !self.core.handler_installed() {
            return Some(Stop::Exception(exception));
        }
        self.core.pc = self.core.enter_exception(pc, exception);
        None
    }

    /// Carries out what an operation asked for; not inlined, to leave the registers to the loop of blocks.
    #[inline(never)]
    fn request(
        &mut self,
        opcode: u16,
        limits: &Limits,
        host: &mut dyn Host,
        observer: Option<&mut (dyn Observer + '_)>,
    ) -> Option<Stop> {
        match self.core.request {
            Request::HostCall => semihost::host_call(&mut self.core, host, observer).map(Stop::Exit),
            Request::Halt(immediate) => Some(Stop::Halted(immediate)),
            Request::Wait | Request::JumpToSelf => self.wait(limits),
            Request::NotImplemented => Some(self.without_semantics(opcode)),
            Request::UnknownSemantics => {
                let what = self.decoder.isa.opcodes()[opcode as usize].mnemonic.clone();
                Some(Stop::UnknownSemantics { what })
            }
        }
    }

    fn without_semantics(&self, opcode: u16) -> Stop {
        match self.decoder.isa.opcodes().get(opcode as usize) {
            Some(opcode) if UNKNOWN_SEMANTICS.contains(&opcode.mnemonic.as_str()) => {
                Stop::UnknownSemantics { what: opcode.mnemonic.clone() }
            }
            Some(opcode) => Stop::NotImplemented { what: opcode.mnemonic.clone() },
            None => match block::decode_at(&self.core.memory, self.decoder.isa, self.core.pc) {
                Err(Undecoded::Bytes(error)) => Stop::NotImplemented { what: error.to_string() },
                _ => Stop::NotImplemented { what: "unknown instruction".into() },
            },
        }
    }

    /// Lets time pass until an interrupt can be taken.
    fn wait(&mut self, limits: &Limits) -> Option<Stop> {
        let core = &mut self.core;
        let may_take = core.dispatch.is_normal()
            && !core.special.ps.interrupts_disabled()
            && core.handler_installed()
            && core.interrupts.can_come();
        if !may_take {
            return Some(Stop::Idle);
        }
        while !core.interrupt_waits() {
            let mut cycles = core.interrupts.cycles_to_match(core.ccount(core.cycle));
            if let Some(most) = limits.max_cycles {
                cycles = cycles.min(most.saturating_sub(core.cycle));
                if cycles == 0 {
                    return Some(Stop::CycleLimit);
                }
            }
            core.cycle += cycles;
            core.idle_cycles += cycles;
            core.settle_timers(core.cycle);
        }
        None
    }

    /// Addresses of the bundles completed last, oldest first, at most [`RECENT_BUNDLES`].
    pub fn recent_bundles(&self) -> Vec<u32> {
        let mut addresses = Vec::new();
        for (mut pc, count) in self.recent.oldest_first() {
            for _ in 0..count {
                addresses.push(pc);
                match block::decode_at(&self.core.memory, self.decoder.isa, pc) {
                    Ok(bundle) => pc = pc.wrapping_add(u32::from(bundle.length)),
                    Err(_) => break,
                }
            }
        }
        addresses.split_off(addresses.len().saturating_sub(RECENT_BUNDLES))
    }

    /// The bundle at an address, if its bytes are one.
    pub fn bundle_at(&self, pc: u32) -> Option<Bundle> {
        block::decode_at(&self.core.memory, self.decoder.isa, pc).ok()
    }
}

/// Executes the operations of a block until one leaves it.
#[inline(always)]
fn execute<'a>(core: &mut Core, ops: &'a [Op], sets: &Sets) -> (Exit, &'a Op) {
    let mut rest = ops;
    loop {
        let (exit, op) = execute_straight(core, rest);
        if exit != Exit::SYNC && exit != Exit::BUNDLE {
            return (exit, op);
        }
        let (exit, op, behind) = execute_bundle(core, ops, sets, op, exit);
        if exit != Exit::NEXT {
            return (exit, op);
        }
        rest = behind;
    }
}

/// Executes operations until one asks for something else than to go on.
#[inline(always)]
fn execute_straight<'a>(core: &mut Core, ops: &'a [Op]) -> (Exit, &'a Op) {
    // SAFETY: the builder ends every block with an operation that leaves it.
    let mut at = unsafe { At::first(ops) };
    loop {
        let (exit, last) = (at.run)(core, at);
        if exit != Exit::NEXT {
            return (exit, last.op());
        }
        // SAFETY: it gave NEXT.
        at = unsafe { last.behind() };
    }
}

/// Executes the rest of a bundle that is not simple, or of which operation `from` asked to synchronise;
/// the operations behind it come third.
#[inline(never)]
fn execute_bundle<'a>(
    core: &mut Core,
    ops: &'a [Op],
    sets: &Sets,
    from: &'a Op,
    exit: Exit,
) -> (Exit, &'a Op, &'a [Op]) {
    let first = (std::ptr::from_ref(from) as usize - ops.as_ptr() as usize) / size_of::<Op>();
    let end = bundle_end(ops, first);
    let (exit, op) = if exit == Exit::BUNDLE {
        bundle::run(core, &ops[first..end], sets)
    } else {
        bundle::finish(core, &ops[first], &ops[first + 1..end])
    };
    (exit, op, &ops[end..])
}

/// The position behind the bundle that the operation at `first` belongs to.
fn bundle_end(ops: &[Op], first: usize) -> usize {
    let same = |op: &Op| op.index == ops[first].index && op.id != CLOSING;
    ops[first..].iter().position(|op| !same(op)).map_or(ops.len(), |length| first + length.max(1))
}

/// Counts the bundles that a block at `pc` completed.
#[inline(always)]
fn complete(core: &mut Core, recent: &mut Recent, pc: u32, bundles: u32) {
    recent.push(pc, bundles);
    core.cycle += u64::from(Timing::Functional.cost(bundles));
}

/// The runs of bundles executed last: address and number of bundles completed there.
#[derive(Default)]
struct Recent {
    runs: [(u32, u32); RECENT_RUNS],
    next: usize,
}

impl Recent {
    #[inline(always)]
    fn push(&mut self, pc: u32, completed: u32) {
        self.runs[self.next % RECENT_RUNS] = (pc, completed);
        self.next = self.next.wrapping_add(1);
    }

    fn oldest_first(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.next.saturating_sub(RECENT_RUNS)..self.next).map(|slot| self.runs[slot % RECENT_RUNS])
    }
}
