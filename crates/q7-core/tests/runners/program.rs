//! Random programs out of all formats and placements.

use q7_core::{Semantics, semantics};
use q7_isa::{Bundle, File, Flags, FormatId, Instruction, Isa, Opcode, Operand, Operands, PlacementId};

use crate::support::Random;

/// Instructions that end a program or lead it astray; few are used.
const RARE: &[&str] = &[
    "halt", "halt.n", "ill", "ill.n", "syscall", "break", "break.n", "break1", "waiti", "simcall", "rfdo",
    "rfdd", "jx", "callx0", "callx8", "retw", "retw.n", "ret", "ret.n", "wsr.wb", "xsr.wb", "rotw", "l32e",
    "s32e", "wsr.ms", "xsr.ms", "wsr.ps", "xsr.ps", "xps",
];

/// Placements of one slot, by what they do.
#[derive(Default)]
struct Choices {
    plain: Vec<PlacementId>,
    memory: Vec<PlacementId>,
    flow: Vec<PlacementId>,
    system: Vec<PlacementId>,
}

/// What programs are made of.
pub struct Pool {
    pub isa: &'static Isa,
    /// By format and slot.
    choices: Vec<Vec<Choices>>,
}

/// A program: its bytes and its text.
pub struct Program {
    pub code: Vec<u8>,
    pub text: String,
}

pub fn accesses(opcode: &Opcode) -> bool {
    opcode.flags.contains(Flags::LOAD) || opcode.flags.contains(Flags::STORE)
}

fn changes_flow(opcode: &Opcode) -> bool {
    let flow = [Flags::BRANCH, Flags::JUMP, Flags::CALL, Flags::LOOP, Flags::RETURN];
    flow.into_iter().any(|flag| opcode.flags.contains(flag))
}

fn is_system(opcode: &Opcode) -> bool {
    let page = opcode.batch.strip_prefix('B').and_then(|page| page.parse::<u32>().ok());
    !opcode.mnemonic.starts_with("ivp_") && page.is_some_and(|page| page >= 27)
}

fn one_of<T: Copy>(list: &[T], random: &mut Random) -> T {
    list[random.below(list.len() as u64) as usize]
}

impl Pool {
    pub fn new() -> Pool {
        let isa = Isa::embedded();
        let known = semantics(isa);
        let mut choices: Vec<Vec<Choices>> = Vec::new();
        for format in isa.formats() {
            choices.push(format.slots.iter().map(|_| Choices::default()).collect());
            for (index, row) in isa.placements().iter().enumerate() {
                let slot = format.slots.iter().position(|&slot| slot == row.slot);
                let implemented = known[usize::from(row.opcode.0)] == Semantics::Implemented;
                let Some(slot) = slot.filter(|_| implemented) else { continue };
                let (opcode, lists) = (isa.opcode(row.opcode), choices.last_mut().unwrap());
                let list = match opcode {
                    opcode if changes_flow(opcode) => &mut lists[slot].flow,
                    opcode if accesses(opcode) => &mut lists[slot].memory,
                    opcode if is_system(opcode) => &mut lists[slot].system,
                    _ => &mut lists[slot].plain,
                };
                list.push(PlacementId(index as u16));
            }
        }
        Pool { isa, choices }
    }

    /// The formats with one slot, or those with more.
    fn formats(&self, single: bool) -> Vec<FormatId> {
        let all = (0..self.isa.formats().len() as u8).map(FormatId);
        all.filter(|&id| (self.isa.format(id).slots.len() == 1) == single).collect()
    }

    /// A bundle with more than one slot.
    pub fn wide_bundle(&self, pc: u32, targets: &[u32], random: &mut Random) -> Bundle {
        loop {
            let format = one_of(&self.formats(false), random);
            let bundle = self.bundle(format, pc, targets, random);
            if let Some(bundle) = bundle.filter(|bundle| self.isa.encode(bundle, pc).is_ok()) {
                return bundle;
            }
        }
    }

    /// Registers from few, so that slots and bundles meet: a8..a13 are base registers, a2..a7 take results.
    fn operand(
        &self,
        opcode: &Opcode,
        operand: &Operand,
        width: u32,
        pc: u32,
        targets: &[u32],
        random: &mut Random,
    ) -> Option<i32> {
        let wanted = match operand.file {
            File::Ar if accesses(opcode) && operand.role == "ars" && random.below(12) > 0 => {
                Some(8 + random.below(6) as i32)
            }
            File::Ar if operand.direction.writes() && random.below(25) > 0 => {
                Some(2 + random.below(6) as i32)
            }
            File::Label if operand.codec.is_target() && random.below(40) > 0 => {
                return Some(one_of(targets, random) as i32)
                    .filter(|&target| operand.codec.encode(target, width, pc).is_some());
            }
            File::Ar | File::Imm | File::Label => None,
            _ => (random.below(3) > 0).then(|| random.below(3) as i32),
        };
        let fits = |value: &i32| operand.codec.encode(*value, width, pc).is_some();
        let any = operand.codec.decode(random.below(1 << width) as u32, width, pc);
        let count = i32::from(operand.file.count());
        wanted.filter(fits).or(any).filter(|value| count == 0 || (0..count).contains(value))
    }

