//! Blocks: decoded bundles up to a change of control flow, and the cache that holds them.

use std::collections::{HashMap, HashSet};

use q7_isa::{Bundle, DecodeError, Isa};

use crate::builder::Builder;
use crate::bundle::{self, Sets};
use crate::core::Core;
use crate::exception::{Cause, Exception};
use crate::exec::Registry;
use crate::memory::Memory;
use crate::op::{Exit, Op};
use crate::plan;
use crate::registers::RegisterSet;
use crate::timing::Timing;

/// Index of a block in its cache.
pub(crate) type BlockId = u32;

/// A link or cache entry that leads nowhere yet.
pub(crate) const NO_BLOCK: BlockId = u32::MAX;

/// `Op::id` of the operation that closes a block and belongs to no bundle.
pub(crate) const CLOSING: u16 = u16::MAX;

/// `Op::id` of an operation that stands for bytes that are no bundle.
pub(crate) const UNDECODED: u16 = u16::MAX - 1;

/// Operations held at the most; beyond that all blocks go, so that a guest cannot fill the host.
const MAX_OPERATIONS: usize = 1 << 21;

/// Entries of the cache for indirect jumps; a power of two.
const JUMP_CACHE: usize = 4096;

/// What turns bytes into operations: an instruction set and the semantics bound to it.
pub(crate) struct Decoder<'isa> {
    pub isa: &'isa Isa,
    pub registry: Registry,
    /// Reaching this address ends a call from outside; what lies there is never executed.
    pub return_address: u32,
    /// Two slots that write one register make a bundle illegal; otherwise the higher slot wins (A25).
    pub strict: bool,
}

impl Decoder<'_> {
    /// The bundle at `pc`, if it may execute.
    pub(crate) fn decode(&self, memory: &Memory, pc: u32) -> Result<Bundle, Undecoded> {
        let bundle = decode_at(memory, self.isa, pc)?;
        match self.isa.register_conflict(&bundle) {
            Some(conflict) if self.strict => Err(Undecoded::Bytes(conflict)),
            _ if self.strict && plan::unnamed_conflict(self.isa, &bundle) => Err(Undecoded::Conflict),
            _ => Ok(bundle),
        }
    }
}

/// A run of bundles that is entered at the top only. Conditional branches may leave it on the way.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// First operation in `BlockCache::ops`.
    first: u32,
    /// Number of operations.
    count: u32,
    /// Address of the first bundle.
    pub pc: u32,
    /// Address behind the last bundle.
    pub end: u32,
    /// Cycles to the end when everything is ready at entry.
    pub cost: u32,
    /// The successor behind the last bundle, patched on first use.
    fall: BlockId,
    /// The last successor that was known only at run time: address and block.
    indirect: (u32, BlockId),
    /// The last successor by loop-back: LBEG and block.
    loop_back: (u32, BlockId),
}

