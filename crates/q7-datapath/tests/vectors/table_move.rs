//! Moves, replication, extraction, selection, and the data part of loads and stores.

use q7_datapath::{
    HalfLane, Lane, Pr64, Pred64, Vec512, control, memory, moves, predicate, replicate, select, squeeze,
};

use crate::row::{Produced, Row};
use crate::table::{Table, view};

pub fn register(t: &mut Table) {
    registers(t);
    replication::<u8>(t);
    replication::<u16>(t);
    replication::<u32>(t);
    extraction(t);
    selection(t);
    squeezing::<u8>(t, "2n");
    squeezing::<u16>(t, "n");
    squeezing::<u32>(t, "n_2");
    lines(t);
    widths::<i8>(t, "8", "16");
    widths::<i16>(t, "16", "32");
}

fn registers(t: &mut Table) {
    t.add("mov_512_512", |row| Ok(Produced::vec::<u8>("out", row.vec::<u8>("a")?)));
    t.add("mov_8_32", |row| Ok(Produced::vec::<u8>("out", moves::movva::<u8>(row.word("a")? as u32))));
    t.add("mov_16_32", |row| Ok(Produced::vec::<u16>("out", moves::movva::<u16>(row.word("a")? as u32))));
    t.add("mov_32_32", |row| Ok(Produced::vec::<u32>("out", moves::movva::<u32>(row.word("a")? as u32))));
    t.add("mov_32_8", |row| Ok(Produced::word("out", moves::movav::<u8>(row.vec::<u8>("a")?))));
    t.add("mov_32u_8", |row| Ok(Produced::word("out", moves::movav::<u8>(row.vec::<u8>("a")?))));
    t.add("mov_32s_8", |row| Ok(Produced::word("out", moves::movav::<i8>(row.vec::<i8>("a")?))));
    t.add("mov_32u_16", |row| Ok(Produced::word("out", moves::movav::<u16>(row.vec::<u16>("a")?))));
    t.add("mov_32s_16", |row| Ok(Produced::word("out", moves::movav::<i16>(row.vec::<i16>("a")?))));
    t.add("mov_8_8", |row| Ok(Produced::vec::<u8>("out", moves::movvint::<u8>(row.word("a")? as i32))));
    t.add("mov_16_16", |row| Ok(Produced::vec::<u16>("out", moves::movvint::<u16>(row.word("a")? as i32))));
    t.add("mov_1_32", |row| Ok(Produced::word("out", moves::movba1(row.word("a")? as u32))));
    t.add("mov_32_1", |row| Ok(Produced::word("out", moves::movab1(row.word("a")? & 1 != 0))));
    t.add("movpra32_64_32", |row| Ok(Produced::word("out", moves::movpra32(row.word("a")? as u32).bits())));
    t.add("mov_8_8_8_t", |row| {
        let (src, old) = (row.vec::<u8>("src")?, row.vec::<u8>("old")?);
        Ok(Produced::vec::<u8>("out", moves::movt::<u8>(src, old, row.pred::<u8>("mask")?)))
    });
    t.add("movscfv", |row| Ok(Produced::word("out", control::dense_state(row.word("a")? as u32))));
    t.add("wur.fcr", |row| {
        let fcr = control::wur_fcr(row.word("art")? as u32);
        Ok(Produced::word("RoundMode", fcr & 3).and_word("fcr", fcr))
    });
    t.add("wur.fsr", |row| {
        let fsr = control::wur_fsr(row.word("art")? as u32);
        Ok(Produced::word("InvalidFlag", fsr & 1)
            .and_word("DivZeroFlag", fsr >> 1 & 1)
            .and_word("OverflowFlag", fsr >> 2 & 1)
            .and_word("UnderflowFlag", fsr >> 3 & 1)
            .and_word("InexactFlag", fsr >> 4 & 1)
            .and_word("fsr", fsr))
    });
    for name in ["sb2n_i", "sb2n_ip", "sbn_i", "sbn_ip", "sbn_2_i", "sbn_2_ip"] {
        t.add(name, |row| {
            let bytes = row.word("vb")?.to_le_bytes().map(u64::from);
            Ok(Produced::default().and_list("mem", bytes.to_vec()))
        });
    }
}

fn replication<L: Lane>(t: &mut Table) {
    let v = view::<L>();
    t.add(format!("rep_{v}_512_512_32"), |row| {
        Ok(Produced::vec::<L>("out", replicate::rep::<L>(row.vec::<L>("a")?, row.word("lane")? as u32)))
    });
    if L::BYTES == 1 {
        // Two equal bytes are what the 16-bit lanes of a byte broadcast hold.
        t.add("rep_16_8", |row| Ok(Produced::vec::<u16>("out", moves::movva::<u8>(row.word("a")? as u32))));
    }
}

fn extraction(t: &mut Table) {
    for (name, f) in [
        ("extr_nx16_32_512_32", replicate::extr::<i16> as fn(Vec512, u32) -> u32),
        ("extr_2nx8_32_512_32", replicate::extr::<u8>),
        ("extr_n_2x32_32_512_32", replicate::extr::<u32>),
    ] {
        let width = if name.contains("x16") {
            16
        } else if name.contains("x8") {
            8
        } else {
            32
        };
        t.add(name, move |row| Ok(Produced::word("out", f(lanes(row, width)?, row.word("lane")? as u32))));
    }
    t.add("extrvr_n_2x32_32_512_32", |row| {
        Ok(Produced::word("out", replicate::extrvr(row.vec::<u32>("a")?, row.word("idx")? as u32)))
    });
    for (name, width, f) in [
        ("extrpr_2nx8_64_512_32", 8, replicate::extrpr::<u8> as fn(Vec512, u32) -> Pr64),
        ("extrpr_nx16_64_512_32", 16, replicate::extrpr::<u16>),
        ("extrpr_n_2x32_64_512_32", 32, replicate::extrpr::<u32>),
        ("extrprvr_n_2x32_64_512_32", 32, replicate::extrprvr),
        ("extrpr64_n_4x64_64_512_32", 64, replicate::extrpr::<u64>),
    ] {
        t.add(name, move |row| {
            let lane = row.word(if row.has("lane") { "lane" } else { "idx" })? as u32;
            Ok(Produced::word("out", f(lanes(row, width)?, lane).bits()))
        });
    }
}

