//! Everything that a run leaves behind.

use std::collections::BTreeMap;
use std::fmt::Debug;

use q7_core::{Machine, REGISTERS};

use crate::{CODE, CODE_SIZE, DATA, DATA_SIZE};

/// The state of a machine: what it is called and its value.
#[derive(Clone, PartialEq)]
pub struct State(BTreeMap<String, Vec<u8>>);

impl State {
    pub fn of(machine: &Machine<'_>) -> State {
        let (core, vectors) = (&machine.core, &machine.core.vectors);
        let mut state = State(BTreeMap::new());
        for (number, value) in core.ar.iter().enumerate() {
            state.add(format!("a{number}"), value.to_le_bytes());
            state.add(format!("b{number}"), [(core.br >> number & 1) as u8]);
            state.add(format!("vb{number}"), vectors.vbool[number].bits().to_le_bytes());
            state.add(format!("pr{number}"), vectors.pr[number].bits().to_le_bytes());
        }
        for (number, value) in vectors.vec.iter().enumerate() {
            state.add(format!("v{number}"), value.bytes());
        }
        for number in 0..4 {
            state.add(format!("wv{number}"), vectors.wvec[number].bytes());
            state.add(format!("u{number}"), vectors.valign[number].line().bytes());
        }
        for number in 0..8 {
            let control = vectors.gvr_control[number].to_le_bytes();
            state.add(format!("gr{number}"), [&vectors.gvr[number].bytes()[..], &control].concat());
            state.add(format!("fs{number}"), vectors.fs[number].bits().to_le_bytes());
        }
        // BR is there bit by bit; AR of other windows only together.
        for (index, register) in REGISTERS.iter().enumerate().filter(|(_, register)| register.name != "br") {
            state.add(register.name.into(), core.read_special(index as u8, core.cycle).to_le_bytes());
        }
        state.add("pc".into(), core.pc.to_le_bytes());
        state.add("cycle".into(), core.cycle.to_le_bytes());
        state.add("bundles".into(), core.bundles().to_le_bytes());
        state.add("fcr".into(), core.special.fcr.to_le_bytes());
        state.add("fsr".into(), core.special.fsr.to_le_bytes());
        state.note("windows", &core.physical_ars());
        state.note("threadptr", &core.special.threadptr);
        state.note("reservation", &core.special.reservation);
        state.note("mpu", &core.special.mpu);
        state.note("interrupts", &core.interrupts);
        for (name, base, size) in [("code", CODE, CODE_SIZE), ("data", DATA, DATA_SIZE)] {
            let mut bytes = vec![0; size];
            core.memory.read_bytes(base, &mut bytes).unwrap();
            state.add(name.into(), bytes);
        }
        state
    }

    fn add(&mut self, name: String, bytes: impl AsRef<[u8]>) {
        self.0.insert(name, bytes.as_ref().to_vec());
    }

    fn note(&mut self, name: &str, value: &dyn Debug) {
        self.add(name.into(), format!("{value:x?}"));
    }

    pub fn get(&self, name: &str) -> &[u8] {
        &self.0[name]
    }

    pub fn set(&mut self, name: &str, bytes: &[u8]) {
        self.add(name.into(), bytes);
    }

    /// Names whose values differ between two states.
    pub fn differing<'a>(&'a self, other: &'a State) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(|(name, bytes)| other.get(name) != **bytes).map(|(name, _)| name.as_str())
    }

    /// What differs, one line for each value, for reports.
    pub fn differences(&self, other: &State) -> String {
        let line = |name: &str| {
            let (here, there) = (self.get(name), other.get(name));
            let at = here.iter().zip(there).position(|(here, there)| here != there).unwrap_or(0);
            let part = |bytes: &[u8]| format!("{:02x?}", &bytes[at..bytes.len().min(at + 8)]);
            format!("{name}+{at:#x}: {} {}\n", part(here), part(there))
        };
        self.differing(other).map(line).collect()
    }
}