/// All blocks decoded so far.
pub(crate) struct BlockCache {
    blocks: Vec<Block>,
    ops: Vec<Op>,
    /// Register sets that operations name.
    sets: Vec<RegisterSet>,
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
            sets: Vec::new(),
            by_pc: HashMap::new(),
            jumps: Box::new([(0, NO_BLOCK); JUMP_CACHE]),
            loop_ends: HashSet::new(),
            generation: 0,
            built: 0,
        }
    }

    /// The block of an id that `at`, `follow` or `successor` gave since the last flush.
    #[inline(always)]
    pub(crate) fn block(&self, id: BlockId) -> &Block {
        debug_assert!((id as usize) < self.blocks.len());
        // SAFETY: ids come from `build`, which pushed the block; `flush` empties the list, and the
        // runner asks for a new id after everything that can flush.
        unsafe { self.blocks.get_unchecked(id as usize) }
    }

    /// The operations of a block.
    #[inline(always)]
    pub(crate) fn ops(&self, block: &Block) -> &[Op] {
        let range = block.first as usize..block.first as usize + block.count as usize;
        debug_assert!(range.end <= self.ops.len());
        // SAFETY: `build` appended these operations with the block; both lists only grow until a flush.
        unsafe { self.ops.get_unchecked(range) }
    }

    /// The register sets of all operations.
    #[inline(always)]
    pub(crate) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// Where a block left by `exit` at operation `last` goes on: the block, if the link is known, and
    /// the address.
    #[inline(always)]
    pub(crate) fn successor(&self, block: &Block, last: &Op, exit: Exit, next_pc: u32) -> (BlockId, u32) {
        let remembered = |(address, id): (u32, BlockId)| if address == next_pc { id } else { NO_BLOCK };
        match exit {
            Exit::FALL => (block.fall, block.end),
            Exit::TAKEN => (last.link(), last.target),
            Exit::LOOP_BACK => (remembered(block.loop_back), next_pc),
            _ => (remembered(block.indirect), next_pc),
        }
    }

    /// Index of an operation that lies in `ops`.
    #[inline(always)]
    pub(crate) fn index_of(&self, op: &Op) -> usize {
        (std::ptr::from_ref(op) as usize - self.ops.as_ptr() as usize) / size_of::<Op>()
    }

    /// Drops all blocks; the marks of loop ends stay.
    pub(crate) fn flush(&mut self, memory: &mut Memory) {
        self.blocks.clear();
        self.ops.clear();
        self.sets.clear();
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
    pub(crate) fn at(&mut self, pc: u32, core: &mut Core, decoder: &Decoder<'_>) -> BlockId {
        let slot = jump_slot(pc);
        let (cached, id) = self.jumps[slot];
        if cached == pc && id != NO_BLOCK {
            return id;
        }
        let id = match self.by_pc.get(&pc) {
            Some(id) => *id,
            None => self.build(pc, core, decoder),
        };
        self.jumps[slot] = (pc, id);
        id
    }

    /// The successor at `target` of a block that left by `exit` at operation `at`; patches the link.
    #[cold]
    #[inline(never)]
    pub(crate) fn follow(
        &mut self,
        from: BlockId,
        at: usize,
        exit: Exit,
        target: u32,
        core: &mut Core,
        decoder: &Decoder<'_>,
    ) -> BlockId {
        let generation = self.generation;
        let to = self.at(target, core, decoder);
        if generation == self.generation {
            let block = &mut self.blocks[from as usize];
            match exit {
                Exit::FALL => block.fall = to,
                Exit::TAKEN => self.ops[at].set_link(to),
                Exit::LOOP_BACK => block.loop_back = (target, to),
                _ => block.indirect = (target, to),
            }
        }
        to
    }

    fn build(&mut self, pc: u32, core: &mut Core, decoder: &Decoder<'_>) -> BlockId {
        if self.ops.len() > MAX_OPERATIONS {
            self.flush(&mut core.memory);
        }
        let vector_enabled = core.special.cpenable >> 1 & 1 == 1;
        let mut builder = Builder::new(decoder, vector_enabled);
        let end = if pc == decoder.return_address {
            builder.push_undecoded(pc, &Undecoded::Fetch(Exception::at(Cause::INVALID_PC, pc)));
            pc.saturating_add(1)
        } else {
            builder.decode_from(pc, &core.memory, &self.loop_ends)
        };
        if let Some(address) = builder.loop_end {
            self.mark_loop_end(address, &mut core.memory);
        }
        core.memory.mark_code(pc, end.wrapping_sub(pc).max(1));
        let id = self.blocks.len() as BlockId;
        self.blocks.push(Block {
            first: self.ops.len() as u32,
            count: builder.ops.len() as u32,
            pc,
            end,
            cost: Timing::Functional.cost(u32::from(builder.bundles)),
            fall: NO_BLOCK,
            indirect: (0, NO_BLOCK),
            loop_back: (0, NO_BLOCK),
        });
        let first_set = self.sets.len() as u32;
        self.ops.extend(builder.ops.iter().map(|op| bundle::renumbered(op, first_set)));
        self.sets.append(&mut builder.sets);
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
    /// Two slots write one register without naming it.
    Conflict,
}
