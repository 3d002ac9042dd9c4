//! The compact form of a spec that the crate embeds: shared texts and windows, names as indices.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::{
    CategoryRow, Certainty, CodecRow, FamilyRow, FormatRow, IsaSpec, MembershipRow, OpcodeRow, PlacementRow,
    SlotRow, SpecError,
};

#[derive(Serialize, Deserialize)]
struct Compact {
    name: String,
    formats: Vec<FormatRow>,
    slots: Vec<SlotRow>,
    codecs: Vec<CodecRow>,
    opcodes: Vec<OpcodeRow>,
    categories: Vec<CategoryRow>,
    families: Vec<FamilyRow>,
    /// Per opcode and certainty: the slots, by index.
    membership: Vec<(u16, Certainty, Vec<u8>)>,
    /// The distinct window lists of all placements.
    windows: Vec<Vec<Vec<u8>>>,
    /// The distinct sources of all placements.
    sources: Vec<String>,
    placements: Vec<CompactPlacement>,
}

#[derive(Serialize, Deserialize)]
struct CompactPlacement {
    opcode: u16,
    slot: u8,
    template: u64,
    windows: u16,
    source: u16,
    certainties: [Certainty; 2],
}

/// Distinct values in order of first use.
struct Pool<T> {
    values: Vec<T>,
    index: HashMap<T, u16>,
}

impl<T: Clone + Eq + Hash> Pool<T> {
    fn new() -> Pool<T> {
        Pool { values: Vec::new(), index: HashMap::new() }
    }

    fn intern(&mut self, value: &T) -> u16 {
        if let Some(&index) = self.index.get(value) {
            return index;
        }
        let index = self.values.len() as u16;
        self.values.push(value.clone());
        self.index.insert(value.clone(), index);
        index
    }
}

impl IsaSpec {
    /// Serializes to the compact form that the crate embeds.
    ///
    /// # Panics
    /// If a placement names an opcode or a slot that the spec lacks.
    pub fn to_bytes(&self) -> Vec<u8> {
        let slots: HashMap<&str, usize> =
            self.slots.iter().enumerate().map(|(index, row)| (row.name.as_str(), index)).collect();
        let opcodes: HashMap<&str, usize> =
            self.opcodes.iter().enumerate().map(|(index, row)| (row.mnemonic.as_str(), index)).collect();
        let (mut windows, mut sources) = (Pool::new(), Pool::new());
        let placements = self
            .placements
            .iter()
            .map(|row| CompactPlacement {
                opcode: opcodes[row.mnemonic.as_str()] as u16,
                slot: slots[row.slot.as_str()] as u8,
                template: row.template,
                windows: windows.intern(&row.windows),
                source: sources.intern(&row.source),
                certainties: [row.certainty, row.windows_certainty],
            })
            .collect();
        let membership = self
            .membership
            .iter()
            .map(|row| {
                let slots = row.slots.iter().map(|slot| slots[slot.as_str()] as u8).collect();
                (opcodes[row.mnemonic.as_str()] as u16, row.certainty, slots)
            })
            .collect();
        let compact = Compact {
            name: self.name.clone(),
            formats: self.formats.clone(),
            slots: self.slots.clone(),
            codecs: self.codecs.clone(),
            opcodes: self.opcodes.clone(),
            categories: self.categories.clone(),
            families: self.families.clone(),
            membership,
            windows: windows.values,
            sources: sources.values,
            placements,
        };
        postcard::to_allocvec(&compact).expect("plain data always serializes")
    }

    /// Reads the form that [`IsaSpec::to_bytes`] writes.
    ///
    /// # Errors
    /// [`SpecError`] if the bytes are not such a form.
    pub fn from_bytes(bytes: &[u8]) -> Result<IsaSpec, SpecError> {
        let fail = |reason: String| SpecError::new("embedded table", reason);
        let compact: Compact = postcard::from_bytes(bytes).map_err(|error| fail(error.to_string()))?;
        let dangling = || fail("index beyond its table".into());
        let placements = compact
            .placements
            .iter()
            .map(|row| {
                let [certainty, windows_certainty] = row.certainties;
                let opcode = compact.opcodes.get(usize::from(row.opcode)).ok_or_else(dangling)?;
                let slot = compact.slots.get(usize::from(row.slot)).ok_or_else(dangling)?;
                Ok(PlacementRow {
                    mnemonic: opcode.mnemonic.clone(),
                    slot: slot.name.clone(),
                    template: row.template,
                    windows: compact.windows.get(usize::from(row.windows)).ok_or_else(dangling)?.clone(),
                    certainty,
                    windows_certainty,
                    source: compact.sources.get(usize::from(row.source)).ok_or_else(dangling)?.clone(),
                })
            })
            .collect::<Result<_, SpecError>>()?;
        let membership = compact
            .membership
            .iter()
            .map(|(opcode, certainty, slots)| {
                let opcode = compact.opcodes.get(usize::from(*opcode)).ok_or_else(dangling)?;
                let name = |&slot: &u8| {
                    compact.slots.get(usize::from(slot)).map(|slot| slot.name.clone()).ok_or_else(dangling)
                };
                Ok(MembershipRow {
                    mnemonic: opcode.mnemonic.clone(),
                    certainty: *certainty,
                    slots: slots.iter().map(name).collect::<Result<_, SpecError>>()?,
                })
            })
            .collect::<Result<_, SpecError>>()?;
        Ok(IsaSpec {
            name: compact.name,
            formats: compact.formats,
            slots: compact.slots,
            codecs: compact.codecs,
            opcodes: compact.opcodes,
            placements,
            categories: compact.categories,
            families: compact.families,
            membership,
        })
    }
}
