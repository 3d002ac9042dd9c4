//! Directives for sections, symbols and modes; those for data are in [`crate::data`].

use crate::assembler::{Assembler, SIZE_LIMIT};
use crate::cursor::Cursor;
use crate::diagnostics::{Fault, Span, suggestion};
use crate::lexer::Token;
use crate::object::{Binding, Definition, Item, ItemKind, SectionFlags, SectionId, SymbolKind};

/// Every directive, for suggestions.
const NAMES: &str = "
    .2byte .4byte .8byte .addrsig .addrsig_sym .align .ascii .asciz .balign .begin .bss .byte .comm
    .data .end .equ .equiv .file .fill .global .globl .half .hidden .hword .ident .int .internal .lcomm
    .literal .literal_position .loc .local .long .org .p2align .popsection .previous .protected
    .pushsection .quad .rodata .section .set .short .size .skip .space .string .text .type .weak .word
    .zero
";

/// Modes of `.begin` and `.end`. All but `no-transform` (and `transform` inside it) change nothing:
/// this assembler does not schedule, widen, narrow or align by itself, and keeps literals in the text.
const MODES: [&str; 14] = [
    "absolute-literals",
    "density",
    "generics",
    "literal_prefix",
    "longcalls",
    "no-absolute-literals",
    "no-density",
    "no-generics",
    "no-longcalls",
    "no-schedule",
    "no-target-align",
    "no-transform",
    "schedule",
    "target-align",
];

/// Largest alignment.
const ALIGNMENT_LIMIT: i64 = 16 << 20;

/// What GNU tools take a section for by its name.
fn usual_flags(name: &str) -> Option<SectionFlags> {
    let of =
        |base: &str| name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let any = |bases: &[&str]| bases.iter().any(|base| of(base));
    let alloc = SectionFlags { alloc: true, ..SectionFlags::default() };
    if any(&[".text", ".literal", ".init", ".fini"]) {
        Some(SectionFlags { execute: true, ..alloc })
    } else if any(&[".rodata"]) {
        Some(alloc)
    } else if any(&[".data", ".init_array", ".fini_array"]) {
        Some(SectionFlags { write: true, ..alloc })
    } else if any(&[".bss"]) {
        Some(SectionFlags { write: true, nobits: true, ..alloc })
    } else if any(&[".comment", ".note", ".xt", ".xtensa"]) || name.starts_with(".debug") {
        Some(SectionFlags::default())
    } else {
        None
    }
}

