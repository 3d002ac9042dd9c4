//! Errors with the place they are about.

use std::fmt;
use std::sync::Arc;

use strsim::levenshtein;

/// A line and column in one source, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// A place in a named source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Name of the source, as given to [`crate::assemble`].
    pub file: Arc<str>,
    /// Where in it.
    pub span: Span,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.span.line, self.span.column)
    }
}

/// One error. `Display` prints `file:line:column: error: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where; `None` for errors about the whole program, such as overlapping sections.
    pub location: Option<Location>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        write!(f, "error: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// The errors of one run, at least one. `Display` prints one per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// After this many errors the rest is noise.
    const LIMIT: usize = 100;

    /// The errors, in the order found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// True once no more errors are taken, so that a run can stop early.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() > Self::LIMIT
    }

    pub(crate) fn none() -> Diagnostics {
        Diagnostics(Vec::new())
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        match self.0.len() {
            0..Self::LIMIT => self.0.push(diagnostic),
            Self::LIMIT => self.0.push(Diagnostic { location: None, message: "too many errors".into() }),
            _ => (),
        }
    }

    /// `value` if nothing was pushed.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// An error inside one source whose name the code at hand need not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub span: Span,
    pub message: String,
}

impl Fault {
    pub fn new(span: Span, message: impl Into<String>) -> Fault {
        Fault { span, message: message.into() }
    }

    pub fn in_file(self, file: &Arc<str>) -> Diagnostic {
        let location = Location { file: Arc::clone(file), span: self.span };
        Diagnostic { location: Some(location), message: self.message }
    }
}

/// ` (did you mean ...?)` with the names nearest to `unknown`, or nothing.
pub(crate) fn suggestion<'a>(unknown: &str, names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 3;
    if unknown.len() > 40 {
        return String::new();
    }
    let limit = 1 + unknown.len() / 5;
    let mut near: Vec<(usize, &str)> = names
        .filter(|name| name.len().abs_diff(unknown.len()) <= limit)
        .map(|name| (levenshtein(unknown, name), name))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.truncate(SHOWN);
    let names: Vec<String> = near.into_iter().map(|(_, name)| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!(" (did you mean {}?)", names.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let names = || ["addi", "addx2", "sub", "ivp_addnx16"].into_iter();
        assert_eq!(suggestion("adi", names()), " (did you mean `addi`?)");
        assert_eq!(suggestion("ivp_adnx16", names()), " (did you mean `ivp_addnx16`?)");
        assert_eq!(suggestion("quux", names()), "");
        assert_eq!(levenshtein("kitten", "sitting"), 3);
    }

    #[test]
    fn many_errors_are_cut_off() {
        let mut all = Diagnostics::none();
        for _ in 0..500 {
            all.push(Fault::new(Span { line: 3, column: 7 }, "no").in_file(&"x.s".into()));
        }
        assert_eq!(all.iter().count(), Diagnostics::LIMIT + 1);
        assert_eq!(all.iter().next().unwrap().to_string(), "x.s:3:7: error: no");
    }
}
