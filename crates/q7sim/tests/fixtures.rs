//! Compiled programs through the command line.

mod common;

use common::{Place, elves, fixtures, with_input};

/// No fixture needs more.
const LIMIT: &str = "--max-bundles 100_000_000";

fn name(elf: &std::path::Path) -> String {
    elf.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn call0_programs_print_what_they_print_on_the_host() {
    let directory = fixtures("call0");
    for elf in elves("call0") {
        let name = name(&elf);
        let mut command = Place::new().command("run");
        command.current_dir(&directory).arg(&elf).args(LIMIT.split(' ')).arg("--");
        if let Ok(arguments) = std::fs::read_to_string(directory.join(format!("input/{name}.args"))) {
            command.args(arguments.lines());
        }
        let input = std::fs::read(directory.join(format!("input/{name}.stdin"))).unwrap_or_default();
        let expected = std::fs::read_to_string(directory.join(format!("expected/{name}.txt"))).unwrap();
        let ended = with_input(command, &input);
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{name}");
        assert_eq!(ended.out, expected, "{name}");
    }
}

#[test]
fn windowed_functions_return_what_they_return_on_the_host() {
    let expected = std::fs::read_to_string(fixtures("windowed").join("expected.txt")).unwrap();
    let results: Vec<(&str, &str)> = expected.lines().filter_map(|line| line.split_once(' ')).collect();
    let elves = elves("windowed");
    let names: Vec<String> = elves.iter().map(|elf| name(elf)).collect();
    assert_eq!(names, results.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (elf, (name, word)) in elves.iter().zip(results) {
        let mut command = Place::new().command("run --call run");
        command.current_dir(fixtures("windowed")).arg(elf).args(LIMIT.split(' '));
        let ended = with_input(command, b"");
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{name}");
        assert_eq!(ended.out.trim_end(), word, "{name}");
    }
}
