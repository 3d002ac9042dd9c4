//! Vector kernels in assembly print what their C references print on the host.

mod common;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use common::{Place, fixtures, with_input};

/// Names of the files of a directory with an extension, without it, sorted.
fn names(directory: &Path, extension: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| PathBuf::from(entry.unwrap().file_name()))
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
        .map(|path| path.with_extension("").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn vector_kernels_print_what_their_references_print() {
    let directory = fixtures("vector");
    let kernels = names(&directory, "s");
    assert_eq!(kernels, ["add", "copy", "histogram", "max3x3", "reduce", "threshold", "transpose"]);
    assert_eq!(kernels, names(&directory, "c"), "references");
    assert_eq!(kernels, names(&directory.join("elf"), "elf"), "programs");
    assert_eq!(kernels, names(&directory.join("expected"), "txt"), "expectations");
    for name in kernels {
        let expected = std::fs::read_to_string(directory.join(format!("expected/{name}.txt"))).unwrap();
        assert!(expected.ends_with('\n'), "{name}: no expectation");
        let mut command = Place::new().command("run --max-bundles 10_000_000");
        command.current_dir(&directory).arg(format!("elf/{name}.elf"));
        let ended = with_input(command, b"");
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{name}");
        assert_eq!(ended.out, expected, "{name}");
    }
}
