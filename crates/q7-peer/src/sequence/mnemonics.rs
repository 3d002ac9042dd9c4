//! The mnemonics of a run, by what a generator must do to use them.

use q7_isa::{Flags, Isa};

use crate::list::{self, Run};

/// Mnemonics by kind.
#[derive(Clone, Debug)]
pub struct Mnemonics {
    /// Used with any operands: arithmetic, moves, booleans, registers, fences.
    pub straight: Vec<&'static str>,
    /// Need a divisor that is not zero.
    pub divide: Vec<&'static str>,
    /// Loads and stores of operands register, base, offset.
    pub memory: Vec<&'static str>,
    /// Conditional branches.
    pub branch: Vec<&'static str>,
    /// Zero-overhead loops.
    pub loops: Vec<&'static str>,
    /// Exclusive accesses take part, and SLL with any SAR: what only the model can check.
    pub model: bool,
}

/// Used by items of their own.
const SPECIAL: [&str; 21] = [
    "j",
    "jx",
    "call0",
    "callx0",
    "ret",
    "ret.n",
    "l32r",
    "sll",
    "l32ex",
    "s32ex",
    "getex",
    "clrex",
    "halt",
    "halt.n",
    "simcall",
    "wsr.lbeg",
    "wsr.lend",
    "wsr.lcount",
    "xsr.lbeg",
    "xsr.lend",
    "xsr.lcount",
];

impl Mnemonics {
    /// What QEMU has too.
    pub fn qemu() -> Mnemonics {
        Mnemonics::of(&[Run::Qemu], false)
    }

    /// What the model has.
    pub fn model() -> Mnemonics {
        Mnemonics::of(&[Run::Qemu, Run::Model], true)
    }

    fn of(runs: &[Run], model: bool) -> Mnemonics {
        let isa = Isa::embedded();
        let mut all = Mnemonics {
            straight: Vec::new(),
            divide: Vec::new(),
            memory: Vec::new(),
            branch: Vec::new(),
            loops: Vec::new(),
            model,
        };
        for row in list::rows().iter().filter(|row| runs.contains(&row.run)) {
            let mnemonic = row.mnemonic.as_str();
            let Some(opcode) = isa.find(mnemonic) else { continue };
            let flags = isa.opcode(opcode).flags;
            let kind = if mnemonic.starts_with("quo") || mnemonic.starts_with("rem") {
                &mut all.divide
            } else if SPECIAL.contains(&mnemonic) {
                continue;
            } else if flags.contains(Flags::BRANCH) {
                &mut all.branch
            } else if flags.contains(Flags::LOOP) {
                &mut all.loops
            } else if flags.contains(Flags::LOAD) || flags.contains(Flags::STORE) {
                &mut all.memory
            } else {
                &mut all.straight
            };
            kind.push(mnemonic);
        }
        all
    }
}
