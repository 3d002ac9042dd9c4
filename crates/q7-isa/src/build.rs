//! From a spec to a loaded instruction set.

use std::collections::HashMap;

use crate::codec::Codec;
use crate::decision::{DecisionTable, Pattern};
use crate::decode::{MAX_SLOTS, Operands};
use crate::field::Field;
use crate::format::{Format, Framing};
use crate::gather::Gather;
use crate::isa::{Isa, Opcode, Operand, OperandPlan, Placement, PlacementPlan, Slot, SlotPlan};
use crate::spec::{Certainty, CodecRule, IsaSpec, SpecError};
use crate::{FormatId, OpcodeId, PlacementId, SlotId};

impl Isa {
    /// Builds the tables of a spec.
    ///
    /// # Errors
    /// [`SpecError`] if rows contradict each other: unknown names, a bundle bit with two owners,
    /// overlapping windows, a template bit inside a window, or two placements with one word.
    pub fn from_spec(spec: &IsaSpec) -> Result<Isa, SpecError> {
        let slot_ids: HashMap<&str, SlotId> =
            spec.slots.iter().enumerate().map(|(i, s)| (s.name.as_str(), SlotId(i as u8))).collect();
        let mut slots: Vec<Slot> = spec
            .slots
            .iter()
            .map(|row| Slot {
                name: row.name.clone(),
                unit: row.unit.clone(),
                format: FormatId(0),
                width: row.width,
                published_opcodes: row.published_opcodes,
                gather: row.gather.clone(),
                gather_certainty: row.gather_certainty.clone(),
            })
            .collect();
        let formats = formats(spec, &slot_ids, &mut slots)?;
        let mut gathers = vec![Gather::Unknown; slots.len()];
        let mut reserved = Vec::new();
        for format in &formats {
            reserved.push(layout(format, &slots, &mut gathers)?);
        }
        let codecs: Vec<Codec> =
            spec.codecs.iter().map(|row| Codec { name: row.name.clone(), rule: row.rule.clone() }).collect();
        let Opcodes { mut opcodes, by_mnemonic, codec_ids } = opcodes(spec, &codecs)?;

        let mut membership: Vec<Vec<(SlotId, Certainty)>> = vec![Vec::new(); opcodes.len()];
        for row in &spec.membership {
            let place = || format!("membership of {}", row.mnemonic);
            let opcode =
                *by_mnemonic.get(&row.mnemonic).ok_or_else(|| SpecError::new(place(), "unknown mnemonic"))?;
            for name in &row.slots {
                let slot = *slot_ids
                    .get(name.as_str())
                    .ok_or_else(|| SpecError::new(place(), format!("unknown slot {name}")))?;
                membership[opcode.0 as usize].push((slot, row.certainty));
            }
        }
        let mut placements = Vec::new();
        let mut placement_plans = Vec::new();
        let mut operand_plans: Vec<OperandPlan> = Vec::new();
        // Families share windows, codecs and files, so they share plans.
        let mut shared: HashMap<Vec<u8>, u16> = HashMap::new();
        let mut key = Vec::new();
        let mut patterns: Vec<Vec<Pattern>> = vec![Vec::new(); slots.len()];
        for (index, row) in spec.placements.iter().enumerate() {
            let id = PlacementId(index as u16);
            let place = || format!("placement {} in {}", row.mnemonic, row.slot);
            let opcode =
                *by_mnemonic.get(&row.mnemonic).ok_or_else(|| SpecError::new(place(), "unknown mnemonic"))?;
            let slot =
                *slot_ids.get(row.slot.as_str()).ok_or_else(|| SpecError::new(place(), "unknown slot"))?;
            let width = slots[slot.0 as usize].width;
            let operand_bits =
                window_bits(&row.windows, width).map_err(|reason| SpecError::new(place(), reason))?;
            let operands = &opcodes[opcode.0 as usize].operands;
            if operands.len() != row.windows.len() {
                return Err(SpecError::new(place(), "as many windows as operands are needed"));
            }
            let mask = ((1u64 << width) - 1) & !operand_bits;
            if row.template & !mask != 0 {
                return Err(SpecError::new(place(), "template bit inside a window or beyond the slot"));
            }
            let codec_ids = &codec_ids[opcode.0 as usize];
            key.clear();
            for ((operand, codec), window) in operands.iter().zip(codec_ids).zip(&row.windows) {
                key.extend([operand.file as u8, *codec, window.len() as u8]);
                key.extend(window);
            }
            let first = match shared.get(&key) {
                Some(first) => *first,
                None => {
                    let first = u16::try_from(operand_plans.len())
                        .map_err(|_| SpecError::new(place(), "too many different operand layouts"))?;
                    for ((operand, codec), window) in operands.iter().zip(codec_ids).zip(&row.windows) {
                        operand_plans.push(plan(operand, *codec, window));
                    }
                    shared.insert(key.clone(), first);
                    first
                }
            };
            let plan = PlacementPlan { opcode, first, count: operands.len() as u8 };
            placement_plans.push(plan);
            opcodes[opcode.0 as usize].placements.push(id);
            patterns[slot.0 as usize].push(Pattern { mask, template: row.template, placement: id, plan });
            placements.push(Placement {
                opcode,
                slot,
                template: row.template,
                mask,
                windows: row.windows.clone(),
                certainty: row.certainty,
                windows_certainty: row.windows_certainty,
                membership: membership[opcode.0 as usize]
                    .iter()
                    .find(|(member, _)| *member == slot)
                    .map_or(Certainty::Observed, |(_, certainty)| *certainty),
            });
        }
        let mut slot_plans = Vec::new();
        for ((slot, gather), patterns) in slots.iter().zip(gathers).zip(patterns) {
            let decision = DecisionTable::new(patterns)
                .map_err(|error| SpecError::new(format!("slot {}", slot.name), error.reason))?;
            slot_plans.push(SlotPlan { gather, decision });
        }
        let framing = Framing::new(&formats);
        Ok(Isa {
            name: spec.name.clone(),
            formats,
            slots,
            opcodes,
            placements,
            categories: spec.categories.clone(),
            families: spec.families.clone(),
            codecs,
            by_mnemonic,
            framing,
            slot_plans,
            placement_plans,
            operand_plans,
            reserved,
        })
    }
}

