//! Finds out which registers a bundle wrote.

use q7_isa::{Bundle, File, Isa};

use crate::core::Core;
use crate::observe::{Observer, Register};
use crate::special::REGISTERS;

/// The registers before a bundle.
pub(crate) struct Watch {
    ar: [u32; 16],
    window: u32,
    named: Vec<(&'static str, u32)>,
}

/// Special and user registers but CCOUNT, which never stands still.
fn named(core: &Core) -> Vec<(&'static str, u32)> {
    let special = REGISTERS.iter().enumerate().filter(|(_, register)| register.name != "ccount");
    let special =
        special.map(|(index, register)| (register.name, core.read_special(index as u8, core.cycle)));
    let user = [("threadptr", core.special.threadptr), ("fcr", core.special.fcr), ("fsr", core.special.fsr)];
    special.chain(user).collect()
}

impl Watch {
    pub(crate) fn new(core: &Core) -> Watch {
        Watch { ar: core.ar, window: core.windows.word(), named: named(core) }
    }

    /// The registers written since: operands by what the instruction says, the others by a change of
    /// value. While the window rotates only operands count: all names mean other registers then.
    pub(crate) fn writes(&self, core: &Core, isa: &Isa, bundle: Option<&Bundle>) -> Vec<(Register, u32)> {
        let now = named(core);
        let rotated = self.window != core.windows.word();
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

/// Tells an observer the registers of the vector unit that the operands of a bundle name as written.
pub(crate) fn vector_writes(core: &Core, isa: &Isa, bundle: &Bundle, observer: &mut dyn Observer) {
    let vectors = &core.vectors;
    for instruction in &bundle.instructions {
        let operands = &isa.opcode(instruction.opcode).operands;
        for (operand, &value) in operands.iter().zip(&instruction.operands) {
            let Some(prefix) = operand.file.prefix().filter(|_| operand.direction.writes()) else { continue };
            let (number, index) = (value as u8, value as usize);
            let mut write = |bytes: &[u8]| observer.vector_write(prefix, number, bytes);
            match operand.file {
                File::Vec => write(vectors.vec[index & 31].bytes()),
                File::Wvec => write(vectors.wvec[index & 3].bytes()),
                File::Valign => write(vectors.valign[index & 3].line().bytes()),
                File::Vbool => write(&vectors.vbool[index & 15].bits().to_le_bytes()),
                File::B32Pr => write(&vectors.pr[index & 15].bits().to_le_bytes()),
                File::Gvr => write(vectors.gvr[index & 7].bytes()),
                _ => {}
            }
        }
    }
}
