//! `cargo xtask bench`: whole-process times of q7sim beside QEMU on the same ELF, in turn.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

/// Programs and the repetitions that make them run for a good part of a second.
const PROGRAMS: [(&str, &str); 2] = [("crc32", "6000"), ("coremark", "1500")];

/// Builds q7sim, runs each program `runs` times on both sides, and prints medians and ratios.
///
/// # Errors
/// If a program cannot be run, or its output differs from the peer's.
pub fn run(runs: usize) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let built =
        Command::new("cargo").args(["build", "--release", "-p", "q7sim"]).current_dir(&root).status()?;
    ensure!(built.success(), "q7sim does not build");
    let target = std::env::var("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
    let q7sim = target.join("release/q7sim");
    for (name, repetitions) in PROGRAMS {
        let elf = root.join("firmware-fixtures/call0/elf").join(name).with_extension("elf");
        let mut ours = Command::new(&q7sim);
        ours.args(["run", "--stats"]).arg(&elf).arg(repetitions);
        let mut peer = Command::new("qemu-system-xtensa");
        peer.args([
            "-M",
            "sim",
            "-cpu",
            "de233_fpu",
            "-m",
            "128",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "none",
        ])
        .arg("-semihosting-config")
        .arg(format!("enable=on,arg={name},arg={repetitions}"))
        .arg("-device")
        .arg(format!("loader,file={},cpu-num=0", elf.display()));
        let bundles = bundles(&mut ours)?;
        let (mut own_times, mut peer_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..runs {
            let (own_time, own_output) = timed(&mut ours)?;
            own_times.push(own_time);
            match timed(&mut peer) {
                Ok((time, output)) => {
                    ensure!(output == own_output, "{name}: the outputs differ");
                    peer_times.push(time);
                    ratios.push(own_time / time);
                }
                Err(error) => println!("no peer: {error:#}"),
            }
        }
        let rate = |times: &mut Vec<f64>| bundles / median(times) / 1e6;
        println!("{name}: {:.0} M instructions", bundles / 1e6);
        println!("  q7sim {:.0} M/s (median of {runs} whole-process runs)", rate(&mut own_times));
        if !peer_times.is_empty() {
            println!("  QEMU  {:.0} M/s", rate(&mut peer_times));
            println!("  q7sim takes {:.2} times as long (median of paired ratios)", median(&mut ratios));
        }
    }
    Ok(())
}

/// Guest bundles of a run, from the statistics that q7sim prints.
fn bundles(command: &mut Command) -> anyhow::Result<f64> {
    let output = command.output().context("q7sim does not start")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("bundles")).context("--stats prints no bundles")?;
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().with_context(|| format!("no number in {line:?}"))
}

fn timed(command: &mut Command) -> anyhow::Result<(f64, Vec<u8>)> {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output()?;
    let time = start.elapsed().as_secs_f64();
    if !output.status.success() {
        bail!("{:?} failed: {}", command.get_program(), String::from_utf8_lossy(&output.stderr));
    }
    Ok((time, output.stdout))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