    fn instruction(
        &self,
        placement: PlacementId,
        pc: u32,
        targets: &[u32],
        random: &mut Random,
    ) -> Option<Instruction> {
        let row = self.isa.placement(placement);
        let opcode = self.isa.opcode(row.opcode);
        (0..30).find_map(|_| {
            let operands = opcode.operands.iter().zip(&row.windows).map(|(operand, window)| {
                self.operand(opcode, operand, window.len() as u32, pc, targets, random)
            });
            let operands = operands.collect::<Option<Operands>>()?;
            Some(Instruction { opcode: row.opcode, slot: row.slot, operands })
        })
    }

    fn bundle(&self, format: FormatId, pc: u32, targets: &[u32], random: &mut Random) -> Option<Bundle> {
        let row = self.isa.format(format);
        let mut bundle = Bundle { format, length: row.length, instructions: Default::default() };
        for (&slot, choices) in row.slots.iter().zip(&self.choices[usize::from(format.0)]) {
            let list = match random.below(90) {
                0..36 => &choices.memory,
                36..51 => &choices.flow,
                51 => &choices.system,
                _ => &choices.plain,
            };
            let list = if list.is_empty() { &choices.plain } else { list };
            let filled = !list.is_empty() && (row.slots.len() == 1 || random.below(4) > 0);
            let chosen =
                filled.then(|| self.instruction(one_of(list, random), pc, targets, random)).flatten();
            let instruction = match chosen {
                None if row.slots.len() == 1 => return None,
                None => Instruction { opcode: self.isa.find("nop")?, slot, operands: Operands::new() },
                Some(instruction) => instruction,
            };
            let mnemonic = self.isa.opcode(instruction.opcode).mnemonic.as_str();
            if RARE.contains(&mnemonic) && random.below(20) > 0 {
                return None;
            }
            bundle.instructions.push(instruction);
        }
        Some(bundle)
    }

    /// A loop as often as a14 says, as a bundle of two slots.
    fn loop_bundle(&self, pc: u32, end: u32, random: &mut Random) -> Bundle {
        let format =
            self.formats(false).into_iter().find(|&id| self.isa.format(id).slots.len() == 2).unwrap();
        let row = self.isa.format(format);
        let name = one_of(&["loop.w15", "loopgtz.w15", "loopnez.w15"], random);
        let parts = [(name, Operands::from_iter([14, end as i32])), ("nop", Operands::new())];
        let instructions = parts.into_iter().zip(&row.slots).map(|((name, operands), &slot)| Instruction {
            opcode: self.isa.find(name).unwrap(),
            slot,
            operands,
        });
        let bundle = Bundle { format, length: row.length, instructions: instructions.collect() };
        assert!(self.isa.encode(&bundle, pc).is_ok());
        bundle
    }

    /// A program from `start` on that ends in HALT; some are one loop. Unless it is lenient no two slots write one
    /// register.
    pub fn program(&self, start: u32, lenient: bool, random: &mut Random) -> Program {
        let looping = random.below(3) == 0;
        let count = 4 + random.below(if looping { 14 } else { 60 });
        let singles = 1 + random.below(3);
        let mut formats = Vec::new();
        let mut addresses = vec![start];
        for index in 0..count {
            let format = match index {
                0 if looping => self.loop_bundle(start, start + 16, random).format,
                _ => one_of(&self.formats(random.below(4) < singles), random),
            };
            formats.push(format);
            addresses.push(addresses.last().unwrap() + u32::from(self.isa.format(format).length));
        }
        let (mut code, mut text) = (Vec::new(), String::new());
        for (index, &format) in formats.iter().enumerate() {
            let pc = addresses[index];
            let near = &addresses[index.saturating_sub(6)..(index + 9).min(addresses.len())];
            let (bundle, bytes) = loop {
                let bundle = if looping && index == 0 {
                    Some(self.loop_bundle(pc, *addresses.last().unwrap(), random))
                } else {
                    self.bundle(format, pc, near, random)
                };
                let legal = |bundle: &Bundle| lenient || self.isa.register_conflict(bundle).is_none();
                let Some(bundle) = bundle.filter(legal) else { continue };
                if let Ok(bytes) = self.isa.encode(&bundle, pc) {
                    break (bundle, bytes);
                }
            };
            text += &format!("{pc:#x}: {}\n", self.isa.bundle_text(&bundle));
            code.extend(bytes);
        }
        let halt = self.isa.find("halt").unwrap();
        let slot = self.isa.placement(self.isa.single_placement(halt).unwrap()).slot;
        let halt = self.isa.single(Instruction { opcode: halt, slot, operands: Operands::from_iter([0]) });
        code.extend(self.isa.encode(&halt, start).unwrap());
        Program { code, text }
    }
}
