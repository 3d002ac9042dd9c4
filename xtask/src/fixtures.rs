//! `cargo xtask fixtures`: the programs under `firmware-fixtures/` from their sources.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use q7_asm::{LinkOptions, Object, Options};
use q7_isa::Isa;

/// Directories of assembly sources with the entry symbol of their programs. What lies in `rt/` of such a directory
/// is linked to every program of it.
const ASSEMBLED: [(&str, &str); 3] = [("windowed", "run"), ("asm", "_start"), ("vector", "_start")];

/// Builds every fixture to `DIRECTORY/elf/` beside its sources, or to `out/DIRECTORY/`.
///
/// # Errors
/// If a source does not assemble or compile, or with `check` if a committed file differs.
pub fn run(out: Option<PathBuf>, check: bool) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("firmware-fixtures");
    if !check {
        build(&root, |directory| match &out {
            Some(out) => out.join(directory),
            None => root.join(directory).join("elf"),
        })?;
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    let built = build(&root, |directory| scratch.path().join(directory))?;
    let mut stale = Vec::new();
    for directory in built {
        let committed = root.join(directory).join("elf");
        let fresh = scratch.path().join(directory);
        let mut names = files(&fresh, "elf")?;
        names.extend(files(&committed, "elf")?);
        let mut names: Vec<_> = names.iter().filter_map(|path| path.file_name()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (committed, fresh) = (committed.join(name), fresh.join(name));
            if std::fs::read(&committed).ok() != std::fs::read(&fresh).ok() {
                stale.push(committed.display().to_string());
            }
        }
    }
    ensure!(stale.is_empty(), "differs from what `cargo xtask fixtures` builds:\n{}", stale.join("\n"));
    println!("all fixtures are up to date");
    Ok(())
}

/// Builds everything and returns the directories that were built.
fn build(root: &Path, out: impl Fn(&str) -> PathBuf) -> anyhow::Result<Vec<&'static str>> {
    let mut built = Vec::new();
    for (directory, entry) in ASSEMBLED {
        let out = out(directory);
        std::fs::create_dir_all(&out)?;
        let sources = root.join(directory);
        let runtime = sources.join("rt");
        let runtime = if runtime.exists() { files(&runtime, "s")? } else { Vec::new() };
        for source in files(&sources, "s")? {
            build_program(&source, &runtime, entry, &out)?;
        }
        built.push(directory);
    }
    if compile(&root.join("call0"), &out("call0"))? {
        built.push("call0");
    }
    Ok(built)
}

/// Assembles one source and links it with those of the runtime.
fn build_program(source: &Path, runtime: &[PathBuf], entry: &str, out: &Path) -> anyhow::Result<()> {
    let isa = Isa::embedded();
    let mut objects = vec![assemble(isa, source)?];
    for source in runtime {
        objects.push(assemble(isa, source)?);
    }
    let options = LinkOptions { entry: Some(entry.into()), ..LinkOptions::default() };
    let program = q7_asm::link(isa, &objects, &options)?;
    let target = out.join(source.with_extension("elf").file_name().unwrap_or_default());
    std::fs::write(&target, program.to_elf()).with_context(|| target.display().to_string())?;
    println!("{}", target.display());
    Ok(())
}

fn assemble(isa: &Isa, source: &Path) -> anyhow::Result<Object> {
    let text = std::fs::read_to_string(source).with_context(|| source.display().to_string())?;
    let name = source.display().to_string();
    Ok(q7_asm::assemble(isa, &name, &text, &Options::default())?)
}

/// Runs `build.sh` of the C programs if the compiler is there.
fn compile(directory: &Path, out: &Path) -> anyhow::Result<bool> {
    // The script's own status for a missing toolchain.
    const NO_TOOLCHAIN: i32 = 3;
    let script = directory.join("build.sh");
    if !script.exists() || Command::new("xtensa-lx106-elf-gcc").arg("--version").output().is_err() {
        println!("skipped: {} needs xtensa-lx106-elf-gcc", directory.display());
        return Ok(false);
    }
    let status = Command::new("sh").arg(&script).arg(out).status()?;
    match status.code() {
        Some(0) => {
            println!("{}", out.display());
            Ok(true)
        }
        Some(NO_TOOLCHAIN) => {
            println!("skipped: {}", directory.display());
            Ok(false)
        }
        _ => bail!("{} failed", script.display()),
    }
}

/// The files of a directory with an extension, sorted.
fn files(directory: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new(extension)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
