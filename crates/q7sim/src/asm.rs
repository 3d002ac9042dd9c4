//! `q7sim asm`

use q7_asm::{LinkOptions, Options, assemble, link};
use q7_isa::Isa;

use crate::args::Asm;
use crate::load;
use crate::status::{self, Failure};

/// Assembles and links sources.
///
/// # Errors
/// Files that cannot be read or written, and everything the assembler finds.
pub fn asm(arguments: &Asm) -> Result<u8, Failure> {
    refuse_to_overwrite(arguments)?;
    let isa = Isa::embedded();
    let options = Options { relax: arguments.relax };
    let mut objects = Vec::new();
    let mut errors = String::new();
    for path in &arguments.sources {
        match assemble(isa, &path.to_string_lossy(), &load::read_text(path)?, &options) {
            Ok(object) => objects.push(object),
            Err(diagnostics) => errors += &format!("{diagnostics}\n"),
        }
    }
    if !errors.is_empty() {
        return Err(Failure::sources(errors));
    }
    let linked = link(isa, &objects, &link_options(arguments)).map_err(Failure::sources)?;
    // The format allows such a file, but nothing could load it.
    if linked.segments().is_empty() {
        let names: Vec<_> = arguments.sources.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::file(names.join(", "), "nothing to load: no section in memory has content"));
    }
    std::fs::write(&arguments.output, linked.to_elf())
        .map_err(|error| Failure::file(arguments.output.display(), error))?;
    if arguments.listing {
        return crate::print(|output| write!(output, "{}", linked.listing(isa)));
    }
    Ok(status::SUCCESS)
}

/// `asm a.s -o a.s` is a slip that would cost the source.
fn refuse_to_overwrite(arguments: &Asm) -> Result<(), Failure> {
    let Ok(output) = arguments.output.canonicalize() else { return Ok(()) };
    match arguments.sources.iter().any(|source| source.canonicalize().is_ok_and(|source| source == output)) {
        true => Err(Failure::usage(format!("--output: {} is a source", arguments.output.display()))),
        false => Ok(()),
    }
}

fn link_options(arguments: &Asm) -> LinkOptions {
    let default = LinkOptions::default();
    LinkOptions {
        base: arguments.base.unwrap_or(default.base),
        entry: arguments.entry.clone(),
        sections: arguments.section.iter().cloned().collect(),
        stack: arguments.stack.unwrap_or(default.stack),
    }
}
