//! What each instruction does: families of operations, bound to opcodes when an ISA is loaded.
//!
//! A family is one file with one table: mnemonic to operation. An operation is a shape (which operands
//! it reads and writes) around a pure function.

#[macro_use]
mod shapes;

mod alu;
mod boolean;
mod branch;
mod ivp;
mod load_store;
mod multiply;
mod shift;
mod special;
mod system;
mod window;

use q7_isa::Isa;

use crate::core::Core;
use crate::op::{At, Exit, OpFn};

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
    /// The same compiled for x86-64-v3, if there is one.
    pub v3: Option<UnsafeOpFn>,
    /// For accesses to memory: with the same operands, returns `Exit::NEXT` if all of them are sure to work and
    /// `Exit::BUNDLE` if not. It changes nothing.
    pub probe: Option<OpFn>,
    pub flow: Flow,
    /// Goes to `Op::imm` of instructions without a number of their own.
    pub parameter: i32,
}

/// An operation that may run only on hosts with the features it was compiled for.
pub(crate) type UnsafeOpFn = for<'a> unsafe fn(&mut Core, At<'a>) -> (Exit, At<'a>);

/// A row of a family table.
pub(crate) type Row = (&'static str, Binding);

const fn straight(run: OpFn) -> Binding {
    ending(run, Flow::Straight)
}

const fn ending(run: OpFn, flow: Flow) -> Binding {
    Binding { run, v3: None, probe: None, flow, parameter: 0 }
}

impl Binding {
    /// The same with a probe.
    const fn probed_by(self, probe: OpFn) -> Binding {
        Binding { probe: Some(probe), ..self }
    }

    /// The variant for this host.
    fn for_host(&self, v3: bool) -> Binding {
        match self.v3 {
            Some(function) if v3 => {
                // SAFETY: the two pointer types differ only in `unsafe`, whose condition, the features
                // of `host_has_v3`, was just checked.
                let run = unsafe { std::mem::transmute::<UnsafeOpFn, OpFn>(function) };
                Binding { run, ..*self }
            }
            _ => *self,
        }
    }
}

/// True if the host has the features that `vector!` compiles for.
#[cfg(target_arch = "x86_64")]
fn host_has_v3() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
    }
    all!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_v3() -> bool {
    false
}

/// Names whose meaning nobody has published (DECISIONS, Semantics unknown): they decode and print, and a
/// run stops at them with that report.
pub(crate) const UNKNOWN_SEMANTICS: &[&str] = &[
    "ivp_ext0ib",
    "ivp_labvdcmprs2nx8_xp",
    "ivp_lat2nx8",
    "ivp_lat2nx8_xp",
    "ivp_minormax2nx8",
    "ivp_minormaxu2nx8",
    "ivp_recipqlin_2xf32_0",
    "ivp_recipqlin_2xf32_1",
    "ivp_recipqlin_2xf32t_0",
    "ivp_recipqlin_2xf32t_1",
    "recipqli.s",
    "exit",
    "setw",
];

/// Suffixes of names that do in a slot what the name without them does in the base formats: branches with
/// 15-bit distances (A1), and forms of the memory slots.
const SLOT_FORMS: [&str; 2] = [".w15", ".a"];

/// False if an operand says something that nobody has published, at which the operation stops.
pub(crate) fn has_meaning(opcode: &q7_isa::Opcode, operands: &[i32]) -> bool {
    let pattern = opcode.operands.iter().position(|operand| operand.role == "pattern");
    pattern.is_none_or(|index| ivp::pattern_has_meaning(&opcode.mnemonic, operands[index] as u32))
}

/// Largest pattern number of a selection, from the width of its field.
const LAST_PATTERN: u32 = 127;

/// Whether some and whether all values of the pattern operand of an opcode have a published meaning; an opcode
/// without one has all.
pub(crate) fn known_patterns(opcode: &q7_isa::Opcode) -> (bool, bool) {
    if opcode.operands.iter().all(|operand| operand.role != "pattern") {
        return (true, true);
    }
    let known = |number| ivp::pattern_has_meaning(&opcode.mnemonic, number);
    ((0..=LAST_PATTERN).any(known), (0..=LAST_PATTERN).all(known))
}

/// Names whose form is printed without its lane type; they do what the full name does.
const SHORTHANDS: [(&str, &str); 4] = [
    ("mov.h", "ivp_movvv"),
    ("mov.s", "ivp_movvv"),
    ("ivp_extrpr", "ivp_extrprn_2x32"),
    ("ivp_dextrpr", "ivp_dextrprn_2x32"),
];

/// The name that a second spelling stands for: `.h` and `.s` forms act on whole vectors like the `ivp_` ones (A21).
fn full_name(mnemonic: &str) -> Option<String> {
    if let Some((_, name)) = SHORTHANDS.iter().find(|(short, _)| *short == mnemonic) {
        return Some((*name).into());
    }
    let lanes = |suffix: &str, lanes: &str| Some(format!("ivp_{}{lanes}", mnemonic.strip_suffix(suffix)?));
    lanes(".h", "nxf16").or_else(|| lanes(".s", "n_2xf32"))
}

/// Operations by opcode index.
pub(crate) struct Registry {
    bindings: Vec<Option<Binding>>,
    /// Copies vec register `r[0]` to where operations can read it after it is written.
    pub keep: OpFn,
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
        let v3 = host_has_v3();
        for (mnemonic, binding) in families.into_iter().chain(ivp::FAMILIES).flatten() {
            if let Some(opcode) = isa.find(mnemonic) {
                bindings[opcode.0 as usize] = Some(binding.for_host(v3));
            }
        }
        for (index, opcode) in isa.opcodes().iter().enumerate() {
            if let Some(binding) = special::bind_register_move(&opcode.mnemonic) {
                bindings[index] = Some(binding);
            } else if bindings[index].is_none() {
                let plain = SLOT_FORMS.iter().find_map(|suffix| opcode.mnemonic.strip_suffix(suffix));
                let bound = |name: &str| bindings[isa.find(name)?.0 as usize];
                bindings[index] = plain.and_then(bound).or_else(|| bound(&full_name(&opcode.mnemonic)?));
            }
        }
        Registry { bindings, keep: ivp::KEEP.for_host(v3).run }
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
