//! A program with addresses to bytes.

use q7_isa::Flags;

use crate::data::number_bytes;
use crate::diagnostics::{Diagnostic, Diagnostics, Fault, Span};
use crate::encode::encode;
use crate::expression::Expression;
use crate::layout::{is_needed, level};
use crate::link::{Global, LinkOptions, Program, Provided};
use crate::linked::{Line, Linked, LinkedSection, LinkedSymbol, Segment};
use crate::object::{Binding, Code, Definition, ItemKind, Level, PendingBundle, SectionId, Symbol};
use crate::place::Output;

/// Encodes everything.
pub(crate) fn emit(
    program: &Program,
    levels: &[Vec<Vec<Level>>],
    options: &LinkOptions,
) -> Result<Linked, Diagnostics> {
    let mut emitter = Emitter { program, levels, lines: Vec::new(), diagnostics: Diagnostics::none() };
    let bytes: Vec<Vec<u8>> = program.placement.outputs.iter().map(|output| emitter.output(output)).collect();
    let symbols = symbols(program, &mut emitter.diagnostics);
    let entry = entry(program, options, &emitter.lines).unwrap_or_else(|diagnostic| {
        emitter.diagnostics.push(diagnostic);
        0
    });
    let mut lines = emitter.lines;
    lines.sort_by_key(|line| line.address);
    let (segments, sections) = assemble_segments(program, bytes);
    emitter.diagnostics.finish(Linked { entry, sections, segments, symbols, lines })
}

struct Emitter<'a> {
    program: &'a Program<'a>,
    levels: &'a [Vec<Vec<Level>>],
    lines: Vec<Line>,
    diagnostics: Diagnostics,
}

