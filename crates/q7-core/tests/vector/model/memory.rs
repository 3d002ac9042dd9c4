//! Loads, stores and streams on the bytes of the memory window.

use q7_datapath::{Pred64, Vec512};

use super::Step;
use crate::state::WINDOW;
use crate::support::{read, truth, write};

impl Step<'_> {
    fn byte(&self, address: u32) -> u8 {
        let inside = self.state.memory.get(address.wrapping_sub(WINDOW) as usize);
        self.outside.set(self.outside.get() || inside.is_none());
        *inside.unwrap_or(&0)
    }

    fn set_byte(&mut self, address: u32, value: u8) {
        match self.state.memory.get_mut(address.wrapping_sub(WINDOW) as usize) {
            Some(byte) => *byte = value,
            None => self.outside.set(true),
        }
    }

    fn bytes(&self, address: u32, count: u32) -> Vec<u8> {
        (0..count).map(|k| self.byte(address.wrapping_add(k))).collect()
    }

    fn line(&self, address: u32) -> Vec512 {
        Vec512::from_low_bytes(&self.bytes(address / 64 * 64, 64))
    }

    fn align(&self, role: &str) -> Vec512 {
        self.state.valign[self.register(role)]
    }

    fn set_align(&mut self, role: &str, value: Vec512) {
        let register = self.register(role);
        self.state.valign[register] = value;
    }

    /// Address of the access, and the base register afterwards.
    fn address(&self, mode: &str) -> (u32, u32) {
        let base = self.ar("ars");
        let immediate = |role: &str| base.wrapping_add(self.call.get(role) as u32);
        match mode {
            "i" => (immediate("offset"), base),
            "ip" => (base, immediate("step")),
            "x" => (base.wrapping_add(self.ar("art")), base),
            "xp" => (base, base.wrapping_add(self.ar("art"))),
            _ => panic!("no addressing mode {mode}"),
        }
    }
}

impl Step<'_> {
    /// LB and SB at an address that is not a multiple of 8 raise an exception, which is for other tests.
    fn address_of_pred(&self, mode: &str) -> (u32, u32) {
        let (address, base) = self.address(mode);
        self.outside.set(self.outside.get() || address % 8 != 0);
        (address, base)
    }
}

/// What stands in memory for the lanes of a register: plain bytes, or elements of half the lane width.
#[derive(Clone, Copy)]
enum Element {
    Plain(u32),
    Half { width: u32, signed: bool },
}

fn element(lanes: &str) -> Option<Element> {
    let half = |width, signed| Element::Half { width, signed };
    Some(match lanes {
        "2nx8" => Element::Plain(1),
        "nx16" => Element::Plain(2),
        "n_2x32" => Element::Plain(4),
        "n_4x64" => Element::Plain(8),
        "n_8x128" => Element::Plain(16),
        "n_16x256" => Element::Plain(32),
        "nx8s" => half(8, true),
        "nx8u" => half(8, false),
        "n_2x16s" => half(16, true),
        "n_2x16u" => half(16, false),
        _ => return None,
    })
}

impl Element {
    /// Bytes in memory of a whole vector.
    fn vector_size(self) -> u32 {
        if matches!(self, Element::Half { .. }) { 32 } else { 64 }
    }

    /// Bytes in memory of one element.
    fn size(self) -> u32 {
        match self {
            Element::Plain(bytes) => bytes,
            Element::Half { width, .. } => width / 8,
        }
    }

    /// The register for these bytes.
    fn expand(self, bytes: &[u8]) -> Vec512 {
        match self {
            Element::Plain(_) => Vec512::from_low_bytes(bytes),
            Element::Half { width, signed } => write(2 * width, &read(width, signed, bytes)),
        }
    }

    /// The bytes for a register: signed lanes clamped, unsigned ones cut.
    fn pack(self, v: Vec512) -> Vec<u8> {
        let Element::Half { width, signed } = self else { return v.bytes().to_vec() };
        let (low, high) = (-(1 << (width - 1)), (1 << (width - 1)) - 1);
        let limit = |lane: i128| if signed { lane.clamp(low, high) } else { lane };
        let lanes: Vec<i128> = read(2 * width, true, v.bytes()).into_iter().map(limit).collect();
        write(width, &lanes).bytes()[..32].to_vec()
    }
}

