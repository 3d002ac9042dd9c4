//! One instruction as text: mnemonic, GNU spellings, operands.

use q7_isa::{File, Isa, OpcodeId};

use crate::cursor::Cursor;
use crate::diagnostics::{Fault, Span, suggestion};
use crate::expression::{Expression, Names, Op};
use crate::lexer::Token;
use crate::operand;

/// An instruction as written, its opcode found.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub opcode: OpcodeId,
    pub operands: Vec<Expression>,
    pub span: Span,
    /// False after a leading `_`: assemble it as it stands or not at all.
    pub transform: bool,
    /// The register that `j.l` may destroy.
    pub jump_register: Option<Expression>,
}

/// Names for text without symbols: only `.` has a meaning.
pub(crate) struct NoNames {
    pub pc: u32,
}

impl Names for NoNames {
    fn symbol(&mut self, name: &str, span: Span) -> Result<Op, Fault> {
        Err(Fault::new(span, format!("`{name}` is not known here: numbers only")))
    }

    fn local_label(&mut self, _: u32, _: bool, span: Span) -> Result<Op, Fault> {
        Err(Fault::new(span, "labels are not known here: numbers only"))
    }

    fn here(&mut self, _: Span) -> Result<Op, Fault> {
        Ok(Op::Number(i64::from(self.pc)))
    }
}

/// True where the operands of an instruction end.
fn at_end(cursor: &Cursor) -> bool {
    cursor.at_end() || cursor.is("}")
}

/// Reads an instruction up to the end of its statement or slot.
pub(crate) fn parse(isa: &Isa, cursor: &mut Cursor, names: &mut dyn Names) -> Result<Written, Fault> {
    let span = cursor.span();
    let Token::Name(name) = cursor.peek() else { return Err(cursor.unexpected("an instruction")) };
    cursor.advance();
    let name = name.to_ascii_lowercase();
    let (mnemonic, transform) = match name.strip_prefix('_') {
        Some(rest) if isa.find(&name).is_none() => (rest, false),
        _ => (name.as_str(), true),
    };
    let written = |opcode, operands| Written { opcode, operands, span, transform, jump_register: None };
    if let Some(opcode) = isa.find(mnemonic) {
        // Cores without this core's operand have a plain SIMCALL, the same bits as operand 0.
        if mnemonic == "simcall" && at_end(cursor) && isa.opcode(opcode).operands.len() == 1 {
            return Ok(written(opcode, vec![Expression::number(0)]));
        }
        return Ok(written(opcode, operands(isa, opcode, cursor, names)?));
    }
    let find = |mnemonic: &str| isa.find(mnemonic).ok_or_else(|| unknown(isa, mnemonic, span));
    match mnemonic {
        "mov" => {
            let opcode = find("or")?;
            let target = operand::parse(cursor, File::Ar, names)?;
            cursor.expect(",")?;
            let source = operand::parse(cursor, File::Ar, names)?;
            Ok(written(opcode, vec![target, source.clone(), source]))
        }
        // The little-endian bit number, which this core counts in anyway.
        "bbci.l" | "bbsi.l" => {
            let opcode = find(mnemonic.trim_end_matches(".l"))?;
            Ok(written(opcode, operands(isa, opcode, cursor, names)?))
        }
        "j.l" => {
            let opcode = find("j")?;
            let target = operand::parse(cursor, File::Label, names)?;
            cursor.expect(",")?;
            let register = operand::parse(cursor, File::Ar, names)?;
            Ok(Written { jump_register: Some(register), ..written(opcode, vec![target]) })
        }
        "rsr" | "wsr" | "xsr" | "rur" | "wur" => {
            let register = operand::parse(cursor, File::Ar, names)?;
            cursor.expect(",")?;
            let opcode = register_access(isa, mnemonic, cursor, names)?;
            Ok(written(opcode, vec![register]))
        }
        _ => Err(unknown(isa, &name, span)),
    }
}

fn unknown(isa: &Isa, mnemonic: &str, span: Span) -> Fault {
    let names = isa.opcodes().iter().map(|opcode| opcode.mnemonic.as_str());
    Fault::new(span, format!("unknown instruction `{mnemonic}`{}", suggestion(mnemonic, names)))
}

fn operands(
    isa: &Isa,
    opcode: OpcodeId,
    cursor: &mut Cursor,
    names: &mut dyn Names,
) -> Result<Vec<Expression>, Fault> {
    let opcode = isa.opcode(opcode);
    let count = opcode.operands.len();
    let wrong_count = |cursor: &Cursor, given: &str| {
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("{} takes {count} operand{plural}, {given} given", opcode.mnemonic);
        Fault::new(cursor.span(), message)
    };
    let mut values = Vec::with_capacity(count);
    for (index, operand) in opcode.operands.iter().enumerate() {
        if at_end(cursor) {
            return Err(wrong_count(cursor, &index.to_string()));
        }
        if index > 0 {
            cursor.expect(",")?;
        }
        values.push(operand::parse(cursor, operand.file, names)?);
    }
    if count == 0 && !at_end(cursor) || cursor.is(",") {
        return Err(wrong_count(cursor, "more"));
    }
    Ok(values)
}

/// The opcode of `rsr aX, NAME` and its kin: `rsr.NAME`, or the one whose encoding holds a number.
fn register_access(
    isa: &Isa,
    mnemonic: &str,
    cursor: &mut Cursor,
    names: &mut dyn Names,
) -> Result<OpcodeId, Fault> {
    let span = cursor.span();
    let prefix = format!("{mnemonic}.");
    let members = || isa.opcodes().iter().filter_map(|opcode| opcode.mnemonic.strip_prefix(prefix.as_str()));
    if let Token::Name(name) = cursor.peek() {
        let name = name.to_ascii_lowercase();
        if let Some(opcode) = isa.find(&format!("{prefix}{name}")) {
            cursor.advance();
            return Ok(opcode);
        }
        if !members().any(|member| member == name) {
            let hint = suggestion(&name, members());
            return Err(Fault::new(span, format!("{mnemonic} knows no register `{name}`{hint}")));
        }
    }
    let expression = Expression::parse(cursor, names)?;
    let [Op::Number(number)] = expression.ops.as_slice() else {
        return Err(Fault::new(span, "expected the name or number of a register"));
    };
    // The RSR family has the register number in the `rs` fields (bits 15:8); RUR in bits 11:4.
    let shift = if mnemonic == "rur" { 4 } else { 8 };
    members()
        .filter_map(|member| isa.find(&format!("{prefix}{member}")))
        .find(|&id| {
            isa.single_placement(id).is_some_and(|placement| {
                (isa.placement(placement).template >> shift & 0xff) as i64 == *number
            })
        })
        .ok_or_else(|| Fault::new(span, format!("{mnemonic} knows no register {number}")))
}
