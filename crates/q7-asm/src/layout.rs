//! Offsets of the items of a section.
//!
//! They do not depend on the section's address: that is a multiple of the largest alignment inside.

use crate::assembler::SIZE_LIMIT;
use crate::diagnostics::Fault;
use crate::expression::{Expression, Reason, SymbolId, Value};
use crate::literals::Literal;
use crate::object::{Definition, Item, ItemKind, Level, Object, Section, SectionId};
use crate::resolve::{Places, Target, evaluate};

/// Where the items of a section lie.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Offset of each item, and of the end.
    pub offsets: Vec<u64>,
    /// Offset of each literal of each pool.
    pub literals: Vec<Vec<u64>>,
}

impl Layout {
    pub fn size(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }
}

/// The form that an item takes; without a record, as written.
pub(crate) fn level(levels: &[Level], item: usize) -> Level {
    levels.get(item).copied().unwrap_or(0)
}

/// True if some form in use loads the literal.
pub(crate) fn is_needed(literal: &Literal, levels: &[Level]) -> bool {
    literal.only_for.is_none_or(|(item, wanted)| level(levels, item) == wanted)
}

/// Lays out a section whose items take the forms `levels`.
pub(crate) fn layout(object: &Object, id: SectionId, levels: &[Level]) -> Result<Layout, Fault> {
    let section = object.section(id);
    let mut layout = Layout { offsets: vec![0], literals: vec![Vec::new(); section.pools.len()] };
    let mut offset = 0u64;
    for (index, item) in section.items.iter().enumerate() {
        offset += match &item.kind {
            ItemKind::Bytes(bytes) => bytes.len() as u64,
            ItemKind::Value { size, .. } => u64::from(*size),
            ItemKind::Code(code) => {
                code.bundles(level(levels, index)).iter().map(|bundle| u64::from(bundle.length)).sum()
            }
            ItemKind::Align { boundary, limit, .. } => {
                let padding = offset.next_multiple_of(u64::from(*boundary)) - offset;
                if padding > u64::from(*limit) { 0 } else { padding }
            }
            ItemKind::Pool(pool) => place_pool(section, *pool, offset, levels, &mut layout),
            ItemKind::Space { count, .. } => {
                let value = number_here(object, id, &layout, item, count)?;
                if value.sections != 0 {
                    return Err(Fault::new(item.span, "the size is an address, not a number"));
                }
                u64::try_from(value.number).map_err(|_| Fault::new(item.span, "negative size"))?
            }
            ItemKind::Origin { offset: target, .. } => {
                let target = number_here(object, id, &layout, item, target)?.number;
                let forward = u64::try_from(target).ok().and_then(|target| target.checked_sub(offset));
                forward.ok_or_else(|| {
                    Fault::new(item.span, format!(".org goes back from offset {offset:#x} to {target:#x}"))
                })?
            }
        };
        if offset > SIZE_LIMIT {
            return Err(Fault::new(item.span, "the section is larger than 256 MiB"));
        }
        layout.offsets.push(offset);
    }
    Ok(layout)
}

/// Places the words of a pool and returns its size with the padding before it.
fn place_pool(section: &Section, pool: usize, start: u64, levels: &[Level], layout: &mut Layout) -> u64 {
    let mut at = start.next_multiple_of(4);
    let mut size = 0;
    for literal in &section.pools[pool].literals {
        layout.literals[pool].push(at);
        if is_needed(literal, levels) {
            at += 4;
            size = at - start;
        }
    }
    size
}

/// The value of an expression from what stands above it in the same section.
fn number_here(
    object: &Object,
    section: SectionId,
    layout: &Layout,
    item: &Item,
    expression: &Expression,
) -> Result<Value, Fault> {
    let above = Above { object, section, layout };
    evaluate(&above, 0, expression).map_err(|reason| Fault::new(item.span, reason))
}

struct Above<'a> {
    object: &'a Object,
    section: SectionId,
    layout: &'a Layout,
}

impl Places for Above<'_> {
    fn target(&self, _: usize, symbol: SymbolId) -> Result<Target<'_>, Reason> {
        let symbol = self.object.symbol(symbol);
        let offset = match &symbol.definition {
            Definition::Value(expression) => return Ok(Target::Expression(0, expression)),
            Definition::Label { section, item } if *section == self.section => {
                self.layout.offsets.get(*item).copied()
            }
            Definition::Literal { section, pool, index } if *section == self.section => {
                self.layout.literals[*pool].get(*index).copied()
            }
            _ => None,
        };
        let name = if symbol.name.is_empty() { "a label" } else { &symbol.name };
        let offset = offset.ok_or_else(|| format!("the place of `{name}` is not known yet at this point"))?;
        Ok(Target::Value(Value { number: offset as i64, sections: 1 }))
    }
}
