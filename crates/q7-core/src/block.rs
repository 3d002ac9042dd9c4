//! Blocks: decoded bundles up to a change of control flow, and the cache that holds them.

use std::collections::{HashMap, HashSet};

use q7_isa::{Bundle, DecodeError, File, Isa};

use crate::core::{Core, Request};
use crate::exception::{Cause, Exception};
use crate::exec::{Binding, Flow, Registry};
use crate::memory::{Memory, PAGE_SIZE};
use crate::op::{Exit, Op, OpFn, UNTAKEN};
use crate::timing::Timing;

/// Index of a block in its cache.
pub(crate) type BlockId = u32;

/// A link or cache entry that leads nowhere yet.
pub(crate) const NO_BLOCK: BlockId = u32::MAX;

/// `Op::id` of the operation that closes a block and belongs to no bundle.
pub(crate) const CLOSING: u16 = u16::MAX;

/// `Op::id` of an operation that stands for bytes that are no bundle.
pub(crate) const UNDECODED: u16 = u16::MAX - 1;

/// Most bundles in a block; their index must fit `Op::index`.
const MAX_BUNDLES: u8 = 128;

/// Entries of the cache for indirect jumps; a power of two.
const JUMP_CACHE: usize = 4096;

/// A run of bundles that is entered at the top only.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Address of the first bundle.
    pub pc: u32,
    /// Address behind the last bundle.
    pub end: u32,
    /// First operation in `BlockCache::ops`.
    first: u32,
    /// Number of operations.
    count: u32,
    /// Number of bundles.
    pub bundles: u32,
    /// Cycles when everything is ready at entry.
    pub cost: u32,
    /// Successors for `FALL`, `TAKEN` and `LOOP_BACK`, patched on first use.
    pub links: [BlockId; 3],
    /// LBEG that `links[2]` was patched for.
    pub loop_pc: u32,
    /// The last indirect successor: address and block.
    pub indirect: (u32, BlockId),
}

/// All blocks decoded so far.
pub(crate) struct BlockCache {
    pub blocks: Vec<Block>,
    ops: Vec<Op>,
    by_pc: HashMap<u32, BlockId>,
    jumps: Box<[(u32, BlockId); JUMP_CACHE]>,
    /// Addresses that end a loop body; blocks are cut there.
    loop_ends: HashSet<u32>,
    /// Counts flushes, so that ids from before one are not used after it.
    pub generation: u64,
    /// Number of blocks built.
    pub built: u64,
}

impl BlockCache {
    pub(crate) fn new() -> BlockCache {
        BlockCache {
            blocks: Vec::new(),
            ops: Vec::new(),
            by_pc: HashMap::new(),
            jumps: Box::new([(0, NO_BLOCK); JUMP_CACHE]),
            loop_ends: HashSet::new(),
            generation: 0,
            built: 0,
        }
    }

    /// The operations of a block.
    #[inline(always)]
    pub(crate) fn ops(&self, block: &Block) -> &[Op] {
        &self.ops[block.first as usize..(block.first + block.count) as usize]
    }

    /// Drops all blocks; the marks of loop ends stay.
    pub(crate) fn flush(&mut self, memory: &mut Memory) {
        self.blocks.clear();
        self.ops.clear();
        self.by_pc.clear();
        self.jumps.fill((0, NO_BLOCK));
        self.generation += 1;
        memory.forget_code();
    }

    /// Marks an address as the end of a loop body; blocks that cross it must go.
    pub(crate) fn mark_loop_end(&mut self, address: u32, memory: &mut Memory) {
        let crossed = |block: &Block| block.pc < address && (address < block.end);
        let ends = |block: &Block| block.end == address;
        if self.loop_ends.insert(address) && self.blocks.iter().any(|block| crossed(block) || ends(block)) {
            self.flush(memory);
        }
    }

    /// The block at `pc`, decoded now if need be.
    pub(crate) fn at(&mut self, pc: u32, core: &mut Core, isa: &Isa, registry: &Registry) -> BlockId {
        let slot = jump_slot(pc);
        let (cached, id) = self.jumps[slot];
        if cached == pc && id != NO_BLOCK {
            return id;
        }
        let id = match self.by_pc.get(&pc) {
            Some(id) => *id,
            None => self.build(pc, core, isa, registry),
        };
        self.jumps[slot] = (pc, id);
        id
    }

