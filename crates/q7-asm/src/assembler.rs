//! Source text to [`Object`]: statements, labels, sections.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use q7_isa::Isa;

use crate::bundle::{self, Request};
use crate::cursor::Cursor;
use crate::diagnostics::{Diagnostics, Fault, Span};
use crate::encode;
use crate::expression::{Expression, Names, Op};
use crate::instruction::{self, Written};
use crate::lexer::{Token, tokenize};
use crate::object::{
    Binding, Code, Definition, Item, ItemKind, Level, Object, Section, SectionFlags, SectionId, SymbolKind,
};
use crate::symbols::SymbolTable;

/// How to assemble.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Replace branches and calls whose target is too far by a longer sequence. Off by default: what
    /// is written is what is assembled, and a target out of reach is an error. Conditional branches
    /// become the inverted branch around a `j` (`beqz.n` and `bnez.n` first the wide branch); `call0`, `call8` and `j.l target, aN` become a
    /// literal load and a jump through `a0`, `a8` or `aN`.
    pub relax: bool,
}

/// Most bytes a source may ask for.
pub(crate) const SIZE_LIMIT: u64 = 256 << 20;

/// Assembles a source; `name` is what messages call it.
///
/// # Errors
/// All errors found, with their places. Errors that need addresses are found by [`crate::link`].
pub fn assemble(isa: &Isa, name: &str, source: &str, options: &Options) -> Result<Object, Diagnostics> {
    let file: Arc<str> = name.into();
    let (lexemes, lexical) = tokenize(source);
    let mut assembler = Assembler::new(isa, *options);
    assembler.run(&mut Cursor::new(&lexemes));
    assembler.finish();
    // A line with a lexical error is cut short; what the parser then says about it is noise.
    let broken: HashSet<u32> = lexical.iter().map(|fault| fault.span.line).collect();
    let parsed = assembler.faults.into_iter().filter(|fault| !broken.contains(&fault.span.line));
    let mut faults: Vec<Fault> = lexical.into_iter().chain(parsed).collect();
    faults.sort_by_key(|fault| fault.span);
    let mut diagnostics = Diagnostics::none();
    for fault in faults {
        diagnostics.push(fault.in_file(&file));
    }
    let symbols = assembler.symbols.symbols;
    diagnostics.finish(Object { file, sections: assembler.sections, symbols })
}

/// An object that defines nothing but room in `.bss`: (name, (size, alignment)).
pub(crate) fn commons<'a>(isa: &Isa, symbols: impl Iterator<Item = (&'a str, (u32, u32))>) -> Object {
    let mut assembler = Assembler::new(isa, Options::default());
    let span = Span::default();
    for (name, (size, alignment)) in symbols {
        let position = assembler.reserve_bss(size, alignment, span);
        let id = assembler.symbols.named(name);
        let symbol = assembler.symbols.get_mut(id);
        (symbol.definition, symbol.binding, symbol.kind) = (position, Binding::Global, SymbolKind::Object);
        symbol.size = Some((Expression::number(i64::from(size)), span));
    }
    Object { file: "common symbols".into(), sections: assembler.sections, symbols: assembler.symbols.symbols }
}

/// The state while a source is read.
pub(crate) struct Assembler<'i> {
    pub isa: &'i Isa,
    pub options: Options,
    pub symbols: SymbolTable,
    pub sections: Vec<Section>,
    pub section_ids: HashMap<String, SectionId>,
    pub current: SectionId,
    /// The section before the current one, for `.previous`.
    pub previous: SectionId,
    /// Sections to return to, for `.popsection`.
    pub section_stack: Vec<(SectionId, SectionId)>,
    /// Open `.begin` modes.
    pub modes: Vec<(String, Span)>,
    /// Set by `.end` without an argument.
    pub ended: bool,
    /// The last item is data that more bytes may join: no label stands behind it.
    pub joinable: bool,
    /// Bytes asked for so far.
    size: u64,
    faults: Vec<Fault>,
}

