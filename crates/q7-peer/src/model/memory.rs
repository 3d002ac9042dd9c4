//! Memory as bytes, loads, stores and exclusive accesses.

use std::collections::HashMap;

use super::{Model, Stop};

const PAGE: u32 = 4096;

/// A sparse memory; what was never written is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes(HashMap<u32, Box<[u8; PAGE as usize]>>);

impl Bytes {
    pub(super) fn get(&self, address: u32) -> u8 {
        self.0.get(&(address / PAGE)).map_or(0, |page| page[(address % PAGE) as usize])
    }

    pub(super) fn set(&mut self, address: u32, byte: u8) {
        let page = self.0.entry(address / PAGE).or_insert_with(|| Box::new([0; PAGE as usize]));
        page[(address % PAGE) as usize] = byte;
    }
}

impl Model<'_> {
    /// Carries out a load or store; false if the mnemonic is none.
    pub(super) fn access_memory(&mut self, mnemonic: &str, o: &[i32]) -> Result<bool, Stop> {
        match mnemonic {
            "l8ui" => self.load(o, 1, false)?,
            "l16ui" => self.load(o, 2, false)?,
            "l16si" => self.load(o, 2, true)?,
            "l32i" | "l32i.n" | "l32ai" => self.load(o, 4, false)?,
            "l32r" => {
                let value = self.little_endian(o[1] as u32, 4);
                self.set_ar(o[0], value);
            }
            "s8i" => self.store(o, 1)?,
            "s16i" => self.store(o, 2)?,
            "s32i" | "s32i.n" | "s32ri" => self.store(o, 4)?,
            "l32ex" => {
                // Before the load, which may replace the address register.
                let address = self.address(&[o[0], o[1], 0], 4)?;
                self.load(&[o[0], o[1], 0], 4, false)?;
                self.reserved = Some(address);
            }
            "s32ex" => {
                // An address that cannot be stored to faults even if nothing is reserved (X15).
                let address = self.address(&[o[0], o[1], 0], 4)?;
                self.exclusive_result = self.reserved.take() == Some(address);
                if self.exclusive_result {
                    self.store(&[o[0], o[1], 0], 4)?;
                }
            }
            "getex" => {
                let old = self.exclusive_result;
                self.exclusive_result = self.ar(o[0]) % 2 == 1;
                self.set_ar(o[0], u32::from(old));
            }
            "clrex" => self.reserved = None,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The address of operands `t, s, offset`, which must be a multiple of the width.
    fn address(&self, o: &[i32], width: u32) -> Result<u32, Stop> {
        let address = (i64::from(self.ar(o[1])) + i64::from(o[2])).rem_euclid(1 << 32) as u32;
        if address.is_multiple_of(width) { Ok(address) } else { Err(Stop::Misaligned(address)) }
    }

    fn little_endian(&self, address: u32, width: u32) -> u32 {
        (0..width)
            .rev()
            .fold(0, |value, offset| value * 256 + u32::from(self.memory.get(address.wrapping_add(offset))))
    }

    fn load(&mut self, o: &[i32], width: u32, signed: bool) -> Result<(), Stop> {
        let address = self.address(o, width)?;
        let mut value = i64::from(self.little_endian(address, width));
        let range = 1i64 << (8 * width);
        if signed && value >= range / 2 {
            value -= range;
        }
        self.set_ar(o[0], value.rem_euclid(1 << 32) as u32);
        Ok(())
    }

    fn store(&mut self, o: &[i32], width: u32) -> Result<(), Stop> {
        let address = self.address(o, width)?;
        let mut value = self.ar(o[0]);
        for offset in 0..width {
            self.memory.set(address + offset, (value % 256) as u8);
            value /= 256;
        }
        Ok(())
    }
}