impl Assembler<'_> {
    pub(crate) fn directive(&mut self, name: &str, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        match name {
            // Visibility has no meaning in a program linked as a whole.
            ".hidden" | ".internal" | ".protected" => cursor.skip_statement(),
            ".text" | ".data" | ".rodata" | ".bss" => {
                let section = self.standard_section(name);
                self.enter(section);
            }
            ".section" => {
                let section = self.section_arguments(cursor)?;
                self.enter(section);
            }
            ".pushsection" => {
                let section = self.section_arguments(cursor)?;
                self.section_stack.push((self.current, self.previous));
                self.enter(section);
            }
            ".popsection" => {
                let (current, previous) =
                    self.section_stack.pop().ok_or_else(|| Fault::new(span, "no `.pushsection` is open"))?;
                self.enter(current);
                self.previous = previous;
            }
            ".previous" => self.enter(self.previous),
            ".global" | ".globl" => self.bind(cursor, Binding::Global)?,
            ".weak" => self.bind(cursor, Binding::Weak)?,
            ".local" => self.bind(cursor, Binding::Local)?,
            ".set" | ".equ" => {
                let symbol = cursor.name("a symbol")?;
                cursor.expect(",")?;
                self.assign(&symbol, cursor, span)?;
            }
            ".equiv" => {
                let symbol = cursor.name("a symbol")?;
                let id = self.symbols.named(&symbol);
                if self.symbols.get(id).is_defined() {
                    return Err(Fault::new(span, format!("`{symbol}` is already defined")));
                }
                cursor.expect(",")?;
                self.assign(&symbol, cursor, span)?;
            }
            ".comm" | ".lcomm" => self.common(name == ".lcomm", cursor, span)?,
            ".type" => self.symbol_type(cursor)?,
            ".size" => {
                let symbol = cursor.name("a symbol")?;
                let id = self.symbols.named(&symbol);
                cursor.expect(",")?;
                let size = self.expression(cursor)?;
                self.symbols.get_mut(id).size = Some((size, span));
            }
            ".literal" => self.named_literal(cursor, span)?,
            ".literal_position" => {
                let section = &mut self.sections[self.current.0 as usize];
                section.pools.push(Default::default());
                section.alignment = section.alignment.max(4);
                let pool = ItemKind::Pool(section.pools.len() - 1);
                self.push(pool, span);
            }
            ".begin" => self.begin_mode(cursor, span)?,
            ".end" => self.end_mode(cursor, span)?,
            // About the source file, debugging and unwinding: nothing of it reaches the image.
            ".file" | ".loc" | ".ident" | ".addrsig" | ".addrsig_sym" => cursor.skip_statement(),
            _ if name.starts_with(".cfi_") => cursor.skip_statement(),
            _ if self.data_directive(name, cursor, span)? => (),
            _ => {
                let hint = suggestion(name, NAMES.split_whitespace());
                return Err(Fault::new(span, format!("unknown directive `{name}`{hint}")));
            }
        }
        Ok(())
    }

    fn standard_section(&mut self, name: &str) -> SectionId {
        match self.section_ids.get(name) {
            Some(&id) => id,
            None => self.add_section(name, usual_flags(name).unwrap_or_default()),
        }
    }

    /// `name [, "flags" [, @type [, entry size]]]`
    fn section_arguments(&mut self, cursor: &mut Cursor) -> Result<SectionId, Fault> {
        let span = cursor.span();
        let name = self.section_name(cursor)?;
        let mut written = None;
        if cursor.eat(",") {
            let at = cursor.span();
            let mut flags = SectionFlags::default();
            for flag in cursor.string()? {
                match flag {
                    b'a' => flags.alloc = true,
                    b'w' => flags.write = true,
                    b'x' => flags.execute = true,
                    // Merging is allowed, not required.
                    b'M' | b'S' => (),
                    _ => {
                        let flag = char::from(*flag);
                        return Err(Fault::new(at, format!("section flag {flag:?} is not supported")));
                    }
                }
            }
            flags.nobits = usual_flags(&name).is_some_and(|usual| usual.nobits);
            if cursor.eat(",") {
                flags.nobits = self.section_type(cursor)?;
                if cursor.eat(",") {
                    self.number(cursor)?;
                }
            }
            written = Some(flags);
        }
        let Some(&id) = self.section_ids.get(&name) else {
            let flags = written.or_else(|| usual_flags(&name)).ok_or_else(|| {
                Fault::new(
                    span,
                    format!("section {name} needs flags, such as \"ax\" (code) or \"aw\" (data)"),
                )
            })?;
            return Ok(self.add_section(&name, flags));
        };
        match written {
            Some(flags) if flags != self.sections[id.0 as usize].flags => {
                Err(Fault::new(span, format!("section {name} had other flags before")))
            }
            _ => Ok(id),
        }
    }

    /// Names such as `.note.GNU-stack` need no quotes: tokens without space between them belong together.
    fn section_name(&mut self, cursor: &mut Cursor) -> Result<String, Fault> {
        let mut name = cursor.name("a section name")?;
        while cursor.joined() {
            match cursor.peek() {
                Token::Punctuation("-") => name.push('-'),
                Token::Name(more) => name.push_str(more),
                Token::Number(more) => name.push_str(&more.to_string()),
                _ => break,
            }
            cursor.advance();
        }
        Ok(name)
    }

    /// `@progbits` and so on; true for `@nobits`.
    fn section_type(&mut self, cursor: &mut Cursor) -> Result<bool, Fault> {
        if !cursor.eat("@") {
            cursor.eat("%");
        }
        let span = cursor.span();
        match cursor.name("a section type")?.as_str() {
            "nobits" => Ok(true),
            "progbits" | "note" | "init_array" | "fini_array" => Ok(false),
            other => Err(Fault::new(span, format!("section type `{other}` is not supported"))),
        }
    }

    fn bind(&mut self, cursor: &mut Cursor, binding: Binding) -> Result<(), Fault> {
        loop {
            let name = cursor.name("a symbol")?;
            let id = self.symbols.named(&name);
            let symbol = self.symbols.get_mut(id);
            (symbol.binding, symbol.binding_stated) = (binding, true);
            if !cursor.eat(",") {
                return Ok(());
            }
        }
    }

    /// `.comm name, size [, alignment]`
    fn common(&mut self, local: bool, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let name = cursor.name("a symbol")?;
        cursor.expect(",")?;
        let size = self.number(cursor)?;
        let size = u32::try_from(size).ok().filter(|size| u64::from(*size) <= SIZE_LIMIT);
        let size = size.ok_or_else(|| Fault::new(span, "size out of range"))?;
        self.claim(u64::from(size), span)?;
        // Without a stated alignment: that of the largest scalar that fits, as GNU ld assumes.
        let mut alignment = size.checked_next_power_of_two().unwrap_or(16).clamp(1, 16);
        if cursor.eat(",") {
            let number = self.number(cursor)?;
            alignment = alignment_of(number, span)?;
        }
        let id = self.symbols.named(&name);
        if let Definition::Common { size: old, alignment: old_alignment } = self.symbols.get(id).definition {
            let merged = Definition::Common { size: old.max(size), alignment: old_alignment.max(alignment) };
            self.symbols.get_mut(id).definition = merged;
            return Ok(());
        }
        let id = self.symbols.define(&name, Definition::Common { size, alignment }, span)?;
        let symbol = self.symbols.get_mut(id);
        if !local && !symbol.binding_stated {
            symbol.binding = Binding::Global;
        }
        if symbol.kind == SymbolKind::Unknown {
            symbol.kind = SymbolKind::Object;
        }
        if symbol.size.is_none() {
            symbol.size = Some((crate::expression::Expression::number(i64::from(size)), span));
        }
        Ok(())
    }

    /// Reserves room in this source's `.bss` and returns the position.
    pub(crate) fn reserve_bss(&mut self, size: u32, alignment: u32, span: Span) -> Definition {
        let section = self.standard_section(".bss");
        let bss = &mut self.sections[section.0 as usize];
        bss.alignment = bss.alignment.max(alignment);
        bss.items.push(Item {
            span,
            kind: ItemKind::Align { boundary: alignment, fill: Some(0), limit: u32::MAX },
        });
        let item = bss.items.len();
        let count = crate::expression::Expression::number(i64::from(size));
        bss.items.push(Item { span, kind: ItemKind::Space { count, fill: 0 } });
        Definition::Label { section, item }
    }

    /// `.type name, @function`
    fn symbol_type(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let name = cursor.name("a symbol")?;
        cursor.expect(",")?;
        if !cursor.eat("@") {
            cursor.eat("%");
        }
        let span = cursor.span();
        let kind = match cursor.name("a symbol type")?.as_str() {
            "function" | "STT_FUNC" => SymbolKind::Function,
            "object" | "STT_OBJECT" | "common" | "STT_COMMON" => SymbolKind::Object,
            "notype" | "STT_NOTYPE" => SymbolKind::Unknown,
            other => return Err(Fault::new(span, format!("symbol type `{other}` is not supported"))),
        };
        let id = self.symbols.named(&name);
        self.symbols.get_mut(id).kind = kind;
        Ok(())
    }

    /// `.literal name, value, ...`: words in the current pool, the first of which is named.
    fn named_literal(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        if self.section().flags.nobits {
            let message = format!("section {} holds zeros only", self.section().name);
            return Err(Fault::new(span, message));
        }
        let name = cursor.name("the name of the literal")?;
        let mut first = None;
        while cursor.eat(",") {
            let at = cursor.span();
            let value = self.expression(cursor)?;
            self.claim(4, at)?;
            let section = &mut self.sections[self.current.0 as usize];
            section.alignment = section.alignment.max(4);
            let pool = section.pools.len() - 1;
            let index = section.pools[pool].push(value, at, None);
            first.get_or_insert(Definition::Literal { section: self.current, pool, index });
        }
        let first = first.ok_or_else(|| cursor.unexpected("`,` and a value"))?;
        self.symbols.define(&name, first, span).map(|_| ())
    }

    fn begin_mode(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let mode = mode_name(cursor)?;
        if !MODES.contains(&mode.as_str()) && mode != "transform" {
            let hint = suggestion(&mode, MODES.into_iter());
            return Err(Fault::new(span, format!("unknown mode `{mode}`{hint}")));
        }
        // `.begin literal_prefix name`
        cursor.skip_statement();
        self.modes.push((mode, span));
        Ok(())
    }

    fn end_mode(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        if cursor.at_end() {
            self.ended = true;
            return Ok(());
        }
        let mode = mode_name(cursor)?;
        match self.modes.pop() {
            Some((open, _)) if open == mode => Ok(()),
            Some(open) => {
                let message = format!("`.end {mode}` inside `.begin {}`", open.0);
                self.modes.push(open);
                Err(Fault::new(span, message))
            }
            None => Err(Fault::new(span, format!("`.end {mode}` without `.begin {mode}`"))),
        }
    }
}

/// A mode, which may contain `-`.
fn mode_name(cursor: &mut Cursor) -> Result<String, Fault> {
    let mut name = cursor.name("a mode")?;
    while cursor.eat("-") {
        name.push('-');
        name.push_str(&cursor.name("a mode")?);
    }
    Ok(name)
}

/// Checks an alignment in bytes.
pub(crate) fn alignment_of(number: i64, span: Span) -> Result<u32, Fault> {
    match number {
        0 => Ok(1),
        1..=ALIGNMENT_LIMIT if number & (number - 1) == 0 => Ok(number as u32),
        _ => Err(Fault::new(span, format!("alignment {number} is not a power of two up to 16 MiB"))),
    }
}
