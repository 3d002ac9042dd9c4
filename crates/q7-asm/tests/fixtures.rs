//! The committed programs are what the sources beside them assemble to (`cargo xtask fixtures`).

use std::path::Path;

use q7_asm::{LinkOptions, Options, build};
use q7_isa::Isa;

#[test]
fn committed_programs_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware-fixtures");
    let mut count = 0;
    for (directory, entry) in [("windowed", "run"), ("asm", "_start")] {
        for file in std::fs::read_dir(root.join(directory)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "s") {
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let options = LinkOptions { entry: Some(entry.into()), ..LinkOptions::default() };
            let name = path.display().to_string();
            let program = build(Isa::embedded(), &name, &source, &Options::default(), &options)
                .unwrap_or_else(|errors| panic!("{errors}"));
            let name = path.with_extension("elf");
            let committed = root.join(directory).join("elf").join(name.file_name().unwrap());
            let committed = std::fs::read(&committed).unwrap();
            assert!(committed == program.to_elf(), "{} is stale: run `cargo xtask fixtures`", path.display());
            count += 1;
        }
    }
    assert!(count >= 7);
}
