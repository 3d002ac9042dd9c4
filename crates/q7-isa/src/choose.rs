//! From instructions without a slot to a bundle: which format, and which slot for each.

use std::fmt;

use arrayvec::ArrayVec;

use crate::decode::{Bundle, Instruction, MAX_SLOTS, Operands};
use crate::encode::EncodeError;
use crate::isa::Isa;
use crate::spec::Certainty;
use crate::{FormatId, OpcodeId, SlotId};

/// An instruction that has no slot yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplaced {
    /// The opcode.
    pub opcode: OpcodeId,
    /// Its operands, as in [`Instruction`].
    pub operands: Operands,
}

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
    /// One instruction has no slot: none at all, or none in the wanted format.
    #[error("{mnemonic} cannot be placed: it sits only in {}", List(.legal))]
    NoSlot {
        /// Mnemonic.
        mnemonic: String,
        /// The slots that could hold it.
        legal: Vec<String>,
    },
    /// An operand fits no slot that could hold the instruction.
    #[error("in slot {slot}: {error}")]
    Operand {
        /// The slot whose fields come nearest: the first with the widest range.
        slot: String,
        /// What does not fit.
        error: Box<EncodeError>,
    },
    /// Every instruction has a slot, but not all at once.
    #[error("no format holds {} together{}", List(.mnemonics), alternatives(.nearest))]
    NoFormat {
        /// The mnemonics.
        mnemonics: Vec<String>,
        /// Formats that hold all but some, with the mnemonics they cannot hold.
        nearest: Vec<(String, Vec<String>)>,
    },
}

struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("no slot"),
            names => f.write_str(&names.join(", ")),
        }
    }
}

fn alternatives(formats: &[(String, Vec<String>)]) -> String {
    let parts: Vec<String> = formats
        .iter()
        .map(|(format, left)| format!("; {format} lacks a slot for {}", left.join(", ")))
        .collect();
    parts.concat()
}

/// Formats of one length in the order in which published strings prefer them: a compare alone is
/// printed in N2, a move to vector in N2, a multiply in N1, an addition in N0 (`isa/bundles.csv`).
const PREFERENCE: [&str; 11] = ["N2", "N1", "N0", "F0", "F1", "F2", "F3", "F7", "F6", "F4", "F11"];

/// An assignment of instructions to the slots of a format: per slot the index of the instruction.
type Assignment = [Option<usize>; MAX_SLOTS];

impl Isa {
    /// The smallest bundle that holds the instructions, unused slots filled with `nop`.
    ///
    /// Every instruction gets a slot that can hold it and whose fields hold its operands at `pc`.
    /// Among formats of one length, known encodings come before provisional ones, then the order
    /// that published strings show. A list as long as the format keeps its order where it can.
    ///
    /// # Errors
    /// [`FormatError`] names the instruction and the slots that could hold it, or the formats that
    /// come nearest.
    pub fn choose_format(&self, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        let mut formats: Vec<FormatId> = (0..self.formats.len()).map(|index| FormatId(index as u8)).collect();
        let preference = |id: FormatId| {
            let name = self.format(id).name.as_str();
            PREFERENCE.iter().position(|known| *known == name).unwrap_or(0)
        };
        formats.sort_by_key(|&id| (self.format(id).length, preference(id)));
        let mut best: Option<(u8, usize, FormatId, Assignment)> = None;
        for id in formats {
            if best
                .as_ref()
                .is_some_and(|(length, unknown, ..)| *length < self.format(id).length || *unknown == 0)
            {
                break;
            }
            if let Some((assignment, unknown)) = self.assign(id, instructions, pc)
                && best.as_ref().is_none_or(|(_, least, ..)| unknown < *least)
            {
                best = Some((self.format(id).length, unknown, id, assignment));
            }
        }
        match best {
            Some((_, _, id, assignment)) => Ok(self.fill(id, &assignment, instructions)),
            None => Err(self.explain(None, instructions, pc)),
        }
    }

    /// A bundle of the given format that holds the instructions, unused slots filled with `nop`.
    ///
    /// # Errors
    /// As [`Isa::choose_format`].
    pub fn place(&self, format: FormatId, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        match self.assign(format, instructions, pc) {
            Some((assignment, _)) => Ok(self.fill(format, &assignment, instructions)),
            None => Err(self.explain(Some(format), instructions, pc)),
        }
    }

    /// The format of a name such as `N0`.
    pub fn find_format(&self, name: &str) -> Option<FormatId> {
        self.formats.iter().position(|format| format.name == name).map(|index| FormatId(index as u8))
    }

    /// The best assignment and how many of its placements have provisional encodings.
    fn assign(&self, id: FormatId, instructions: &[Unplaced], pc: u32) -> Option<(Assignment, usize)> {
        let slots = &self.format(id).slots;
        if instructions.is_empty() || instructions.len() > slots.len() {
            return None;
        }
        let nop = self.find("nop")?;
        // What it costs to put an instruction into a slot; `None` if it does not fit.
        let cost: Vec<Vec<Option<usize>>> = instructions
            .iter()
            .map(|instruction| slots.iter().map(|&slot| self.cost(instruction, slot, nop, pc)).collect())
            .collect();
        let fillable: Vec<bool> = slots.iter().map(|&slot| self.placement_in(nop, slot).is_some()).collect();
        let mut search = Search {
            cost: &cost,
            fillable: &fillable,
            in_order: instructions.len() == slots.len(),
            current: [None; MAX_SLOTS],
            best: None,
        };
        search.run(0, 0);
        search.best.map(|(total, assignment)| (assignment, total / Search::UNKNOWN))
    }

