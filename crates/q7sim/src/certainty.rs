//! How well the bytes of code are known.

use std::collections::BTreeMap;

use q7_isa::{Bundle, Certainty, Instruction, Isa};

/// How well the encoding of an instruction in its slot is known.
pub fn of(isa: &Isa, instruction: &Instruction) -> Certainty {
    isa.placement_in(instruction.opcode, instruction.slot)
        .map_or(Certainty::Provisional, |placement| isa.encoding_certainty(placement))
}

/// `likely addi; provisional nop, ivp_mulnx16`: the instructions that are not exact, if any.
pub fn marks(isa: &Isa, bundle: &Bundle) -> Option<String> {
    let mut names: BTreeMap<Certainty, Vec<&str>> = BTreeMap::new();
    for instruction in &bundle.instructions {
        let certainty = of(isa, instruction);
        if !is_exact(certainty) {
            names.entry(certainty).or_default().push(&isa.opcode(instruction.opcode).mnemonic);
        }
    }
    let parts: Vec<String> =
        names.iter().map(|(certainty, names)| format!("{} {}", certainty.name(), names.join(", "))).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// True for what is printed by a public source or forced by what is.
pub fn is_exact(certainty: Certainty) -> bool {
    certainty <= Certainty::Derived
}

/// Placements by how well they are known.
#[derive(Default)]
pub struct Tally {
    pub exact: u64,
    pub likely: u64,
    pub provisional: u64,
}

impl Tally {
    /// Counts the instructions of a bundle.
    pub fn count(&mut self, isa: &Isa, bundle: &Bundle) {
        for instruction in &bundle.instructions {
            *match of(isa, instruction) {
                certainty if is_exact(certainty) => &mut self.exact,
                Certainty::Likely => &mut self.likely,
                _ => &mut self.provisional,
            } += 1;
        }
    }
}
