//! The architectural state that a vector instruction can touch, taken from a machine and put into one.

use q7_core::Machine;
use q7_datapath::{Align512, Pr64, Pred64, Vec512, Wide1536};

use crate::support::Random;

/// Start of the window of memory that is compared.
pub const WINDOW: u32 = 0x0020_0000;

/// Its size in bytes.
pub const WINDOW_SIZE: usize = 0x1000;

/// Registers and the memory window.
#[derive(Clone, PartialEq)]
pub struct State {
    pub ar: [u32; 16],
    pub br: u32,
    pub sar: u32,
    pub lcount: u32,
    pub fcr: u32,
    pub fsr: u32,
    pub vec: [Vec512; 32],
    pub wvec: [Wide1536; 4],
    pub vbool: [Pred64; 16],
    pub valign: [Vec512; 4],
    pub pr: [u64; 16],
    pub fs: [Pred64; 8],
    pub gvr: [Vec512; 8],
    pub memory: Vec<u8>,
}

fn bytes<const N: usize>(random: &mut Random) -> [u8; N] {
    std::array::from_fn(|_| random.next() as u8)
}

impl State {
    /// Any state.
    pub fn random(random: &mut Random) -> State {
        State {
            ar: std::array::from_fn(|_| random.next() as u32),
            br: random.next() as u32 & 0xffff,
            sar: random.below(64) as u32,
            lcount: random.next() as u32,
            fcr: random.below(0x80) as u32,
            fsr: random.below(0x20) as u32,
            vec: std::array::from_fn(|_| Vec512::from_bytes(bytes(random))),
            wvec: std::array::from_fn(|_| Wide1536::from_bytes(bytes(random))),
            vbool: std::array::from_fn(|_| Pred64::from_bits(random.next())),
            valign: std::array::from_fn(|_| Vec512::from_bytes(bytes(random))),
            pr: std::array::from_fn(|_| random.next()),
            fs: std::array::from_fn(|_| Pred64::from_bits(random.next())),
            gvr: std::array::from_fn(|_| Vec512::from_bytes(bytes(random))),
            memory: (0..WINDOW_SIZE).map(|_| random.next() as u8).collect(),
        }
    }

    /// The state of a machine.
    pub fn of(machine: &Machine<'_>) -> State {
        let (core, vectors) = (&machine.core, &machine.core.vectors);
        let mut memory = vec![0; WINDOW_SIZE];
        core.memory.read_bytes(WINDOW, &mut memory).unwrap();
        State {
            ar: core.ar,
            br: core.br,
            sar: core.sar,
            lcount: core.lcount,
            fcr: core.special.fcr,
            fsr: core.special.fsr,
            vec: *vectors.vec,
            wvec: vectors.wvec,
            vbool: vectors.vbool,
            valign: vectors.valign.map(Align512::line),
            pr: vectors.pr.map(Pr64::bits),
            fs: vectors.fs,
            gvr: vectors.gvr,
            memory,
        }
    }

    /// Puts this state into a machine.
    pub fn install(&self, machine: &mut Machine<'_>) {
        let core = &mut machine.core;
        core.memory.write_bytes(WINDOW, &self.memory).unwrap();
        (core.ar, core.br, core.sar, core.lcount) = (self.ar, self.br, self.sar, self.lcount);
        (core.special.fcr, core.special.fsr) = (self.fcr, self.fsr);
        let vectors = &mut core.vectors;
        (*vectors.vec, vectors.wvec, vectors.vbool) = (self.vec, self.wvec, self.vbool);
        vectors.valign = self.valign.map(Align512::from_line);
        vectors.pr = self.pr.map(Pr64::from_bits);
        (vectors.fs, vectors.gvr) = (self.fs, self.gvr);
    }

    /// What differs between this state and the wanted one, one line each; empty if nothing does.
    pub fn differences(&self, wanted: &State) -> String {
        let mut text = String::new();
        let mut note = |name: &str, got: &dyn std::fmt::Debug, want: &dyn std::fmt::Debug| {
            let (got, want) = (format!("{got:02x?}"), format!("{want:02x?}"));
            if got != want {
                text += &format!("{name}: got  {got}\n{:1$}  want {want}\n", "", name.len());
            }
        };
        for k in 0..16 {
            note(&format!("a{k}"), &self.ar[k], &wanted.ar[k]);
            note(&format!("vb{k}"), &self.vbool[k].bits(), &wanted.vbool[k].bits());
            note(&format!("pr{k}"), &self.pr[k], &wanted.pr[k]);
        }
        note("br", &self.br, &wanted.br);
        note("sar", &self.sar, &wanted.sar);
        note("lcount", &self.lcount, &wanted.lcount);
        note("fcr", &self.fcr, &wanted.fcr);
        note("fsr", &self.fsr, &wanted.fsr);
        for k in 0..32 {
            note(&format!("v{k}"), self.vec[k].bytes(), wanted.vec[k].bytes());
        }
        for k in 0..4 {
            note(&format!("wv{k}"), self.wvec[k].bytes(), wanted.wvec[k].bytes());
            note(&format!("u{k}"), self.valign[k].bytes(), wanted.valign[k].bytes());
        }
        for k in 0..8 {
            note(&format!("fs{k}"), &self.fs[k].bits(), &wanted.fs[k].bits());
            note(&format!("gr{k}"), self.gvr[k].bytes(), wanted.gvr[k].bytes());
        }
        for (k, (got, want)) in self.memory.chunks(64).zip(wanted.memory.chunks(64)).enumerate() {
            note(&format!("memory+{:#x}", 64 * k), &got, &want);
        }
        text
    }
}
