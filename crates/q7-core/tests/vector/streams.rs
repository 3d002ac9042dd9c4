//! Unaligned copies through the streams: every length and alignment, neighbours untouched.

use q7_core::{Limits, Machine, NoHost, Stop};

use crate::common::{STACK, load};

const SOURCE: u32 = 0x0020_0000;
const TARGET: u32 = 0x0020_1000;

/// Bytes around and in the target that are compared: a line before, all alignments and lengths, lines behind.
const AREA: usize = 64 + 64 + 200 + 128;

/// Copies a4 bytes from a3 to a2, in counted steps, in whole steps with a counted rest, and as widened elements.
const PROGRAMS: [&str; 3] = [
    "ivp_zalign u1\nivp_la_pp u0, a3\n\
     1: ivp_lav2nx8_xp v0, u0, a3, a4\nivp_sav2nx8_xp v0, u1, a2, a4\naddi a4, a4, -64\nbgei a4, 1, 1b\n\
     ivp_sapos_fp u1, a2\nhalt 0",
    "ivp_zalign u1\nivp_la_pp u0, a3\nsrli a5, a4, 6\nextui a4, a4, 0, 6\nloopgtz a5, 1f\n\
     ivp_la2nx8_ip v0, u0, a3\nivp_sa2nx8_ip v0, u1, a2\n\
     1: ivp_lav2nx8_xp v0, u0, a3, a4\nivp_sav2nx8_xp v0, u1, a2, a4\nivp_sapos_fp u1, a2\nhalt 0",
    "ivp_zalign u1\nivp_la_pp u0, a3\n\
     1: ivp_lavnx8s_xp v0, u0, a3, a4\nivp_savnx8s_xp v0, u1, a2, a4\naddi a4, a4, -32\nbgei a4, 1, 1b\n\
     ivp_sapos_fp u1, a2\nhalt 0",
];

/// What stands around the target before.
fn untouched(k: usize) -> u8 {
    (k * 37 + 11) as u8
}

/// A byte of the source; no value comes twice within a line.
fn data(k: usize) -> u8 {
    (k * 101 + 5) as u8
}

fn copy(machine: &mut Machine<'_>, entry: u32, length: usize, from: usize, to: usize) {
    let before: Vec<u8> = (0..AREA).map(untouched).collect();
    machine.core.memory.write_bytes(TARGET - 64, &before).unwrap();
    machine.start(entry, STACK);
    machine.core.ar[2..5].copy_from_slice(&[TARGET + to as u32, SOURCE + from as u32, length as u32]);
    let limits = Limits { max_bundles: Some(machine.core.bundles() + 1000), ..Limits::default() };
    assert_eq!(machine.run(&limits, &mut NoHost), Stop::Halted(0));
    let mut after = vec![0; AREA];
    machine.core.memory.read_bytes(TARGET - 64, &mut after).unwrap();
    let mut wanted = before;
    for (k, byte) in wanted[64 + to..64 + to + length].iter_mut().enumerate() {
        *byte = data(from + k);
    }
    assert_eq!(after, wanted, "{length} bytes from +{from} to +{to}");
    let pointers = (machine.core.ar[2] - TARGET, machine.core.ar[3] - SOURCE);
    assert_eq!(
        pointers,
        ((to + length) as u32, (from + length) as u32),
        "{length} bytes from +{from} to +{to}"
    );
}

#[test]
fn copies_of_every_length_and_alignment() {
    for source in PROGRAMS {
        let (mut machine, program) = load(source);
        let bytes: Vec<u8> = (0..512).map(data).collect();
        machine.core.memory.write_bytes(SOURCE, &bytes).unwrap();
        for length in 0..=200 {
            for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
                copy(&mut machine, program.entry(), length, from, to);
            }
        }
    }
}
