//! Output sections and their addresses.

use std::collections::HashMap;

use crate::assembler::SIZE_LIMIT;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::layout::Layout;
use crate::link::LinkOptions;
use crate::object::{Object, SectionFlags, SectionId};

/// Text and data stand on pages of their own.
const PAGE: u64 = 4096;
/// Alignment of every output section.
const SECTION_ALIGNMENT: u64 = 16;

/// The part of an output section that one source contributes.
pub(crate) struct Part {
    pub object: usize,
    pub section: SectionId,
    pub offset: u64,
}

/// A section of the program.
pub(crate) struct Output {
    pub name: String,
    pub flags: SectionFlags,
    pub alignment: u64,
    pub parts: Vec<Part>,
    pub size: u64,
    pub address: u64,
    /// The program segment it belongs to; `None` for sections outside memory.
    pub segment: Option<usize>,
}

impl Output {
    pub fn end(&self) -> u64 {
        self.address + self.size
    }
}

/// Where everything is.
pub(crate) struct Placement {
    /// In order of address class: code, constants, data, zeros, outside memory.
    pub outputs: Vec<Output>,
    pub segments: usize,
    /// Address and output of each section of each object.
    pub bases: Vec<Vec<(u64, usize)>>,
    /// End of the sections that were not placed by hand.
    pub end: u64,
    /// Extent of `.bss`.
    pub bss: (u64, u64),
}

impl Placement {
    pub fn base(&self, object: usize, section: SectionId) -> u64 {
        self.bases[object][section.0 as usize].0
    }
}

/// `.text.hot` goes to `.text`, unless the user placed it by name.
fn output_name<'a>(name: &'a str, options: &LinkOptions) -> &'a str {
    if options.sections.contains_key(name) {
        return name;
    }
    for base in [".text", ".rodata", ".data", ".bss"] {
        if name.strip_prefix(base).is_some_and(|rest| rest.starts_with('.')) {
            return &name[..base.len()];
        }
    }
    // L32R reaches backwards only: literals stand before the code.
    if name == ".literal" || name.starts_with(".literal.") { ".literal" } else { name }
}

/// Sections in memory are ordered by this.
fn class(output: &Output) -> u8 {
    let flags = output.flags;
    match () {
        () if !flags.alloc => 5,
        () if flags.execute && output.name == ".literal" => 0,
        () if flags.execute => 1,
        () if !flags.write => 2,
        () if !flags.nobits => 3,
        () => 4,
    }
}

fn error(message: String) -> Diagnostics {
    Diagnostic { location: None, message }.into()
}

/// Collects sections by name and gives them addresses.
pub(crate) fn place(
    objects: &[&Object],
    layouts: &[Vec<Layout>],
    options: &LinkOptions,
) -> Result<Placement, Diagnostics> {
    let mut outputs = collect(objects, layouts, options)?;
    outputs.sort_by_key(class);
    for name in options.sections.keys() {
        if !outputs.iter().any(|output| output.name == *name && output.flags.alloc) {
            return Err(error(format!("no section `{name}` to place")));
        }
    }
    let (segments, end) = assign_addresses(&mut outputs, options)?;
    check(&outputs, segments)?;

    let mut bases: Vec<Vec<(u64, usize)>> =
        objects.iter().map(|object| vec![(0, 0); object.sections.len()]).collect();
    for (index, output) in outputs.iter().enumerate() {
        for part in &output.parts {
            bases[part.object][part.section.0 as usize] = (output.address + part.offset, index);
        }
    }
    let bss = outputs.iter().find(|output| output.name == ".bss").map(|bss| (bss.address, bss.end()));
    Ok(Placement { outputs, segments, bases, end, bss: bss.unwrap_or((end, end)) })
}

