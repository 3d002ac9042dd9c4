//! `q7sim isa list`

use q7_core::Semantics;
use q7_isa::{Isa, PlacementId, SlotId};
use serde_json::{Value, json};

use super::arguments::List;
use crate::status::Failure;

/// Prints the instructions that the filters leave.
///
/// # Errors
/// If there is no such slot or category.
pub fn list(isa: &Isa, arguments: &List, json: bool) -> Result<u8, Failure> {
    let slot = arguments.slot.as_deref().map(|name| find_slot(isa, name)).transpose()?;
    let categories = arguments.category.as_deref().map(|name| find_categories(isa, name)).transpose()?;
    let semantics = q7_core::semantics(isa);
    let selected = isa.opcodes().iter().zip(semantics).filter_map(|(opcode, semantics)| {
        let belongs = categories.as_ref().is_none_or(|names| names.contains(&opcode.category.as_str()));
        if !belongs || arguments.no_semantics && semantics == Semantics::Implemented {
            return None;
        }
        let fits = |id: &PlacementId| {
            slot.is_none_or(|slot| isa.placement(*id).slot == slot)
                && arguments.certainty.is_none_or(|wanted| isa.encoding_certainty(*id) == wanted)
        };
        let placements: Vec<PlacementId> = opcode.placements.iter().copied().filter(fits).collect();
        let filtered = slot.is_some() || arguments.certainty.is_some();
        (!filtered || !placements.is_empty()).then_some((opcode, semantics, placements))
    });
    if json {
        let rows = selected.map(|(opcode, semantics, placements)| {
            let slots = placements.iter().map(|&id| {
                json!({
                    "slot": isa.slot(isa.placement(id).slot).name,
                    "certainty": isa.encoding_certainty(id).name(),
                })
            });
            json!({
                "mnemonic": opcode.mnemonic,
                "category": opcode.category,
                "batch": opcode.batch,
                "operands": super::operands(opcode),
                "semantics": semantics.name(),
                "placements": slots.collect::<Value>(),
            })
        });
        return super::print_json(&rows.collect());
    }
    crate::print(|output| {
        for (opcode, semantics, placements) in selected {
            let best = placements.iter().map(|&id| isa.encoding_certainty(id)).min();
            writeln!(
                output,
                "{:28} {:2} slots  {:11}  {:11}  {}",
                opcode.mnemonic,
                placements.len(),
                best.map_or("-", |certainty| certainty.name()),
                semantics.name(),
                super::operands(opcode).join(", ")
            )?;
        }
        Ok(())
    })
}

fn find_slot(isa: &Isa, name: &str) -> Result<SlotId, Failure> {
    let slots = isa.slots();
    let index = slots.iter().position(|slot| slot.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
        Failure::usage(format!("--slot: no slot `{name}`; there are {}", names.join(", ")))
    })?;
    Ok(SlotId(index as u8))
}

/// The categories whose names contain `part`, in any case.
fn find_categories<'a>(isa: &'a Isa, part: &str) -> Result<Vec<&'a str>, Failure> {
    let mut names: Vec<&str> = isa.opcodes().iter().map(|opcode| opcode.category.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.is_empty());
    let wanted = part.to_lowercase();
    let found: Vec<&str> =
        names.iter().copied().filter(|name| name.to_lowercase().contains(&wanted)).collect();
    if found.is_empty() {
        return Err(Failure::usage(format!(
            "--category: none contains `{part}`; there are {}",
            names.join(", ")
        )));
    }
    Ok(found)
}
