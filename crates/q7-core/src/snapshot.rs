//! The register state as plain data.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::core::Core;
use crate::special::REGISTERS;

/// The registers of a core at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Address of the next bundle.
    pub pc: u32,
    /// Cycles so far.
    pub cycle: u64,
    /// Bundles so far.
    pub bundles: u64,
    /// a0..a15 of the current window.
    pub ar: [u32; 16],
    /// All 64 ARs, eight per pane, pane 0 first.
    pub physical_ar: Vec<u32>,
    /// Special registers by name.
    pub special: BTreeMap<&'static str, u32>,
    /// User registers by name.
    pub user: BTreeMap<&'static str, u32>,
}

impl Core {
    /// Copies the registers.
    pub fn snapshot(&self) -> Snapshot {
        let special = REGISTERS
            .iter()
            .enumerate()
            .map(|(index, register)| (register.name, self.read_special(index as u8, self.cycle)))
            .collect();
        let user = BTreeMap::from([
            ("threadptr", self.special.threadptr),
            ("fcr", self.special.fcr),
            ("fsr", self.special.fsr),
        ]);
        Snapshot {
            pc: self.pc,
            cycle: self.cycle,
            bundles: self.bundles(),
            ar: self.ar,
            physical_ar: self.physical_ars().to_vec(),
            special,
            user,
        }
    }
}
