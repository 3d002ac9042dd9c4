//! What is known of the instruction set, in numbers.
//!
//! Names that are not public show up as counts: the published size of a slot, a category or a family
//! less what we have there. They never show up as invented names.

use serde::Serialize;

use crate::isa::Isa;
use crate::spec::Certainty;
use crate::{PlacementId, SlotId};

/// Items by certainty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Printed by a public source.
    pub observed: usize,
    /// Forced by observed data.
    pub derived: usize,
    /// Consistent and natural, not forced.
    pub likely: usize,
    /// Chosen by this project.
    pub provisional: usize,
}

impl Counts {
    /// Counts an item.
    pub fn add(&mut self, certainty: Certainty) {
        *match certainty {
            Certainty::Observed => &mut self.observed,
            Certainty::Derived => &mut self.derived,
            Certainty::Likely => &mut self.likely,
            Certainty::Provisional => &mut self.provisional,
        } += 1;
    }

    /// All items.
    pub fn total(&self) -> usize {
        self.observed + self.derived + self.likely + self.provisional
    }

    fn of(certainties: impl Iterator<Item = Certainty>) -> Counts {
        let mut counts = Counts::default();
        certainties.for_each(|certainty| counts.add(certainty));
        counts
    }
}

/// One slot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotCoverage {
    /// Name, such as `F0_S3_ALU`.
    pub name: String,
    /// Functional unit.
    pub unit: String,
    /// Width in bits.
    pub width: u8,
    /// Opcodes that the public sources count.
    pub published: usize,
    /// Opcodes that we place.
    pub ours: usize,
    /// `published - ours`: opcodes without a public name, or membership that nobody printed.
    pub missing: i64,
    /// How well it is known that the opcodes sit here.
    pub membership: Counts,
    /// How well their templates are known.
    pub templates: Counts,
    /// How well their operand windows are known.
    pub windows: Counts,
    /// How well the place of the slot bits in the bundle is known.
    pub gather: Counts,
    /// The share of the slot's code space that is taken.
    pub code_space: f64,
}

/// One format.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormatCoverage {
    /// Name, such as `N0`.
    pub name: String,
    /// Length in bytes.
    pub length: u8,
    /// Bundle bits that no slot owns; they must be zero.
    pub spare_bits: u32,
    /// Its slots in issue order.
    pub slots: Vec<SlotCoverage>,
}

/// One category of the published catalogue of vector instructions, or one family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupCoverage {
    /// Name, such as `load`.
    pub name: String,
    /// Mnemonics in the whole set by the public sources (categories: approximately).
    pub published: Option<usize>,
    /// Mnemonics that device images use by the public sources.
    pub emitted: Option<usize>,
    /// Mnemonics that we have, by the certainty of their existence.
    pub mnemonics: Counts,
    /// The certainty of their operand lists.
    pub operands: Counts,
    /// The certainty of the templates of all their placements.
    pub templates: Counts,
}

/// The whole instruction set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Name of the instruction set.
    pub name: String,
    /// Formats in ladder order.
    pub formats: Vec<FormatCoverage>,
    /// The categories of the catalogue of vector instructions.
    pub categories: Vec<GroupCoverage>,
    /// Families: together they hold every published name.
    pub families: Vec<GroupCoverage>,
    /// All mnemonics.
    pub mnemonics: Counts,
    /// Published placements.
    pub published_placements: usize,
    /// The templates of all our placements.
    pub templates: Counts,
}

