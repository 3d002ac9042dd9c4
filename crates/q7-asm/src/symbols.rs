//! The symbols of one source while it is read.

use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostics::{Fault, Span};
use crate::expression::{Expression, Op, Reason, SymbolId, Value};
use crate::object::{Binding, Definition, Symbol, SymbolKind};

/// Numeric labels `N:`: the last one above and the next one below.
#[derive(Default)]
struct LocalLabels {
    last: Option<SymbolId>,
    next: Option<SymbolId>,
}

#[derive(Default)]
pub(crate) struct SymbolTable {
    pub symbols: Vec<Symbol>,
    by_name: HashMap<Arc<str>, SymbolId>,
    local_labels: HashMap<u32, LocalLabels>,
}

impl SymbolTable {
    fn add(&mut self, name: Arc<str>, definition: Definition, defined: Span) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol {
            name,
            definition,
            defined,
            binding: Binding::Local,
            binding_stated: false,
            kind: SymbolKind::Unknown,
            size: None,
            used: None,
        });
        id
    }

    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.symbols[id.0 as usize]
    }

    /// The symbol of a name, undefined until something defines it.
    pub fn named(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let id = self.add(Arc::clone(&name), Definition::Undefined, Span::default());
        self.by_name.insert(name, id);
        id
    }

    /// A position without a name.
    pub fn anonymous(&mut self, definition: Definition, span: Span) -> SymbolId {
        self.add("".into(), definition, span)
    }

    /// A use of a symbol in an expression.
    pub fn used(&mut self, id: SymbolId, span: Span) -> Op {
        self.get_mut(id).used.get_or_insert(span);
        Op::Symbol(id)
    }

    /// Defines a name once.
    pub fn define(&mut self, name: &str, definition: Definition, span: Span) -> Result<SymbolId, Fault> {
        let id = self.named(name);
        let symbol = self.get_mut(id);
        if symbol.is_defined() {
            let line = symbol.defined.line;
            return Err(Fault::new(span, format!("`{name}` is already defined in line {line}")));
        }
        symbol.definition = definition;
        symbol.defined = span;
        Ok(id)
    }

    /// Gives a name a value, which may happen again and again. Uses so far keep the value they saw;
    /// uses before the first `.set` see the first.
    pub fn set(&mut self, name: &str, value: Expression, span: Span) -> Result<(), Fault> {
        let id = self.named(name);
        if !matches!(self.get(id).definition, Definition::Value(_)) {
            return self.define(name, Definition::Value(value), span).map(|_| ());
        }
        let fresh = SymbolId(self.symbols.len() as u32);
        let old = self.get_mut(id);
        let mut symbol = old.clone();
        (old.name, old.binding) = ("".into(), Binding::Local);
        (symbol.definition, symbol.defined) = (Definition::Value(value), span);
        self.by_name.insert(Arc::clone(&symbol.name), fresh);
        self.symbols.push(symbol);
        Ok(())
    }

    /// Defines the next numeric label.
    pub fn define_local(&mut self, number: u32, definition: Definition, span: Span) {
        let pending = self.local_labels.entry(number).or_default().next.take();
        let id = match pending {
            Some(id) => {
                let symbol = self.get_mut(id);
                (symbol.definition, symbol.defined) = (definition, span);
                id
            }
            None => self.anonymous(definition, span),
        };
        self.local_labels.entry(number).or_default().last = Some(id);
    }

    /// `Nb` or `Nf`.
    pub fn local(&mut self, number: u32, forward: bool, span: Span) -> Result<Op, Fault> {
        let labels = self.local_labels.entry(number).or_default();
        let known = if forward { labels.next } else { labels.last };
        let id = match known {
            Some(id) => id,
            None if forward => {
                let id = self.add("".into(), Definition::Undefined, span);
                self.local_labels.entry(number).or_default().next = Some(id);
                id
            }
            None => return Err(Fault::new(span, format!("no label `{number}:` above"))),
        };
        Ok(self.used(id, span))
    }

    /// The value of an expression whose symbols were all `.set` to numbers so far.
    pub fn constant(&self, expression: &Expression) -> Option<i64> {
        let value = expression.evaluate(&mut |id| {
            let symbol = self.get(id);
            match &symbol.definition {
                // A weak value may still give way to another source's.
                Definition::Value(value) if symbol.binding != Binding::Weak => match value.ops.as_slice() {
                    [Op::Number(number)] => Ok(Value::absolute(*number)),
                    _ => Err(Reason::new()),
                },
                _ => Err(Reason::new()),
            }
        });
        value.ok().map(|value| value.number)
    }

    /// The `Nf` that no `N:` followed.
    pub fn missing_local_labels(&self) -> Vec<Fault> {
        let mut missing: Vec<Fault> = self
            .local_labels
            .iter()
            .filter_map(|(number, labels)| {
                let span = self.get(labels.next?).used?;
                Some(Fault::new(span, format!("no label `{number}:` below")))
            })
            .collect();
        missing.sort_by_key(|fault| fault.span);
        missing
    }
}
