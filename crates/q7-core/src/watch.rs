//! Finds out which registers a bundle wrote.

use q7_isa::{Bundle, File, Isa};

use crate::core::Core;
use crate::observe::Register;

/// The registers before a bundle.
pub(crate) struct Watch {
    ar: [u32; 16],
    named: [(&'static str, u32); 7],
}

fn named(core: &Core) -> [(&'static str, u32); 7] {
    [
        ("sar", core.sar),
        ("br", core.br),
        ("lbeg", core.lbeg),
        ("lend", core.lend),
        ("lcount", core.lcount),
        ("wb", core.windows.word()),
        ("ps", core.special.ps.0),
    ]
}

impl Watch {
    pub(crate) fn new(core: &Core) -> Watch {
        Watch { ar: core.ar, named: named(core) }
    }

    /// The registers written since: operands by what the instruction says, the others by a change of
    /// value. While the window rotates only operands count: all names mean other registers then.
    pub(crate) fn writes(&self, core: &Core, isa: &Isa, bundle: Option<&Bundle>) -> Vec<(Register, u32)> {
        let now = named(core);
        let rotated = self.named[5] != now[5];
        let mut written = [false; 16];
        for instruction in bundle.iter().flat_map(|bundle| &bundle.instructions) {
            let operands = &isa.opcode(instruction.opcode).operands;
            for (operand, &value) in operands.iter().zip(&instruction.operands) {
                written[value as usize & 15] |= operand.file == File::Ar && operand.direction.writes();
            }
        }
        let mut writes = Vec::new();
        for (number, (before, after)) in self.ar.iter().zip(&core.ar).enumerate() {
            if written[number] || !rotated && before != after {
                writes.push((Register::Ar(number as u8), *after));
            }
        }
        for (before, after) in self.named.iter().zip(&now) {
            if before.1 != after.1 {
                writes.push((Register::Named(after.0), after.1));
            }
        }
        writes
    }
}