impl Isa {
    /// Coverage of this instruction set.
    pub fn coverage(&self) -> Coverage {
        let formats: Vec<FormatCoverage> = self
            .formats
            .iter()
            .zip(&self.reserved)
            .map(|(format, reserved)| FormatCoverage {
                name: format.name.clone(),
                length: format.length,
                spare_bits: reserved.count_ones(),
                slots: format.slots.iter().map(|&slot| self.slot_coverage(slot)).collect(),
            })
            .collect();
        let is_vector = |opcode: &crate::Opcode| opcode.mnemonic.starts_with("ivp_");
        let categories = self
            .categories
            .iter()
            .map(|row| {
                self.group(&row.name, row.isa_wide, row.emitted, |opcode| {
                    is_vector(opcode) && opcode.category == row.name
                })
            })
            .collect();
        let batched: Vec<&str> =
            self.families.iter().flat_map(|row| &row.batches).map(String::as_str).collect();
        let families = self
            .families
            .iter()
            .map(|row| {
                // The family without batches holds the rest.
                let rest = row.batches.is_empty();
                self.group(&row.name, Some(row.published), None, |opcode| {
                    if rest {
                        !batched.contains(&opcode.batch.as_str())
                    } else {
                        row.batches.contains(&opcode.batch)
                    }
                })
            })
            .collect();
        Coverage {
            name: self.name.clone(),
            published_placements: self.slots.iter().map(|slot| usize::from(slot.published_opcodes)).sum(),
            formats,
            categories,
            families,
            mnemonics: Counts::of(self.opcodes.iter().map(|opcode| opcode.certainty)),
            templates: Counts::of(self.placements.iter().map(|placement| placement.certainty)),
        }
    }

    fn slot_coverage(&self, id: SlotId) -> SlotCoverage {
        let slot = self.slot(id);
        let placements: Vec<_> = self.placements.iter().filter(|placement| placement.slot == id).collect();
        let space = |mask: u64| (-f64::from(mask.count_ones())).exp2();
        SlotCoverage {
            name: slot.name.clone(),
            unit: slot.unit.clone(),
            width: slot.width,
            published: slot.published_opcodes.into(),
            ours: placements.len(),
            missing: i64::from(slot.published_opcodes) - placements.len() as i64,
            membership: Counts::of(placements.iter().map(|placement| placement.membership)),
            templates: Counts::of(placements.iter().map(|placement| placement.certainty)),
            windows: Counts::of(placements.iter().map(|placement| placement.windows_certainty)),
            gather: Counts::of(slot.gather_certainty.iter().copied()),
            code_space: placements.iter().map(|placement| space(placement.mask)).sum(),
        }
    }

    fn group(
        &self,
        name: &str,
        published: Option<u16>,
        emitted: Option<u16>,
        belongs: impl Fn(&crate::Opcode) -> bool,
    ) -> GroupCoverage {
        let members: Vec<&crate::Opcode> = self.opcodes.iter().filter(|opcode| belongs(opcode)).collect();
        let placements = members.iter().flat_map(|opcode| &opcode.placements);
        GroupCoverage {
            name: name.to_owned(),
            published: published.map(usize::from),
            emitted: emitted.map(usize::from),
            mnemonics: Counts::of(members.iter().map(|opcode| opcode.certainty)),
            operands: Counts::of(members.iter().map(|opcode| opcode.operands_certainty)),
            templates: Counts::of(placements.map(|&id: &PlacementId| self.placement(id).certainty)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mnemonic_is_in_one_family_and_every_vector_one_in_a_category() {
        let isa = Isa::embedded();
        let coverage = isa.coverage();
        let of = |groups: &[GroupCoverage]| groups.iter().map(|group| group.mnemonics.total()).sum::<usize>();
        assert_eq!(of(&coverage.families), isa.opcodes().len());
        let vector = isa.opcodes().iter().filter(|opcode| opcode.mnemonic.starts_with("ivp_")).count();
        assert_eq!(of(&coverage.categories), vector);
        assert_eq!(coverage.categories.len(), 14);
        // coverage-tally: 1534 shipped mnemonics in 12569 placements.
        let published: usize = coverage.families.iter().filter_map(|family| family.published).sum();
        assert_eq!((published, coverage.published_placements), (1534, 12569));
    }

    #[test]
    fn slots_hold_no_more_than_is_published() {
        for format in Isa::embedded().coverage().formats {
            for slot in format.slots {
                assert!(slot.missing >= 0, "{}: {}", slot.name, slot.missing);
                assert!(slot.code_space <= 1.0, "{}: {}", slot.name, slot.code_space);
            }
        }
    }
}