    fn cost(&self, instruction: &Unplaced, slot: SlotId, nop: OpcodeId, pc: u32) -> Option<usize> {
        let placement = self.placement(self.placement_in(instruction.opcode, slot)?);
        self.encode_slot(&in_slot(instruction, slot), pc).ok()?;
        let known = placement.certainty.max(placement.windows_certainty) < Certainty::Provisional;
        Some(if known || instruction.opcode == nop { 0 } else { Search::UNKNOWN })
    }

    fn fill(&self, id: FormatId, assignment: &Assignment, instructions: &[Unplaced]) -> Bundle {
        let format = self.format(id);
        let filled: ArrayVec<Instruction, MAX_SLOTS> = format
            .slots
            .iter()
            .zip(assignment)
            .map(|(&slot, index)| match index {
                Some(index) => in_slot(&instructions[*index], slot),
                None => Instruction {
                    opcode: self.find("nop").expect("assignments exist only where nop does"),
                    slot,
                    operands: Operands::new(),
                },
            })
            .collect();
        Bundle { format: id, length: format.length, instructions: filled }
    }

    /// Why nothing fits: the formats are all, or the one that was asked for.
    fn explain(&self, only: Option<FormatId>, instructions: &[Unplaced], pc: u32) -> FormatError {
        let formats: Vec<FormatId> = match only {
            Some(id) => vec![id],
            None => (0..self.formats.len()).map(|index| FormatId(index as u8)).collect(),
        };
        let limit = formats.iter().map(|&id| self.format(id).slots.len()).max().unwrap_or(0);
        if instructions.len() > limit {
            return FormatError::TooMany { count: instructions.len(), limit };
        }
        let mnemonic = |instruction: &Unplaced| self.opcode(instruction.opcode).mnemonic.clone();
        for instruction in instructions {
            let all: Vec<SlotId> = self
                .opcode(instruction.opcode)
                .placements
                .iter()
                .map(|&id| self.placement(id).slot)
                .collect();
            let slots: Vec<SlotId> =
                all.iter().copied().filter(|&slot| formats.contains(&self.slot(slot).format)).collect();
            if slots.is_empty() {
                let legal = all.iter().map(|&slot| self.slot(slot).name.clone()).collect();
                return FormatError::NoSlot { mnemonic: mnemonic(instruction), legal };
            }
            let fields = |slot: SlotId| {
                let placement = self.placement_in(instruction.opcode, slot);
                placement.map_or(0, |id| self.placement(id).windows.iter().map(Vec::len).sum::<usize>())
            };
            let refusals: Vec<(SlotId, EncodeError)> = slots
                .iter()
                .filter_map(|&slot| Some((slot, self.encode_slot(&in_slot(instruction, slot), pc).err()?)))
                .collect();
            if refusals.len() == slots.len()
                && let Some((slot, error)) =
                    refusals.into_iter().min_by_key(|(slot, _)| std::cmp::Reverse(fields(*slot)))
            {
                return FormatError::Operand { slot: self.slot(slot).name.clone(), error: Box::new(error) };
            }
        }
        let mut nearest: Vec<(String, Vec<String>)> = formats
            .iter()
            .map(|&id| (self.format(id).name.clone(), self.left_out(id, instructions, pc)))
            .filter(|(_, left)| !left.is_empty() && left.len() < instructions.len())
            .map(|(name, left)| (name, left.into_iter().map(mnemonic).collect()))
            .collect();
        nearest.sort_by_key(|(_, left)| left.len());
        let fewest = nearest.first().map_or(0, |(_, left)| left.len());
        nearest.retain(|(_, left)| left.len() == fewest);
        FormatError::NoFormat { mnemonics: instructions.iter().map(mnemonic).collect(), nearest }
    }

    /// The instructions that a format cannot hold beside the others, taken in order.
    fn left_out<'a>(&self, id: FormatId, instructions: &'a [Unplaced], pc: u32) -> Vec<&'a Unplaced> {
        let mut held: Vec<Unplaced> = Vec::new();
        let mut left = Vec::new();
        for instruction in instructions {
            held.push(instruction.clone());
            if self.assign(id, &held, pc).is_none() {
                held.pop();
                left.push(instruction);
            }
        }
        left
    }
}

fn in_slot(instruction: &Unplaced, slot: SlotId) -> Instruction {
    Instruction { opcode: instruction.opcode, slot, operands: instruction.operands.clone() }
}

/// Search over all assignments; formats have at most five slots.
struct Search<'a> {
    /// By instruction and slot.
    cost: &'a [Vec<Option<usize>>],
    /// By slot: whether `nop` may fill it.
    fillable: &'a [bool],
    /// Whether a different order than the given one costs.
    in_order: bool,
    current: Assignment,
    best: Option<(usize, Assignment)>,
}

impl Search<'_> {
    /// Cost of a provisional placement; more than any order.
    const UNKNOWN: usize = 16;

    fn run(&mut self, instruction: usize, total: usize) {
        if self.best.as_ref().is_some_and(|(least, _)| total >= *least) {
            return;
        }
        if instruction == self.cost.len() {
            let open = |(slot, taken): (&Option<usize>, &bool)| slot.is_some() || *taken;
            if self.current.iter().zip(self.fillable).all(open) {
                self.best = Some((total, self.current));
            }
            return;
        }
        for slot in 0..self.fillable.len() {
            if self.current[slot].is_some() {
                continue;
            }
            if let Some(cost) = self.cost[instruction][slot] {
                self.current[slot] = Some(instruction);
                let moved = usize::from(self.in_order && slot != instruction);
                self.run(instruction + 1, total + cost + moved);
                self.current[slot] = None;
            }
        }
    }
}
