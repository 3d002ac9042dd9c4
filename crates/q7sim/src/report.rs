//! What we say when a run has ended.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

use q7_core::{Core, Exception, Machine, Stop};
use q7_image::SymbolTable;
use q7_isa::{Bundle, Isa};

use crate::status;

/// `symbol+0x8`, `symbol` at its start, `-` outside of all symbols.
pub fn symbolic(symbols: &SymbolTable, address: u32) -> String {
    match symbols.containing(address) {
        None => "-".into(),
        Some((symbol, 0)) => printable(&symbol.name).into_owned(),
        Some((symbol, offset)) => format!("{}+{offset:#x}", printable(&symbol.name)),
    }
}

/// Text out of a file as one line: characters that could steer a terminal or hide something are escaped.
pub fn printable(text: &str) -> Cow<'_, str> {
    // Controls; what is invisible, separates lines or changes the direction of writing.
    let hostile = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    if !text.contains(hostile) {
        return text.into();
    }
    let mut out = String::new();
    for character in text.chars() {
        match hostile(character) {
            true => out.extend(character.escape_default()),
            false => out.push(character),
        }
    }
    out.into()
}

/// A bundle as the assembler reads it: in braces if it has several slots.
pub fn text(isa: &Isa, bundle: &Bundle) -> String {
    let text = isa.bundle_text(bundle);
    if bundle.instructions.len() > 1 { format!("{{ {text} }}") } else { text.to_string() }
}

/// The exit status of a stop.
pub fn exit_status(stop: &Stop) -> u8 {
    match stop {
        Stop::Exit(code) => *code as u8,
        Stop::Halted(immediate) => *immediate as u8,
        Stop::Returned => status::SUCCESS,
        Stop::CycleLimit | Stop::BundleLimit => status::LIMIT,
        Stop::Exception(_) => status::EXCEPTION,
        Stop::NotImplemented { .. } | Stop::UnknownSemantics { .. } => status::NOT_IMPLEMENTED,
        Stop::Idle => status::HANG,
        Stop::Interrupted => status::INTERRUPTED,
    }
}

/// Why the run ended, in one line.
pub fn reason(stop: &Stop) -> String {
    match stop {
        Stop::Exit(code) => format!("exit {code}"),
        Stop::Halted(immediate) => format!("halt {immediate}"),
        Stop::Returned => "returned".into(),
        Stop::CycleLimit => "cycle limit".into(),
        Stop::BundleLimit => "bundle limit".into(),
        Stop::Exception(Exception { cause, address: None }) => format!("exception {cause}"),
        Stop::Exception(Exception { cause, address: Some(address) }) => {
            format!("exception {cause}, address {address:#010x}")
        }
        Stop::NotImplemented { what } => format!("not implemented: {what}"),
        Stop::UnknownSemantics { what } => format!("semantics unknown: {what}"),
        Stop::Idle => "hang: a jump to itself or WAITI, and no interrupt can come".into(),
        Stop::Interrupted => "interrupted".into(),
    }
}

/// True if the program did not end by itself, so that a report is due.
pub fn is_abnormal(stop: &Stop) -> bool {
    !matches!(stop, Stop::Exit(_) | Stop::Halted(_) | Stop::Returned)
}

/// Where the machine stands: PC, registers, the last bundles.
pub fn position(machine: &Machine, symbols: &SymbolTable) -> String {
    let core = &machine.core;
    let mut out = format!("  pc {}\n", bundle_line(machine, symbols, core.pc));
    out.push_str(&registers(core));
    let recent = machine.recent_bundles();
    if !recent.is_empty() {
        out.push_str("  the last bundles:\n");
    }
    for pc in recent {
        let _ = writeln!(out, "    {}", bundle_line(machine, symbols, pc));
    }
    out
}

fn bundle_line(machine: &Machine, symbols: &SymbolTable, pc: u32) -> String {
    let text = machine.bundle_at(pc).map(|bundle| text(machine.isa(), &bundle));
    format!("{pc:08x} {}: {}", symbolic(symbols, pc), text.unwrap_or_else(|| "?".into()))
}

fn registers(core: &Core) -> String {
    let snapshot = core.snapshot();
    let mut out = String::new();
    for (first, row) in (0..).step_by(4).zip(snapshot.ar.chunks(4)) {
        for (number, value) in (first..).zip(row) {
            let _ = write!(out, "  {:>3} {value:08x}", format!("a{number}"));
        }
        out.push('\n');
    }
    for row in [["ps", "wb", "sar", "br"], ["lbeg", "lend", "lcount", "vecbase"]] {
        for name in row {
            let value = snapshot.special.get(name).copied().unwrap_or_default();
            let _ = write!(out, "  {name} {value:08x}");
        }
        out.push('\n');
    }
    out
}

/// The numbers of a run.
pub fn stats(machine: &Machine, reason: &str, time: Duration) -> String {
    let (cycles, bundles, seconds) = (machine.core.cycle, machine.core.bundles(), time.as_secs_f64());
    let speed = bundles as f64 / seconds.max(1e-9) / 1e6;
    format!(
        "stop     {reason}\ncycles   {cycles}\nbundles  {bundles}\ntime     {seconds:.3} s, {speed:.1} M bundles/s\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printed_on_one_line() {
        for (name, expected) in [
            ("", ""),
            ("operator\"\"_x::f<a, 'b'>\\", "operator\"\"_x::f<a, 'b'>\\"),
            ("größe, o\u{308}", "größe, o\u{308}"),
            ("a\n\t\x1b[31m\x7f\0", "a\\n\\t\\u{1b}[31m\\u{7f}\\u{0}"),
            // A C1 control, a change of writing direction, a line separator.
            ("\u{9b}2J\u{202e}\u{2028}", "\\u{9b}2J\\u{202e}\\u{2028}"),
        ] {
            assert_eq!(printable(name), expected);
        }
    }
}