impl Emitter<'_> {
    fn output(&mut self, output: &Output) -> Vec<u8> {
        if output.flags.nobits {
            return Vec::new();
        }
        let mut bytes = vec![0; output.size as usize];
        for part in &output.parts {
            let size = self.program.layouts[part.object][part.section.0 as usize].size() as usize;
            if size > 0 {
                let start = part.offset as usize;
                self.part(part.object, part.section, &mut bytes[start..start + size]);
            }
        }
        bytes
    }

    /// Fills the bytes of one section of one object.
    fn part(&mut self, object: usize, id: SectionId, bytes: &mut [u8]) {
        let program = self.program;
        let section = program.objects[object].section(id);
        let layout = &program.layouts[object][id.0 as usize];
        let levels = &self.levels[object][id.0 as usize];
        let base = program.placement.base(object, id);
        for (index, item) in section.items.iter().enumerate() {
            if self.diagnostics.is_full() {
                return;
            }
            let (start, end) = (layout.offsets[index] as usize, layout.offsets[index + 1] as usize);
            let target = &mut bytes[start..end];
            let address = (base + start as u64) as u32;
            let result = match &item.kind {
                ItemKind::Bytes(known) => {
                    target.copy_from_slice(known);
                    Ok(())
                }
                ItemKind::Value { value, size } => self.number(object, value, *size, item.span, target),
                ItemKind::Space { fill, .. } | ItemKind::Origin { fill, .. } => {
                    target.fill(*fill);
                    Ok(())
                }
                ItemKind::Align { fill: Some(fill), .. } => {
                    target.fill(*fill);
                    Ok(())
                }
                ItemKind::Align { fill: None, .. } if section.flags.execute && !target.is_empty() => {
                    let before = section.items[..index]
                        .iter()
                        .zip(layout.offsets[..=index].windows(2))
                        .rfind(|(_, offsets)| offsets[0] != offsets[1]);
                    self.pad(before.map(|(item, _)| &item.kind), item.span, target)
                }
                ItemKind::Align { .. } => Ok(()),
                ItemKind::Pool(pool) => {
                    let literals = section.pools[*pool].literals.iter();
                    for (literal, &offset) in literals.zip(&layout.literals[*pool]) {
                        if !is_needed(literal, levels) {
                            continue;
                        }
                        let at = offset as usize - start;
                        let word = &mut target[at..at + 4];
                        if let Err(fault) = self.number(object, &literal.value, 4, literal.span, word) {
                            self.diagnostics.push(program.fault(object, fault));
                        }
                    }
                    Ok(())
                }
                ItemKind::Code(code) => {
                    self.code(object, code.bundles(level(levels, index)), address, item.span, target)
                }
            };
            if let Err(fault) = result {
                self.diagnostics.push(program.fault(object, fault));
            }
        }
    }

    fn number(
        &self,
        object: usize,
        value: &Expression,
        size: u8,
        span: Span,
        target: &mut [u8],
    ) -> Result<(), Fault> {
        let bytes = self.program.value(object, value).and_then(|number| number_bytes(number, size));
        let bytes = bytes.map_err(|reason| Fault::new(span, reason))?;
        target.copy_from_slice(&bytes[..size.into()]);
        Ok(())
    }

    fn code(
        &mut self,
        object: usize,
        bundles: &[PendingBundle],
        address: u32,
        span: Span,
        target: &mut [u8],
    ) -> Result<(), Fault> {
        let program = self.program;
        let mut offset = 0;
        for bundle in bundles {
            let pc = address.wrapping_add(offset as u32);
            let value = &mut |expression: &Expression| program.value(object, expression);
            let bytes = encode(program.isa, bundle, pc, value)?;
            target[offset..offset + bytes.len()].copy_from_slice(&bytes);
            offset += bytes.len();
            let location = program.objects[object].location(span);
            self.lines.push(Line { address: pc, length: bundle.length, location });
        }
        Ok(())
    }

    /// Pads code with `nop` (3 bytes) and `nop.n` (2 bytes). One byte can hold neither: it is 0, and
    /// an error if the instruction before runs into it.
    fn pad(&self, before: Option<&ItemKind>, span: Span, target: &mut [u8]) -> Result<(), Fault> {
        let isa = self.program.isa;
        let nop = |mnemonic: &str| {
            let opcode = isa.find(mnemonic)?;
            Some(isa.placement(isa.single_placement(opcode)?).template.to_le_bytes())
        };
        let (Some(wide), Some(narrow)) = (nop("nop"), nop("nop.n")) else {
            return Err(Fault::new(span, "padding code needs nop and nop.n; give a fill byte"));
        };
        if let [byte] = target {
            *byte = 0;
            return match before {
                Some(ItemKind::Code(code)) if self.falls_through(code) => Err(Fault::new(
                    span,
                    "one byte of padding behind an instruction holds no nop: \
                     add or widen an instruction, or give a fill byte",
                )),
                _ => Ok(()),
            };
        }
        let mut rest = target;
        while !rest.is_empty() {
            let size = if rest.len() == 2 || rest.len() == 4 { 2 } else { 3 };
            let (head, tail) = rest.split_at_mut(size);
            head.copy_from_slice(&if size == 2 { narrow } else { wide }[..size]);
            rest = tail;
        }
        Ok(())
    }

    /// False for jumps, returns, calls (which may not return) and traps.
    fn falls_through(&self, code: &Code) -> bool {
        !code.bundle.instructions.iter().any(|instruction| {
            let opcode = self.program.isa.opcode(instruction.opcode);
            let mnemonic = opcode.mnemonic.as_str();
            [Flags::JUMP, Flags::RETURN, Flags::CALL].iter().any(|&flag| opcode.flags.contains(flag))
                || ["ill", "break", "halt", "simcall"].iter().any(|trap| mnemonic.starts_with(trap))
        })
    }
}

