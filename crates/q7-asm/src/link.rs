//! Objects to a program: symbols across sources, relaxation, addresses.

use std::collections::{BTreeMap, HashMap};

use q7_isa::Isa;

use crate::diagnostics::{Diagnostic, Diagnostics, Fault, Span};
use crate::emit;
use crate::expression::{Expression, Reason, SymbolId, Value};
use crate::layout::{Layout, layout, level};
use crate::linked::Linked;
use crate::object::{Binding, Definition, ItemKind, Level, Object, SectionId, Symbol};
use crate::operand::is_register;
use crate::place::{Placement, place};
use crate::relax::is_too_far;
use crate::resolve::{Places, Target, evaluate};

/// How to link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    /// Address of the first section: code, constants, data, zeros follow each other from here.
    pub base: u32,
    /// Entry symbol. Without one: `_start`, else the first instruction.
    pub entry: Option<String>,
    /// Sections at addresses of their own, by name.
    pub sections: BTreeMap<String, u32>,
    /// Value of `__stack`, the top of the stack.
    pub stack: u32,
}

impl Default for LinkOptions {
    /// Everything from 0x00100000, the start of system RAM, with the stack at its end.
    fn default() -> LinkOptions {
        LinkOptions { base: 0x0010_0000, entry: None, sections: BTreeMap::new(), stack: 0x4010_0000 }
    }
}

/// Links objects into a program.
///
/// Defines `_end`, `__bss_start`, `__bss_end` and `__stack` unless an object does.
///
/// # Errors
/// Undefined and doubly defined symbols, targets out of reach, values that do not fit, overlaps.
pub fn link(isa: &Isa, objects: &[Object], options: &LinkOptions) -> Result<Linked, Diagnostics> {
    let commons = common_object(isa, objects);
    let objects: Vec<&Object> = objects.iter().chain([&commons]).collect();
    let globals = globals(&objects)?;
    check_undefined(&objects, &globals)?;
    let mut levels: Vec<Vec<Vec<Level>>> =
        objects.iter().map(|object| vec![Vec::new(); object.sections.len()]).collect();
    let mut passes = 0;
    loop {
        let layouts = lay_out(&objects, &levels)?;
        let placement = place(&objects, &layouts, options)?;
        let program =
            Program { isa, objects: &objects, globals: &globals, layouts, placement, stack: options.stack };
        passes += 1;
        if !grow(&program, &mut levels, passes) {
            return emit::emit(&program, &levels, options);
        }
    }
}

/// A global symbol by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    /// Symbol of an object.
    Symbol(usize, SymbolId),
    Provided(Provided),
}

/// Symbols that the linker defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provided {
    End,
    BssStart,
    BssEnd,
    Stack,
}

impl Provided {
    pub const ALL: [(&'static str, Provided); 4] = [
        ("_end", Provided::End),
        ("__bss_start", Provided::BssStart),
        ("__bss_end", Provided::BssEnd),
        ("__stack", Provided::Stack),
    ];
}

/// A program with addresses.
pub(crate) struct Program<'a> {
    pub isa: &'a Isa,
    pub objects: &'a [&'a Object],
    pub globals: &'a HashMap<&'a str, Global>,
    pub layouts: Vec<Vec<Layout>>,
    pub placement: Placement,
    pub stack: u32,
}

impl Program<'_> {
    pub fn provided(&self, provided: Provided) -> u64 {
        match provided {
            Provided::End => self.placement.end,
            Provided::BssStart => self.placement.bss.0,
            Provided::BssEnd => self.placement.bss.1,
            Provided::Stack => self.stack.into(),
        }
    }

    pub fn value(&self, object: usize, expression: &Expression) -> Result<i64, Reason> {
        evaluate(self, object, expression).map(|value| value.number)
    }

    pub fn fault(&self, object: usize, fault: Fault) -> Diagnostic {
        fault.in_file(&self.objects[object].file)
    }
}

impl Places for Program<'_> {
    fn target(&self, object: usize, id: SymbolId) -> Result<Target<'_>, Reason> {
        let symbol = self.objects[object].symbol(id);
        // Weak definitions give way to another source's; undefined ones are another source's.
        let elsewhere = !symbol.is_defined() || symbol.binding != Binding::Local;
        let (object, symbol) = match self.globals.get(&*symbol.name) {
            Some(Global::Provided(provided)) if elsewhere => {
                return Ok(Target::Value(Value::absolute(self.provided(*provided) as i64)));
            }
            Some(Global::Symbol(object, id)) if elsewhere => (*object, self.objects[*object].symbol(*id)),
            _ => (object, symbol),
        };
        let (layouts, placement) = (&self.layouts[object], &self.placement);
        let address = match &symbol.definition {
            Definition::Value(expression) => return Ok(Target::Expression(object, expression)),
            Definition::Label { section, item } => {
                placement.base(object, *section) + layouts[section.0 as usize].offsets[*item]
            }
            Definition::Literal { section, pool, index } => {
                placement.base(object, *section) + layouts[section.0 as usize].literals[*pool][*index]
            }
            // An undefined weak symbol is 0; others were reported before.
            Definition::Undefined | Definition::Common { .. } => 0,
        };
        Ok(Target::Value(Value::absolute(address as i64)))
    }
}