fn formats(
    spec: &IsaSpec,
    slot_ids: &HashMap<&str, SlotId>,
    slots: &mut [Slot],
) -> Result<Vec<Format>, SpecError> {
    let mut formats = Vec::new();
    for (index, row) in spec.formats.iter().enumerate() {
        let place = format!("format {}", row.name);
        if (row.mask | row.match_value) & !Framing::SELECTOR != 0 {
            return Err(SpecError::new(place, "selector bits outside bytes 0 and 3"));
        }
        if row.slots.len() > MAX_SLOTS {
            return Err(SpecError::new(place, format!("more than {MAX_SLOTS} slots")));
        }
        let mut ids = Vec::new();
        for name in &row.slots {
            let id = slot_ids
                .get(name.as_str())
                .ok_or_else(|| SpecError::new(&place, format!("unknown slot {name}")))?;
            slots[id.0 as usize].format = FormatId(index as u8);
            ids.push(*id);
        }
        formats.push(Format {
            name: row.name.clone(),
            length: row.length,
            mask: row.mask,
            match_value: row.match_value,
            slots: ids,
            certainty: row.certainty,
        });
    }
    Ok(formats)
}

/// Compiles the gathers of a format; yields the bundle bits that nothing owns.
fn layout(format: &Format, slots: &[Slot], gathers: &mut [Gather]) -> Result<u128, SpecError> {
    let whole = if format.length >= 16 { u128::MAX } else { (1 << (format.length * 8)) - 1 };
    if let [only] = format.slots.as_slice() {
        let mask = (1u64 << slots[only.0 as usize].width) - 1;
        gathers[only.0 as usize] = Gather::Low { mask };
        return Ok(whole & !u128::from(mask));
    }
    let mut owned = u128::from(format.mask);
    for id in &format.slots {
        let slot = &slots[id.0 as usize];
        if slot.gather.is_empty() {
            continue;
        }
        let fail = |reason: String| SpecError::new(format!("slot {}", slot.name), reason);
        if slot.gather.len() != slot.width as usize {
            return Err(fail(format!("{} gather bits for {} slot bits", slot.gather.len(), slot.width)));
        }
        for &bit in &slot.gather {
            if u32::from(bit) >= u32::from(format.length) * 8 {
                return Err(fail(format!("bundle bit {bit} beyond the bundle")));
            }
            if owned >> bit & 1 == 1 {
                return Err(fail(format!("bundle bit {bit} has another owner already")));
            }
            owned |= 1 << bit;
        }
        gathers[id.0 as usize] = Gather::scattered(&slot.gather);
    }
    Ok(whole & !owned)
}

