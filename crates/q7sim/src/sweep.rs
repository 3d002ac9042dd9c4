//! Linear sweep: the code of an image, bundle by bundle.
//!
//! Code and data look alike, so the sweep believes what the file says: `.literal` sections, sections
//! that are not executable and the extent of object symbols are data, and every code symbol starts a
//! bundle. The rest is taken as code.

use std::collections::BTreeMap;
use std::path::Path;

use q7_image::{Image, SymbolKind};
use q7_isa::{Bundle, DecodeError, Format, Isa};

use crate::report;
use crate::status::Failure;

/// `sh_type` of sections without bytes in the file.
const NOBITS: u32 = 8;

/// A piece of a file that may hold code.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    /// Section name; `None` for a segment of a file without sections.
    pub section: Option<&'a str>,
    pub address: u32,
    pub bytes: &'a [u8],
    /// A section of literals, or one that is not executable.
    pub data: bool,
}

impl Area<'_> {
    /// Address after the last byte.
    pub fn end(&self) -> u64 {
        u64::from(self.address) + self.bytes.len() as u64
    }
}

/// One step of the sweep.
pub struct Item<'a> {
    pub address: u32,
    pub bytes: &'a [u8],
    pub what: What,
}

/// What stands there.
pub enum What {
    Code(Bundle),
    Data,
    Unknown(DecodeError),
}

/// The executable sections of an image, or the executable segments if it has no sections.
///
/// # Errors
/// If a section lies outside of the file or of the address space.
pub fn areas<'a>(path: &Path, image: &'a Image, file: &'a [u8]) -> Result<Vec<Area<'a>>, Failure> {
    let sections = image.sections.iter().filter(|section| section.executable && section.allocated);
    let mut areas = section_areas(path, sections, file)?;
    if image.sections.is_empty() {
        let code = image.segments.iter().filter(|segment| segment.flags.execute);
        areas.extend(code.map(|segment| Area {
            section: None,
            address: segment.virtual_address,
            bytes: &segment.data,
            data: false,
        }));
    }
    Ok(areas)
}

/// The given sections.
///
/// # Errors
/// If one lies outside of the file or of the address space, or all together are absurdly large.
pub fn section_areas<'a>(
    path: &Path,
    sections: impl Iterator<Item = &'a q7_image::Section>,
    file: &'a [u8],
) -> Result<Vec<Area<'a>>, Failure> {
    let mut areas = Vec::new();
    let mut total = 0;
    for section in sections.filter(|section| section.kind != NOBITS) {
        let error = |reason| {
            let (name, address, size) = (report::printable(&section.name), section.address, section.size);
            let place = format!("section {name} at {address:#010x}, {size:#x} bytes");
            Failure::file(path.display(), format!("{place}: {reason}"))
        };
        let bytes = section.bytes(file).ok_or_else(|| error("beyond the end of the file"))?;
        let literals = section.name == ".literal" || section.name.starts_with(".literal.");
        let area = Area {
            section: Some(&section.name),
            address: section.address,
            bytes,
            data: literals || !section.executable,
        };
        if area.end() > 1 << 32 {
            return Err(error("beyond the end of the address space"));
        }
        // Sections may share bytes, but not so that a small file means hours of work.
        total += bytes.len();
        if total > file.len().saturating_mul(16) {
            return Err(error("the sections add up to many times the size of the file"));
        }
        areas.push(area);
    }
    Ok(areas)
}

/// Sweeps over the areas of one image.
pub struct Sweeper<'a> {
    pub isa: &'a Isa,
    /// Where symbols cut the address space into pieces, by address; true if data follows.
    cuts: Vec<(u64, bool)>,
}

impl<'a> Sweeper<'a> {
    pub fn new(isa: &'a Isa, image: &Image) -> Sweeper<'a> {
        // Where a piece starts, and up to where its bytes are data.
        let mut starts: BTreeMap<u64, u64> = BTreeMap::new();
        for symbol in image.symbols.iter() {
            let start = u64::from(symbol.address);
            if symbol.kind == SymbolKind::Object {
                let end = start + u64::from(symbol.size);
                let known = starts.entry(start).or_default();
                *known = end.max(*known);
                starts.entry(end).or_default();
            } else if image.symbols.containing(symbol.address).is_some_and(|(_, offset)| offset == 0) {
                starts.entry(start).or_default();
            }
        }
        let mut data_end = 0;
        let cuts = starts.into_iter().map(|(start, end_of_data)| {
            data_end = end_of_data.max(data_end);
            (start, start < data_end)
        });
        Sweeper { isa, cuts: cuts.collect() }
    }

    /// Walks through an area.
    pub fn sweep(&self, area: Area<'a>) -> impl Iterator<Item = Item<'a>> {
        let (isa, end) = (self.isa, area.end());
        let mut address = area.address;
        let mut rest = area.bytes;
        let mut next = self.cuts.partition_point(|cut| cut.0 <= address.into());
        let mut data = next.checked_sub(1).is_some_and(|last| self.cuts[last].1);
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            // A step ends at every cut, so that none is passed unseen.
            while let Some(&(_, data_follows)) = self.cuts.get(next).filter(|cut| cut.0 <= address.into()) {
                (data, next) = (data_follows, next + 1);
            }
            let piece_end = self.cuts.get(next).map_or(end, |cut| cut.0.min(end));
            let piece = &rest[..(piece_end - u64::from(address)) as usize];
            let (length, what) = if area.data || data {
                (word_or_less(address), What::Data)
            } else {
                decode(isa, piece, address)
            };
            let (bytes, others) = rest.split_at(length.min(piece.len()));
            let item = Item { address, bytes, what };
            rest = others;
            address = address.wrapping_add(bytes.len() as u32);
            Some(item)
        })
    }
}

/// Data goes by aligned words.
fn word_or_less(address: u32) -> usize {
    4 - (address & 3) as usize
}

fn decode(isa: &Isa, bytes: &[u8], address: u32) -> (usize, What) {
    match isa.decode(bytes, address) {
        Ok(bundle) => (bundle.length.into(), What::Code(bundle)),
        Err(error) => {
            let length = match &error {
                DecodeError::Truncated { .. } => bytes.len(),
                other => other.length().map_or(1, usize::from),
            };
            (length, What::Unknown(error))
        }
    }
}

/// The format of a bundle that is complete but could not be decoded.
pub fn format_of<'a>(isa: &'a Isa, bytes: &[u8], error: &DecodeError) -> Option<&'a Format> {
    error.length()?;
    let mut word0 = [0; 4];
    let known = bytes.len().min(4);
    word0[..known].copy_from_slice(&bytes[..known]);
    isa.frame(u32::from_le_bytes(word0)).map(|id| isa.format(id))
}
