//! Extends the lock file of provisional encodings.
//!
//! The public sources count 12569 placements and print about a thousand of them. The rest gets
//! encodings of our own, so that every named instruction can be assembled and run: operand windows
//! from what is known of the slot, else from its layout; the template from its free code space.
//! A locked row never moves.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;

use super::allocate::{Fixed, smallest_free};
use super::load::{load_dir, windows};
use super::table::{Table, parse_windows, print_windows};
use super::{Direction, IsaSpec, OperandRow, SpecError};

/// What an extension did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Rows that the lock file held.
    pub locked: usize,
    /// Rows appended to it.
    pub added: usize,
}

/// Appends a row to `provisional.csv` for every member of a slot that has no encoding.
///
/// # Errors
/// [`SpecError`] if the spec cannot be read, names an unknown opcode or slot, or a slot has no room.
pub fn extend(directory: &Path) -> Result<Extension, SpecError> {
    let spec = load_dir(directory)?;
    let locked = Table::read(directory, "provisional.csv")?.rows().count();
    let rows = allocate(&spec, directory)?;
    if !rows.is_empty() {
        let path = directory.join("provisional.csv");
        let fail = |error: std::io::Error| SpecError::new(path.display().to_string(), error.to_string());
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).map_err(fail)?;
        for row in &rows {
            let digits = (row.width as usize).div_ceil(4);
            let windows = print_windows(&row.windows);
            writeln!(
                file,
                "{},{},{:#0pad$x},{windows}",
                row.mnemonic,
                row.slot,
                row.template,
                pad = digits + 2
            )
            .map_err(fail)?;
        }
    }
    Ok(Extension { locked, added: rows.len() })
}

struct NewRow {
    mnemonic: String,
    slot: String,
    width: u8,
    template: u64,
    windows: Vec<Vec<u8>>,
}

impl NewRow {
    fn operand_bits(&self) -> usize {
        self.windows.iter().map(Vec::len).sum()
    }
}

fn bits(windows: &[Vec<u8>]) -> u64 {
    windows.iter().flatten().fold(0, |all, &bit| all | 1 << bit)
}

/// The rows that the lock file lacks, largest operand set first.
fn allocate(spec: &IsaSpec, directory: &Path) -> Result<Vec<NewRow>, SpecError> {
    let known_windows = windows(directory)?;
    let layouts = layouts(directory)?;
    let operands: HashMap<&str, &[OperandRow]> =
        spec.opcodes.iter().map(|row| (row.mnemonic.as_str(), row.operands.as_slice())).collect();
    let widths: HashMap<&str, u8> = spec.slots.iter().map(|row| (row.name.as_str(), row.width)).collect();
    let placed: HashSet<(&str, &str)> =
        spec.placements.iter().map(|row| (row.mnemonic.as_str(), row.slot.as_str())).collect();
    let natural = natural_widths(spec);

    let mut rows = Vec::new();
    let members = spec
        .membership
        .iter()
        .flat_map(|row| row.slots.iter().map(|slot| (row.mnemonic.as_str(), slot.as_str())));
    for (mnemonic, slot) in members {
        if placed.contains(&(mnemonic, slot)) {
            continue;
        }
        let place = || format!("membership of {mnemonic} in {slot}");
        let operands = *operands.get(mnemonic).ok_or_else(|| SpecError::new(place(), "unknown mnemonic"))?;
        let width = *widths.get(slot).ok_or_else(|| SpecError::new(place(), "unknown slot"))?;
        let windows = match known_windows.get(&(mnemonic.to_owned(), slot.to_owned())) {
            Some((windows, _)) => windows.clone(),
            None => layouts
                .get(slot)
                .unwrap_or(&Layout::default())
                .windows(operands, &natural, mnemonic, width)
                .map_err(|reason| SpecError::new(place(), reason))?,
        };
        rows.push(NewRow { mnemonic: mnemonic.into(), slot: slot.into(), width, template: 0, windows });
    }
    let order: HashMap<&str, usize> =
        spec.slots.iter().enumerate().map(|(index, row)| (row.name.as_str(), index)).collect();
    rows.sort_by(|a, b| {
        let key = |row: &NewRow| (order[row.slot.as_str()], std::cmp::Reverse(row.operand_bits()));
        key(a).cmp(&key(b)).then_with(|| a.mnemonic.cmp(&b.mnemonic))
    });

    let mut taken: HashMap<&str, Vec<Fixed>> = HashMap::new();
    for row in &spec.placements {
        let mask = ((1 << widths[row.slot.as_str()]) - 1) & !bits(&row.windows);
        taken.entry(&row.slot).or_default().push(Fixed { mask, template: row.template });
    }
    for row in &mut rows {
        let name = spec.slots[order[row.slot.as_str()]].name.as_str();
        let taken = taken.entry(name).or_default();
        let mask = ((1 << row.width) - 1) & !bits(&row.windows);
        row.template = smallest_free(mask, taken)
            .ok_or_else(|| SpecError::new(format!("slot {name}"), format!("no room for {}", row.mnemonic)))?;
        let fixed = Fixed { mask, template: row.template };
        debug_assert!(!taken.iter().any(|other| other.overlaps(fixed)));
        taken.push(fixed);
    }
    Ok(rows)
}

