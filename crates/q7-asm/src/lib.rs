//! An assembler and a small linker for the Vision-Q7: GNU syntax in, an ELF32 program out.
//!
//! ```
//! use q7_asm::{LinkOptions, Options, assemble, link};
//! use q7_isa::Isa;
//!
//! let isa = Isa::embedded();
//! let source = "
//!     .global _start
//! _start:
//!     movi  a3, 100
//! 1:  addi  a3, a3, -1
//!     bnez  a3, 1b
//!     movi  a2, 0x12345678    # a literal load: the number needs more than 12 bits
//!     ret
//! ";
//! let object = assemble(isa, "count.s", source, &Options::default())?;
//! let program = link(isa, &[object], &LinkOptions::default())?;
//! println!("{}", program.listing(isa));
//! let elf: Vec<u8> = program.to_elf();
//! # assert_eq!(program.entry(), 0x0010_0004);
//! # Ok::<(), q7_asm::Diagnostics>(())
//! ```
//!
//! What is written is what is assembled: no instruction is widened, narrowed, scheduled or replaced,
//! but for two cases. `movi` of a symbol or of a number beyond 12 bits becomes a literal load (unless
//! written `_movi`, or inside `.begin no-transform`), and with [`Options::relax`] targets out of reach
//! get a longer sequence.
//!
//! *Literals* (`.literal`, and those of `movi`) go to the pool at the last `.literal_position` of the
//! section, else to a pool before the source's first byte in that section, because L32R reaches
//! backwards only.
//!
//! *Bundles* are written in braces, slots separated by `;` or line ends: `{ addi a4, a0, 24; nop }`.
//! The shortest format that has a slot for each instruction is chosen and filled up with `nop`;
//! `{F0: ...}` names the format. Instructions without braces use the 24-bit or 16-bit format.
//!
//! *Expressions* are 64 bits wide and have the precedence of C. (GNU as differs: there `<<` binds like
//! `*`, and `|` tighter than `+`. Sources for both need parentheses.)
//!
//! *Padding* of `.align` in code is made of `nop` and `nop.n` unless a fill byte is given.

mod assembler;
mod bundle;
mod cursor;
mod data;
mod diagnostics;
mod directives;
mod elf;
mod emit;
mod encode;
mod expression;
mod instruction;
mod layout;
mod lexer;
mod link;
mod linked;
mod literals;
mod object;
mod operand;
mod place;
mod relax;
mod resolve;
mod symbols;

pub use assembler::{Options, assemble};
pub use bundle::parse_bundle;
pub use diagnostics::{Diagnostic, Diagnostics, Location, Span};
pub use link::{LinkOptions, link};
pub use linked::{Line, Linked, LinkedSection, LinkedSymbol, Listing, Segment};
pub use object::{Binding, Object, SectionFlags, SymbolKind};

use q7_isa::Isa;

/// Assembles one source and links it alone.
///
/// # Errors
/// Those of [`assemble`] and [`link`].
pub fn build(
    isa: &Isa,
    name: &str,
    source: &str,
    options: &Options,
    link_options: &LinkOptions,
) -> Result<Linked, Diagnostics> {
    link(isa, &[assemble(isa, name, source, options)?], link_options)
}
