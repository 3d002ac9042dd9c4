//! Bundles: braces in the source, and the one place that chooses format and slots.

use std::sync::Arc;

use arrayvec::ArrayVec;
use q7_isa::{Bundle, EncodeError, FormatId, Isa, MAX_SLOTS, OpcodeId, SlotId};

use crate::cursor::Cursor;
use crate::diagnostics::{Diagnostic, Fault, Span, suggestion};
use crate::encode::{operand_fits, resolve};
use crate::expression::{Expression, Names};
use crate::instruction::{self, NoNames, Written};
use crate::lexer::{Token, tokenize};
use crate::object::{PendingBundle, PendingInstruction};

/// The slots of a chosen format in issue order, each with the index of its instruction; the others
/// hold `nop`.
type Filling = ArrayVec<(SlotId, Option<usize>), MAX_SLOTS>;

/// Reads `{ op; op; op }` or `{F0: op; op }`. Slots are separated by `;` or line ends.
pub(crate) fn parse(
    isa: &Isa,
    cursor: &mut Cursor,
    names: &mut dyn Names,
) -> Result<(Vec<Written>, Option<FormatId>), Fault> {
    let open = cursor.span();
    cursor.expect("{")?;
    let format = forced_format(isa, cursor)?;
    let mut instructions = Vec::new();
    loop {
        while cursor.at_end() && !cursor.at_last() {
            cursor.advance();
        }
        if cursor.eat("}") {
            break;
        }
        if cursor.at_last() {
            return Err(Fault::new(open, "unclosed `{`"));
        }
        instructions.push(instruction::parse(isa, cursor, names)?);
        if !cursor.at_end() && !cursor.is("}") {
            return Err(cursor.unexpected("`;` or `}`"));
        }
    }
    if instructions.is_empty() {
        return Err(Fault::new(open, "empty bundle"));
    }
    Ok((instructions, format))
}

fn forced_format(isa: &Isa, cursor: &mut Cursor) -> Result<Option<FormatId>, Fault> {
    let (Token::Name(name), Some(Token::Punctuation(":"))) = (cursor.peek(), cursor.peek_second()) else {
        return Ok(None);
    };
    let index = isa.formats().iter().position(|format| format.name.eq_ignore_ascii_case(name));
    let index = index.ok_or_else(|| {
        let hint = suggestion(name, isa.formats().iter().map(|format| format.name.as_str()));
        Fault::new(cursor.span(), format!("unknown format `{name}`{hint}"))
    })?;
    cursor.advance();
    cursor.advance();
    Ok(Some(FormatId(index as u8)))
}

/// What is known of the instructions when a format is chosen.
pub(crate) struct Request<'a> {
    pub isa: &'a Isa,
    pub instructions: &'a [Written],
    /// Written in braces, so that several slots may be used.
    pub braces: bool,
    /// `{F0: ...}`
    pub format: Option<FormatId>,
    /// The address, if it is known already.
    pub pc: Option<u32>,
    /// The value of an operand, if it is known already; unknown ones are taken to fit.
    pub constant: &'a dyn Fn(&Expression) -> Option<i64>,
}

