//! The plain description of an instruction set: what the CSV files under `spec/` hold.
//!
//! Row types only; the tables that decode and encode are built from them by [`crate::Isa::from_spec`].

#[cfg(feature = "generator")]
mod allocate;
#[cfg(feature = "generator")]
mod check;
mod compact;
#[cfg(feature = "generator")]
mod generate;
#[cfg(feature = "generator")]
mod load;
#[cfg(feature = "generator")]
mod table;

#[cfg(feature = "generator")]
pub use check::{check, kraft_sum, kraft_sums};
#[cfg(feature = "generator")]
pub use generate::{Extension, extend};
#[cfg(feature = "generator")]
pub use load::load_dir;

use serde::{Deserialize, Serialize};

/// How well a fact is known. Ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Certainty {
    /// Printed by a public source.
    Observed,
    /// Forced by observed data.
    Derived,
    /// Consistent and natural, not forced.
    Likely,
    /// Chosen by this project so that the instruction can be assembled and run.
    Provisional,
}

impl Certainty {
    /// The word used in the CSV files and by the tools.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Observed => "observed",
            Certainty::Derived => "derived",
            Certainty::Likely => "likely",
            Certainty::Provisional => "provisional",
        }
    }
}

/// Whether an instruction reads, writes or reads and writes an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Read.
    In,
    /// Written; the old value does not matter.
    Out,
    /// Read and written.
    InOut,
}

impl Direction {
    /// True for operands whose value is read.
    pub fn reads(self) -> bool {
        self != Direction::Out
    }

    /// True for operands that are written.
    pub fn writes(self) -> bool {
        self != Direction::In
    }
}

/// What an operand names: a register of some file, a number, or an address in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum File {
    /// Address register of the current window, `a0`..`a15`, 32 bits.
    Ar,
    /// Boolean `b0`..`b15`, 1 bit.
    Br,
    /// Aligned group of four booleans, named by its first register.
    Br4,
    /// Aligned group of eight booleans, named by its first register.
    Br8,
    /// Vector register `v0`..`v31`, 512 bits.
    Vec,
    /// Vector boolean `vb0`..`vb15`, 64 bits.
    Vbool,
    /// Alignment register `u0`..`u3`, 512 bits.
    Valign,
    /// Wide vector `wv0`..`wv3`, 1536 bits.
    Wvec,
    /// Gather register `gr0`..`gr7`.
    Gvr,
    /// 64-bit coefficient pair register `pr0`..`pr15`.
    B32Pr,
    /// A number.
    Imm,
    /// An absolute code or literal address, encoded relative to the PC.
    Label,
}

impl File {
    const ALL: [File; 12] = [
        File::Ar,
        File::Br,
        File::Br4,
        File::Br8,
        File::Vec,
        File::Vbool,
        File::Valign,
        File::Wvec,
        File::Gvr,
        File::B32Pr,
        File::Imm,
        File::Label,
    ];

    /// The name used in the CSV files.
    pub fn name(self) -> &'static str {
        match self {
            File::Ar => "AR",
            File::Br => "BR",
            File::Br4 => "BR4",
            File::Br8 => "BR8",
            File::Vec => "vec",
            File::Vbool => "vbool",
            File::Valign => "valign",
            File::Wvec => "wvec",
            File::Gvr => "gvr",
            File::B32Pr => "b32_pr",
            File::Imm => "imm",
            File::Label => "label",
        }
    }

    /// The file with a [`File::name`].
    pub fn from_name(name: &str) -> Option<File> {
        File::ALL.into_iter().find(|file| file.name() == name)
    }

    /// The register prefix that Xtensa tools print, or `None` for numbers and labels.
    pub fn prefix(self) -> Option<&'static str> {
        Some(match self {
            File::Ar => "a",
            File::Br | File::Br4 | File::Br8 => "b",
            File::Vec => "v",
            File::Vbool => "vb",
            File::Valign => "u",
            File::Wvec => "wv",
            File::Gvr => "gr",
            File::B32Pr => "pr",
            File::Imm | File::Label => return None,
        })
    }

    /// Number of registers in the file (0 for numbers and labels).
    pub fn count(self) -> u8 {
        match self {
            File::Ar | File::Br | File::Br4 | File::Br8 | File::Vbool | File::B32Pr => 16,
            File::Vec => 32,
            File::Valign | File::Wvec => 4,
            File::Gvr => 8,
            File::Imm | File::Label => 0,
        }
    }
}

/// What an opcode does to control flow, memory and privilege.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(pub u16);

impl Flags {
    /// Conditional branch.
    pub const BRANCH: Flags = Flags(1);
    /// Unconditional jump.
    pub const JUMP: Flags = Flags(2);
    /// Call.
    pub const CALL: Flags = Flags(4);
    /// Return.
    pub const RETURN: Flags = Flags(8);
    /// Zero-overhead loop set-up.
    pub const LOOP: Flags = Flags(16);
    /// Reads memory.
    pub const LOAD: Flags = Flags(32);
    /// Writes memory.
    pub const STORE: Flags = Flags(64);
    /// Raises a privilege exception in ring 1.
    pub const PRIVILEGED: Flags = Flags(128);

    /// Names as in `opcodes.csv`, in bit order.
    pub const NAMES: [&'static str; 8] =
        ["branch", "jump", "call", "return", "loop", "load", "store", "privileged"];

    /// True if all flags of `other` are set.
    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of the set flags.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Flags::NAMES
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 >> bit & 1 == 1)
            .map(|(_, name)| name)
    }
}

