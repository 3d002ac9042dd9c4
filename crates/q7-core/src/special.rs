//! Special registers (SR) and user registers (UR): numbers, masks, privilege.
//!
//! Source: `core-isa/extra-special-registers.csv`, `xea3/registers.csv`, `xea3/fields.csv`.

use crate::core::Core;

/// Processor status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ps(pub u32);

impl Ps {
    /// The bits that WSR.PS can write: DIEXC 2, DI 3, RING 4, STACK 7:5, SS 21:20, ENTRYNR 22.
    pub const WRITABLE: u32 = 0x0070_00fc;
    /// All interrupts disabled.
    pub const DI: u32 = 1 << 3;
    /// The next ENTRY does not rotate.
    pub const ENTRYNR: u32 = 1 << 22;

    /// Interrupts are disabled.
    pub fn interrupts_disabled(self) -> bool {
        self.0 & Ps::DI != 0
    }

    /// 0 privileged, 1 user.
    pub fn ring(self) -> u32 {
        self.0 >> 4 & 1
    }

    /// Stack state (`xea3/ps-stack.csv`).
    pub fn stack(self) -> u32 {
        self.0 >> 5 & 7
    }

    /// The same with another stack state.
    pub fn with_stack(self, stack: u32) -> Ps {
        Ps(self.0 & !0xe0 | (stack & 7) << 5)
    }

    /// The next ENTRY does not rotate.
    pub fn entry_without_rotation(self) -> bool {
        self.0 & Ps::ENTRYNR != 0
    }
}

/// Registers that are plain storage, and the control registers.
#[derive(Clone, Debug)]
pub struct Special {
    /// Processor status.
    pub ps: Ps,
    /// Vector base, 64-byte aligned.
    pub vecbase: u32,
    /// PC of the last exception.
    pub epc: u32,
    /// Cause of the last exception.
    pub exccause: u32,
    /// Address of the last address fault.
    pub excvaddr: u32,
    /// Top of the interrupt stack and base of the handler table.
    pub isb: u32,
    /// Interrupt stack limit: address 31:4, enable bit 0.
    pub isl: u32,
    /// Kernel stack limit: address 31:4, enable bit 0.
    pub ksl: u32,
    /// Coprocessor enables; bit 1 is the vector unit.
    pub cpenable: u32,
    /// Exclusive access policy; bit 8 is the result of the last exclusive store.
    pub atomctl: u32,
    /// What CCOUNT is ahead of the cycle counter.
    pub ccount_offset: u32,
    /// Thread pointer (UR 231).
    pub threadptr: u32,
    /// FP control (UR 232).
    pub fcr: u32,
    /// FP status (UR 233).
    pub fsr: u32,
    /// Processor number, read-only for the guest.
    pub prid: u32,
    /// Address reserved by L32EX.
    pub reservation: Option<u32>,
    /// MPU foreground entries: (address word, attribute word).
    pub mpu: [(u32, u32); 16],
    /// Registers that only hold a value, by SR number.
    plain: [u32; 256],
}

/// SR number of the debug data register.
const DDR: usize = 0x68;

impl Special {
    /// DDR, the debug data register.
    pub fn ddr(&self) -> u32 {
        self.plain[DDR]
    }

    /// Writes DDR.
    pub fn set_ddr(&mut self, value: u32) {
        self.plain[DDR] = value;
    }
}

impl Default for Special {
    fn default() -> Special {
        Special {
            ps: Ps(0x80),
            vecbase: 0,
            epc: 0,
            exccause: 0,
            excvaddr: 0,
            isb: 0x0008_fed0,
            isl: 0,
            ksl: 0,
            cpenable: 0x02,
            atomctl: 0,
            ccount_offset: 0,
            threadptr: 0,
            fcr: 0,
            fsr: 0,
            prid: 0,
            reservation: None,
            mpu: [(0, 0); 16],
            plain: [0; 256],
        }
    }
}

