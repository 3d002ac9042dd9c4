//! Random legal operands of an opcode, and register values that suit them.

use q7_isa::{Direction, File, Flags, Isa, Opcode, Operand, Operands, PlacementId};

use crate::state::{State, WINDOW, WINDOW_SIZE};
use crate::support::{Random, write};

/// An instruction as the model sees it: operands by their role in the ISA's description.
pub struct Call<'a> {
    pub mnemonic: &'a str,
    operands: Vec<(&'a Operand, i32)>,
}

impl<'a> Call<'a> {
    pub fn new(opcode: &'a Opcode, values: &Operands) -> Call<'a> {
        let operands = opcode.operands.iter().zip(values.iter().copied()).collect();
        Call { mnemonic: &opcode.mnemonic, operands }
    }

    /// The number of a register or an immediate, if there is an operand of this role.
    pub fn find(&self, role: &str) -> Option<i32> {
        self.operands.iter().find(|(operand, _)| operand.role == role).map(|&(_, value)| value)
    }

    pub fn get(&self, role: &str) -> i32 {
        self.find(role).unwrap_or_else(|| panic!("{} has no operand {role}", self.mnemonic))
    }
}

/// Any operands that the placement can encode; registers coincide often, but never two that are written.
pub fn draw(isa: &Isa, opcode: &Opcode, placement: PlacementId, pc: u32, random: &mut Random) -> Operands {
    let windows = &isa.placement(placement).windows;
    'again: loop {
        let mut values = Operands::new();
        for (index, operand) in opcode.operands.iter().enumerate() {
            let width = windows[index].len() as u32;
            let earlier: Vec<usize> =
                (0..index).filter(|&other| opcode.operands[other].file == operand.file).collect();
            let value = if operand.file != File::Imm && !earlier.is_empty() && random.below(3) == 0 {
                let value = values[earlier[random.below(earlier.len() as u64) as usize]];
                operand.codec.encode(value, width, pc).map(|_| value)
            } else {
                let top = (1u64 << width) - 1;
                let field = match random.below(6) {
                    0 => 0,
                    1 => top,
                    2 => top / 2 + 1,
                    _ => random.below(top + 1),
                };
                operand.codec.decode(field.min(top) as u32, width, pc)
            };
            let limit = i32::from(operand.file.count());
            match value {
                Some(value) if limit == 0 || (0..limit).contains(&value) => values.push(value),
                _ => continue 'again,
            }
        }
        let written = |index: usize| opcode.operands[index].direction != Direction::In;
        let clash = (0..values.len()).any(|a| {
            (0..a).any(|b| {
                let files = (opcode.operands[a].file, opcode.operands[b].file);
                written(a) && written(b) && files.0 == files.1 && values[a] == values[b]
            })
        });
        if !clash {
            return values;
        }
    }
}

/// Words of every class of a floating-point format and near every boundary.
fn float_edges(exponent: u32, fraction: u32) -> Vec<i128> {
    let (top, all, quiet) = ((1 << exponent) - 1, (1 << fraction) - 1, 1 << (fraction - 1));
    let words = [
        (0, 0),
        (0, 1),
        (0, all),
        (1, 0),
        (top / 2, 0),
        (top / 2, 1),
        (top - 1, all),
        (top, 0),
        (top, 1),
        (top, quiet - 1),
        (top, quiet),
        (top, quiet | 0x55),
        (top, all),
    ];
    let signed = |&(e, f): &(i128, i128)| [e << fraction | f, 1 << (exponent + fraction) | e << fraction | f];
    words.iter().flat_map(signed).collect()
}

/// The lane width that a mnemonic works on, as far as the choice of inputs needs it.
fn input_width(mnemonic: &str) -> u32 {
    match mnemonic {
        name if name.contains("xf16") || name.ends_with(".h") => 16,
        name if name.contains("x16") => 16,
        name if name.contains("x8") => 8,
        _ => 32,
    }
}

/// A vector of edge values, random bits, or lanes that mostly fit the mnemonic's element type.
fn vector(mnemonic: &str, random: &mut Random) -> q7_datapath::Vec512 {
    let width = input_width(mnemonic);
    let float = mnemonic.contains("xf") || mnemonic.ends_with(".h") || mnemonic.ends_with(".s");
    let mut lane = |edges: &[i128]| edges[random.below(edges.len() as u64) as usize];
    if float && lane(&[0, 1, 1, 1]) == 1 {
        let edges = if width == 16 { float_edges(5, 10) } else { float_edges(8, 23) };
        // All lanes not-a-number, numbers only, or anything.
        let chosen: Vec<i128> = match lane(&[0, 1, 2, 2, 2]) {
            0 => edges[16..].iter().copied().filter(|word| word & 0x3ff != 0).collect(),
            1 => edges[..16].to_vec(),
            _ => edges,
        };
        return write(width, &(0..32).map(|_| lane(&chosen)).collect::<Vec<_>>());
    }
    match random.below(8) {
        0 => write(32, &[[0, -1, 0x5555_5555, 0xaaaa_aaaa, 1][random.below(5) as usize]; 16]),
        1 => write(width, &[1 << (width - 1); 64]),
        2 => write(width, &[(1 << (width - 1)) - 1; 64]),
        _ => random.vec(width),
    }
}

/// Fills the registers that an instruction reads, and points its base register into the window.
pub fn prepare(opcode: &Opcode, values: &Operands, state: &mut State, random: &mut Random) {
    let name = opcode.mnemonic.as_str();
    for (operand, &value) in opcode.operands.iter().zip(values) {
        let register = value as usize;
        match operand.file {
            File::Vec => state.vec[register] = vector(name, random),
            File::Vbool => state.vbool[register] = random.pred(),
            File::Ar => {
                state.ar[register] = match random.below(4) {
                    0 => [0, 1, u32::MAX, i32::MAX as u32, i32::MIN as u32][random.below(5) as usize],
                    1 => random.next() as u32,
                    _ => (random.below(140) as u32).wrapping_sub(8),
                }
            }
            File::Valign => {
                let mut line = *vector("x8", random).bytes();
                line[63] = random.below(70) as u8;
                state.valign[register] = q7_datapath::Vec512::from_bytes(line);
            }
            _ => {}
        }
    }
    if opcode.flags.contains(Flags::LOAD) || opcode.flags.contains(Flags::STORE) {
        aim(&Call::new(opcode, values), state, random);
    }
}

/// The base register such that the access lies well inside the window.
fn aim(call: &Call<'_>, state: &mut State, random: &mut Random) {
    let predicate = ["ivp_lb", "ivp_sb"].iter().any(|prefix| call.mnemonic.starts_with(prefix));
    let step = if predicate { 8 } else { [1, 1, 2, 64][random.below(4) as usize] };
    let place = 128 + random.below(WINDOW_SIZE as u64 - 512) as u32;
    let target = WINDOW + place / step * step;
    let base = call.get("ars") as usize;
    let indexed = call.mnemonic.ends_with("_x") || call.mnemonic == "ivp_la_ppxu";
    state.ar[base] = match (call.find("art"), call.find("offset")) {
        (Some(index), _) if indexed && index as usize == base => target / 2,
        (Some(index), _) if indexed => target.wrapping_sub(state.ar[index as usize]),
        (_, Some(offset)) => target.wrapping_sub(offset as u32),
        _ => target,
    };
}
