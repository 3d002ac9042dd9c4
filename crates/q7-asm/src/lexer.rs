//! Characters to tokens.

use crate::diagnostics::{Fault, Span};

/// What a token is. Names borrow from the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// Mnemonic, directive, symbol or register.
    Name(&'a str),
    /// `42`, `0x2a`, `'*'`; wraps at 64 bits.
    Number(i64),
    /// `1b` or `1f`.
    LocalLabel { number: u32, forward: bool },
    /// A string with its escapes resolved.
    String(Vec<u8>),
    /// An operator or separator.
    Punctuation(&'static str),
    /// End of a line.
    Newline,
    /// `;`
    Semicolon,
}

/// A token and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lexeme<'a> {
    pub token: Token<'a>,
    pub span: Span,
    /// Nothing stands between this token and the one before.
    pub joined: bool,
}

/// Longest first, so that `<<` is not read as two.
const PUNCTUATION: [&str; 28] = [
    "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", ",", ":", "{", "}", "(", ")", "+", "-", "*", "/", "%",
    "&", "|", "^", "~", "!", "<", ">", "=", "@",
];

pub(crate) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'$')
}

fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

/// Splits a source into tokens. Lexical errors do not stop it: they are returned beside the tokens,
/// and the rest of the line is dropped.
pub(crate) fn tokenize(source: &str) -> (Vec<Lexeme<'_>>, Vec<Fault>) {
    let mut lexer = Lexer { source, at: 0, line: 1, line_start: 0 };
    let (mut lexemes, mut faults) = (Vec::new(), Vec::new());
    let mut end = usize::MAX;
    loop {
        match lexer.next() {
            Ok(Some((token, start, span))) => {
                lexemes.push(Lexeme { token, span, joined: start == end });
                end = lexer.at;
            }
            Ok(None) => break,
            Err(fault) => {
                faults.push(fault);
                lexer.skip_line();
            }
        }
    }
    let span = lexer.span();
    lexemes.push(Lexeme { token: Token::Newline, span, joined: false });
    (lexemes, faults)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.source.as_bytes()[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn span(&self) -> Span {
        Span { line: self.line, column: (self.at - self.line_start + 1) as u32 }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.at;
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r' | 0x0c, ..] => self.at += 1,
                [b'#', ..] | [b'/', b'/', ..] => self.skip_line(),
                [b'/', b'*', ..] => self.skip_block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), Fault> {
        let start = self.span();
        self.at += 2;
        loop {
            match self.rest() {
                [b'*', b'/', ..] => {
                    self.at += 2;
                    return Ok(());
                }
                [b'\n', ..] => self.newline(),
                [_, ..] => self.at += 1,
                [] => return Err(Fault::new(start, "unclosed comment")),
            }
        }
    }

    fn next(&mut self) -> Result<Option<(Token<'a>, usize, Span)>, Fault> {
        self.skip_blanks()?;
        let (start, span) = (self.at, self.span());
        let Some(byte) = self.peek() else { return Ok(None) };
        let token = match byte {
            b'\n' => {
                self.newline();
                Token::Newline
            }
            b';' => {
                self.at += 1;
                Token::Semicolon
            }
            b'"' => Token::String(self.string(span)?),
            b'\'' => Token::Number(self.character(span)?),
            b'0'..=b'9' => self.number(span)?,
            _ if is_name_start(byte) => Token::Name(self.word()),
            _ => {
                let found = PUNCTUATION.iter().find(|mark| self.rest().starts_with(mark.as_bytes()));
                let mark = found.ok_or_else(|| {
                    let shown = self.source[self.at..].chars().next().unwrap_or_default();
                    Fault::new(span, format!("unexpected character {shown:?}"))
                })?;
                self.at += mark.len();
                Token::Punctuation(mark)
            }
        };
        Ok(Some((token, start, span)))
    }

    /// Name bytes from here on; they are ASCII, so the cut is a character boundary.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(is_name_byte) {
            self.at += 1;
        }
        &self.source[start..self.at]
    }

    fn number(&mut self, span: Span) -> Result<Token<'a>, Fault> {
        let word = self.word();
        let lower = word.to_ascii_lowercase();
        let digits = |prefix: &str, radix: u32| {
            lower.strip_prefix(prefix).filter(|rest| !rest.is_empty()).map(|rest| (rest.to_string(), radix))
        };
        let label = lower.strip_suffix(['b', 'f']).and_then(|number| {
            let decimal = number.bytes().all(|byte| byte.is_ascii_digit());
            decimal.then(|| number.parse::<u32>().ok()).flatten()
        });
        if let Some(number) = label {
            return Ok(Token::LocalLabel { number, forward: lower.ends_with('f') });
        }
        let (text, radix) = digits("0x", 16)
            .or_else(|| digits("0b", 2))
            .or_else(|| digits("0", 8))
            .unwrap_or((lower.clone(), 10));
        if !text.chars().all(|digit| digit.is_digit(radix)) {
            return Err(Fault::new(span, format!("malformed number `{word}`")));
        }
        let value = u64::from_str_radix(&text, radix)
            .map_err(|_| Fault::new(span, format!("number `{word}` needs more than 64 bits")))?;
        Ok(Token::Number(value as i64))
    }

    /// `'x'`, or `'x` as GNU reads it too.
    fn character(&mut self, span: Span) -> Result<i64, Fault> {
        self.at += 1;
        let value = match self.rest() {
            [] | [b'\n', ..] => return Err(Fault::new(span, "empty character constant")),
            [b'\\', ..] => self.escape()?,
            [byte, ..] if byte.is_ascii() => {
                self.at += 1;
                *byte
            }
            _ => return Err(Fault::new(span, "character constants are ASCII")),
        };
        if self.peek() == Some(b'\'') {
            self.at += 1;
        }
        Ok(i64::from(value))
    }

    fn string(&mut self, span: Span) -> Result<Vec<u8>, Fault> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.rest() {
                [] | [b'\n', ..] => return Err(Fault::new(span, "unclosed string")),
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(bytes);
                }
                [b'\\', ..] => bytes.push(self.escape()?),
                [byte, ..] => {
                    bytes.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    /// A backslash escape: `\n`, `\0`..`\377`, `\x` with any number of digits of which the last two count.
    fn escape(&mut self) -> Result<u8, Fault> {
        let span = self.span();
        let Some(&letter) = self.rest().get(1) else {
            return Err(Fault::new(span, "unfinished escape"));
        };
        let simple = match letter {
            b'n' => Some(b'\n'),
            b't' => Some(b'\t'),
            b'r' => Some(b'\r'),
            b'b' => Some(8),
            b'f' => Some(12),
            b'v' => Some(11),
            b'a' => Some(7),
            b'\\' | b'"' | b'\'' => Some(letter),
            _ => None,
        };
        self.at += 1;
        if let Some(byte) = simple {
            self.at += 1;
            return Ok(byte);
        }
        let (radix, limit) = match letter {
            b'0'..=b'7' => (8, 3),
            b'x' | b'X' => {
                self.at += 1;
                (16, usize::MAX)
            }
            _ => return Err(Fault::new(span, "unknown escape")),
        };
        let (mut value, mut count) = (0u8, 0);
        while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) {
            if count == limit {
                break;
            }
            value = value.wrapping_mul(radix as u8).wrapping_add(digit as u8);
            count += 1;
            self.at += 1;
        }
        if count == 0 { Err(Fault::new(span, "escape without digits")) } else { Ok(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(source: &str) -> Token<'_> {
        let (lexemes, faults) = tokenize(source);
        assert_eq!(faults, [], "{source}");
        assert_eq!(lexemes.len(), 2, "{source}: {lexemes:?}");
        lexemes.into_iter().next().unwrap().token
    }

    #[test]
    fn numbers_and_local_labels() {
        for (source, value) in [
            ("0", 0),
            ("42", 42),
            ("0x2A", 42),
            ("0b101", 5),
            ("017", 15),
            ("'a'", 97),
            ("'a", 97),
            ("'\\n'", 10),
            ("'''", 39),
            ("'#'", 35),
            ("0xffffffffffffffff", -1),
            ("0x1b", 27),
        ] {
            assert_eq!(one(source), Token::Number(value), "{source}");
        }
        for (source, number, forward) in
            [("1b", 1, false), ("12f", 12, true), ("0b", 0, false), ("0f", 0, true)]
        {
            assert_eq!(one(source), Token::LocalLabel { number, forward }, "{source}");
        }
        for source in
            ["12z", "08", "0b2", "0x", "0xg", "18446744073709551616", "'", "'é'", "é", "\"a", "/* x"]
        {
            assert_eq!(tokenize(source).1.len(), 1, "{source}");
        }
    }

    #[test]
    fn strings_names_and_comments() {
        assert_eq!(one(r#""a\n\x41\101\0\"""#), Token::String(b"a\nAA\0\"".to_vec()));
        assert_eq!(one(".LBB0_1 # rest"), Token::Name(".LBB0_1"));
        assert_eq!(one("add.n // rest ; more"), Token::Name("add.n"));
        assert_eq!(one("/* a\nb */ x$y"), Token::Name("x$y"));
        assert_eq!(one("<<"), Token::Punctuation("<<"));
    }

    #[test]
    fn places_are_counted_from_one_and_errors_cost_one_line() {
        let (lexemes, faults) = tokenize("a\n  b `x\nc");
        let names: Vec<_> = lexemes.iter().filter(|l| matches!(l.token, Token::Name(_))).collect();
        assert_eq!(names[1].span, Span { line: 2, column: 3 });
        assert_eq!(names[2].span, Span { line: 3, column: 1 });
        assert_eq!(faults[0].span, Span { line: 2, column: 5 });
    }
}
