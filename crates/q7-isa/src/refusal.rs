//! Why instructions cannot share a bundle, and what comes nearest.

use std::cmp::Reverse;
use std::fmt;

use crate::choose::Candidates;
use crate::encode::EncodeError;
use crate::isa::Isa;
use crate::{FormatId, OpcodeId, SlotId};

/// Why instructions cannot share a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// More instructions than any format has slots.
    #[error("{count} instructions in one bundle; {limit} is the most that a format holds")]
    TooMany {
        /// Instructions given.
        count: usize,
        /// Most slots of a format.
        limit: usize,
    },
    /// One instruction has no slot: none at all, or none in the formats with as many slots as are wanted.
    #[error("{mnemonic} cannot be placed: it sits only in {}", List(.legal))]
    NoSlot {
        /// Which of the instructions.
        instruction: usize,
        /// Mnemonic.
        mnemonic: String,
        /// The slots that could hold it.
        legal: Vec<String>,
    },
    /// An operand fits no slot that could hold the instruction.
    #[error("in slot {slot}: {error}")]
    Operand {
        /// Which of the instructions.
        instruction: usize,
        /// The slot whose fields come nearest: the first with the widest range.
        slot: String,
        /// What does not fit.
        error: Box<EncodeError>,
    },
    /// Every instruction has a slot, but not all at once.
    #[error(
        "{} cannot share a bundle{} (`q7sim isa show MNEMONIC` prints the slots of each)",
        together(.mnemonics),
        .format.iter().map(|name| format!(" of format {name}")).collect::<String>()
    )]
    NoFormat {
        /// The mnemonics of the fewest instructions that do not fit together.
        mnemonics: Vec<String>,
        /// The format, if one was asked for.
        format: Option<String>,
        /// Formats that hold all but some, with the mnemonics they cannot hold.
        nearest: Vec<(String, Vec<String>)>,
    },
}

struct List<'a>(&'a [String]);

impl List<'_> {
    /// Names printed at most.
    const SHOWN: usize = 6;
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("no slot"),
            names if names.len() > List::SHOWN + 1 => {
                let (shown, others) = names.split_at(List::SHOWN);
                write!(f, "{} and {} others", shown.join(", "), others.len())
            }
            names => f.write_str(&names.join(", ")),
        }
    }
}

fn together(mnemonics: &[String]) -> String {
    match mnemonics {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        names => names.concat(),
    }
}

impl Isa {
    /// Why nothing fits: the formats are all, or the one that was asked for.
    pub(crate) fn explain(&self, only: Option<FormatId>, candidates: Candidates) -> FormatError {
        let mut formats: Vec<FormatId> = match only {
            Some(id) => vec![id],
            None => (0..self.formats.len()).map(|index| FormatId(index as u8)).collect(),
        };
        let limit = formats.iter().map(|&id| self.format(id).slots.len()).max().unwrap_or(0);
        let count = candidates.opcodes.len();
        if count > limit {
            return FormatError::TooMany { count, limit };
        }
        formats.retain(|&id| self.format(id).slots.len() >= count);
        if let Some(error) = (0..count).find_map(|index| self.explain_one(&formats, index, candidates)) {
            return error;
        }
        let mnemonic = |opcode: OpcodeId| self.opcode(opcode).mnemonic.clone();
        let mut nearest: Vec<(String, Vec<String>)> = formats
            .iter()
            .map(|&id| (self.format(id).name.clone(), self.left_out(id, candidates)))
            .filter(|(_, left)| !left.is_empty() && left.len() < count)
            .map(|(name, left)| (name, left.into_iter().map(mnemonic).collect()))
            .collect();
        nearest.sort_by_key(|(_, left)| left.len());
        let fewest = nearest.first().map_or(0, |(_, left)| left.len());
        nearest.retain(|(_, left)| left.len() == fewest);
        FormatError::NoFormat {
            mnemonics: self.fewest_in_conflict(&formats, candidates).into_iter().map(mnemonic).collect(),
            format: only.map(|id| self.format(id).name.clone()),
            nearest,
        }
    }

    /// The fewest instructions that no format holds together.
    fn fewest_in_conflict(&self, formats: &[FormatId], candidates: Candidates) -> Vec<OpcodeId> {
        let count = candidates.opcodes.len();
        let members =
            |set: u32| (0..count).filter(move |index| set >> index & 1 != 0).collect::<Vec<usize>>();
        let mut sets: Vec<u32> = (1..1 << count).collect();
        sets.sort_by_key(|set| set.count_ones());
        let conflict = sets
            .into_iter()
            .map(members)
            .find(|set| !formats.iter().any(|&id| self.holds(id, candidates, set)));
        conflict.iter().flatten().map(|&index| candidates.opcodes[index]).collect()
    }

    /// Whether a format holds some of the instructions.
    fn holds(&self, id: FormatId, candidates: Candidates, members: &[usize]) -> bool {
        let opcodes: Vec<OpcodeId> = members.iter().map(|&index| candidates.opcodes[index]).collect();
        let fits = |index: usize, slot| (candidates.fits)(members[index], slot);
        self.assign(id, Candidates { opcodes: &opcodes, fits: &fits }).is_some()
    }

    /// Why one instruction fits nowhere, if that is so.
    fn explain_one(
        &self,
        formats: &[FormatId],
        instruction: usize,
        candidates: Candidates,
    ) -> Option<FormatError> {
        let opcode = candidates.opcodes[instruction];
        let all = self.opcode(opcode).placements.iter().map(|&id| self.placement(id));
        let placements: Vec<_> =
            all.clone().filter(|row| formats.contains(&self.slot(row.slot).format)).collect();
        if placements.is_empty() {
            return Some(FormatError::NoSlot {
                instruction,
                mnemonic: self.opcode(opcode).mnemonic.clone(),
                legal: all.map(|row| self.slot(row.slot).name.clone()).collect(),
            });
        }
        let refusals: Option<Vec<(SlotId, usize, EncodeError)>> = placements
            .iter()
            .map(|row| {
                let fields = row.windows.iter().map(Vec::len).sum();
                (candidates.fits)(instruction, row.slot).err().map(|error| (row.slot, fields, error))
            })
            .collect();
        let (slot, _, error) = refusals?.into_iter().min_by_key(|(_, fields, _)| Reverse(*fields))?;
        let slot = self.slot(slot).name.clone();
        Some(FormatError::Operand { instruction, slot, error: Box::new(error) })
    }

    /// The instructions that a format cannot hold beside the others, taken in order.
    fn left_out(&self, id: FormatId, candidates: Candidates) -> Vec<OpcodeId> {
        let mut held: Vec<usize> = Vec::new();
        let mut left = Vec::new();
        for (index, &opcode) in candidates.opcodes.iter().enumerate() {
            held.push(index);
            if !self.holds(id, candidates, &held) {
                held.pop();
                left.push(opcode);
            }
        }
        left
    }
}