impl<'i> Assembler<'i> {
    fn new(isa: &'i Isa, options: Options) -> Assembler<'i> {
        let mut assembler = Assembler {
            isa,
            options,
            symbols: SymbolTable::default(),
            sections: Vec::new(),
            section_ids: HashMap::new(),
            current: SectionId(0),
            previous: SectionId(0),
            section_stack: Vec::new(),
            modes: Vec::new(),
            ended: false,
            joinable: false,
            size: 0,
            faults: Vec::new(),
        };
        let text = SectionFlags { alloc: true, execute: true, ..SectionFlags::default() };
        assembler.add_section(".text", text);
        assembler
    }

    fn run(&mut self, cursor: &mut Cursor) {
        // A few more than are shown, since faults on lexically broken lines are dropped later.
        const FAULT_LIMIT: usize = 1000;
        loop {
            if let Err(fault) = self.statement(cursor) {
                self.faults.push(fault);
                cursor.skip_statement();
            }
            if cursor.at_last() || self.ended || self.faults.len() >= FAULT_LIMIT {
                return;
            }
            cursor.advance();
        }
    }

    fn statement(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        while self.label(cursor)? {}
        if cursor.at_end() {
            return Ok(());
        }
        let span = cursor.span();
        match (cursor.peek(), cursor.peek_second()) {
            (Token::Name("."), Some(Token::Punctuation("="))) => {
                cursor.advance();
                cursor.advance();
                self.origin(cursor, span)?;
            }
            (Token::Name(name), Some(Token::Punctuation("="))) => {
                cursor.advance();
                cursor.advance();
                self.assign(name, cursor, span)?;
            }
            (Token::Name(name), _) if name.starts_with('.') => {
                cursor.advance();
                self.directive(name, cursor, span)?;
            }
            (Token::Name(_), _) => {
                let written = instruction::parse(self.isa, cursor, self)?;
                self.instruction(written)?;
            }
            (Token::Punctuation("{"), _) => {
                let parsed = bundle::parse(self.isa, cursor, self);
                let (instructions, format) = parsed.inspect_err(|_| skip_bundle(cursor))?;
                let constant = |expression: &Expression| self.symbols.constant(expression);
                let request = Request {
                    isa: self.isa,
                    instructions: &instructions,
                    braces: true,
                    format,
                    pc: None,
                    constant: &constant,
                };
                let bundle = request.choose(span)?;
                self.code(Code { bundle, longer: Vec::new() }, span)?;
            }
            _ => return Err(cursor.unexpected("an instruction or directive")),
        }
        if cursor.at_end() { Ok(()) } else { Err(cursor.unexpected("the end of the statement")) }
    }

    /// Reads a label if one is next.
    fn label(&mut self, cursor: &mut Cursor) -> Result<bool, Fault> {
        if cursor.peek_second() != Some(&Token::Punctuation(":")) {
            return Ok(false);
        }
        let span = cursor.span();
        match cursor.peek() {
            Token::Name(".") => return Err(cursor.unexpected("a label")),
            Token::Name(_) | Token::String(_) => {
                let name = cursor.name("a label")?;
                let position = self.position();
                self.symbols.define(&name, position, span)?;
            }
            Token::Number(number) => {
                let number =
                    u32::try_from(*number).map_err(|_| Fault::new(span, "label number out of range"))?;
                cursor.advance();
                let position = self.position();
                self.symbols.define_local(number, position, span);
            }
            _ => return Ok(false),
        }
        cursor.advance();
        Ok(true)
    }

    /// `name = expression`, `.set name, expression`.
    pub(crate) fn assign(&mut self, name: &str, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let value = self.expression(cursor)?;
        let value = self.symbols.constant(&value).map_or(value, Expression::number);
        self.symbols.set(name, value, span)
    }

    fn instruction(&mut self, mut written: Written) -> Result<(), Fault> {
        self.literal_load(&mut written)?;
        let constant = |expression: &Expression| self.symbols.constant(expression);
        let request = Request {
            isa: self.isa,
            instructions: std::slice::from_ref(&written),
            braces: false,
            format: None,
            pc: None,
            constant: &constant,
        };
        let bundle = request.choose(written.span)?;
        let longer = self.longer_forms(&written)?;
        self.code(Code { bundle, longer }, written.span)
    }

    /// Turns `movi` into a literal load if the value is not a number that it can hold.
    fn literal_load(&mut self, written: &mut Written) -> Result<(), Fault> {
        if self.isa.opcode(written.opcode).mnemonic != "movi"
            || !written.transform
            || self.transform_forbidden()
        {
            return Ok(());
        }
        let value = &written.operands[1];
        let fits = self.symbols.constant(value).is_some_and(|number| {
            self.isa.single_placement(written.opcode).is_some_and(|placement| {
                encode::operand_fits(self.isa, self.isa.placement(placement), 1, number, None)
            })
        });
        if fits {
            return Ok(());
        }
        let opcode = self.isa.find("l32r").ok_or_else(|| {
            Fault::new(written.span, "movi of this value needs l32r, which the instruction set lacks")
        })?;
        written.opcode = opcode;
        written.operands[1] = self.literal_for(value.clone(), written.span, None);
        Ok(())
    }

    /// A literal without a name in the current pool, as the operand of an L32R.
    pub(crate) fn literal_for(
        &mut self,
        value: Expression,
        span: Span,
        only_for: Option<(usize, Level)>,
    ) -> Expression {
        // The same word can be written as a signed or an unsigned number.
        let value = match self.symbols.constant(&value) {
            Some(number) if encode::operand_value(number).is_some() => {
                Expression::number(i64::from(number as u32))
            }
            Some(number) => Expression::number(number),
            None => value,
        };
        let section = &mut self.sections[self.current.0 as usize];
        let index = section.pools.len() - 1;
        let pool = &mut section.pools[index];
        if only_for.is_none()
            && let Some(symbol) = pool.find(&value)
        {
            return Expression::symbol(symbol);
        }
        let place = Definition::Literal {
            section: self.current,
            pool: index,
            index: pool.push(value.clone(), span, only_for),
        };
        let symbol = self.symbols.anonymous(place, span);
        if only_for.is_none() {
            pool.share(value, symbol);
        }
        Expression::symbol(symbol)
    }

    /// Inside `.begin no-transform`.
    pub(crate) fn transform_forbidden(&self) -> bool {
        let modes = self.modes.iter().rev().map(|(mode, _)| mode.as_str());
        modes.into_iter().find(|mode| matches!(*mode, "transform" | "no-transform")) == Some("no-transform")
    }

    fn code(&mut self, code: Code, span: Span) -> Result<(), Fault> {
        if !self.section().flags.execute || self.section().flags.nobits {
            let message = format!("instruction in section {}, which holds no code", self.section().name);
            return Err(Fault::new(span, message));
        }
        let size = code.bundles(code.top_level()).iter().map(|bundle| u64::from(bundle.length)).sum();
        self.claim(size, span)?;
        self.push(ItemKind::Code(Box::new(code)), span);
        Ok(())
    }

    pub(crate) fn section(&self) -> &Section {
        &self.sections[self.current.0 as usize]
    }

    pub(crate) fn add_section(&mut self, name: &str, flags: SectionFlags) -> SectionId {
        let id = SectionId(self.sections.len() as u32);
        // Instructions and literals count on word alignment.
        let alignment = if flags.execute { 4 } else { 1 };
        let pool = Item { span: Span::default(), kind: ItemKind::Pool(0) };
        self.sections.push(Section {
            name: name.into(),
            flags,
            alignment,
            items: vec![pool],
            pools: vec![Default::default()],
        });
        self.section_ids.insert(name.into(), id);
        id
    }

    pub(crate) fn enter(&mut self, section: SectionId) {
        self.previous = std::mem::replace(&mut self.current, section);
        self.joinable = false;
    }

    /// Counts bytes against the limit.
    pub(crate) fn claim(&mut self, size: u64, span: Span) -> Result<(), Fault> {
        self.size = self.size.saturating_add(size);
        if self.size > SIZE_LIMIT {
            self.ended = true;
            return Err(Fault::new(span, "the source asks for more than 256 MiB"));
        }
        Ok(())
    }

    /// Index of the next item of the current section.
    pub(crate) fn next_item(&self) -> usize {
        self.section().items.len()
    }

    /// The current position as a definition. What follows starts a new item.
    pub(crate) fn position(&mut self) -> Definition {
        self.joinable = false;
        Definition::Label { section: self.current, item: self.next_item() }
    }

    pub(crate) fn push(&mut self, kind: ItemKind, span: Span) {
        self.joinable = false;
        self.sections[self.current.0 as usize].items.push(Item { span, kind });
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8], span: Span) -> Result<(), Fault> {
        self.claim(bytes.len() as u64, span)?;
        let items = &mut self.sections[self.current.0 as usize].items;
        match items.last_mut() {
            Some(Item { kind: ItemKind::Bytes(known), .. }) if self.joinable => {
                known.extend_from_slice(bytes)
            }
            _ => self.push(ItemKind::Bytes(bytes.to_vec()), span),
        }
        self.joinable = true;
        Ok(())
    }