struct Opcodes {
    opcodes: Vec<Opcode>,
    by_mnemonic: HashMap<String, OpcodeId>,
    /// By opcode and operand: the index of the codec.
    codec_ids: Vec<Vec<u8>>,
}

fn opcodes(spec: &IsaSpec, codecs: &[Codec]) -> Result<Opcodes, SpecError> {
    let by_name: HashMap<&str, usize> =
        codecs.iter().enumerate().map(|(index, codec)| (codec.name.as_str(), index)).collect();
    let mut opcodes = Vec::new();
    let mut codec_ids = Vec::new();
    let mut by_mnemonic = HashMap::new();
    for (index, row) in spec.opcodes.iter().enumerate() {
        let place = format!("opcode {}", row.mnemonic);
        let mut operands = Vec::new();
        let mut ids = Vec::new();
        for operand in &row.operands {
            let codec = *by_name
                .get(operand.codec.as_str())
                .ok_or_else(|| SpecError::new(&place, format!("unknown codec {}", operand.codec)))?;
            operands.push(Operand {
                direction: operand.direction,
                file: operand.file,
                role: operand.role.clone(),
                codec: codecs[codec].clone(),
            });
            ids.push(codec as u8);
        }
        codec_ids.push(ids);
        if operands.len() > Operands::new().capacity() {
            return Err(SpecError::new(place, "too many operands"));
        }
        if by_mnemonic.insert(row.mnemonic.clone(), OpcodeId(index as u16)).is_some() {
            return Err(SpecError::new(place, "listed twice"));
        }
        opcodes.push(Opcode {
            mnemonic: row.mnemonic.clone(),
            batch: row.batch.clone(),
            category: row.category.clone(),
            operands,
            flags: row.flags,
            use_stages: row.use_stages.clone(),
            def_stages: row.def_stages.clone(),
            summary: row.summary.clone(),
            certainty: row.certainty,
            operands_certainty: row.operands_certainty,
            source: row.source.clone(),
            placements: Vec::new(),
        });
    }
    Ok(Opcodes { opcodes, by_mnemonic, codec_ids })
}

fn plan(operand: &Operand, codec: u8, window: &[u8]) -> OperandPlan {
    OperandPlan {
        field: Field::new(window),
        codec,
        plain: matches!(operand.codec.rule, CodecRule::Linear { signed: false, scale: 1, bias: 0 }),
        limit: match operand.file.count() {
            0 => u32::MAX,
            count => u32::from(count),
        },
    }
}

/// The union of operand windows as a mask; an error if they overlap or leave the slot.
pub(crate) fn window_bits(windows: &[Vec<u8>], width: u8) -> Result<u64, String> {
    let mut all = 0u64;
    for &bit in windows.iter().flatten() {
        if bit >= width {
            return Err(format!("window bit {bit} beyond the {width} bits of the slot"));
        }
        if all >> bit & 1 == 1 {
            return Err(format!("windows overlap in bit {bit}"));
        }
        all |= 1 << bit;
    }
    Ok(all)
}
