//! An assembled source: sections of items, symbols, literal pools. Addresses come with linking.

use std::sync::Arc;

use arrayvec::ArrayVec;
use q7_isa::{FormatId, MAX_SLOTS, OpcodeId, SlotId};

use crate::diagnostics::{Location, Span};
use crate::expression::{Expression, SymbolId};
use crate::literals::Pool;

/// What a section holds and how a program may use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SectionFlags {
    /// Part of the program's memory.
    pub alloc: bool,
    /// Writable.
    pub write: bool,
    /// Contains code.
    pub execute: bool,
    /// Occupies memory but no file bytes, such as `.bss`.
    pub nobits: bool,
}

/// Index of a section in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SectionId(pub u32);

/// One section of a source.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub name: String,
    pub flags: SectionFlags,
    pub alignment: u32,
    pub items: Vec<Item>,
    /// The pool at the start, then one for each `.literal_position`.
    pub pools: Vec<Pool>,
}

/// One piece of a section and the statement it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// Known bytes.
    Bytes(Vec<u8>),
    /// A number of `size` bytes.
    Value { value: Expression, size: u8 },
    /// Padding to a multiple of `boundary`, left out if it is more than `limit` bytes.
    Align { boundary: u32, fill: Option<u8>, limit: u32 },
    /// `count` bytes `fill`.
    Space { count: Expression, fill: u8 },
    /// Bytes `fill` up to an offset.
    Origin { offset: Expression, fill: u8 },
    /// A literal pool of the section.
    Pool(usize),
    /// An instruction or bundle.
    Code(Box<Code>),
}

/// An instruction or bundle and, if it may be relaxed, what replaces it when its target is too far.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub bundle: PendingBundle,
    /// Replacements with ever more reach.
    pub longer: Vec<Vec<PendingBundle>>,
}

/// Which form of an item is used: 0 as written, then its replacements.
pub(crate) type Level = u8;

impl Code {
    /// The bundles to encode.
    pub fn bundles(&self, level: Level) -> &[PendingBundle] {
        match level.checked_sub(1).and_then(|index| self.longer.get(usize::from(index))) {
            Some(bundles) => bundles,
            None => std::slice::from_ref(&self.bundle),
        }
    }

    /// The level with the longest reach.
    pub fn top_level(&self) -> Level {
        self.longer.len() as Level
    }
}

/// A bundle whose operands are still expressions.
#[derive(Clone, Debug)]
pub(crate) struct PendingBundle {
    pub format: FormatId,
    pub length: u8,
    pub instructions: ArrayVec<PendingInstruction, MAX_SLOTS>,
}

#[derive(Clone, Debug)]
pub(crate) struct PendingInstruction {
    pub opcode: OpcodeId,
    pub slot: SlotId,
    pub operands: Vec<Expression>,
    pub span: Span,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binding {
    /// Its own source only.
    #[default]
    Local,
    /// Every source.
    Global,
    /// Every source; gives way to a global, and is 0 if nothing defines it.
    Weak,
}

/// What a symbol names, from `.type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// Not stated.
    #[default]
    Unknown,
    /// A function.
    Function,
    /// A data object.
    Object,
}

/// Where the value of a symbol comes from.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    Undefined,
    /// The start of an item of a section.
    Label {
        section: SectionId,
        item: usize,
    },
    /// A literal of a pool.
    Literal {
        section: SectionId,
        pool: usize,
        index: usize,
    },
    /// `.set`
    Value(Expression),
    /// `.comm`: room in `.bss` unless some source defines the symbol.
    Common {
        size: u32,
        alignment: u32,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// Empty for positions without a name.
    pub name: Arc<str>,
    pub definition: Definition,
    /// Where it is defined.
    pub defined: Span,
    pub binding: Binding,
    /// `.local`, `.global` or `.weak` named it.
    pub binding_stated: bool,
    pub kind: SymbolKind,
    pub size: Option<(Expression, Span)>,
    /// First use in an expression.
    pub used: Option<Span>,
}

impl Symbol {
    pub fn is_defined(&self) -> bool {
        !matches!(self.definition, Definition::Undefined)
    }
}

/// An assembled source, ready to [`crate::link`].
#[derive(Clone, Debug)]
pub struct Object {
    pub(crate) file: Arc<str>,
    pub(crate) sections: Vec<Section>,
    pub(crate) symbols: Vec<Symbol>,
}

impl Object {
    /// Name of the source.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// Names of the global and weak symbols it defines.
    pub fn exports(&self) -> impl Iterator<Item = &str> {
        self.symbols
            .iter()
            .filter(|symbol| symbol.binding != Binding::Local && symbol.is_defined())
            .map(|symbol| &*symbol.name)
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub(crate) fn section(&self, id: SectionId) -> &Section {
        &self.sections[id.0 as usize]
    }

    pub(crate) fn location(&self, span: Span) -> Location {
        Location { file: Arc::clone(&self.file), span }
    }
}
