//! A loaded instruction set.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::codec::Codec;
use crate::decision::{DecisionTable, Pattern};
use crate::format::{Format, Framing};
use crate::spec::{Certainty, Direction, File, Flags, IsaSpec, SpecError};
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
    /// Slot bit to bundle bit; empty while the layout is unknown.
    pub gather: Vec<u8>,
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
    pub(crate) by_mnemonic: HashMap<String, OpcodeId>,
    pub(crate) framing: Framing,
    pub(crate) decisions: Vec<DecisionTable>,
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

    /// Builds the tables of a spec.
    ///
    /// # Errors
    /// [`SpecError`] if rows contradict each other: unknown names, overlapping windows, a template
    /// bit inside a window, or two placements with one word.
    pub fn from_spec(spec: &IsaSpec) -> Result<Isa, SpecError> {
        let slot_ids: HashMap<&str, SlotId> =
            spec.slots.iter().enumerate().map(|(i, s)| (s.name.as_str(), SlotId(i as u8))).collect();
        let mut slots: Vec<Slot> = spec
            .slots
            .iter()
            .map(|row| Slot {
                name: row.name.clone(),
                unit: row.unit.clone(),
                format: FormatId(0),
                width: row.width,
                published_opcodes: row.published_opcodes,
                gather: row.gather.clone(),
            })
            .collect();
        let mut formats = Vec::new();
        for (index, row) in spec.formats.iter().enumerate() {
            let place = format!("format {}", row.name);
            if (row.mask | row.match_value) & !Framing::SELECTOR != 0 {
                return Err(SpecError::new(place, "selector bits outside bytes 0 and 3"));
            }
            let mut ids = Vec::new();
            for name in &row.slots {
                let id = slot_ids
                    .get(name.as_str())
                    .ok_or_else(|| SpecError::new(&place, format!("unknown slot {name}")))?;
                slots[id.0 as usize].format = FormatId(index as u8);
                ids.push(*id);
            }
            formats.push(Format {
                name: row.name.clone(),
                length: row.length,
                mask: row.mask,
                match_value: row.match_value,
                slots: ids,
                certainty: row.certainty,
            });
        }

        let codecs: HashMap<&str, Codec> = spec
            .codecs
            .iter()
            .map(|row| (row.name.as_str(), Codec { name: row.name.clone(), rule: row.rule.clone() }))
            .collect();
        let mut opcodes = Vec::new();
        let mut by_mnemonic = HashMap::new();
        for (index, row) in spec.opcodes.iter().enumerate() {
            let place = format!("opcode {}", row.mnemonic);
            let mut operands = Vec::new();
            for operand in &row.operands {
                let codec = codecs
                    .get(operand.codec.as_str())
                    .ok_or_else(|| SpecError::new(&place, format!("unknown codec {}", operand.codec)))?;
                operands.push(Operand {
                    direction: operand.direction,
                    file: operand.file,
                    role: operand.role.clone(),
                    codec: codec.clone(),
                });
            }
            if by_mnemonic.insert(row.mnemonic.clone(), OpcodeId(index as u16)).is_some() {
                return Err(SpecError::new(place, "listed twice"));
            }
            opcodes.push(Opcode {
                mnemonic: row.mnemonic.clone(),
                batch: row.batch.clone(),
                category: row.category.clone(),
                operands,
                flags: row.flags,
                summary: row.summary.clone(),
                certainty: row.certainty,
                operands_certainty: row.operands_certainty,
                source: row.source.clone(),
                placements: Vec::new(),
            });
        }

        let mut placements = Vec::new();
        let mut patterns: Vec<Vec<Pattern>> = vec![Vec::new(); slots.len()];
        for (index, row) in spec.placements.iter().enumerate() {
            let id = PlacementId(index as u16);
            let place = format!("placement {} in {}", row.mnemonic, row.slot);
            let opcode =
                *by_mnemonic.get(&row.mnemonic).ok_or_else(|| SpecError::new(&place, "unknown mnemonic"))?;
            let slot =
                *slot_ids.get(row.slot.as_str()).ok_or_else(|| SpecError::new(&place, "unknown slot"))?;
            let width = slots[slot.0 as usize].width;
            let operand_bits =
                window_bits(&row.windows, width).map_err(|reason| SpecError::new(&place, reason))?;
            if opcodes[opcode.0 as usize].operands.len() != row.windows.len() {
                return Err(SpecError::new(place, "as many windows as operands are needed"));
            }
            let mask = ((1u64 << width) - 1) & !operand_bits;
            if row.template & !mask != 0 {
                return Err(SpecError::new(place, "template bit inside a window or beyond the slot"));
            }
            opcodes[opcode.0 as usize].placements.push(id);
            patterns[slot.0 as usize].push(Pattern { mask, template: row.template, placement: id });
            placements.push(Placement {
                opcode,
                slot,
                template: row.template,
                mask,
                windows: row.windows.clone(),
                certainty: row.certainty,
                windows_certainty: row.windows_certainty,
            });
        }
        let decisions = patterns
            .into_iter()
            .enumerate()
            .map(|(slot, list)| {
                DecisionTable::new(list)
                    .map_err(|error| SpecError::new(format!("slot {}", slots[slot].name), error.reason))
            })
            .collect::<Result<_, _>>()?;
        let framing = Framing::new(&formats);
        Ok(Isa {
            name: spec.name.clone(),
            formats,
            slots,
            opcodes,
            placements,
            by_mnemonic,
            framing,
            decisions,
        })
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

/// The union of operand windows as a mask; an error if they overlap or leave the slot.
fn window_bits(windows: &[Vec<u8>], width: u8) -> Result<u64, String> {
    let mut all = 0u64;
    for &bit in windows.iter().flatten() {
        if bit >= width {
            return Err(format!("window bit {bit} beyond the {width} bits of the slot"));
        }
        if all >> bit & 1 == 1 {
            return Err(format!("windows overlap in bit {bit}"));
        }
        all |= 1 << bit;
    }
    Ok(all)
}
