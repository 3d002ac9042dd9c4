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

/// A format, and what each of its slots holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotChoice {
    /// The format.
    pub format: FormatId,
    /// Its slots in issue order, each with the index of its instruction; the others hold `nop`.
    pub slots: ArrayVec<(SlotId, Option<usize>), MAX_SLOTS>,
}

impl Isa {
    /// The smallest bundle that holds the instructions, unused slots filled with `nop`.
    ///
    /// Every instruction gets a slot that can hold it and whose fields hold its operands at `pc`.
    /// Among formats of one length, known encodings come before provisional ones, then the order
    /// that published strings show. Instructions keep their order where they can.
    ///
    /// # Errors
    /// [`FormatError`] names the instruction and the slots that could hold it, or the formats that
    /// come nearest.
    pub fn choose_format(&self, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        self.choose(None, instructions, pc)
    }

    /// A bundle of the given format that holds the instructions, unused slots filled with `nop`.
    ///
    /// # Errors
    /// As [`Isa::choose_format`].
    pub fn place(&self, format: FormatId, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        self.choose(Some(format), instructions, pc)
    }

    fn choose(
        &self,
        only: Option<FormatId>,
        instructions: &[Unplaced],
        pc: u32,
    ) -> Result<Bundle, FormatError> {
        let opcodes: Vec<OpcodeId> = instructions.iter().map(|instruction| instruction.opcode).collect();
        let choice = self.choose_slots(&opcodes, only, &|index, slot| {
            self.encode_slot(&in_slot(&instructions[index], slot), pc).is_ok()
        });
        match choice {
            Some(choice) => Ok(self.fill(&choice, instructions)),
            None => Err(self.explain(only, instructions, pc)),
        }
    }

    /// The choice behind [`Isa::choose_format`], for callers that do not know all operands yet:
    /// `fits` tells whether the instruction of an index may stand in a slot that its opcode has.
    pub fn choose_slots(
        &self,
        opcodes: &[OpcodeId],
        only: Option<FormatId>,
        fits: &dyn Fn(usize, SlotId) -> bool,
    ) -> Option<SlotChoice> {
        let mut formats: Vec<FormatId> = match only {
            Some(format) => vec![format],
            None => (0..self.formats.len()).map(|index| FormatId(index as u8)).collect(),
        };
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
            if let Some((assignment, unknown)) = self.assign(id, opcodes, fits)
                && best.as_ref().is_none_or(|(_, least, ..)| unknown < *least)
            {
                best = Some((self.format(id).length, unknown, id, assignment));
            }
        }
        let (_, _, format, assignment) = best?;
        Some(SlotChoice {
            format,
            slots: self.format(format).slots.iter().copied().zip(assignment).collect(),
        })
    }

    /// The format of a name such as `N0`.
    pub fn find_format(&self, name: &str) -> Option<FormatId> {
        self.formats.iter().position(|format| format.name == name).map(|index| FormatId(index as u8))
    }

    /// The best assignment and how many of its placements have provisional encodings.
    fn assign(
        &self,
        id: FormatId,
        opcodes: &[OpcodeId],
        fits: &dyn Fn(usize, SlotId) -> bool,
    ) -> Option<(Assignment, usize)> {
        let slots = &self.format(id).slots;
        if opcodes.is_empty() || opcodes.len() > slots.len() {
            return None;
        }
        let nop = self.find("nop")?;
        // What it costs to put an instruction into a slot; `None` if it does not fit.
        let cost = |index: usize, slot: SlotId| {
            let placement = self.placement(self.placement_in(opcodes[index], slot)?);
            let known = placement.certainty.max(placement.windows_certainty) < Certainty::Provisional;
            let cost = if known || opcodes[index] == nop { 0 } else { Search::UNKNOWN };
            fits(index, slot).then_some(cost)
        };
        let cost: Vec<Vec<Option<usize>>> =
            (0..opcodes.len()).map(|index| slots.iter().map(|&slot| cost(index, slot)).collect()).collect();
        let fillable: Vec<bool> = slots.iter().map(|&slot| self.placement_in(nop, slot).is_some()).collect();
        let mut search = Search { cost: &cost, fillable: &fillable, current: [None; MAX_SLOTS], best: None };
        search.run(0, 0, 0);
        search.best.map(|(total, assignment)| (assignment, total / Search::UNKNOWN))
    }

    fn fill(&self, choice: &SlotChoice, instructions: &[Unplaced]) -> Bundle {
        let filled = choice.slots.iter().map(|&(slot, index)| match index {
            Some(index) => in_slot(&instructions[index], slot),
            None => Instruction {
                opcode: self.find("nop").expect("assignments exist only where nop does"),
                slot,
                operands: Operands::new(),
            },
        });
        let length = self.format(choice.format).length;
        Bundle { format: choice.format, length, instructions: filled.collect() }
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
        let mut held: Vec<&Unplaced> = Vec::new();
        let mut left = Vec::new();
        for instruction in instructions {
            held.push(instruction);
            let opcodes: Vec<OpcodeId> = held.iter().map(|instruction| instruction.opcode).collect();
            let fits = |index: usize, slot| self.encode_slot(&in_slot(held[index], slot), pc).is_ok();
            if self.assign(id, &opcodes, &fits).is_none() {
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
    current: Assignment,
    best: Option<(usize, Assignment)>,
}

impl Search<'_> {
    /// Cost of a provisional placement; more than any disorder.
    const UNKNOWN: usize = 16;

    /// Places the instructions from `next` on; the one before it stands in slot `last`.
    fn run(&mut self, next: usize, last: usize, total: usize) {
        if self.best.as_ref().is_some_and(|(least, _)| total >= *least) {
            return;
        }
        if next == self.cost.len() {
            let held = |(slot, fillable): (&Option<usize>, &bool)| slot.is_some() || *fillable;
            if self.current.iter().zip(self.fillable).all(held) {
                self.best = Some((total, self.current));
            }
            return;
        }
        for slot in 0..self.fillable.len() {
            if self.current[slot].is_some() {
                continue;
            }
            if let Some(cost) = self.cost[next][slot] {
                self.current[slot] = Some(next);
                self.run(next + 1, slot, total + cost + usize::from(slot < last));
                self.current[slot] = None;
            }
        }
    }
}
