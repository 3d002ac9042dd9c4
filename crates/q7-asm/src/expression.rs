//! Expressions over 64-bit integers and symbols, with the precedence of C.

use crate::cursor::Cursor;
use crate::diagnostics::{Fault, Span};
use crate::lexer::Token;

/// Index of a symbol in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymbolId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    Negate,
    Invert,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    LogicalAnd,
    LogicalOr,
}

/// Operators and how tightly they bind.
const BINARY: [(&str, Binary, u8); 18] = [
    ("||", Binary::LogicalOr, 1),
    ("&&", Binary::LogicalAnd, 2),
    ("|", Binary::Or, 3),
    ("^", Binary::Xor, 4),
    ("&", Binary::And, 5),
    ("==", Binary::Equal, 6),
    ("!=", Binary::NotEqual, 6),
    ("<", Binary::Less, 7),
    (">", Binary::Greater, 7),
    ("<=", Binary::LessEqual, 7),
    (">=", Binary::GreaterEqual, 7),
    ("<<", Binary::ShiftLeft, 8),
    (">>", Binary::ShiftRight, 8),
    ("+", Binary::Add, 9),
    ("-", Binary::Subtract, 9),
    ("*", Binary::Multiply, 10),
    ("/", Binary::Divide, 10),
    ("%", Binary::Remainder, 10),
];

/// One step of an expression in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Number(i64),
    Symbol(SymbolId),
    Unary(Unary),
    Binary(Binary),
}

/// An expression in postfix order: evaluating and dropping it needs no recursion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Expression {
    pub ops: Vec<Op>,
}

/// A value: a number, or an offset in a section whose address is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub number: i64,
    /// How many times the section address is to be added.
    pub sections: i32,
}

impl Value {
    pub fn absolute(number: i64) -> Value {
        Value { number, sections: 0 }
    }
}

/// Why an expression has no value, in words.
pub(crate) type Reason = String;

/// What gives meaning to the names in an expression.
pub(crate) trait Names {
    /// A symbol by name.
    fn symbol(&mut self, name: &str, span: Span) -> Result<Op, Fault>;
    /// A numeric local label.
    fn local_label(&mut self, number: u32, forward: bool, span: Span) -> Result<Op, Fault>;
    /// The current address, `.`.
    fn here(&mut self, span: Span) -> Result<Op, Fault>;
}

impl Expression {
    /// Most operands and operators in one expression.
    const LENGTH_LIMIT: usize = 1000;
    /// Most nested parentheses and unary operators.
    const DEPTH_LIMIT: u32 = 64;

    pub fn number(number: i64) -> Expression {
        Expression { ops: vec![Op::Number(number)] }
    }

    pub fn symbol(symbol: SymbolId) -> Expression {
        Expression { ops: vec![Op::Symbol(symbol)] }
    }

    /// The symbols it mentions.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.ops.iter().filter_map(|op| match op {
            Op::Symbol(symbol) => Some(*symbol),
            _ => None,
        })
    }

    /// Reads an expression.
    pub fn parse(cursor: &mut Cursor, names: &mut dyn Names) -> Result<Expression, Fault> {
        let mut parser = Parser { names, ops: Vec::new(), depth: 0 };
        parser.binary(cursor, 1)?;
        let mut expression = Expression { ops: parser.ops };
        // Numbers only: fold now, so that every number is one step.
        if expression.ops.len() > 1 && expression.symbols().next().is_none() {
            let span = cursor.span();
            let value = expression.evaluate(&mut |_| unreachable!("no symbols"));
            expression = Expression::number(value.map_err(|reason| Fault::new(span, reason))?.number);
        }
        Ok(expression)
    }

    /// The value, given the values of symbols.
    pub fn evaluate(
        &self,
        lookup: &mut dyn FnMut(SymbolId) -> Result<Value, Reason>,
    ) -> Result<Value, Reason> {
        let mut stack: Vec<Value> = Vec::with_capacity(4);
        for op in &self.ops {
            let value = match op {
                Op::Number(number) => Value::absolute(*number),
                Op::Symbol(symbol) => lookup(*symbol)?,
                Op::Unary(operator) => {
                    let operand = stack.pop().ok_or("malformed expression")?;
                    unary(*operator, operand)?
                }
                Op::Binary(operator) => {
                    let right = stack.pop().ok_or("malformed expression")?;
                    let left = stack.pop().ok_or("malformed expression")?;
                    binary(*operator, left, right)?
                }
            };
            stack.push(value);
        }
        stack.pop().ok_or_else(|| "malformed expression".into())
    }
}

