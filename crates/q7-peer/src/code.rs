//! A minimal assembler for generated code: instructions, labels, literals, alignment.

use q7_isa::{Bundle, EncodeError, Instruction, Isa, OpcodeId, Operands, PlacementId};

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(usize);

/// A literal word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A number.
    Value(u32),
    /// The address of a label.
    Address(Label),
}

#[derive(Clone, Debug)]
enum Piece {
    Instruction {
        instruction: Instruction,
        length: u32,
        /// Target of the last operand, and where to go instead if that is out of reach.
        target: Option<(Label, Label)>,
    },
    Label(Label),
    Literal(Literal),
    Align,
}

/// Code that was cut out of its place.
#[derive(Clone, Debug)]
pub struct Pieces(Vec<Piece>);

/// Code under construction. Lengths never depend on labels, so one pass lays it out.
#[derive(Clone, Debug)]
pub struct Code<'isa> {
    isa: &'isa Isa,
    pieces: Vec<Piece>,
    labels: usize,
}

/// Code at its place.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// Address of the first byte.
    pub base: u32,
    /// The code.
    pub bytes: Vec<u8>,
    labels: Vec<u32>,
}

impl Assembled {
    /// The address of a label.
    pub fn address(&self, label: Label) -> u32 {
        self.labels[label.0]
    }
}

/// The opcode of a mnemonic.
///
/// # Panics
/// If there is none: the caller's table is wrong.
pub fn opcode(isa: &Isa, mnemonic: &str) -> OpcodeId {
    isa.find(mnemonic).unwrap_or_else(|| panic!("no instruction {mnemonic}"))
}

/// The placement of a mnemonic alone in its bundle.
///
/// # Panics
/// If there is none: the caller's table is wrong.
pub fn single(isa: &Isa, mnemonic: &str) -> PlacementId {
    let placement = isa.single_placement(opcode(isa, mnemonic));
    placement.unwrap_or_else(|| panic!("{mnemonic} cannot stand alone"))
}

/// The instruction with the given operands, alone in its bundle.
pub fn instruction(isa: &Isa, mnemonic: &str, operands: &[i32]) -> Instruction {
    let placement = isa.placement(single(isa, mnemonic));
    let operands = operands.iter().copied().collect();
    Instruction { opcode: placement.opcode, slot: placement.slot, operands }
}

impl<'isa> Code<'isa> {
    /// No code yet.
    pub fn new(isa: &'isa Isa) -> Code<'isa> {
        Code { isa, pieces: Vec::new(), labels: 0 }
    }

    /// A label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// A label at this point.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    /// Places a label at this point.
    pub fn place(&mut self, label: Label) {
        self.pieces.push(Piece::Label(label));
    }

    /// Adds an instruction without a label operand.
    pub fn op(&mut self, mnemonic: &str, operands: &[i32]) {
        self.push(mnemonic, operands, None);
    }

    /// Adds an instruction whose last operand is a label.
    pub fn to(&mut self, mnemonic: &str, operands: &[i32], target: Label) {
        self.to_or(mnemonic, operands, target, target);
    }

    /// As [`Code::to`], with a nearer label for the case that the target is out of reach.
    pub fn to_or(&mut self, mnemonic: &str, operands: &[i32], target: Label, nearer: Label) {
        let mut all: Operands = operands.iter().copied().collect();
        all.push(0);
        self.push(mnemonic, &all, Some((target, nearer)));
    }

    fn push(&mut self, mnemonic: &str, operands: &[i32], target: Option<(Label, Label)>) {
        let instruction = instruction(self.isa, mnemonic, operands);
        let format = self.isa.slot(instruction.slot).format;
        let length = u32::from(self.isa.format(format).length);
        self.pieces.push(Piece::Instruction { instruction, length, target });
    }

    /// The end of the code so far, for [`Code::cut`].
    pub fn mark(&self) -> usize {
        self.pieces.len()
    }

    /// Takes away what was added since a mark.
    pub fn cut(&mut self, mark: usize) -> Pieces {
        Pieces(self.pieces.split_off(mark))
    }

    /// Adds what was cut.
    pub fn append(&mut self, mut pieces: Pieces) {
        self.pieces.append(&mut pieces.0);
    }

    /// Adds a literal word; the place must be aligned.
    pub fn literal(&mut self, literal: Literal) {
        self.pieces.push(Piece::Literal(literal));
    }

    /// Fills up to the next multiple of four; the filling is never executed.
    pub fn align(&mut self) {
        self.pieces.push(Piece::Align);
    }

    /// Lays the code out at `base` and encodes it.
    ///
    /// # Panics
    /// If an operand does not fit: the generator is wrong.
    pub fn assemble(&self, base: u32) -> Assembled {
        let mut labels = vec![u32::MAX; self.labels];
        let mut at = base;
        for piece in &self.pieces {
            match piece {
                Piece::Instruction { length, .. } => at += length,
                Piece::Label(label) => labels[label.0] = at,
                Piece::Literal(_) => at += 4,
                Piece::Align => at = at.next_multiple_of(4),
            }
        }
        let mut bytes = Vec::with_capacity((at - base) as usize);
        for piece in &self.pieces {
            let at = base + bytes.len() as u32;
            match piece {
                Piece::Instruction { instruction, target, .. } => {
                    let bundle = self.isa.single(instruction.clone());
                    let encoded = match target {
                        None => self.isa.encode(&bundle, at).map(|bytes| bytes.to_vec()),
                        Some((target, nearer)) => self
                            .encode_to(bundle.clone(), labels[target.0], at)
                            .or_else(|_| self.encode_to(bundle, labels[nearer.0], at)),
                    };
                    bytes.extend(encoded.unwrap_or_else(|error| panic!("at {at:#x}: {error}")));
                }
                Piece::Label(_) => {}
                Piece::Literal(Literal::Value(value)) => bytes.extend(value.to_le_bytes()),
                Piece::Literal(Literal::Address(label)) => bytes.extend(labels[label.0].to_le_bytes()),
                Piece::Align => bytes.resize(bytes.len() + (at.next_multiple_of(4) - at) as usize, 0),
            }
        }
        Assembled { base, bytes, labels }
    }

    fn encode_to(&self, mut bundle: Bundle, target: u32, at: u32) -> Result<Vec<u8>, EncodeError> {
        if let Some(last) = bundle.instructions[0].operands.last_mut() {
            *last = target as i32;
        }
        self.isa.encode(&bundle, at).map(|bytes| bytes.to_vec())
    }
}