/// Widths of numbers and labels: by codec, else as wide as the widest known field of the opcode.
struct Natural<'a> {
    codecs: HashMap<&'a str, u8>,
    fields: HashMap<(&'a str, usize), u8>,
}

fn natural_widths(spec: &IsaSpec) -> Natural<'_> {
    let codecs = spec.codecs.iter().map(|row| (row.name.as_str(), row.bits)).collect();
    let mut fields = HashMap::new();
    for row in &spec.placements {
        for (index, window) in row.windows.iter().enumerate() {
            let widest = fields.entry((row.mnemonic.as_str(), index)).or_insert(0);
            *widest = (*widest).max(window.len() as u8);
        }
    }
    Natural { codecs, fields }
}

impl Natural<'_> {
    fn width(&self, mnemonic: &str, index: usize, operand: &OperandRow) -> Result<u8, String> {
        let registers = operand.file.count();
        if registers > 0 {
            // A group of booleans is named by its first: the scale of the codec divides the file.
            let known = self.fields.get(&(mnemonic, index)).copied().unwrap_or(0);
            let full = registers.next_power_of_two().trailing_zeros() as u8;
            return Ok(if known > 0 { known.min(full) } else { full });
        }
        let by_codec = self.codecs.get(operand.codec.as_str()).copied().unwrap_or(0);
        let width =
            if by_codec > 0 { by_codec } else { self.fields.get(&(mnemonic, index)).copied().unwrap_or(0) };
        if width == 0 {
            return Err(format!("nothing tells the width of operand {}", operand.role));
        }
        Ok(width)
    }
}

/// The canonical windows of a slot, by operand role, `file:direction` or file.
#[derive(Default)]
struct Layout {
    windows: HashMap<String, Vec<Vec<u8>>>,
}

fn layouts(directory: &Path) -> Result<HashMap<String, Layout>, SpecError> {
    let mut layouts: HashMap<String, Layout> = HashMap::new();
    for row in Table::read(directory, "layouts.csv")?.rows() {
        let windows = parse_windows(row.text("windows")?).map_err(|reason| row.error(reason))?;
        let layout = layouts.entry(row.text("slot")?.to_owned()).or_default();
        layout.windows.insert(row.text("operand")?.to_owned(), windows);
    }
    Ok(layouts)
}

impl Layout {
    /// Windows for the operands: registers first, each in the first canonical window that is free,
    /// then numbers in the lowest free bits.
    fn windows(
        &self,
        operands: &[OperandRow],
        natural: &Natural<'_>,
        mnemonic: &str,
        slot_width: u8,
    ) -> Result<Vec<Vec<u8>>, String> {
        let mut used = 0u64;
        let mut windows: Vec<Vec<u8>> = vec![Vec::new(); operands.len()];
        for registers in [true, false] {
            for (index, operand) in operands.iter().enumerate() {
                if (operand.file.count() > 0) != registers {
                    continue;
                }
                let width = usize::from(natural.width(mnemonic, index, operand)?);
                let window = self
                    .candidates(operand)
                    .find(|window| window.len() == width && bits(std::slice::from_ref(window)) & used == 0)
                    .cloned()
                    .or_else(|| lowest_free(used, width, slot_width))
                    .ok_or_else(|| format!("operand {} does not fit the slot", operand.role))?;
                used |= bits(std::slice::from_ref(&window));
                windows[index] = window;
            }
        }
        Ok(windows)
    }

    fn candidates<'a>(&'a self, operand: &OperandRow) -> impl Iterator<Item = &'a Vec<u8>> {
        let direction = match operand.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
        };
        let file = operand.file.name();
        [operand.role.clone(), format!("{file}:{direction}"), file.to_owned()]
            .into_iter()
            .filter_map(|key| self.windows.get(&key))
            .flatten()
    }
}

/// The lowest `width` bits that are not used, most significant first.
fn lowest_free(used: u64, width: usize, slot_width: u8) -> Option<Vec<u8>> {
    let mut window: Vec<u8> = (0..slot_width).filter(|&bit| used >> bit & 1 == 0).take(width).collect();
    window.reverse();
    (window.len() == width).then_some(window)
}
