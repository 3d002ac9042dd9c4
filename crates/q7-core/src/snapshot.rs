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
    /// Registers of the vector unit that are not zero, by name: hexadecimal, highest byte first.
    pub vector: BTreeMap<String, String>,
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
            vector: self.vector_registers(),
        }
    }

    fn vector_registers(&self) -> BTreeMap<String, String> {
        let vectors = &self.vectors;
        let mut all = BTreeMap::new();
        let mut add = |prefix: &str, number: usize, bytes: &[u8]| {
            if bytes.iter().any(|&byte| byte != 0) {
                let digits = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
                all.insert(format!("{prefix}{number}"), digits);
            }
        };
        for (number, vec) in vectors.vec.iter().enumerate() {
            add("v", number, vec.bytes());
        }
        for (number, wide) in vectors.wvec.iter().enumerate() {
            add("wv", number, wide.bytes());
        }
        for (number, align) in vectors.valign.iter().enumerate() {
            add("u", number, align.line().bytes());
        }
        for (number, pred) in vectors.vbool.iter().enumerate() {
            add("vb", number, &pred.bits().to_le_bytes());
        }
        for (number, pr) in vectors.pr.iter().enumerate() {
            add("pr", number, &pr.bits().to_le_bytes());
        }
        for (number, gather) in vectors.gvr.iter().enumerate() {
            add("gr", number, gather.bytes());
        }
        for (number, state) in vectors.fs.iter().enumerate() {
            add("fs", number, &state.bits().to_le_bytes());
        }
        all
    }
}
