//! What each instruction does: families of operations, bound to opcodes when an ISA is loaded.
//!
//! A family is one file with one table: mnemonic to operation. An operation is a shape (which operands
//! it reads and writes) around a pure function.

#[macro_use]
mod shapes;

mod alu;
mod boolean;
mod branch;
mod load_store;
mod multiply;
mod shift;
mod special;
mod system;
mod window;

use q7_isa::Isa;

use crate::op::OpFn;

/// How an operation is laid out in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// May be followed by others.
    Straight,
    /// May leave its block for the static target; others may follow.
    Conditional,
    /// Ends its block; never goes on behind it by itself.
    Unconditional,
    /// Sets up a zero-overhead loop whose end is the static target.
    Loop,
}

/// An operation bound to an opcode.
#[derive(Clone, Copy)]
pub(crate) struct Binding {
    pub run: OpFn,
    pub flow: Flow,
    /// Goes to `Op::imm` of instructions without a number of their own.
    pub parameter: i32,
}

/// A row of a family table.
pub(crate) type Row = (&'static str, Binding);

const fn straight(run: OpFn) -> Binding {
    ending(run, Flow::Straight)
}

const fn ending(run: OpFn, flow: Flow) -> Binding {
    Binding { run, flow, parameter: 0 }
}

/// Operations by opcode index.
pub(crate) struct Registry {
    bindings: Vec<Option<Binding>>,
}

impl Registry {
    /// Binds every opcode of `isa` that has semantics here.
    pub(crate) fn new(isa: &Isa) -> Registry {
        let mut bindings = vec![None; isa.opcodes().len()];
        let families: [&[Row]; 9] = [
            alu::TABLE,
            boolean::TABLE,
            branch::TABLE,
            load_store::TABLE,
            multiply::TABLE,
            shift::TABLE,
            special::TABLE,
            system::TABLE,
            window::TABLE,
        ];
        for (mnemonic, binding) in families.into_iter().flatten() {
            if let Some(opcode) = isa.find(mnemonic) {
                bindings[opcode.0 as usize] = Some(*binding);
            }
        }
        for (index, opcode) in isa.opcodes().iter().enumerate() {
            if let Some(binding) = special::bind_register_move(&opcode.mnemonic) {
                bindings[index] = Some(binding);
            }
        }
        Registry { bindings }
    }

    /// The operation of an opcode, if it has semantics.
    pub(crate) fn get(&self, opcode: q7_isa::OpcodeId) -> Option<Binding> {
        self.bindings[opcode.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_instruction_has_semantics() {
        let isa = Isa::embedded();
        let registry = Registry::new(isa);
        let missing: Vec<&str> = isa
            .placements()
            .iter()
            .filter(|placement| isa.slot(placement.slot).name.starts_with("Inst"))
            .filter(|placement| registry.get(placement.opcode).is_none())
            .map(|placement| isa.opcode(placement.opcode).mnemonic.as_str())
            .collect();
        assert_eq!(missing, ["exit", "setw"], "their semantics are not published");
    }
}