struct Parser<'n> {
    names: &'n mut dyn Names,
    ops: Vec<Op>,
    depth: u32,
}

impl Parser<'_> {
    fn push(&mut self, op: Op, span: Span) -> Result<(), Fault> {
        if self.ops.len() >= Expression::LENGTH_LIMIT {
            return Err(Fault::new(span, "expression too long"));
        }
        self.ops.push(op);
        Ok(())
    }

    fn binary(&mut self, cursor: &mut Cursor, minimum: u8) -> Result<(), Fault> {
        self.unary(cursor)?;
        loop {
            let Token::Punctuation(mark) = cursor.peek() else { return Ok(()) };
            let Some(&(_, operator, strength)) =
                BINARY.iter().find(|(text, _, strength)| text == mark && *strength >= minimum)
            else {
                return Ok(());
            };
            let span = cursor.span();
            cursor.advance();
            self.binary(cursor, strength + 1)?;
            self.push(Op::Binary(operator), span)?;
        }
    }

    fn unary(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let span = cursor.span();
        if self.depth >= Expression::DEPTH_LIMIT {
            return Err(Fault::new(span, "expression nested too deeply"));
        }
        self.depth += 1;
        let operator = match cursor.peek() {
            Token::Punctuation("-") => Some(Some(Unary::Negate)),
            Token::Punctuation("~") => Some(Some(Unary::Invert)),
            Token::Punctuation("!") => Some(Some(Unary::Not)),
            Token::Punctuation("+") => Some(None),
            _ => None,
        };
        if let Some(operator) = operator {
            cursor.advance();
            self.unary(cursor)?;
            if let Some(operator) = operator {
                self.push(Op::Unary(operator), span)?;
            }
        } else {
            self.primary(cursor, span)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn primary(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let op = match cursor.peek() {
            Token::Number(number) => Op::Number(*number),
            Token::LocalLabel { number, forward } => self.names.local_label(*number, *forward, span)?,
            Token::Name(".") => self.names.here(span)?,
            Token::Name(_) | Token::String(_) => {
                let name = cursor.name("a symbol")?;
                let op = self.names.symbol(&name, span)?;
                return self.push(op, span);
            }
            Token::Punctuation("(") => {
                cursor.advance();
                self.binary(cursor, 1)?;
                return cursor.expect(")");
            }
            _ => return Err(cursor.unexpected("a number or symbol")),
        };
        cursor.advance();
        self.push(op, span)
    }
}

/// Rejects section-relative operands where only `+` and `-` can be relocated.
fn absolute(value: Value) -> Result<i64, Reason> {
    if value.sections == 0 { Ok(value.number) } else { Err("the address is not known here".into()) }
}

fn unary(operator: Unary, operand: Value) -> Result<Value, Reason> {
    Ok(match operator {
        Unary::Negate => {
            Value { number: operand.number.wrapping_neg(), sections: operand.sections.wrapping_neg() }
        }
        Unary::Invert => Value::absolute(!absolute(operand)?),
        Unary::Not => Value::absolute(i64::from(absolute(operand)? == 0)),
    })
}

fn binary(operator: Binary, left: Value, right: Value) -> Result<Value, Reason> {
    let sum = |number, sections| Ok(Value { number, sections });
    match operator {
        Binary::Add => {
            return sum(left.number.wrapping_add(right.number), left.sections.wrapping_add(right.sections));
        }
        Binary::Subtract => {
            return sum(left.number.wrapping_sub(right.number), left.sections.wrapping_sub(right.sections));
        }
        _ => (),
    }
    let (left, right) = (absolute(left)?, absolute(right)?);
    let shift = |apply: fn(i64, u32) -> i64, beyond| {
        if (0..64).contains(&right) { apply(left, right as u32) } else { beyond }
    };
    Ok(Value::absolute(match operator {
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => return Err("division by zero".into()),
        Binary::Remainder if right == 0 => return Err("division by zero".into()),
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder => left.wrapping_rem(right),
        Binary::ShiftLeft => shift(|value, count| value << count, 0),
        Binary::ShiftRight => shift(|value, count| value >> count, left >> 63),
        Binary::Less => i64::from(left < right),
        Binary::Greater => i64::from(left > right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::GreaterEqual => i64::from(left >= right),
        Binary::Equal => i64::from(left == right),
        Binary::NotEqual => i64::from(left != right),
        Binary::And => left & right,
        Binary::Xor => left ^ right,
        Binary::Or => left | right,
        Binary::LogicalAnd => i64::from(left != 0 && right != 0),
        Binary::LogicalOr => i64::from(left != 0 || right != 0),
        Binary::Add | Binary::Subtract => unreachable!("handled above"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokenize;

    struct Letters;

    impl Names for Letters {
        fn symbol(&mut self, name: &str, _: Span) -> Result<Op, Fault> {
            Ok(Op::Symbol(SymbolId(u32::from(name.as_bytes()[0]))))
        }
        fn local_label(&mut self, number: u32, _: bool, _: Span) -> Result<Op, Fault> {
            Ok(Op::Symbol(SymbolId(number)))
        }
        fn here(&mut self, _: Span) -> Result<Op, Fault> {
            Ok(Op::Number(0x1000))
        }
    }

    /// Symbols are at their letter's code in one section.
    fn value(source: &str) -> Result<Value, String> {
        let (lexemes, _) = tokenize(source);
        let mut cursor = Cursor::new(&lexemes);
        let expression = Expression::parse(&mut cursor, &mut Letters).map_err(|fault| fault.message)?;
        assert!(cursor.at_end(), "{source}");
        expression.evaluate(&mut |symbol| Ok(Value { number: i64::from(symbol.0), sections: 1 }))
    }

    #[test]
    fn precedence_is_that_of_c() {
        for (source, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 3 - 2", 5),
            ("-7 / 2", -3),
            ("-7 % 4", -3),
            ("1 << 4 + 1", 32),
            ("1 | 2 ^ 3 & 2", 1),
            ("1 | 6 & 3", 3),
            ("3 & 1 == 1", 1),
            ("1 < 2 == 1", 1),
            ("1 || 0 && 0", 1),
            ("!5 + ~0", -1),
            ("- - 3", 3),
            ("+4", 4),
            (". + 4", 0x1004),
            ("1 << 64", 0),
            ("-1 >> 70", -1),
            ("0x7fffffffffffffff + 1", i64::MIN),
            ("0x8000000000000000 / -1", i64::MIN),
            ("b - a", 1),
            ("(b - a) * 4", 4),
            ("b - a + 9 - (c - b)", 9),
        ] {
            assert_eq!(value(source), Ok(Value::absolute(expected)), "{source}");
        }
        assert_eq!(value("a + 4"), Ok(Value { number: 101, sections: 1 }));
    }

    #[test]
    fn errors() {
        for (source, expected) in [
            ("1 / 0", "division by zero"),
            ("1 % 0", "division by zero"),
            ("a * 2", "the address is not known here"),
            ("1 +", "expected a number or symbol, found the end of the statement"),
            ("(1", "expected `)`, found the end of the statement"),
        ] {
            assert_eq!(value(source), Err(expected.into()), "{source}");
        }
        assert_eq!(value(&"(".repeat(100_000)), Err("expression nested too deeply".into()));
        assert_eq!(value(&"-".repeat(100_000)), Err("expression nested too deeply".into()));
        assert_eq!(value(&"1+".repeat(100_000)), Err("expression too long".into()));
    }
}
