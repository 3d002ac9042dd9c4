//! All registers under one numbering, and the register files of the vector unit.

use std::ops::{Deref, DerefMut};

use q7_datapath::{Align512, Pr64, Pred64, Vec512, Wide1536};
use q7_isa::File;

use crate::core::Core;

/// v0..v31. Registers 32 and up of the core hold what those were before the running bundle, as far as it needs that;
/// they are no architectural state.
#[derive(Clone, Debug)]
pub struct VecFile([Vec512; 2 * VECS]);

const VECS: usize = 32;

/// The number under which a copy of a vec register is kept.
pub(crate) const COPY: u8 = VECS as u8;

impl VecFile {
    /// A register or a copy.
    #[inline(always)]
    pub(crate) fn get(&self, register: u8) -> &Vec512 {
        &self.0[register as usize % (2 * VECS)]
    }

    /// A register or a copy.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, register: u8) -> &mut Vec512 {
        &mut self.0[register as usize % (2 * VECS)]
    }
}

impl Deref for VecFile {
    type Target = [Vec512; VECS];
    fn deref(&self) -> &[Vec512; VECS] {
        self.0.first_chunk().expect("there are more")
    }
}

impl DerefMut for VecFile {
    fn deref_mut(&mut self) -> &mut [Vec512; VECS] {
        self.0.first_chunk_mut().expect("there are more")
    }
}

/// The vector unit's register files (DESIGN section 4, `core-isa/spec-register-files.md`).
#[derive(Clone, Debug)]
pub struct Vectors {
    /// v0..v31.
    pub vec: VecFile,
    /// wv0..wv3.
    pub wvec: [Wide1536; 4],
    /// vb0..vb15.
    pub vbool: [Pred64; 16],
    /// u0..u3.
    pub valign: [Align512; 4],
    /// pr0..pr15.
    pub pr: [Pr64; 16],
    /// gr0..gr7, the gather staging registers.
    pub gvr: [Vec512; 8],
    /// The control words beside gr0..gr7.
    pub gvr_control: [u32; 8],
    /// FS0..FS7, the flag state of MOVFSV.
    pub fs: [Pred64; 8],
}

impl Default for Vectors {
    fn default() -> Vectors {
        Vectors {
            vec: VecFile([Vec512::ZERO; 2 * VECS]),
            wvec: [Wide1536::from_bytes([0; 192]); 4],
            vbool: [Pred64::from_bits(0); 16],
            valign: [Align512::from_line(Vec512::ZERO); 4],
            pr: [Pr64::from_bits(0); 16],
            gvr: [Vec512::ZERO; 8],
            gvr_control: [0; 8],
            fs: [Pred64::from_bits(0); 8],
        }
    }
}

/// A set of registers, one bit each in the numbering of this module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RegisterSet(pub u128);

const AR: u32 = 0;
const BR: u32 = 16;
const VEC: u32 = 32;
const VBOOL: u32 = 64;
const PR: u32 = 80;
const GVR: u32 = 96;
const VALIGN: u32 = 104;
const WVEC: u32 = 108;
const LAST_WVEC: u32 = 111;
const SAR: u32 = 112;
const LOOP: u32 = 113;
const FS: u32 = 114;
const FCR: u32 = 122;
const FSR: u32 = 123;

impl RegisterSet {
    /// SAR.
    pub const SAR: RegisterSet = RegisterSet(1 << SAR);
    /// LBEG, LEND and LCOUNT.
    pub const LOOP: RegisterSet = RegisterSet(1 << LOOP);
    /// FS0..FS7.
    pub const FS: RegisterSet = RegisterSet(0xff << FS);
    /// FCR.
    pub const FCR: RegisterSet = RegisterSet(1 << FCR);
    /// FSR. Several operations of a bundle may write it: their flags add up.
    pub const FSR: RegisterSet = RegisterSet(1 << FSR);
    /// a0, the link of call0.
    pub const A0: RegisterSet = RegisterSet(1 << AR);
    /// a8, the link of call8.
    pub const A8: RegisterSet = RegisterSet(1 << (AR + 8));

    /// The registers that an operand names.
    pub(crate) fn of_operand(file: File, value: i32) -> RegisterSet {
        let (base, count) = match file {
            File::Ar => (AR, 1),
            File::Br => (BR, 1),
            File::Br4 => (BR, 4),
            File::Br8 => (BR, 8),
            File::Vec => (VEC, 1),
            File::Vbool => (VBOOL, 1),
            File::B32Pr => (PR, 1),
            File::Gvr => (GVR, 1),
            File::Valign => (VALIGN, 1),
            File::Wvec => (WVEC, 1),
            File::Imm | File::Label => return RegisterSet(0),
        };
        RegisterSet(((1u128 << count) - 1) << (base + value as u32))
    }

    /// One of FS0..FS7.
    pub(crate) const fn fs(number: u32) -> RegisterSet {
        RegisterSet(1 << (FS + number))
    }

    pub(crate) fn with(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 | other.0)
    }

    pub(crate) fn without(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & !other.0)
    }

    pub(crate) fn common(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & other.0)
    }

    pub(crate) fn meets(self, other: RegisterSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The vec registers of the set.
    pub(crate) fn vecs(self) -> impl Iterator<Item = u8> {
        self.numbers().filter(|number| (VEC..VBOOL).contains(number)).map(|number| (number - VEC) as u8)
    }

    fn numbers(self) -> impl Iterator<Item = u32> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let number = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (number < 128).then_some(number)
        })
    }
}

