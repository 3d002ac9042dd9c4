//! Observed bundles: finds out which registers a bundle wrote.

use q7_isa::{Bundle, File, Isa};

use crate::block;
use crate::bundle::{self, Sets};
use crate::core::{Core, Request};
use crate::observe::{Observer, Register};
use crate::op::{Exit, Op};
use crate::special::REGISTERS;

/// Executes one bundle and tells the observer what it did. `closing` is the operation that ends the block
/// behind it, if one does: it runs at once, for the turn of a loop belongs to the loop's last bundle.
pub(crate) fn observe_bundle<'a>(
    core: &mut Core,
    isa: &Isa,
    ops: &'a [Op],
    sets: &Sets,
    closing: Option<&'a Op>,
    observer: &mut dyn Observer,
) -> (Exit, &'a Op) {
    let bundle = block::decode_at(&core.memory, isa, ops[0].pc).ok();
    observer.issue(core.cycle_at(&ops[0]), ops[0].pc, bundle.as_ref());
    let before = Watch::new(core);
    let mut outcome = bundle::run(core, ops, sets);
    if core.undone(outcome.0) {
        core.memory.take_accesses();
        if outcome.0 == Exit::REQUEST {
            observer.retire();
        }
        return outcome;
    }
    if let (Exit::NEXT, Some(op)) = (outcome.0, closing) {
        outcome = bundle::run(core, std::slice::from_ref(op), sets);
    }
    for (register, value) in before.writes(core, isa, bundle.as_ref()) {
        observer.register_write(register, value);
    }
    if let Some(bundle) = &bundle {
        vector_writes(core, isa, bundle, observer);
    }
    for access in core.memory.take_accesses() {
        observer.memory_access(access);
    }
    // The bundle of a host call ends when that is done.
    if outcome.0 != Exit::REQUEST || core.request != Request::HostCall {
        observer.retire();
    }
    outcome
}

/// The registers before a bundle.
struct Watch {
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
    fn new(core: &Core) -> Watch {
        Watch { ar: core.ar, window: core.windows.word(), named: named(core) }
    }

    /// The registers written since: operands by what the instruction says, the others by a change of
    /// value. While the window rotates only operands count: all names mean other registers then.
    fn writes(&self, core: &Core, isa: &Isa, bundle: Option<&Bundle>) -> Vec<(Register, u32)> {
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
fn vector_writes(core: &Core, isa: &Isa, bundle: &Bundle, observer: &mut dyn Observer) {
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
