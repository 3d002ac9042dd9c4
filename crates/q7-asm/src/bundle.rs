//! Bundles: braces in the source, and what the choice of their format and slots needs to know.

use std::sync::Arc;

use arrayvec::ArrayVec;
use q7_isa::{Bundle, Filling, FormatError, FormatId, Isa, OpcodeId};

use crate::cursor::Cursor;
use crate::diagnostics::{Diagnostic, Fault, Span, suggestion};
use crate::encode::{self, resolve};
use crate::expression::{Expression, Names};
use crate::instruction::{self, NoNames, Written};
use crate::lexer::{Token, tokenize};
use crate::object::{PendingBundle, PendingInstruction};

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
            if let Some((line, what)) = foreign_line(cursor) {
                return Err(Fault::new(open, format!("unclosed `{{`: line {line} starts {what}")));
            }
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

/// Where a line ends: the next line and what it starts with, if that cannot stand in a bundle.
pub(crate) fn foreign_line(end: &Cursor) -> Option<(u32, &'static str)> {
    if *end.peek() != Token::Newline {
        return None;
    }
    let mut next = end.clone();
    next.advance();
    let what = match (next.peek(), next.peek_second()) {
        (Token::Punctuation("{"), _) => "another bundle",
        (Token::Name(_) | Token::String(_) | Token::Number(_), Some(Token::Punctuation(":"))) => "a label",
        (Token::Name(_), Some(Token::Punctuation("="))) => "an assignment",
        (Token::Name(name), _) if name.starts_with('.') => "a directive",
        _ => return None,
    };
    Some((next.span().line, what))
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
    /// Everything else is up to [`Isa::choose_slots`].
    ///
    /// # Errors
    /// Which instruction fits nowhere, or what comes nearest to holding all of them.
    pub fn choose(&self, span: Span) -> Result<PendingBundle, Fault> {
        if let ([written], false) = (self.instructions, self.braces)
            && let Some(placement) = self.isa.single_placement(written.opcode)
        {
            let placement = self.isa.placement(placement);
            encode::check(self.isa, placement, &written.operands, self.pc, self.constant)
                .map_err(|error| Fault::new(written.span, error.to_string()))?;
            let slot = placement.slot;
            let mut slots = ArrayVec::new();
            slots.push((slot, Some(0)));
            return Ok(self.pending(&Filling { format: self.isa.slot(slot).format, slots }));
        }
        let opcodes: Vec<OpcodeId> = self.instructions.iter().map(|written| written.opcode).collect();
        let fits = |index: usize, slot| match self.isa.placement_in(opcodes[index], slot) {
            Some(placement) => {
                let operands = &self.instructions[index].operands;
                encode::check(self.isa, self.isa.placement(placement), operands, self.pc, self.constant)
            }
            None => Ok(()), // The search asks only for slots that can hold the opcode.
        };
        match self.isa.choose_slots(self.format, &opcodes, &fits) {
            Ok(filling) => Ok(self.pending(&filling)),
            Err(error) => {
                let culprit = match &error {
                    FormatError::NoSlot { instruction, .. } | FormatError::Operand { instruction, .. } => {
                        self.instructions[*instruction].span
                    }
                    FormatError::TooMany { .. } | FormatError::NoFormat { .. } => span,
                };
                Err(Fault::new(culprit, error.to_string()))
            }
        }
    }

    fn pending(&self, filling: &Filling) -> PendingBundle {
        let instructions = filling
            .slots
            .iter()
            .map(|&(slot, owner)| match owner {
                Some(index) => {
                    let Written { opcode, operands, span, .. } = &self.instructions[index];
                    PendingInstruction { opcode: *opcode, slot, operands: operands.clone(), span: *span }
                }
                None => PendingInstruction {
                    opcode: self.isa.find("nop").expect("slots stay free only where a nop fills them"),
                    slot,
                    operands: Vec::new(),
                    span: self.instructions[0].span,
                },
            })
            .collect();
        let length = self.isa.format(filling.format).length;
        PendingBundle { format: filling.format, length, instructions }
    }
}

/// Reads one instruction or bundle whose operands are numbers and registers, as `Isa::bundle_text`
/// prints it, with or without braces; `pc` is its address, the meaning of `.` and what decides
/// whether a target is in reach. Targets are absolute addresses.
///
/// # Errors
/// A [`Diagnostic`] with the column; also for two slots that write one register.
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
            if !cursor.at_last() {
                instructions.push(instruction::parse(isa, &mut cursor, names)?);
            }
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