/// What lies behind an SR number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lbeg,
    Lend,
    Lcount,
    Sar,
    Br,
    Wb,
    Ms,
    Ps,
    Vecbase,
    Epc,
    Exccause,
    Excvaddr,
    Isb,
    Isl,
    Ksl,
    Cpenable,
    Atomctl,
    Ccount,
    Ccompare(u8),
    Prid,
    /// Reads as a constant, ignores writes.
    Constant(u32),
    /// Holds the bits of the mask.
    Plain(u32),
}

/// One special register.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    /// Lower-case name, as in `rsr.NAME`.
    pub name: &'static str,
    /// SR number.
    pub number: u8,
    /// Faults in ring 1.
    pub privileged: bool,
    kind: Kind,
}

const fn user(number: u8, name: &'static str, kind: Kind) -> Register {
    Register { name, number, privileged: false, kind }
}

const fn privileged(number: u8, name: &'static str, kind: Kind) -> Register {
    Register { name, number, privileged: true, kind }
}

/// Every special register of the core. The registers whose privilege is not stated are taken as
/// privileged, like their neighbours (docs/assumptions.md, X3).
pub const REGISTERS: &[Register] = &[
    user(0x00, "lbeg", Kind::Lbeg),
    user(0x01, "lend", Kind::Lend),
    user(0x02, "lcount", Kind::Lcount),
    user(0x03, "sar", Kind::Sar),
    user(0x04, "br", Kind::Br),
    user(0x28, "prefctl", Kind::Plain(u32::MAX)),
    privileged(0x48, "wb", Kind::Wb),
    privileged(0x59, "mmid", Kind::Plain(u32::MAX)),
    privileged(0x5a, "mpuenb", Kind::Plain(0xffff)),
    privileged(0x5c, "mpucfg", Kind::Constant(16)),
    privileged(0x5f, "eraccess", Kind::Plain(0xffff)),
    privileged(0x61, "memctl", Kind::Plain(u32::MAX)),
    privileged(0x62, "cacheadrdis", Kind::Plain(0xff)),
    privileged(0x63, "atomctl", Kind::Atomctl),
    privileged(0x68, "ddr", Kind::Plain(u32::MAX)),
    privileged(0x69, "iram0cfg", Kind::Plain(u32::MAX)),
    privileged(0x6a, "dram0cfg", Kind::Plain(u32::MAX)),
    privileged(0x72, "ieextern", Kind::Plain(u32::MAX)),
    privileged(0x74, "ievec", Kind::Plain(u32::MAX)),
    privileged(0x80, "ibreaka0", Kind::Plain(u32::MAX)),
    privileged(0x81, "ibreaka1", Kind::Plain(u32::MAX)),
    privileged(0x90, "dbreaka0", Kind::Plain(u32::MAX)),
    privileged(0x91, "dbreaka1", Kind::Plain(u32::MAX)),
    privileged(0xa0, "dbreakc0", Kind::Plain(0xc000_003f)),
    privileged(0xa1, "dbreakc1", Kind::Plain(0xc000_003f)),
    privileged(0xb0, "configid0", Kind::Constant(0xc401_9686)),
    privileged(0xb1, "epc1", Kind::Epc),
    privileged(0xc0, "ibreakc0", Kind::Plain(0x8000_0000)),
    privileged(0xc1, "ibreakc1", Kind::Plain(0x8000_0000)),
    privileged(0xd0, "configid1", Kind::Constant(0x2908_e4e3)),
    privileged(0xe0, "cpenable", Kind::Cpenable),
    privileged(0xe5, "ms", Kind::Ms),
    privileged(0xe6, "ps", Kind::Ps),
    privileged(0xe7, "vecbase", Kind::Vecbase),
    privileged(0xe8, "exccause", Kind::Exccause),
    privileged(0xea, "ccount", Kind::Ccount),
    privileged(0xeb, "prid", Kind::Prid),
    privileged(0xec, "isb", Kind::Isb),
    privileged(0xee, "excvaddr", Kind::Excvaddr),
    privileged(0xf0, "ccompare0", Kind::Ccompare(0)),
    privileged(0xf1, "ccompare1", Kind::Ccompare(1)),
    privileged(0xf2, "ccompare2", Kind::Ccompare(2)),
    privileged(0xf4, "misc0", Kind::Plain(u32::MAX)),
    privileged(0xf5, "misc1", Kind::Plain(u32::MAX)),
    privileged(0xf8, "isl", Kind::Isl),
    privileged(0xf9, "ksl", Kind::Ksl),
];