pub fn by_name(step: &mut Step<'_>, name: &str) -> Option<()> {
    match name {
        "zalign" => step.set_align("ut", Vec512::ZERO),
        "malign" => step.set_align("ut", step.align("us")),
        "la_pp" => step.set_align("ut", step.line(step.ar("ars"))),
        "la_ppxu" => {
            let address = step.ar("ars").wrapping_add(step.ar("art"));
            step.set_align("ut", step.line(address));
            step.set_ar("ars", address);
        }
        "sapos_fp" => flush(step, 0),
        "sapos_fpxp" => flush(step, step.ar("art")),
        _ => {
            let (kind, mode) = name.rsplit_once('_')?;
            return with_mode(step, kind, mode);
        }
    }
    Some(())
}

fn with_mode(step: &mut Step<'_>, kind: &str, mode: &str) -> Option<()> {
    let lanes = |prefix: &str| kind.strip_prefix(prefix).and_then(element);
    let masked =
        |prefix: &str| lanes(prefix).or_else(|| element(kind.strip_prefix(prefix)?.strip_suffix('t')?));
    match kind {
        "lalign" => {
            let (address, base) = step.address(mode);
            step.set_align("ut", step.line(address));
            step.set_ar("ars", base);
        }
        "salign" => {
            let (address, base) = step.address(mode);
            let line = *step.align("us").bytes();
            store(step, address / 64 * 64, &line, !0);
            step.set_ar("ars", base);
        }
        "lb2n" | "lbn" | "lbn_2" => {
            let (address, base) = step.address_of_pred(mode);
            let bits = step.bytes(address, 8).iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            step.set_pred("vbt", Pred64::from_bits(bits));
            step.set_ar("ars", base);
        }
        "sb2n" | "sbn" | "sbn_2" => {
            let (address, base) = step.address_of_pred(mode);
            let bits = step.pred("vbr").bits();
            store(step, address, &(0..8).map(|k| (bits >> (8 * k)) as u8).collect::<Vec<_>>(), !0);
            step.set_ar("ars", base);
        }
        // 64 bytes at any address; the alignment register takes the line of the last one.
        "l2u2nx8" | "l2au2nx8" | "l2a4nx8" => {
            let (address, advance) = (step.ar("ars"), advance(step, mode, 64));
            step.set_vec("vt", Vec512::from_low_bytes(&step.bytes(address, 64)));
            if kind != "l2u2nx8" {
                step.set_align("u", step.line(address.wrapping_add(63)));
            }
            step.set_ar("ars", address.wrapping_add(advance));
        }
        _ => {
            if let Some(element) = lanes("lsr") {
                let (address, base) = step.address(mode);
                let bytes = step.bytes(address / element.size() * element.size(), element.size());
                step.set_vec("vt", Vec512::from_low_bytes(&bytes.repeat(64 / bytes.len())));
                step.set_ar("ars", base);
            } else if let Some(element) = lanes("ls") {
                load(step, mode, element, element.size());
            } else if let Some(element) = lanes("lv") {
                load(step, mode, element, element.vector_size());
            } else if let Some(element) = lanes("ss") {
                store_register(step, mode, element, element.size(), false);
            } else if let Some(element) = masked("sv") {
                store_register(step, mode, element, element.vector_size(), kind.ends_with('t'));
            } else if let Some(element) = lanes("lav") {
                load_stream(step, mode, element, true);
            } else if let Some(element) = lanes("la") {
                load_stream(step, mode, element, false);
            } else if let Some(element) = lanes("sav") {
                store_stream(step, element, true);
            } else {
                store_stream(step, lanes("sa")?, false);
            }
        }
    }
    Some(())
}

/// How far a stream goes on that is not counted.
fn advance(step: &Step<'_>, mode: &str, size: u32) -> u32 {
    match mode {
        "ip" => size,
        "ipi" => step.call.get("step") as u32,
        "xp" => step.ar("art"),
        _ => panic!("no stream mode {mode}"),
    }
}

