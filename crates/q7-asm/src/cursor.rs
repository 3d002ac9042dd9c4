//! Reading tokens one by one.

use crate::diagnostics::{Fault, Span};
use crate::lexer::{Lexeme, Token};

/// A position among the tokens of a source.
#[derive(Clone)]
pub(crate) struct Cursor<'t, 'a> {
    lexemes: &'t [Lexeme<'a>],
    at: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    /// Starts at the first token. The last one is always a newline ([`crate::lexer::tokenize`]).
    pub fn new(lexemes: &'t [Lexeme<'a>]) -> Cursor<'t, 'a> {
        Cursor { lexemes, at: 0 }
    }

    fn lexeme(&self) -> &'t Lexeme<'a> {
        &self.lexemes[self.at]
    }

    pub fn peek(&self) -> &'t Token<'a> {
        &self.lexeme().token
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Option<&'t Token<'a>> {
        self.lexemes.get(self.at + 1).map(|lexeme| &lexeme.token)
    }

    pub fn span(&self) -> Span {
        self.lexeme().span
    }

    /// True if nothing stands between the token before and this one.
    pub fn joined(&self) -> bool {
        self.lexeme().joined
    }

    /// Goes past the next token, but never past the last of the source.
    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.lexemes.len() - 1);
    }

    /// True at the last token of the source.
    pub fn at_last(&self) -> bool {
        self.at + 1 == self.lexemes.len()
    }

    /// True at the end of a statement.
    pub fn at_end(&self) -> bool {
        matches!(self.peek(), Token::Newline | Token::Semicolon)
    }

    /// Goes to the end of the statement.
    pub fn skip_statement(&mut self) {
        while !self.at_end() {
            self.advance();
        }
    }

    pub fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Punctuation(found) if *found == mark)
    }

    /// Goes past `mark` if it is next.
    pub fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, mark: &str) -> Result<(), Fault> {
        if self.eat(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    /// Reports that `wanted` should stand here.
    pub fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.peek() {
            Token::Name(name) => format!("`{name}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::LocalLabel { number, forward } => {
                format!("`{number}{}`", if *forward { 'f' } else { 'b' })
            }
            Token::String(_) => "a string".into(),
            Token::Punctuation(mark) => format!("`{mark}`"),
            Token::Newline | Token::Semicolon => "the end of the statement".into(),
        };
        Fault::new(self.span(), format!("expected {wanted}, found {found}"))
    }

    /// A name, possibly quoted.
    pub fn name(&mut self, wanted: &str) -> Result<String, Fault> {
        let name = match self.peek() {
            Token::Name(name) => Some((*name).to_string()),
            Token::String(bytes) => std::str::from_utf8(bytes)
                .ok()
                .filter(|s| !s.is_empty() && !s.contains('\0'))
                .map(str::to_string),
            _ => None,
        };
        let name = name.ok_or_else(|| self.unexpected(wanted))?;
        self.advance();
        Ok(name)
    }

    /// A string.
    pub fn string(&mut self) -> Result<&'t [u8], Fault> {
        let Token::String(bytes) = self.peek() else { return Err(self.unexpected("a string")) };
        self.advance();
        Ok(bytes)
    }
}
