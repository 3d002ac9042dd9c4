//! Reads the ELF files that `q7sim` runs: ELF32, little-endian, machine 94 (Xtensa), type `ET_EXEC`.
//!
//! [`Image::parse`] turns the bytes of a file into an [`Image`]: the entry address, the loadable [`Segment`]s, the
//! [`Section`]s by name, and a [`SymbolTable`] that answers "where is `main`?" and "which function holds this address?".
//! The crate knows files only: it neither places bytes into memory nor runs anything. Whoever owns the memory asks
//! [`Image::check_fits`] whether each segment has a home, then copies [`Segment::data`] and zeroes the rest.
//!
//! # What is accepted
//!
//! The facts about Vision-Q7 images come from the reference pages `microarchitecture/spec-lsp-elf.md` (custom-op library
//! images) and `microarchitecture/spec-q7-elf-vaddr.md` (the firmware container). In short:
//!
//! * Only `PT_LOAD` program headers become segments; `PT_TLS`, `PT_DYNAMIC` and all others are ignored, and so are
//!   `PT_LOAD`s that occupy no memory.
//! * A segment is loaded at its physical address, or at its virtual address if the physical one is 0.
//! * Section headers are optional: a file without them has no section names and no symbols, and still loads.
//!
//! # Hostile files
//!
//! A file may claim anything. Every range is checked against the length of the file before it is read, addresses never
//! wrap past 4 GiB, and what is copied out of a file is bounded by a small multiple of its length
//! ([`ImageError::TooMuchCopied`]). A huge `p_memsz` is only a number here.
//!
//! # Example
//!
//! ```no_run
//! let file = std::fs::read("kernel.elf")?;
//! let image = q7_image::Image::parse(&file)?;
//! let ram = 0x0010_0000..0x4010_0000u64;
//! image.check_fits(|start, length| {
//!     ram.start <= u64::from(start) && u64::from(start) + u64::from(length) <= ram.end
//! })?;
//! if let Some((symbol, offset)) = image.symbols.containing(image.entry) {
//!     println!("entry is {}+{offset:#x}", symbol.name);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod image;
mod reader;
mod symbols;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod hostile;

pub use error::ImageError;
pub use image::{EM_XTENSA, Image, Section, Segment, SegmentFlags};
pub use symbols::{Symbol, SymbolKind, SymbolTable};
