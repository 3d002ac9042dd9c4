//! Turns decoded bundles into the operations of a block.

use std::collections::HashSet;

use arrayvec::ArrayVec;
use q7_isa::{Bundle, DecodeError, File, Instruction, MAX_SLOTS, Opcode, OpcodeId};

use crate::block::{CLOSING, Decoder, NO_BLOCK, UNDECODED, Undecoded};
use crate::bundle;
use crate::core::{Core, Request};
use crate::exception::{Cause, Exception};
use crate::exec::{Binding, Flow};
use crate::memory::{Memory, PAGE_SIZE};
use crate::op::{Exit, Op, OpFn};
use crate::plan::{self, Bound, Mode, Plan};
use crate::registers::{COPY, RegisterSet};

/// Most bundles in a block; their index must fit `Op::index`.
const MAX_BUNDLES: u8 = 128;

/// A block under construction.
pub(crate) struct Builder<'a> {
    decoder: &'a Decoder<'a>,
    /// CPENABLE bit 1; a change of it drops all blocks.
    vector_enabled: bool,
    /// Its operations so far.
    pub ops: Vec<Op>,
    /// Register sets that they name.
    pub sets: Vec<RegisterSet>,
    /// Number of bundles so far.
    pub bundles: u8,
    /// The end of the loop that the last bundle sets up.
    pub loop_end: Option<u32>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(decoder: &'a Decoder<'a>, vector_enabled: bool) -> Builder<'a> {
        Builder { decoder, vector_enabled, ops: Vec::new(), sets: Vec::new(), bundles: 0, loop_end: None }
    }

    /// Decodes from `pc` until the block ends; gives the address behind it.
    pub(crate) fn decode_from(&mut self, pc: u32, memory: &Memory, loop_ends: &HashSet<u32>) -> u32 {
        let mut at = pc;
        loop {
            if self.bundles > 0 {
                if loop_ends.contains(&at) {
                    self.close(at, LOOP_END);
                    return at;
                }
                if at / PAGE_SIZE != pc / PAGE_SIZE || self.bundles == MAX_BUNDLES {
                    self.close(at, FALL);
                    return at;
                }
            }
            let bundle = match self.decoder.decode(memory, at) {
                Ok(bundle) => bundle,
                Err(_) if self.bundles > 0 => {
                    // The fault belongs to the bundle itself, in a block of its own.
                    self.close(at, FALL);
                    return at;
                }
                Err(reason) => {
                    self.push_undecoded(at, &reason);
                    // As many bytes may have decided that there is no bundle.
                    return at.saturating_add(16);
                }
            };
            let Some(flow) = self.push(at, &bundle) else {
                // A register number outside of its file; only an imported ISA can hold one.
                self.ops.truncate(self.ops.iter().position(|op| op.pc == at).unwrap_or(self.ops.len()));
                if self.bundles > 0 {
                    self.close(at, FALL);
                    return at;
                }
                self.ops.push(self.pseudo(at, UNDECODED, single!(undefined)));
                self.bundles += 1;
                return at.saturating_add(16);
            };
            at = at.wrapping_add(u32::from(bundle.length));
            self.bundles += 1;
            match flow {
                Flow::Straight | Flow::Conditional => {}
                Flow::Unconditional => return at,
                Flow::Loop => {
                    // The body starts a block of its own, which loop-back will reach. An empty one never turns.
                    self.close(at, FALL);
                    return at;
                }
            }
        }
    }

    /// Adds the operations of a bundle; `None` if an operand names a register that does not exist.
    fn push(&mut self, pc: u32, bundle: &Bundle) -> Option<Flow> {
        let mut flow = Flow::Straight;
        let bindings: ArrayVec<Option<Binding>, MAX_SLOTS> =
            bundle.instructions.iter().map(|instruction| self.bind(instruction.opcode)).collect();
        let plan = match bundle.instructions.as_slice() {
            [_] => Plan::alone(),
            _ => plan::plan(self.decoder.isa, bundle, |index| match bindings[index] {
                Some(binding) => Bound {
                    flow: binding.flow,
                    implemented: !self.disabled(bundle.instructions[index].opcode),
                    probed: binding.probe.is_some(),
                },
                None => Bound { flow: Flow::Straight, implemented: false, probed: false },
            }),
        };
        let nop = self.decoder.isa.find("nop");
        let all_nops = bundle.instructions.iter().all(|instruction| Some(instruction.opcode) == nop);
        let template = Op { length: bundle.length, ..self.pseudo(pc, CLOSING, FALL) };
        self.lead(&plan, bundle, &bindings, template)?;
        for register in plan.copied().vecs() {
            self.ops.push(Op {
                run: self.decoder.registry.keep,
                id: bundle::COPYING,
                r: [register; 8],
                ..template
            });
        }
        for &index in &plan.order {
            let instruction = &bundle.instructions[index];
            let opcode = self.decoder.isa.opcode(instruction.opcode);
            if Some(instruction.opcode) == nop && !all_nops {
                continue;
            }
            let binding = bindings[index].unwrap_or(NOT_IMPLEMENTED);
            let copies = plan.copies.get(index).copied().unwrap_or_default();
            let mut op = self.resolve(instruction, &binding, copies, template)?;
            if binding.flow == Flow::Loop {
                self.loop_end = Some(op.target);
            }
            if op.target == pc && opcode.mnemonic == "j" {
                op.run = single!(jump_to_self);
            }
            if binding.flow != Flow::Straight {
                flow = binding.flow;
            }
            if matches!(plan.mode, Mode::Buffered(_)) {
                let target = self.set(plan.results[index]);
                self.ops.push(Op { id: bundle::RESULTS, target, ..template });
            }
            self.ops.push(op);
        }
        Some(flow)
    }

    /// Adds the operations that lead a bundle which is not simple.
    fn lead(
        &mut self,
        plan: &Plan,
        bundle: &Bundle,
        bindings: &[Option<Binding>],
        template: Op,
    ) -> Option<()> {
        let (id, set) = match plan.mode {
            Mode::Simple => return Some(()),
            Mode::Careful(set) => (bundle::CAREFUL, set),
            Mode::Buffered(set) => (bundle::BUFFERED, set),
        };
        let target = self.set(set);
        for &index in &plan.probes {
            let binding = bindings[index]?;
            let op = self.resolve(&bundle.instructions[index], &binding, RegisterSet::default(), template)?;
            self.ops.push(Op { run: binding.probe?, id, target, ..op });
        }
        if plan.probes.is_empty() {
            self.ops.push(Op { run: single!(bundle::ask), id, target, ..template });
        }
        Some(())
    }

    /// The operation of an instruction, which reads the vec registers of `copies` from their copies; `None` if an operand
    /// names a register that does not exist.
    fn resolve(
        &self,
        instruction: &Instruction,
        binding: &Binding,
        copies: RegisterSet,
        template: Op,
    ) -> Option<Op> {
        let opcode = self.decoder.isa.opcode(instruction.opcode);
        let mut op = Op { run: binding.run, imm: binding.parameter, id: instruction.opcode.0, ..template };
        for (index, (operand, &value)) in opcode.operands.iter().zip(&instruction.operands).enumerate() {
            op.r[index] = value as u8;
            let registers = i32::from(operand.file.count());
            if registers > 0 && !(0..registers).contains(&value) {
                return None;
            }
            match operand.file {
                File::Imm => op.imm = value,
                File::Label => op.target = value as u32,
                File::Vec if plan::reads_copy(operand, value, copies) => op.r[index] += COPY,
                _ => {}
            }
        }
        if binding.flow != Flow::Straight {
            // Whatever operands an imported ISA gives it: what it does needs no more than three.
            op.set_link(NO_BLOCK);
        }
        Some(op)
    }

    /// The number of a register set, counted from the first of this block.
    fn set(&mut self, set: RegisterSet) -> u32 {
        self.sets.push(set);
        self.sets.len() as u32 - 1
    }

    /// The operation of an opcode; vector instructions trap while their coprocessor is disabled.
    fn bind(&self, opcode: OpcodeId) -> Option<Binding> {
        if self.disabled(opcode) {
            return Some(COPROCESSOR_DISABLED);
        }
        self.decoder.registry.get(opcode)
    }

    fn disabled(&self, opcode: OpcodeId) -> bool {
        !self.vector_enabled && is_vector(self.decoder.isa.opcode(opcode))
    }

    /// Adds the operation that stands for bytes that are no bundle.
    pub(crate) fn push_undecoded(&mut self, pc: u32, reason: &Undecoded) {
        let mut op = self.pseudo(pc, UNDECODED, single!(undefined));
        match reason {
            Undecoded::Fetch(exception) => {
                op.run = single!(fetch_fault);
                op.imm = exception.cause.0 as i32;
                op.target = exception.address.unwrap_or(pc);
            }
            Undecoded::Bytes(DecodeError::UnknownLayout { length, .. }) => {
                op.run = single!(not_implemented);
                op.length = *length;
            }
            Undecoded::Bytes(_) | Undecoded::Conflict => {}
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

const FALL: OpFn = single!(fall);
const LOOP_END: OpFn = single!(loop_end);

const NOT_IMPLEMENTED: Binding =
    Binding { run: single!(not_implemented), v3: None, probe: None, flow: Flow::Straight, parameter: 0 };

const COPROCESSOR_DISABLED: Binding =
    Binding { run: single!(coprocessor_disabled), v3: None, probe: None, flow: Flow::Straight, parameter: 0 };

/// CPENABLE bit 1 gates all instructions of the vector pages but these (DECISIONS, Exceptions).
fn is_vector(opcode: &Opcode) -> bool {
    const UNGATED: [&str; 4] = ["wur.fcr", "wur.fsr", "ivp_addmod16u", "ivp_scatterw"];
    let page = opcode.batch.strip_prefix('B').and_then(|number| number.parse::<u32>().ok());
    let vector = page.map_or(opcode.mnemonic.starts_with("ivp_"), |page| page < 25);
    vector && !UNGATED.contains(&opcode.mnemonic.as_str())
}

fn coprocessor_disabled(core: &mut Core, _op: &Op) -> Exit {
    core.raise(Exception::new(Cause::coprocessor_disabled(1)))
}

fn not_implemented(core: &mut Core, op: &Op) -> Exit {
    core.refuse(op, Request::NotImplemented)
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
