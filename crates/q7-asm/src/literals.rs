//! Literal pools: the 32-bit words that L32R loads.
//!
//! L32R reaches backwards only, up to 256 KiB, so a pool stands before the code that uses it: at the
//! last `.literal_position`, else at the start of the source's part of the section.

use std::collections::HashMap;

use crate::diagnostics::Span;
use crate::expression::{Expression, SymbolId};
use crate::object::Level;

/// One word of a pool.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub value: Expression,
    pub span: Span,
    /// The item of the section that alone needs it, and at which level ([`crate::relax`]).
    pub only_for: Option<(usize, Level)>,
}

/// A pool: words in the order they were asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub literals: Vec<Literal>,
    /// Literals without a name by value, so that equal ones share a word.
    shared: HashMap<Expression, SymbolId>,
}

impl Pool {
    /// Adds a word and returns its index.
    pub fn push(&mut self, value: Expression, span: Span, only_for: Option<(usize, Level)>) -> usize {
        self.literals.push(Literal { value, span, only_for });
        self.literals.len() - 1
    }

    /// The symbol of an equal word without a name.
    pub fn find(&self, value: &Expression) -> Option<SymbolId> {
        self.shared.get(value).copied()
    }

    /// Lets later literals of the same value use `symbol`.
    pub fn share(&mut self, value: Expression, symbol: SymbolId) {
        self.shared.insert(value, symbol);
    }
}