/// Joins the sections of each segment.
fn assemble_segments(program: &Program, bytes: Vec<Vec<u8>>) -> (Vec<Segment>, Vec<LinkedSection>) {
    let placement = &program.placement;
    let mut segments = Vec::new();
    for index in 0..placement.segments {
        let inside = || placement.outputs.iter().zip(&bytes).filter(|(o, _)| o.segment == Some(index));
        let address = inside().map(|(output, _)| output.address).min().unwrap_or(0);
        let end = inside().map(|(output, _)| output.end()).max().unwrap_or(0);
        let file_end = inside()
            .filter(|(output, _)| !output.flags.nobits)
            .map(|(output, _)| output.end())
            .max()
            .unwrap_or(address);
        let mut data = vec![0; (file_end - address) as usize];
        for (output, bytes) in inside() {
            let start = (output.address - address) as usize;
            if !bytes.is_empty() {
                data[start..start + bytes.len()].copy_from_slice(bytes);
            }
        }
        segments.push(Segment {
            address: address as u32,
            data,
            memory_size: (end - address) as u32,
            writable: inside().any(|(output, _)| output.flags.write),
            executable: inside().any(|(output, _)| output.flags.execute),
        });
    }
    let sections = placement
        .outputs
        .iter()
        .zip(bytes)
        .map(|(output, bytes)| LinkedSection {
            name: output.name.clone(),
            address: output.address as u32,
            size: output.size as u32,
            alignment: output.alignment as u32,
            flags: output.flags,
            segment: output.segment,
            // Bytes in memory are the segment's.
            data: if output.flags.alloc { Vec::new() } else { bytes },
        })
        .collect();
    (segments, sections)
}

/// The output section of a symbol; `.set a, b` lies where `b` does.
fn section_of(program: &Program, object: usize, symbol: &Symbol) -> Option<usize> {
    let mut symbol = symbol;
    for _ in 0..16 {
        match &symbol.definition {
            Definition::Label { section, .. } | Definition::Literal { section, .. } => {
                return Some(program.placement.bases[object][section.0 as usize].1);
            }
            Definition::Value(expression) => match expression.ops.as_slice() {
                [crate::expression::Op::Symbol(id)] => symbol = program.objects[object].symbol(*id),
                _ => return None,
            },
            Definition::Undefined | Definition::Common { .. } => return None,
        }
    }
    None
}

/// Named symbols with their values, locals first.
fn symbols(program: &Program, diagnostics: &mut Diagnostics) -> Vec<LinkedSymbol> {
    let mut all = Vec::new();
    for (object, file) in program.objects.iter().enumerate() {
        for (index, symbol) in file.symbols.iter().enumerate() {
            let id = crate::expression::SymbolId(index as u32);
            let hidden = symbol.name.is_empty() || symbol.name.starts_with(".L");
            let common = matches!(symbol.definition, Definition::Common { .. });
            let chosen = symbol.binding == Binding::Local
                || program.globals.get(&*symbol.name) == Some(&Global::Symbol(object, id));
            if hidden || common || !symbol.is_defined() || !chosen {
                continue;
            }
            let mut value = |expression: &Expression, span| {
                program.value(object, expression).unwrap_or_else(|reason| {
                    diagnostics.push(program.fault(object, Fault::new(span, reason)));
                    0
                })
            };
            let address = value(&Expression::symbol(id), symbol.defined);
            let size = symbol.size.as_ref().map_or(0, |(size, span)| value(size, *span));
            all.push(LinkedSymbol {
                name: symbol.name.to_string(),
                address: address as u32,
                size: size as u32,
                kind: symbol.kind,
                binding: symbol.binding,
                section: section_of(program, object, symbol),
            });
        }
    }
    for (name, provided) in Provided::ALL {
        if program.globals.get(name) == Some(&Global::Provided(provided)) {
            all.push(LinkedSymbol {
                name: name.into(),
                address: program.provided(provided) as u32,
                size: 0,
                kind: Default::default(),
                binding: Binding::Global,
                section: None,
            });
        }
    }
    all.sort_by_key(|symbol| symbol.binding != Binding::Local);
    all
}

fn entry(program: &Program, options: &LinkOptions, lines: &[Line]) -> Result<u32, Diagnostic> {
    let name = options.entry.as_deref().unwrap_or("_start");
    if let Some(&Global::Symbol(object, id)) = program.globals.get(name) {
        let value = program.value(object, &Expression::symbol(id));
        return value
            .map(|value| value as u32)
            .map_err(|reason| Diagnostic { location: None, message: reason });
    }
    if options.entry.is_some() {
        let message = format!("entry symbol `{name}` is not a global symbol of any source");
        return Err(Diagnostic { location: None, message });
    }
    // Outputs come code first, so the first line is the first instruction.
    Ok(lines.first().map_or(options.base, |line| line.address))
}