    /// The successor at `target` of a block that left by `exit`; patches the block's link to it.
    #[cold]
    #[inline(never)]
    pub(crate) fn follow(
        &mut self,
        from: BlockId,
        exit: Exit,
        target: u32,
        core: &mut Core,
        isa: &Isa,
        registry: &Registry,
    ) -> BlockId {
        let generation = self.generation;
        let to = self.at(target, core, isa, registry);
        if generation == self.generation {
            let block = &mut self.blocks[from as usize];
            match exit {
                Exit::FALL => block.links[0] = to,
                Exit::TAKEN => block.links[1] = to,
                Exit::LOOP_BACK => (block.links[2], block.loop_pc) = (to, target),
                _ => block.indirect = (target, to),
            }
        }
        to
    }

    fn build(&mut self, pc: u32, core: &mut Core, isa: &Isa, registry: &Registry) -> BlockId {
        let mut builder = Builder { isa, registry, ops: Vec::new(), bundles: 0, loop_end: None };
        let end = builder.decode_from(pc, &core.memory, &self.loop_ends);
        if let Some(address) = builder.loop_end {
            self.mark_loop_end(address, &mut core.memory);
        }
        core.memory.mark_code(pc, end.wrapping_sub(pc).max(1));
        let id = self.blocks.len() as BlockId;
        let bundles = u32::from(builder.bundles);
        self.blocks.push(Block {
            pc,
            end,
            first: self.ops.len() as u32,
            count: builder.ops.len() as u32,
            bundles,
            cost: Timing::Functional.cost(bundles),
            links: [NO_BLOCK; 3],
            loop_pc: 0,
            indirect: (0, NO_BLOCK),
        });
        self.ops.append(&mut builder.ops);
        self.by_pc.insert(pc, id);
        self.built += 1;
        id
    }
}

fn jump_slot(pc: u32) -> usize {
    (pc ^ pc >> 12) as usize & (JUMP_CACHE - 1)
}

/// Reads and decodes the bundle at `pc`.
///
/// # Errors
/// The exception that fetching raises, or why the bytes are no bundle.
pub(crate) fn decode_at(memory: &Memory, isa: &Isa, pc: u32) -> Result<Bundle, Undecoded> {
    let mut bytes = [0; 16];
    let mut count = memory.fetch(pc, &mut bytes).map_err(Undecoded::Fetch)?;
    if count < bytes.len()
        && let Ok(more) = memory.fetch(pc.wrapping_add(count as u32), &mut bytes[count..])
    {
        // The next region may adjoin.
        count += more;
    }
    match isa.decode(&bytes[..count], pc) {
        Err(DecodeError::Truncated { available, .. }) => {
            let end = pc.wrapping_add(u32::from(available));
            Err(Undecoded::Fetch(Exception::at(Cause::INVALID_PC, end)))
        }
        other => other.map_err(Undecoded::Bytes),
    }
}

/// Why there is no bundle at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Undecoded {
    Fetch(Exception),
    Bytes(DecodeError),
}

struct Builder<'a> {
    isa: &'a Isa,
    registry: &'a Registry,
    ops: Vec<Op>,
    bundles: u8,
    loop_end: Option<u32>,
}