impl Request<'_> {
    /// Chooses the format and slots of a bundle.
    ///
    /// Without braces an instruction stands in the format of its own (`x24`, `x16`), if it has one.
    /// Otherwise the shortest format wins that has a slot for each instruction. Instructions keep
    /// their order if they can; remaining slots hold `nop`.
    pub fn choose(&self, span: Span) -> Result<PendingBundle, Fault> {
        if let ([written], false) = (self.instructions, self.braces)
            && let Some(placement) = self.isa.single_placement(written.opcode)
        {
            let slot = self.isa.placement(placement).slot;
            let mut filling = Filling::new();
            filling.push((slot, Some(0)));
            return Ok(self.pending(self.isa.slot(slot).format, &filling));
        }
        let formats = self.formats();
        for format in &formats {
            for ordered in [true, false] {
                if let Some(filling) = self.fill(*format, ordered) {
                    return Ok(self.pending(*format, &filling));
                }
            }
        }
        Err(self.refusal(&formats, span))
    }

    /// The formats to try, shortest first.
    fn formats(&self) -> Vec<FormatId> {
        if let Some(format) = self.format {
            return vec![format];
        }
        let mut formats: Vec<FormatId> = (0..self.isa.formats().len()).map(|i| FormatId(i as u8)).collect();
        formats.sort_by_key(|&format| self.isa.format(format).length);
        formats
    }

    fn fits(&self, instruction: usize, slot: SlotId) -> bool {
        let written = &self.instructions[instruction];
        let Some(placement) = self.isa.placement_in(written.opcode, slot) else { return false };
        let placement = self.isa.placement(placement);
        written.operands.iter().enumerate().all(|(index, operand)| match (self.constant)(operand) {
            Some(number) => operand_fits(self.isa, placement, index, number, self.pc),
            None => true,
        })
    }

    /// The `nop` that a slot can hold.
    fn nop(&self, slot: SlotId) -> Option<OpcodeId> {
        ["nop", "nop.n"]
            .iter()
            .filter_map(|mnemonic| self.isa.find(mnemonic))
            .find(|&opcode| self.isa.placement_in(opcode, slot).is_some())
    }

    fn fill(&self, format: FormatId, ordered: bool) -> Option<Filling> {
        let slots = &self.isa.format(format).slots;
        if self.instructions.len() > slots.len() {
            return None;
        }
        let mut owner: ArrayVec<Option<usize>, MAX_SLOTS> = slots.iter().map(|_| None).collect();
        if !self.assign(slots, &mut owner, 0, ordered) {
            return None;
        }
        let filling: Filling = slots.iter().copied().zip(owner).collect();
        let complete = filling.iter().all(|(slot, owner)| owner.is_some() || self.nop(*slot).is_some());
        complete.then_some(filling)
    }

    /// Gives a free slot to each instruction from `next` on: depth first, lowest slot first.
    fn assign(&self, slots: &[SlotId], owner: &mut [Option<usize>], next: usize, ordered: bool) -> bool {
        if next == self.instructions.len() {
            return true;
        }
        let after_last = owner.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for index in if ordered { after_last } else { 0 }..slots.len() {
            if owner[index].is_none() && self.fits(next, slots[index]) {
                owner[index] = Some(next);
                if self.assign(slots, owner, next + 1, ordered) {
                    return true;
                }
                owner[index] = None;
            }
        }
        false
    }

    fn pending(&self, format: FormatId, filling: &Filling) -> PendingBundle {
        let instructions = filling
            .iter()
            .map(|&(slot, owner)| match owner {
                Some(index) => {
                    let Written { opcode, operands, span, .. } = &self.instructions[index];
                    PendingInstruction { opcode: *opcode, slot, operands: operands.clone(), span: *span }
                }
                None => PendingInstruction {
                    opcode: self.nop(slot).expect("`fill` checked that the slot can hold a nop"),
                    slot,
                    operands: Vec::new(),
                    span: self.instructions[0].span,
                },
            })
            .collect();
        PendingBundle { format, length: self.isa.format(format).length, instructions }
    }

    /// Says why no format holds the instructions: one of them that fits nowhere, else all together.
    fn refusal(&self, formats: &[FormatId], span: Span) -> Fault {
        let slots: Vec<SlotId> =
            formats.iter().flat_map(|&format| self.isa.format(format).slots.iter().copied()).collect();
        let where_to = match self.format {
            Some(format) => format!("format {}", self.isa.format(format).name),
            None => "any format".into(),
        };
        for (index, written) in self.instructions.iter().enumerate() {
            if slots.iter().any(|&slot| self.fits(index, slot)) {
                continue;
            }
            let mnemonic = &self.isa.opcode(written.opcode).mnemonic;
            if let Some(&slot) =
                slots.iter().find(|&&slot| self.isa.placement_in(written.opcode, slot).is_some())
            {
                let message = format!(
                    "{mnemonic}: an operand is out of range in {where_to}, as in {}",
                    self.isa.slot(slot).name
                );
                return Fault::new(written.span, message);
            }
            if let [slot] = slots.as_slice() {
                let slot = self.isa.slot(*slot).name.clone();
                let error = EncodeError::NoPlacement { mnemonic: mnemonic.clone(), slot };
                return Fault::new(written.span, error.to_string());
            }
            return Fault::new(written.span, format!("{mnemonic} has no placement in a slot of {where_to}"));
        }
        let names: Vec<&str> =
            self.instructions.iter().map(|w| self.isa.opcode(w.opcode).mnemonic.as_str()).collect();
        let list = names.join("; ");
        let alone = names.len() > 1
            && self.instructions.iter().any(|written| {
                self.isa.opcode(written.opcode).placements.iter().all(|&placement| {
                    let slot = self.isa.placement(placement).slot;
                    self.isa.format(self.isa.slot(slot).format).slots.len() == 1
                })
            });
        let hint = if alone { " (some have placements outside bundles only)" } else { "" };
        Fault::new(span, format!("no slots of {where_to} hold {{ {list} }} together{hint}"))
    }
}

/// Reads one instruction or bundle whose operands are numbers and registers, as `Isa::bundle_text`
/// prints it, with or without braces; `pc` is its address, the meaning of `.` and what decides
/// whether a target is in reach. Targets are absolute addresses.
///
/// # Errors
/// A [`Diagnostic`] with the column.
pub fn parse_bundle(isa: &Isa, text: &str, pc: u32) -> Result<Bundle, Diagnostic> {
    let file: Arc<str> = "instruction".into();
    parse_numeric(isa, text, pc).map_err(|fault| fault.in_file(&file))
}

fn parse_numeric(isa: &Isa, text: &str, pc: u32) -> Result<Bundle, Fault> {
    let (lexemes, faults) = tokenize(text);
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault);
    }
    let mut cursor = Cursor::new(&lexemes);
    let names = &mut NoNames { pc };
    let span = cursor.span();
    let (instructions, format, braces) = if cursor.is("{") {
        let (instructions, format) = parse(isa, &mut cursor, names)?;
        (instructions, format, true)
    } else {
        let mut instructions = vec![instruction::parse(isa, &mut cursor, names)?];
        while *cursor.peek() == Token::Semicolon {
            cursor.advance();
            instructions.push(instruction::parse(isa, &mut cursor, names)?);
        }
        let braces = instructions.len() > 1;
        (instructions, None, braces)
    };
    if !cursor.at_last() {
        return Err(cursor.unexpected("nothing more"));
    }
    let value = |expression: &Expression| expression.evaluate(&mut |_| Err("no symbols here".into()));
    let constant = |expression: &Expression| value(expression).ok().map(|value| value.number);
    let request =
        Request { isa, instructions: &instructions, braces, format, pc: Some(pc), constant: &constant };
    let pending = request.choose(span)?;
    resolve(isa, &pending, pc, &mut |expression| value(expression).map(|value| value.number))
}
