//! Which opcodes can be executed.

use q7_isa::{Isa, OpcodeId};

use crate::exec::{Registry, UNKNOWN_SEMANTICS, known_patterns};

/// Whether an opcode can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// It can.
    Implemented,
    /// It can with the operands whose meaning is published: SEL2NX8I with the patterns 32, 33, 59 and 60. A run
    /// stops at others and says so.
    Partial,
    /// Nobody has published what it does; a run stops at it and says so.
    Unknown,
    /// What it does is published, but it is not implemented yet.
    Missing,
}

impl Semantics {
    /// The word that the tools print.
    pub fn name(self) -> &'static str {
        match self {
            Semantics::Implemented => "implemented",
            Semantics::Partial => "partial",
            Semantics::Unknown => "unknown",
            Semantics::Missing => "missing",
        }
    }
}

/// For every opcode of `isa`, by its index, whether it can be executed.
pub fn semantics(isa: &Isa) -> Vec<Semantics> {
    let registry = Registry::new(isa);
    let of = |(index, opcode): (usize, &q7_isa::Opcode)| {
        if UNKNOWN_SEMANTICS.contains(&opcode.mnemonic.as_str()) {
            Semantics::Unknown
        } else if registry.get(OpcodeId(index as u16)).is_none() {
            Semantics::Missing
        } else {
            match known_patterns(opcode) {
                (_, true) => Semantics::Implemented,
                (true, false) => Semantics::Partial,
                (false, false) => Semantics::Unknown,
            }
        }
    };
    isa.opcodes().iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each() {
        let isa = Isa::embedded();
        let semantics = semantics(isa);
        let of = |mnemonic| semantics[isa.find(mnemonic).unwrap().0 as usize];
        assert_eq!(of("addi"), Semantics::Implemented);
        assert_eq!(of("ivp_addnx16"), Semantics::Implemented);
        assert_eq!(of("setw"), Semantics::Unknown);
        assert_eq!(of("ivp_sel2nx8i"), Semantics::Partial);
        assert_eq!(of("ivp_shfl2nx8i"), Semantics::Unknown);
        assert_eq!(semantics.len(), isa.opcodes().len());
    }
}
