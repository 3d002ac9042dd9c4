//! Operands as text: registers, groups of booleans, expressions.

use q7_isa::File;

use crate::cursor::Cursor;
use crate::diagnostics::Fault;
use crate::expression::{Expression, Names};
use crate::lexer::Token;

/// Reads the operand of a file: a register number, a number or an address.
pub(crate) fn parse(cursor: &mut Cursor, file: File, names: &mut dyn Names) -> Result<Expression, Fault> {
    match file {
        File::Imm | File::Label => Expression::parse(cursor, names),
        File::Br4 => boolean_group(cursor, 4),
        File::Br8 => boolean_group(cursor, 8),
        _ => register(cursor, file).map(|number| Expression::number(i64::from(number))),
    }
}

/// True for names that some register file uses, for better messages.
pub(crate) fn is_register(name: &str) -> bool {
    let files =
        [File::Ar, File::Br, File::Vec, File::Vbool, File::Valign, File::Wvec, File::Gvr, File::B32Pr];
    files.into_iter().any(|file| number_of(name, file).is_some())
}

/// The number of a register by name; `sp` is `a1`.
fn number_of(name: &str, file: File) -> Option<u8> {
    if file == File::Ar && name.eq_ignore_ascii_case("sp") {
        return Some(1);
    }
    let prefix = file.prefix()?;
    let (head, digits) = name.split_at_checked(prefix.len())?;
    let canonical = digits == "0" || !digits.starts_with('0');
    if !head.eq_ignore_ascii_case(prefix) || !canonical || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|number| *number < file.count())
}

/// A register, plain or with the `$` or `%` that GNU allows before it.
fn register(cursor: &mut Cursor, file: File) -> Result<u8, Fault> {
    let mut ahead = cursor.clone();
    ahead.eat("%");
    let number = match ahead.peek() {
        Token::Name(name) => number_of(name.strip_prefix('$').unwrap_or(name), file),
        _ => None,
    };
    let number = number.ok_or_else(|| cursor.unexpected(&range_of(file)))?;
    ahead.advance();
    *cursor = ahead;
    Ok(number)
}

fn range_of(file: File) -> String {
    let prefix = file.prefix().unwrap_or_default();
    format!("a register {prefix}0..{prefix}{}", file.count().saturating_sub(1))
}

/// An aligned group of booleans: its first register, `b8:b9:b10:b11` or `b8..b11`.
fn boolean_group(cursor: &mut Cursor, count: u8) -> Result<Expression, Fault> {
    let fault = cursor.unexpected(&format!(
        "{count} aligned booleans such as {}",
        if count == 4 { "`b4:b5:b6:b7`" } else { "`b8..b15`" }
    ));
    let first = match cursor.peek() {
        Token::Name(name) => match name.split_once("..") {
            Some((low, high)) => {
                let ends = (number_of(low, File::Br), number_of(high, File::Br));
                cursor.advance();
                match ends {
                    (Some(low), Some(high)) if low + count - 1 == high => low,
                    _ => return Err(fault),
                }
            }
            None => {
                let first = register(cursor, File::Br)?;
                let mut next = first;
                while cursor.eat(":") {
                    next += 1;
                    if register(cursor, File::Br)? != next || next - first >= count {
                        return Err(fault);
                    }
                }
                if next != first && next - first + 1 != count {
                    return Err(fault);
                }
                first
            }
        },
        _ => return Err(fault),
    };
    if first % count != 0 {
        return Err(fault);
    }
    Ok(Expression::number(i64::from(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::NoNames;
    use crate::lexer::tokenize;

    fn read(source: &str, file: File) -> Option<i64> {
        let (lexemes, _) = tokenize(source);
        let mut cursor = Cursor::new(&lexemes);
        let expression = parse(&mut cursor, file, &mut NoNames { pc: 0x100 }).ok()?;
        if !cursor.at_end() {
            return None;
        }
        expression.evaluate(&mut |_| unreachable!()).ok().map(|value| value.number)
    }

    #[test]
    fn operands() {
        for (source, file, expected) in [
            ("a0", File::Ar, Some(0)),
            ("A15", File::Ar, Some(15)),
            ("sp", File::Ar, Some(1)),
            ("%a3", File::Ar, Some(3)),
            ("$a3", File::Ar, Some(3)),
            ("a16", File::Ar, None),
            ("a01", File::Ar, None),
            ("a", File::Ar, None),
            ("b3", File::Ar, None),
            ("3", File::Ar, None),
            ("b15", File::Br, Some(15)),
            ("v31", File::Vec, Some(31)),
            ("v32", File::Vec, None),
            ("vb3", File::Vbool, Some(3)),
            ("vb3", File::Vec, None),
            ("v3", File::Vbool, None),
            ("wv3", File::Wvec, Some(3)),
            ("u3", File::Valign, Some(3)),
            ("u4", File::Valign, None),
            ("gr7", File::Gvr, Some(7)),
            ("pr12", File::B32Pr, Some(12)),
            ("b8:b9:b10:b11", File::Br4, Some(8)),
            ("b8..b11", File::Br4, Some(8)),
            ("b8", File::Br4, Some(8)),
            ("b2", File::Br4, None),
            ("b8:b9", File::Br4, None),
            ("b8:b9:b11:b12", File::Br4, None),
            ("b8:b9:b10:b11:b12", File::Br4, None),
            ("b8..b15", File::Br8, Some(8)),
            ("b0", File::Br8, Some(0)),
            ("b4", File::Br8, None),
            ("b0:b1:b2:b3:b4:b5:b6:b7", File::Br8, Some(0)),
            ("b0..b14", File::Br8, None),
            ("-0x20 + 1", File::Imm, Some(-31)),
            (". + 3", File::Label, Some(0x103)),
        ] {
            assert_eq!(read(source, file), expected, "{source}");
        }
    }
}