impl Builder<'_> {
    /// Decodes from `pc` until the block ends; gives the address behind it.
    fn decode_from(&mut self, pc: u32, memory: &Memory, loop_ends: &HashSet<u32>) -> u32 {
        let mut at = pc;
        loop {
            if self.bundles > 0 {
                if loop_ends.contains(&at) {
                    self.close(at, loop_end);
                    return at;
                }
                if at / PAGE_SIZE != pc / PAGE_SIZE || self.bundles == MAX_BUNDLES {
                    self.close(at, fall);
                    return at;
                }
            }
            let bundle = match decode_at(memory, self.isa, at) {
                Ok(bundle) => bundle,
                Err(reason) if self.bundles > 0 => {
                    // The fault belongs to the bundle itself, in a block of its own.
                    let _ = reason;
                    self.close(at, fall);
                    return at;
                }
                Err(reason) => {
                    self.push_undecoded(at, &reason);
                    return at.wrapping_add(1);
                }
            };
            let flow = self.push(at, &bundle);
            at = at.wrapping_add(u32::from(bundle.length));
            self.bundles += 1;
            if flow == Flow::Straight {
                continue;
            }
            let before_loop_end = flow != Flow::Unconditional && loop_ends.contains(&at);
            if let Some(op) = self.ops.last_mut().filter(|_| flow != Flow::Unconditional) {
                op.r[UNTAKEN] = if before_loop_end { Exit::NEXT.0 } else { Exit::FALL.0 };
            }
            if before_loop_end {
                self.close(at, loop_end);
            }
            return at;
        }
    }

    /// Adds the operations of a bundle.
    fn push(&mut self, pc: u32, bundle: &Bundle) -> Flow {
        let mut flow = Flow::Straight;
        for instruction in &bundle.instructions {
            let opcode = self.isa.opcode(instruction.opcode);
            let binding = self.registry.get(instruction.opcode).unwrap_or(NOT_IMPLEMENTED);
            let mut op = Op {
                run: binding.run,
                r: [0; 8],
                imm: binding.parameter,
                target: 0,
                pc,
                id: instruction.opcode.0,
                index: self.bundles,
                length: bundle.length,
            };
            for (index, (operand, &value)) in opcode.operands.iter().zip(&instruction.operands).enumerate() {
                op.r[index] = value as u8;
                match operand.file {
                    File::Imm => op.imm = value,
                    File::Label => op.target = value as u32,
                    _ => {}
                }
            }
            if binding.flow == Flow::Loop {
                self.loop_end = Some(op.target);
            }
            if op.target == pc && opcode.mnemonic == "j" {
                op.run = jump_to_self;
            }
            if binding.flow != Flow::Straight {
                flow = binding.flow;
            }
            self.ops.push(op);
        }
        flow
    }

    fn push_undecoded(&mut self, pc: u32, reason: &Undecoded) {
        let mut op = self.pseudo(pc, UNDECODED, undefined);
        match reason {
            Undecoded::Fetch(exception) => {
                op.run = fetch_fault;
                op.imm = exception.cause.0 as i32;
                op.target = exception.address.unwrap_or(pc);
            }
            Undecoded::Bytes(DecodeError::UnknownLayout { length, .. }) => {
                op.run = not_implemented;
                op.length = *length;
            }
            Undecoded::Bytes(_) => {}
        }
        self.ops.push(op);
        self.bundles += 1;
    }

    /// Adds the operation that ends a block without a change of control flow.
    fn close(&mut self, pc: u32, run: OpFn) {
        let op = self.pseudo(pc, CLOSING, run);
        self.ops.push(Op { index: self.bundles - 1, ..op });
    }

    fn pseudo(&self, pc: u32, id: u16, run: OpFn) -> Op {
        Op { run, r: [0; 8], imm: 0, target: 0, pc, id, index: self.bundles, length: 0 }
    }
}

const NOT_IMPLEMENTED: Binding = Binding { run: not_implemented, flow: Flow::Straight, parameter: 0 };

fn not_implemented(core: &mut Core, op: &Op) -> Exit {
    core.ask(op, Request::NotImplemented)
}

fn undefined(core: &mut Core, _op: &Op) -> Exit {
    core.raise(Exception::new(Cause::ILLEGAL_INSTRUCTION))
}

fn fetch_fault(core: &mut Core, op: &Op) -> Exit {
    core.raise(Exception::at(Cause(op.imm as u32), op.target))
}

fn jump_to_self(core: &mut Core, op: &Op) -> Exit {
    core.request = Request::JumpToSelf;
    core.next_pc = op.pc;
    Exit::REQUEST
}

fn fall(_core: &mut Core, _op: &Op) -> Exit {
    Exit::FALL
}

/// Behind the last bundle of a loop body; `op.pc` is the address of the mark.
fn loop_end(core: &mut Core, op: &Op) -> Exit {
    if op.pc == core.lend && core.turn_loop() {
        core.next_pc = core.lbeg;
        return Exit::LOOP_BACK;
    }
    Exit::FALL
}