/// The index in [`REGISTERS`] of a register name.
pub fn register_index(name: &str) -> Option<u8> {
    REGISTERS.iter().position(|register| register.name == name).map(|i| i as u8)
}

impl Core {
    /// Reads the special register at an index of [`REGISTERS`]; `cycle` is the current cycle.
    pub fn read_special(&self, index: u8, cycle: u64) -> u32 {
        let Some(register) = REGISTERS.get(index as usize) else { return 0 };
        match register.kind {
            Kind::Lbeg => self.lbeg,
            Kind::Lend => self.lend,
            Kind::Lcount => self.lcount,
            Kind::Sar => self.sar,
            Kind::Br => self.br,
            Kind::Wb => self.windows.word(),
            Kind::Ms => self.dispatch.word(),
            Kind::Ps => self.special.ps.0,
            Kind::Vecbase => self.special.vecbase,
            Kind::Epc => self.special.epc,
            Kind::Exccause => self.special.exccause,
            Kind::Excvaddr => self.special.excvaddr,
            Kind::Isb => self.special.isb,
            Kind::Isl => self.special.isl,
            Kind::Ksl => self.special.ksl,
            Kind::Cpenable => self.special.cpenable,
            Kind::Atomctl => self.special.atomctl,
            Kind::Ccount => (cycle as u32).wrapping_add(self.special.ccount_offset),
            Kind::Ccompare(timer) => self.interrupts.compare(timer),
            Kind::Prid => self.special.prid,
            Kind::Constant(value) => value,
            Kind::Plain(_) => self.special.plain[register.number as usize],
        }
    }

    /// Writes the special register at an index of [`REGISTERS`] through its mask; true if the block
    /// must end because control state changed.
    pub(crate) fn write_special(&mut self, index: u8, value: u32, cycle: u64) -> bool {
        let Some(register) = REGISTERS.get(index as usize) else { return false };
        let special = &mut self.special;
        match register.kind {
            Kind::Lbeg => self.lbeg = value,
            Kind::Lend => {
                self.lend = value;
                return true;
            }
            Kind::Lcount => {
                self.lcount = value;
                return true;
            }
            Kind::Sar => self.sar = value & 0x3f,
            Kind::Br => self.br = value & 0xffff,
            Kind::Wb => self.set_window_word(value),
            Kind::Ms => {
                self.dispatch.set_word(value);
                return true;
            }
            Kind::Ps => {
                special.ps = Ps(value & Ps::WRITABLE);
                return true;
            }
            Kind::Vecbase => {
                special.vecbase = value & !0x3f;
                // An interrupt may have waited for a handler.
                return true;
            }
            Kind::Epc => special.epc = value,
            Kind::Exccause => special.exccause = value & 0x1f_ffff,
            Kind::Excvaddr => special.excvaddr = value,
            Kind::Isb => special.isb = value,
            Kind::Isl => special.isl = value & 0xffff_fff1,
            Kind::Ksl => special.ksl = value & 0xffff_fff1,
            Kind::Cpenable => {
                special.cpenable = value & 0x7f;
                // Blocks hold what vector instructions do under the old value.
                self.memory.drop_code();
                return true;
            }
            Kind::Atomctl => special.atomctl = value & 0x3ff,
            Kind::Ccount => {
                self.settle_timers(cycle);
                self.special.ccount_offset = value.wrapping_sub(cycle as u32);
                return true;
            }
            Kind::Ccompare(timer) => {
                self.settle_timers(cycle);
                self.interrupts.set_compare(timer, value);
                return true;
            }
            Kind::Prid | Kind::Constant(_) => {}
            Kind::Plain(mask) => special.plain[register.number as usize] = value & mask,
        }
        false
    }
}