/// The value of one of the less frequent registers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Loop(u32, u32, u32),
    Wide(Wide1536),
    Gather(Vec512, u32),
}

/// Values of some registers at one moment, by their numbers. They are kept apart by size: such copies are made for
/// every bundle with two memory accesses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    words: Vec<(u32, u64)>,
    lines: Vec<(u32, Vec512)>,
    others: Vec<(u32, Value)>,
}

impl Saved {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.lines.clear();
        self.others.clear();
    }
}

/// Room for copies of registers while a bundle runs, kept from one bundle to the next: allocating it each time costs
/// more than the bundle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The registers before the bundle.
    pub before: Saved,
    /// What its operations wrote.
    pub results: Saved,
}

impl Core {
    fn word(&self, number: u32) -> u64 {
        let vectors = &self.vectors;
        let at = |base: u32| (number - base) as usize;
        match number {
            AR..BR => self.ar[at(AR)].into(),
            BR..VEC => (self.br >> at(BR) & 1).into(),
            VBOOL..PR => vectors.vbool[at(VBOOL)].bits(),
            PR..GVR => vectors.pr[at(PR)].bits(),
            SAR => self.sar.into(),
            FS..FCR => vectors.fs[at(FS)].bits(),
            FCR => self.special.fcr.into(),
            _ => self.special.fsr.into(),
        }
    }

    fn set_word(&mut self, number: u32, &word: &u64) {
        let vectors = &mut self.vectors;
        let at = |base: u32| (number - base) as usize;
        match number {
            AR..BR => self.ar[at(AR)] = word as u32,
            BR..VEC => self.br = self.br & !(1 << at(BR)) | (word as u32) << at(BR),
            VBOOL..PR => vectors.vbool[at(VBOOL)] = Pred64::from_bits(word),
            PR..GVR => vectors.pr[at(PR)] = Pr64::from_bits(word),
            SAR => self.sar = word as u32,
            FS..FCR => vectors.fs[at(FS)] = Pred64::from_bits(word),
            FCR => self.special.fcr = word as u32,
            _ => self.special.fsr = word as u32,
        }
    }

    fn line_register(&self, number: u32) -> Vec512 {
        match number {
            VEC..VBOOL => self.vectors.vec[(number - VEC) as usize],
            _ => self.vectors.valign[(number - VALIGN) as usize].line(),
        }
    }

    fn set_line_register(&mut self, number: u32, value: &Vec512) {
        match number {
            VEC..VBOOL => self.vectors.vec[(number - VEC) as usize] = *value,
            _ => self.vectors.valign[(number - VALIGN) as usize] = Align512::from_line(*value),
        }
    }

    fn other(&self, number: u32) -> Value {
        let vectors = &self.vectors;
        let at = |base: u32| (number - base) as usize;
        match number {
            GVR..VALIGN => Value::Gather(vectors.gvr[at(GVR)], vectors.gvr_control[at(GVR)]),
            WVEC..=LAST_WVEC => Value::Wide(vectors.wvec[at(WVEC)]),
            _ => Value::Loop(self.lbeg, self.lend, self.lcount),
        }
    }

    fn set_other(&mut self, number: u32, value: &Value) {
        let vectors = &mut self.vectors;
        let at = |base: u32| (number - base) as usize;
        match *value {
            Value::Gather(data, control) => {
                (vectors.gvr[at(GVR)], vectors.gvr_control[at(GVR)]) = (data, control);
            }
            Value::Wide(wide) => vectors.wvec[at(WVEC)] = wide,
            Value::Loop(begin, end, count) => (self.lbeg, self.lend, self.lcount) = (begin, end, count),
        }
    }

    /// Adds copies of the registers of a set.
    pub(crate) fn save(&self, set: RegisterSet, saved: &mut Saved) {
        for number in set.numbers() {
            match number {
                VEC..VBOOL | VALIGN..WVEC => saved.lines.push((number, self.line_register(number))),
                GVR..VALIGN | WVEC..=LAST_WVEC | LOOP => saved.others.push((number, self.other(number))),
                _ => saved.words.push((number, self.word(number))),
            }
        }
    }

    /// Writes copied registers back.
    pub(crate) fn restore(&mut self, saved: &Saved) {
        for (number, word) in &saved.words {
            self.set_word(*number, word);
        }
        for (number, line) in &saved.lines {
            self.set_line_register(*number, line);
        }
        for (number, value) in &saved.others {
            self.set_other(*number, value);
        }
    }

    /// Writes the results of the operations of a bundle; `fsr` is FSR before the bundle, of which only changed
    /// bits count: its flags add up.
    pub(crate) fn merge(&mut self, results: &Saved, fsr: u32) {
        let flags = self.special.fsr;
        self.restore(results);
        self.special.fsr =
            results.words.iter().filter(|(number, _)| *number == FSR).fold(flags, |all, (_, new)| {
                let new = *new as u32;
                all & !(fsr & !new) | new & !fsr
            });
    }
}