    pub(crate) fn expression(&mut self, cursor: &mut Cursor) -> Result<Expression, Fault> {
        Expression::parse(cursor, self)
    }

    /// An expression that must be a number already.
    pub(crate) fn number(&mut self, cursor: &mut Cursor) -> Result<i64, Fault> {
        let span = cursor.span();
        let expression = self.expression(cursor)?;
        self.symbols
            .constant(&expression)
            .ok_or_else(|| Fault::new(span, "expected a number that is known at this point"))
    }

    fn finish(&mut self) {
        if self.ended {
            return;
        }
        self.faults.extend(self.symbols.missing_local_labels());
        for (mode, span) in std::mem::take(&mut self.modes) {
            self.faults.push(Fault::new(span, format!("`.begin {mode}` without `.end {mode}`")));
        }
        self.allocate_local_commons();
    }

    /// `.comm` of a `.local` symbol is room in this source's own `.bss`.
    fn allocate_local_commons(&mut self) {
        for index in 0..self.symbols.symbols.len() {
            let symbol = &self.symbols.symbols[index];
            let Definition::Common { size, alignment } = symbol.definition else { continue };
            if symbol.binding == Binding::Local {
                let span = symbol.defined;
                let position = self.reserve_bss(size, alignment, span);
                self.symbols.symbols[index].definition = position;
            }
        }
    }
}

/// After an error in a bundle: goes to its closing brace, to the line before what cannot stand in a bundle, or
/// past the longest bundle anyone writes.
fn skip_bundle(cursor: &mut Cursor) {
    const LINES: usize = 8;
    let mut lines = 0;
    while !cursor.at_last() && !cursor.eat("}") {
        if *cursor.peek() == Token::Newline {
            lines += 1;
            if lines == LINES || bundle::foreign_line(cursor).is_some() {
                return;
            }
        }
        cursor.advance();
    }
}

impl Names for Assembler<'_> {
    fn symbol(&mut self, name: &str, span: Span) -> Result<Op, Fault> {
        let id = self.symbols.named(name);
        Ok(self.symbols.used(id, span))
    }

    fn local_label(&mut self, number: u32, forward: bool, span: Span) -> Result<Op, Fault> {
        self.symbols.local(number, forward, span)
    }

    fn here(&mut self, span: Span) -> Result<Op, Fault> {
        let position = self.position();
        Ok(Op::Symbol(self.symbols.anonymous(position, span)))
    }
}