fn collect(
    objects: &[&Object],
    layouts: &[Vec<Layout>],
    options: &LinkOptions,
) -> Result<Vec<Output>, Diagnostics> {
    let mut outputs: Vec<Output> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let mut total = 0;
    for (object_index, object) in objects.iter().enumerate() {
        for (index, section) in object.sections.iter().enumerate() {
            let name = output_name(&section.name, options);
            let position = *by_name.entry(name).or_insert_with(|| {
                outputs.push(Output {
                    name: name.into(),
                    flags: section.flags,
                    alignment: SECTION_ALIGNMENT,
                    parts: Vec::new(),
                    size: 0,
                    address: 0,
                    segment: None,
                });
                outputs.len() - 1
            });
            let output = &mut outputs[position];
            let size = layouts[object_index][index].size();
            if output.flags != section.flags && size > 0 {
                if output.size > 0 {
                    return Err(error(format!(
                        "section {} of {} has other flags than in the sources before",
                        section.name, object.file
                    )));
                }
                output.flags = section.flags;
            }
            let offset = output.size.next_multiple_of(u64::from(section.alignment));
            output.alignment = output.alignment.max(u64::from(section.alignment));
            output.parts.push(Part { object: object_index, section: SectionId(index as u32), offset });
            // An empty part leaves no padding behind.
            if size > 0 {
                output.size = offset + size;
            }
            total += size;
        }
    }
    if total > SIZE_LIMIT {
        return Err(error("the program is larger than 256 MiB".into()));
    }
    Ok(outputs)
}

/// Gives addresses and segments; returns the number of segments and the end of the program.
fn assign_addresses(outputs: &mut [Output], options: &LinkOptions) -> Result<(usize, u64), Diagnostics> {
    let mut at = u64::from(options.base);
    let (mut text, mut data, mut segments) = (None, None, 0);
    let mut new_segment = || {
        segments += 1;
        segments - 1
    };
    for output in outputs.iter_mut().filter(|output| output.flags.alloc) {
        if let Some(&address) = options.sections.get(&output.name) {
            output.address = u64::from(address);
            if !output.address.is_multiple_of(output.alignment) {
                let (name, alignment) = (&output.name, output.alignment);
                return Err(error(format!(
                    "section {name} cannot be at {address:#x}: it needs a multiple of {alignment}"
                )));
            }
            if output.size > 0 {
                output.segment = Some(new_segment());
            }
            continue;
        }
        if output.flags.write && data.is_none() && output.size > 0 {
            if text.is_some() {
                at = at.next_multiple_of(PAGE);
            }
            data = Some(new_segment());
        }
        output.address = at.next_multiple_of(output.alignment);
        if output.size > 0 {
            at = output.end();
            output.segment =
                if output.flags.write { data } else { Some(*text.get_or_insert_with(&mut new_segment)) };
        }
    }
    Ok((segments, at))
}

fn check(outputs: &[Output], segments: usize) -> Result<(), Diagnostics> {
    let mut all = Diagnostics::none();
    let mut occupied: Vec<&Output> =
        outputs.iter().filter(|output| output.flags.alloc && output.size > 0).collect();
    for output in &occupied {
        if output.end() > 1 << 32 {
            let message = format!(
                "section {} at {:#x} of {:#x} bytes ends above the 32-bit address space",
                output.name, output.address, output.size
            );
            all.push(Diagnostic { location: None, message });
        }
    }
    occupied.sort_by_key(|output| output.address);
    for pair in occupied.windows(2) {
        if pair[0].end() > pair[1].address {
            let show =
                |output: &Output| format!("{} ({:#x}..{:#x})", output.name, output.address, output.end());
            let message = format!("sections overlap: {} and {}", show(pair[0]), show(pair[1]));
            all.push(Diagnostic { location: None, message });
        }
    }
    // Large alignments leave large gaps inside a segment.
    for segment in 0..segments {
        let inside = || occupied.iter().filter(|output| output.segment == Some(segment));
        let start = inside().map(|output| output.address).min().unwrap_or(0);
        let end = inside().map(|output| output.end()).max().unwrap_or(0);
        if end - start > SIZE_LIMIT {
            all.push(Diagnostic { location: None, message: "a segment is larger than 256 MiB".into() });
        }
    }
    all.finish(())
}
