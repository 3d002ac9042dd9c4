//! From instructions without a slot to a bundle: which format, and which slot for each.

use arrayvec::ArrayVec;

use crate::decode::{Bundle, Instruction, MAX_SLOTS, Operands};
use crate::encode::EncodeError;
use crate::isa::Isa;
use crate::refusal::FormatError;
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

/// Formats of one length in the order in which published strings prefer them: a compare alone is
/// printed in N2, a move to vector in N2, a multiply in N1, an addition in N0 (`isa/bundles.csv`).
const PREFERENCE: [&str; 11] = ["N2", "N1", "N0", "F0", "F1", "F2", "F3", "F7", "F6", "F4", "F11"];

/// The instructions that are to share a bundle.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<'a> {
    pub opcodes: &'a [OpcodeId],
    /// Whether the operands of an instruction fit a slot that can hold its opcode.
    pub fits: &'a dyn Fn(usize, SlotId) -> Result<(), EncodeError>,
}

/// A format and which instruction goes into which of its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The format.
    pub format: FormatId,
    /// Its slots in issue order, each with the index of its instruction; the others hold `nop`.
    pub slots: ArrayVec<(SlotId, Option<usize>), MAX_SLOTS>,
}

/// An assignment of instructions to the slots of a format: per slot the index of the instruction.
type Assignment = [Option<usize>; MAX_SLOTS];

impl Isa {
    /// The smallest bundle that holds the instructions, unused slots filled with `nop`.
    ///
    /// Every instruction gets a slot that can hold it and whose fields hold its operands at `pc`.
    /// See [`Isa::choose_slots`] for the order of preference.
    ///
    /// # Errors
    /// [`FormatError`] names the instruction and the slots that could hold it, or the formats that
    /// come nearest.
    pub fn choose_format(&self, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        self.bundle(None, instructions, pc)
    }

    /// A bundle of the given format that holds the instructions, unused slots filled with `nop`.
    ///
    /// # Errors
    /// As [`Isa::choose_format`].
    pub fn place(&self, format: FormatId, instructions: &[Unplaced], pc: u32) -> Result<Bundle, FormatError> {
        self.bundle(Some(format), instructions, pc)
    }

    /// Chooses the slots of instructions whose operands may not be known yet: `fits` says whether
    /// those of an instruction fit a slot that can hold its opcode.
    ///
    /// Without `format` the smallest format wins. Among formats of one length, known encodings come
    /// before provisional ones, then the order that published strings show. A list as long as the
    /// format stays as it is if it fits, so that printed bundles come back; others keep their order
    /// where that costs no known encoding.
    ///
    /// # Errors
    /// As [`Isa::choose_format`].
    pub fn choose_slots(
        &self,
        format: Option<FormatId>,
        opcodes: &[OpcodeId],
        fits: &dyn Fn(usize, SlotId) -> Result<(), EncodeError>,
    ) -> Result<Filling, FormatError> {
        let candidates = Candidates { opcodes, fits };
        let best = match format {
            Some(id) => self.assign(id, candidates).map(|(assignment, _)| (id, assignment)),
            None => self.best_format(candidates),
        };
        let (id, assignment) = best.ok_or_else(|| self.explain(format, candidates))?;
        let slots = self.format(id).slots.iter().copied().zip(assignment).collect();
        Ok(Filling { format: id, slots })
    }

    /// The format of a name such as `N0`.
    pub fn find_format(&self, name: &str) -> Option<FormatId> {
        self.formats.iter().position(|format| format.name == name).map(|index| FormatId(index as u8))
    }

    fn bundle(
        &self,
        format: Option<FormatId>,
        instructions: &[Unplaced],
        pc: u32,
    ) -> Result<Bundle, FormatError> {
        let opcodes: Vec<OpcodeId> = instructions.iter().map(|instruction| instruction.opcode).collect();
        let fits = |index: usize, slot| self.encode_slot(&in_slot(&instructions[index], slot), pc).map(drop);
        let filling = self.choose_slots(format, &opcodes, &fits)?;
        let filled = filling.slots.iter().map(|&(slot, index)| match index {
            Some(index) => in_slot(&instructions[index], slot),
            None => Instruction {
                opcode: self.find("nop").expect("slots stay free only where a nop fills them"),
                slot,
                operands: Operands::new(),
            },
        });
        let length = self.format(filling.format).length;
        Ok(Bundle { format: filling.format, length, instructions: filled.collect() })
    }

    fn best_format(&self, candidates: Candidates) -> Option<(FormatId, Assignment)> {
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
            if let Some((assignment, unknown)) = self.assign(id, candidates)
                && best.as_ref().is_none_or(|(_, least, ..)| unknown < *least)
            {
                best = Some((self.format(id).length, unknown, id, assignment));
            }
        }
        best.map(|(_, _, id, assignment)| (id, assignment))
    }

    /// The best assignment and how many of its placements have provisional encodings.
    pub(crate) fn assign(&self, id: FormatId, candidates: Candidates) -> Option<(Assignment, usize)> {
        let slots = &self.format(id).slots;
        let count = candidates.opcodes.len();
        if count == 0 || count > slots.len() {
            return None;
        }
        let nop = self.find("nop");
        // What it costs to put an instruction into a slot; `None` if it does not fit.
        let cost: Vec<Vec<Option<usize>>> = (0..count)
            .map(|index| slots.iter().map(|&slot| self.cost(candidates, index, slot, nop)).collect())
            .collect();
        if count == slots.len()
            && let Some(total) = (0..count).map(|index| cost[index][index]).sum::<Option<usize>>()
        {
            let as_written = std::array::from_fn(|index| (index < count).then_some(index));
            return Some((as_written, total / Search::UNKNOWN));
        }
        let fillable: Vec<bool> =
            slots.iter().map(|&slot| nop.is_some_and(|nop| self.placement_in(nop, slot).is_some())).collect();
        let mut search = Search { cost: &cost, fillable: &fillable, current: [None; MAX_SLOTS], best: None };
        search.run(0, 0);
        search.best.map(|(total, assignment)| (assignment, total / Search::UNKNOWN))
    }

    fn cost(
        &self,
        candidates: Candidates,
        index: usize,
        slot: SlotId,
        nop: Option<OpcodeId>,
    ) -> Option<usize> {
        let opcode = candidates.opcodes[index];
        let placement = self.placement(self.placement_in(opcode, slot)?);
        (candidates.fits)(index, slot).ok()?;
        let known = placement.certainty.max(placement.windows_certainty) < Certainty::Provisional;
        Some(if known || Some(opcode) == nop { 0 } else { Search::UNKNOWN })
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
                let moved = usize::from(self.current[slot + 1..].iter().any(Option::is_some));
                self.current[slot] = Some(instruction);
                self.run(instruction + 1, total + cost + moved);
                self.current[slot] = None;
            }
        }
    }
}
