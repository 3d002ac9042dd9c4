//! A loaded instruction set.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::codec::Codec;
use crate::decision::DecisionTable;
use crate::field::Field;
use crate::format::{Format, Framing};
use crate::gather::Gather;
use crate::spec::{CategoryRow, Certainty, Direction, FamilyRow, File, Flags, IsaSpec};
use crate::{FormatId, OpcodeId, PlacementId, SlotId};

/// A loaded slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Name, such as `F0_S3_ALU`.
    pub name: String,
    /// Functional unit, such as `LdSt`.
    pub unit: String,
    /// Format it belongs to.
    pub format: FormatId,
    /// Width of the slot word in bits.
    pub width: u8,
    /// Number of opcodes the public sources count in this slot.
    pub published_opcodes: u16,
    /// Slot bit to bundle bit; empty in formats with one slot, and while the layout is unknown.
    pub gather: Vec<u8>,
    /// How well each entry of `gather` is known; same length as `gather`.
    pub gather_certainty: Vec<Certainty>,
}

/// A loaded operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Read, written or both.
    pub direction: Direction,
    /// What it names.
    pub file: File,
    /// Its role, such as `ars`.
    pub role: String,
    /// Its codec.
    pub codec: Codec,
}

/// A loaded opcode.
#[derive(Clone, Debug, PartialEq)]
pub struct Opcode {
    /// Lower case, as the tools print it.
    pub mnemonic: String,
    /// Page of the public description, may be empty.
    pub batch: String,
    /// Category of the catalogue, may be empty.
    pub category: String,
    /// Operands in assembly order.
    pub operands: Vec<Operand>,
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
    /// Its placements, one per slot.
    pub placements: Vec<PlacementId>,
}

/// An opcode's encoding in one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The opcode.
    pub opcode: OpcodeId,
    /// The slot.
    pub slot: SlotId,
    /// The slot word with all operand bits zero.
    pub template: u64,
    /// The slot bits that are not operands.
    pub mask: u64,
    /// Per operand: the slot bits of its field, most significant first.
    pub windows: Vec<Vec<u8>>,
    /// How well the template is known.
    pub certainty: Certainty,
    /// How well the windows are known.
    pub windows_certainty: Certainty,
    /// How well it is known that the opcode sits in the slot.
    pub membership: Certainty,
}

/// How an operand is read off a slot word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OperandPlan {
    pub field: Field,
    /// Index of its codec in `Isa::codecs`.
    pub codec: u8,
    /// True if the value is the field itself.
    pub plain: bool,
    /// Number of registers in the file, or `u32::MAX` for numbers and labels.
    pub limit: u32,
}

/// What decoding needs of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacementPlan {
    pub opcode: OpcodeId,
    /// Its operands in `Isa::operand_plans`; families share them.
    pub first: u16,
    pub count: u8,
}

/// What decoding needs of a slot.
#[derive(Clone, Debug)]
pub(crate) struct SlotPlan {
    pub gather: Gather,
    pub decision: DecisionTable,
}

/// An instruction set, ready to decode, encode and print.
#[derive(Clone, Debug)]
pub struct Isa {
    /// Name, such as `ncore2gp`.
    pub name: String,
    pub(crate) formats: Vec<Format>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) opcodes: Vec<Opcode>,
    pub(crate) placements: Vec<Placement>,
    pub(crate) categories: Vec<CategoryRow>,
    pub(crate) families: Vec<FamilyRow>,
    pub(crate) codecs: Vec<Codec>,
    pub(crate) by_mnemonic: HashMap<String, OpcodeId>,
    pub(crate) framing: Framing,
    /// By slot.
    pub(crate) slot_plans: Vec<SlotPlan>,
    /// By placement.
    pub(crate) placement_plans: Vec<PlacementPlan>,
    pub(crate) operand_plans: Vec<OperandPlan>,
    /// By format: bundle bits that no slot owns and no selector tests; they must be zero.
    pub(crate) reserved: Vec<u128>,
}

static EMBEDDED: LazyLock<Isa> = LazyLock::new(|| {
    let spec = IsaSpec::from_bytes(include_bytes!("../spec/isa.bin"));
    // A test checks that the committed table is current and loads.
    spec.and_then(|spec| Isa::from_spec(&spec)).expect("the embedded ISA table is valid")
});

impl Isa {
    /// The ISA of the committed spec, `ncore2gp`.
    pub fn embedded() -> &'static Isa {
        &EMBEDDED
    }

    /// All formats, in ladder order.
    pub fn formats(&self) -> &[Format] {
        &self.formats
    }

    /// All slots.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// All opcodes, sorted by mnemonic.
    pub fn opcodes(&self) -> &[Opcode] {
        &self.opcodes
    }

    /// All placements.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// One format.
    pub fn format(&self, id: FormatId) -> &Format {
        &self.formats[id.0 as usize]
    }

    /// One slot.
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.0 as usize]
    }

    /// One opcode.
    pub fn opcode(&self, id: OpcodeId) -> &Opcode {
        &self.opcodes[id.0 as usize]
    }

    /// One placement.
    pub fn placement(&self, id: PlacementId) -> &Placement {
        &self.placements[id.0 as usize]
    }

    /// The categories of the catalogue of vector instructions, with their published counts.
    pub fn categories(&self) -> &[CategoryRow] {
        &self.categories
    }

    /// How well the bytes of a placement are known: the worst of its template, its windows and the
    /// gather of its slot bits.
    pub fn encoding_certainty(&self, id: PlacementId) -> Certainty {
        let placement = self.placement(id);
        let gather = self.slot(placement.slot).gather_certainty.iter().copied().max();
        placement.certainty.max(placement.windows_certainty).max(gather.unwrap_or(Certainty::Observed))
    }

    pub(crate) fn operand_plans(&self, id: PlacementId) -> &[OperandPlan] {
        self.operands_of(self.placement_plans[id.0 as usize])
    }

    pub(crate) fn operands_of(&self, plan: PlacementPlan) -> &[OperandPlan] {
        &self.operand_plans[plan.first as usize..][..plan.count as usize]
    }

    /// The opcode of a mnemonic.
    pub fn find(&self, mnemonic: &str) -> Option<OpcodeId> {
        self.by_mnemonic.get(mnemonic).copied()
    }

    /// The placement of an opcode in a slot.
    pub fn placement_in(&self, opcode: OpcodeId, slot: SlotId) -> Option<PlacementId> {
        self.opcode(opcode).placements.iter().copied().find(|&id| self.placement(id).slot == slot)
    }

    /// The placement that stands alone: in a format with one slot (`Inst`, `Inst16a`, `Inst16b`).
    pub fn single_placement(&self, opcode: OpcodeId) -> Option<PlacementId> {
        self.opcode(opcode)
            .placements
            .iter()
            .copied()
            .find(|&id| self.format(self.slot(self.placement(id).slot).format).slots.len() == 1)
    }
}