/// Bytes of one step of a stream; counted ones take a signed register, limited to the whole access.
fn count(step: &Step<'_>, element: Element, counted: bool) -> u32 {
    let size = element.vector_size();
    if counted { (step.ar("art") as i32).clamp(0, size as i32) as u32 } else { size }
}

fn load(step: &mut Step<'_>, mode: &str, element: Element, size: u32) {
    let (address, base) = step.address(mode);
    let bytes = step.bytes(address / size * size, size);
    step.set_vec("vt", element.expand(&bytes));
    step.set_ar("ars", base);
}

/// Stores the bytes whose bit is set; all of them must be writable.
fn store(step: &mut Step<'_>, address: u32, bytes: &[u8], enable: u64) {
    step.bytes(address, bytes.len() as u32);
    for (k, &byte) in bytes.iter().enumerate().filter(|(k, _)| enable >> k & 1 == 1) {
        step.set_byte(address.wrapping_add(k as u32), byte);
    }
}

fn store_register(step: &mut Step<'_>, mode: &str, element: Element, size: u32, masked: bool) {
    let (address, base) = step.address(mode);
    let bytes = element.pack(step.vec("vr"));
    // A byte in memory belongs to a lane as wide as itself, or twice as wide.
    let lane = |k: u32| match element {
        Element::Plain(_) => (8, k),
        Element::Half { width, .. } => (2 * width, 8 * k / width),
    };
    let on = |k: u32| !masked || truth(step.pred("vbr"), lane(k).0, lane(k).1 as usize);
    let enable = (0..size).map(|k| u64::from(on(k)) << k).sum();
    store(step, address / size * size, &bytes[..size as usize], enable);
    step.set_ar("ars", base);
}

/// Bytes in the line of the last one come from memory, those before it from the register.
fn load_stream(step: &mut Step<'_>, mode: &str, element: Element, counted: bool) {
    let (address, count) = (step.ar("ars"), count(step, element, counted));
    let advance = if counted { count } else { advance(step, mode, count) };
    let mut bytes = vec![0; element.vector_size() as usize];
    if count > 0 {
        let last = address.wrapping_add(count - 1) / 64;
        for (k, byte) in (0..count).zip(&mut bytes) {
            let at = address.wrapping_add(k);
            *byte = if at / 64 == last { step.byte(at) } else { step.align("u").bytes()[at as usize % 64] };
        }
        step.set_align("u", step.line(address.wrapping_add(count - 1)));
    }
    step.set_vec("vt", element.expand(&bytes));
    step.set_ar("ars", address.wrapping_add(advance));
}

/// Bytes that wait, as the register image says it: how many stands in byte 63.
fn waiting(line: Vec512, offset: u32) -> u32 {
    (u32::from(line.bytes()[63]) % 64).min(offset)
}

fn store_stream(step: &mut Step<'_>, element: Element, counted: bool) {
    let (address, count) = (step.ar("ars"), count(step, element, counted));
    let (offset, held) = (address % 64, step.align("u"));
    let waiting = waiting(held, offset);
    let data = element.pack(step.vec("vr"));
    let byte = |at: u32| match at.checked_sub(offset) {
        None => held.bytes()[at as usize],
        Some(k) if k < count => data[k as usize],
        Some(_) => 0,
    };
    let end = offset + count;
    let image = |from: u32, waiting: u32| {
        let mut line = [0; 64];
        for at in from..end {
            line[(at - from) as usize] = byte(at);
        }
        line[63] = waiting as u8;
        Vec512::from_bytes(line)
    };
    if end < 64 {
        step.set_align("u", image(0, waiting + count));
    } else {
        let line: Vec<u8> = (0..64).map(byte).collect();
        let rest = image(64, end - 64);
        store(step, address - offset, &line, !0 << (offset - waiting));
        step.set_align("u", rest);
    }
    step.set_ar("ars", address.wrapping_add(count));
}

fn flush(step: &mut Step<'_>, advance: u32) {
    let address = step.ar("ars");
    let (offset, held) = (address % 64, step.align("u"));
    for at in offset - waiting(held, offset)..offset {
        step.set_byte(address - offset + at, held.bytes()[at as usize]);
    }
    step.set_align("u", Vec512::ZERO);
    let base = step.register("ars");
    step.state.ar[base] = address.wrapping_add(advance);
}