fn lay_out(objects: &[&Object], levels: &[Vec<Vec<Level>>]) -> Result<Vec<Vec<Layout>>, Diagnostics> {
    let mut all = Diagnostics::none();
    let mut layouts = Vec::new();
    for (object, levels) in objects.iter().zip(levels) {
        let mut sections = Vec::new();
        for (index, levels) in levels.iter().enumerate() {
            match layout(object, SectionId(index as u32), levels) {
                Ok(layout) => sections.push(layout),
                Err(fault) => all.push(fault.in_file(&object.file)),
            }
        }
        layouts.push(sections);
    }
    all.finish(layouts)
}

/// Room for the `.comm` symbols that no object defines, as an object of its own.
fn common_object(isa: &Isa, objects: &[Object]) -> Object {
    let mut wanted: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut defined: Vec<&str> = Vec::new();
    for symbol in objects.iter().flat_map(|object| &object.symbols) {
        match symbol.definition {
            Definition::Common { size, alignment } => {
                let entry = wanted.entry(&symbol.name).or_default();
                *entry = (entry.0.max(size), entry.1.max(alignment));
            }
            Definition::Undefined => (),
            _ if symbol.binding == Binding::Global => defined.push(&symbol.name),
            _ => (),
        }
    }
    for name in defined {
        wanted.remove(name);
    }
    crate::assembler::commons(isa, wanted.into_iter())
}

/// The global symbols by name: a global wins over a weak one, two globals are an error.
fn globals<'a>(objects: &[&'a Object]) -> Result<HashMap<&'a str, Global>, Diagnostics> {
    let mut globals: HashMap<&str, Global> = HashMap::new();
    let mut all = Diagnostics::none();
    for (object, file) in objects.iter().enumerate() {
        for (index, symbol) in file.symbols.iter().enumerate() {
            let common = matches!(symbol.definition, Definition::Common { .. });
            if symbol.binding == Binding::Local || !symbol.is_defined() || common {
                continue;
            }
            let this = Global::Symbol(object, SymbolId(index as u32));
            let Some(&Global::Symbol(other, id)) = globals.get(&*symbol.name) else {
                globals.insert(&symbol.name, this);
                continue;
            };
            let before = objects[other].symbol(id);
            match (before.binding, symbol.binding) {
                (Binding::Weak, Binding::Global) => {
                    globals.insert(&symbol.name, this);
                }
                (Binding::Global, Binding::Global) => {
                    let place = objects[other].location(before.defined);
                    let message = format!("`{}` is already defined at {place}", symbol.name);
                    all.push(Fault::new(symbol.defined, message).in_file(&file.file));
                }
                _ => (),
            }
        }
    }
    for (name, provided) in Provided::ALL {
        globals.entry(name).or_insert(Global::Provided(provided));
    }
    all.finish(globals)
}

fn check_undefined(objects: &[&Object], globals: &HashMap<&str, Global>) -> Result<(), Diagnostics> {
    let mut all = Diagnostics::none();
    for object in objects {
        let mut missing: Vec<(Span, &Symbol)> = object
            .symbols
            .iter()
            .filter(|symbol| !symbol.is_defined() && symbol.binding != Binding::Weak)
            .filter(|symbol| !globals.contains_key(&*symbol.name))
            .filter_map(|symbol| symbol.used.map(|span| (span, symbol)))
            .collect();
        missing.sort_by_key(|(span, _)| *span);
        for (span, symbol) in missing {
            let name = &symbol.name;
            let hint = if is_register(name) { " (a register does not stand for a number)" } else { "" };
            all.push(Fault::new(span, format!("undefined symbol `{name}`{hint}")).in_file(&object.file));
        }
    }
    all.finish(())
}

/// Raises the level of items whose target is too far; false if all is well.
fn grow(program: &Program, levels: &mut [Vec<Vec<Level>>], passes: u32) -> bool {
    // Growth moves targets, so each pass may need another. In practice a few do; beyond that, all
    // items that still could grow do at once, so that the work stays bounded.
    const PASSES: u32 = 64;
    let mut grown = false;
    for (object_index, object) in program.objects.iter().enumerate() {
        for (section_index, section) in object.sections.iter().enumerate() {
            let layout = &program.layouts[object_index][section_index];
            let base = program.placement.bases[object_index][section_index].0;
            let levels = &mut levels[object_index][section_index];
            for (index, item) in section.items.iter().enumerate() {
                let ItemKind::Code(code) = &item.kind else { continue };
                let now = level(levels, index);
                if now == code.top_level() {
                    continue;
                }
                let pc = (base + layout.offsets[index]) as u32;
                let value = &mut |expression: &Expression| program.value(object_index, expression).ok();
                if passes > PASSES || is_too_far(program.isa, code.bundles(now), pc, value) {
                    levels.resize(section.items.len(), 0);
                    levels[index] = now + 1;
                    grown = true;
                }
            }
        }
    }
    grown
}