/// One format: a bundle length and the slots in issue order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormatRow {
    /// Name, such as `x24` or `N0`.
    pub name: String,
    /// Length in bytes.
    pub length: u8,
    /// Selector bits of the first little-endian 32-bit word.
    pub mask: u32,
    /// Their value.
    pub match_value: u32,
    /// Slot names in issue order.
    pub slots: Vec<String>,
    /// How well the row is known.
    pub certainty: Certainty,
}

/// One slot of a format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlotRow {
    /// Name, such as `F0_S3_ALU`.
    pub name: String,
    /// Functional unit, such as `LdSt`.
    pub unit: String,
    /// Width of the slot word in bits.
    pub width: u8,
    /// Number of opcodes the public sources count in this slot.
    pub published_opcodes: u16,
    /// For each slot bit, the bundle bit that carries it; empty while the layout is unknown.
    pub gather: Vec<u8>,
    /// How well each entry of `gather` is known; same length as `gather`.
    pub gather_certainty: Vec<Certainty>,
}

/// How the bits of an operand field become a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodecRow {
    /// Name, such as `u*4`.
    pub name: String,
    /// Width of the field in bits where its range is known; 0 where only a placement tells.
    pub bits: u8,
    /// The rule.
    pub rule: CodecRule,
}

/// The rule of a codec. `field` is the raw operand field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CodecRule {
    /// `scale * field + bias`, the field sign-extended first if `signed`.
    Linear {
        /// Sign-extend the field.
        signed: bool,
        /// Multiplier.
        scale: i32,
        /// Added afterwards.
        bias: i32,
    },
    /// `table[field]`.
    Table(Vec<i32>),
    /// An address: `anchor(pc) + scale * field + bias`.
    Target {
        /// What the distance counts from.
        anchor: Anchor,
        /// Sign-extend the field.
        signed: bool,
        /// Multiplier.
        scale: i32,
        /// Added afterwards.
        bias: i32,
    },
}

/// What a PC-relative operand counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    /// The address of the bundle.
    Pc,
    /// The address of the bundle rounded down to a multiple of 4 (calls).
    PcDown,
    /// The address of the bundle rounded up to a multiple of 4 (L32R).
    PcUp,
}

/// One operand in assembly order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperandRow {
    /// Read, written or both.
    pub direction: Direction,
    /// What it names.
    pub file: File,
    /// Its role, such as `ars`.
    pub role: String,
    /// Name of its codec.
    pub codec: String,
}

/// One opcode (mnemonic).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpcodeRow {
    /// Lower case, as the tools print it.
    pub mnemonic: String,
    /// Page of the public description (`B25`...), may be empty.
    pub batch: String,
    /// Category of the catalogue, may be empty.
    pub category: String,
    /// Operands in assembly order.
    pub operands: Vec<OperandRow>,
    /// Control flow, memory and privilege.
    pub flags: Flags,
    /// Pipeline stages at which operands are read, as published.
    pub use_stages: String,
    /// Pipeline stages at which results appear, as published.
    pub def_stages: String,
    /// One line of meaning.
    pub summary: String,
    /// How well the existence of the opcode is known.
    pub certainty: Certainty,
    /// How well the operand list is known.
    pub operands_certainty: Certainty,
    /// Reference page names.
    pub source: String,
}

/// One opcode in one slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRow {
    /// Mnemonic.
    pub mnemonic: String,
    /// Slot name.
    pub slot: String,
    /// The slot word with all operand bits zero.
    pub template: u64,
    /// Per operand in assembly order: the slot bits of its field, most significant first.
    pub windows: Vec<Vec<u8>>,
    /// How well the template is known.
    pub certainty: Certainty,
    /// How well the windows are known.
    pub windows_certainty: Certainty,
    /// Reference page names.
    pub source: String,
}

/// The FLIX slots in which an opcode sits, as far as they are equally well known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MembershipRow {
    /// Mnemonic.
    pub mnemonic: String,
    /// How well it is known that the opcode sits in these slots.
    pub certainty: Certainty,
    /// Slot names.
    pub slots: Vec<String>,
}

/// One category of the published catalogue of vector instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryRow {
    /// Name, such as `load`.
    pub name: String,
    /// Published number of mnemonics that the device images use; `None` if not printed.
    pub emitted: Option<u16>,
    /// Published number of mnemonics in the whole set, approximate; `None` if not printed.
    pub isa_wide: Option<u16>,
}

/// One family of mnemonics with its published size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyRow {
    /// Name, such as `multiply`.
    pub name: String,
    /// Batches that belong to it; none for the family that holds the rest.
    pub batches: Vec<String>,
    /// Published number of mnemonics.
    pub published: u16,
}

/// A whole instruction set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IsaSpec {
    /// Name of the set, such as `ncore2gp`.
    pub name: String,
    /// Formats; the first whose selector matches wins.
    pub formats: Vec<FormatRow>,
    /// Slots, grouped by format in issue order.
    pub slots: Vec<SlotRow>,
    /// Operand codecs.
    pub codecs: Vec<CodecRow>,
    /// Opcodes, sorted by mnemonic.
    pub opcodes: Vec<OpcodeRow>,
    /// Placements.
    pub placements: Vec<PlacementRow>,
    /// Which opcode sits in which FLIX slot; base slots are not listed.
    pub membership: Vec<MembershipRow>,
    /// Categories of the catalogue.
    pub categories: Vec<CategoryRow>,
    /// Families; together they hold every published name.
    pub families: Vec<FamilyRow>,
}

/// A spec that contradicts itself or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct SpecError {
    /// File and row, or the placement at fault.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}

impl SpecError {
    pub(crate) fn new(place: impl Into<String>, reason: impl Into<String>) -> SpecError {
        SpecError { place: place.into(), reason: reason.into() }
    }
}