fn lanes(row: &Row, width: u32) -> Result<Vec512, String> {
    match width {
        8 => row.vec::<u8>("a"),
        16 => row.vec::<u16>("a"),
        32 => row.vec::<u32>("a"),
        _ => row.vec::<u64>("a"),
    }
}

fn selection(t: &mut Table) {
    select_lanes::<u8>(t);
    select_lanes::<u16>(t);
    select_lanes::<u32>(t);
    t.add("dcmprs_2nx8_512_512_64", |row| {
        Ok(Produced::vec::<u8>("out", select::dcmprs(row.vec::<u8>("src")?, row.pred::<u8>("vb")?)))
    });
}

fn select_lanes<L: Lane>(t: &mut Table) {
    let v = view::<L>();
    t.add(format!("sel_{v}_512_512_512_512"), |row| {
        let (high, low) = (row.vec::<L>("A")?, row.vec::<L>("B")?);
        Ok(Produced::vec::<L>("out", select::sel::<L>(high, low, row.vec::<L>("ctrl")?)))
    });
    t.add(format!("shfl_{v}_512_512_512"), |row| {
        Ok(Produced::vec::<L>("out", select::shfl::<L>(row.vec::<L>("src")?, row.vec::<L>("ctrl")?)))
    });
    if L::BYTES > 1 {
        t.add(format!("dsel_{v}_512_512_512_512_32"), |row| {
            let (high, low) = (row.vec::<L>("A")?, row.vec::<L>("B")?);
            let (by_high_byte, by_low_byte) = select::dsel::<L>(high, low, row.vec::<L>("ctrl")?);
            Ok(Produced::vec::<L>("out1", by_low_byte).and_vec::<L>("out2", by_high_byte))
        });
    }
}

fn squeezing<L: Lane>(t: &mut Table, view: &str) {
    for (name, f) in [
        (format!("ivp_sqz{view}"), squeeze::sqz::<L> as fn(Pred64) -> (Vec512, u32)),
        (format!("ivp_unsqz{view}"), squeeze::unsqz::<L>),
    ] {
        t.add(name, move |row| {
            let (pattern, count) = f(row.pred::<L>("vb")?);
            Ok(Produced::vec::<L>("out", pattern).and_vec::<L>("vt", pattern).and_word("arr", count))
        });
    }
}

fn lines(t: &mut Table) {
    t.add("lashift_512_512_6", |row| {
        let (carry, fresh) = (row.vec::<u8>("A")?, row.vec::<u8>("B")?);
        Ok(Produced::vec::<u8>("out", memory::funnel(carry, fresh, row.word("shift_bytes")? as u32)))
    });
    window::<2>(t);
    window::<4>(t);
    window::<8>(t);
    window::<16>(t);
    window::<32>(t);
}

/// A window of up to 64 bits is a word, a wider one a list of 32-bit words.
fn window<const N: usize>(t: &mut Table) {
    t.add(format!("wideldshift_{}_512_6", 8 * N), |row| {
        let bytes: [u8; N] = memory::line_element(row.vec::<u32>("a")?, row.word("amt")? as u32);
        if N <= 8 {
            let word = bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
            return Ok(Produced::word("out", word));
        }
        let words = bytes.chunks_exact(4).map(|word| u32::load(word).into());
        Ok(Produced::default().and_list("out", words.collect()))
    });
    t.add(format!("widestshift_512_{}_6", 8 * N), |row| {
        let element = row.vec::<u32>("a")?;
        let element: [u8; N] = element.bytes()[..N].try_into().expect("N bytes");
        let (line, _) = memory::element_in_line(element, row.word("amt")? as u32);
        Ok(Produced::vec::<u32>("out", line))
    });
}

/// Between memory elements of `half` bits and lanes of `full` bits.
fn widths<H: HalfLane>(t: &mut Table, half: &str, full: &str) {
    t.add(format!("sats_{half}_{full}"), |row| {
        let bytes = memory::narrow_saturating::<H>(row.vec::<H::Double>("a")?);
        Ok(Produced::word("out", bytes.lane::<H::Unsigned>(31 / H::BYTES).extended()))
    });
    t.add(format!("trunc_{half}_{full}"), |row| {
        let bytes = memory::narrow_truncating::<H>(row.vec::<H::Double>("a")?);
        Ok(Produced::word("out", bytes.lane::<H::Unsigned>(31 / H::BYTES).extended()))
    });
    if H::BITS == 8 {
        t.add("sext_16_8", |row| Ok(Produced::vec::<i16>("out", memory::widen::<i8>(row.vec::<i8>("a")?))));
        t.add("zeroext_16_8", |row| {
            Ok(Produced::vec::<u16>("out", memory::widen::<u8>(row.vec::<u8>("a")?)))
        });
        t.add("bitkillf_16_1", |row| {
            let every = if row.word("pred")? & 1 != 0 { Pred64::ALL } else { Pred64::NONE };
            Ok(Produced::vec::<u16>("out", predicate::mb(every).mask::<u16>()))
        });
    } else {
        t.add("zeroext_32_16", |row| {
            Ok(Produced::vec::<u32>("out", memory::widen::<u16>(row.vec::<u16>("a")?)))
        });
    }
}
