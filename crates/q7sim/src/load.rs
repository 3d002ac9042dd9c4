//! Files into memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use q7_core::{Backing, Memory, MemoryMap, Region};
use q7_image::{Image, SymbolTable};

use crate::numbers::{Load, Place};
use crate::status::Failure;

/// Largest file that is read as a whole. It keeps `/dev/zero` from eating the host.
const LARGEST_FILE: u64 = 1 << 29;

/// Bytes moved at once.
const CHUNK: usize = 1 << 16;

/// A whole file.
///
/// # Errors
/// If it cannot be read or is far larger than any image.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| Failure::file(path.display(), error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Failure::file(path.display(), "larger than 512 MiB"));
    }
    Ok(bytes)
}

/// A file of text.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::file(path.display(), format!("not UTF-8 text (byte {at})"))
    })
}

/// The memory map in a file, or the default one.
///
/// # Errors
/// If the file cannot be read or its map is not usable.
pub fn memory_map(path: Option<&Path>) -> Result<MemoryMap, Failure> {
    let Some(path) = path else { return Ok(MemoryMap::default()) };
    let error =
        |reason: &dyn std::fmt::Display| Failure::file(path.display(), format!("memory map: {reason}"));
    let map = MemoryMap::from_toml(&read_text(path)?).map_err(|reason| error(&reason))?;
    if map.regions.is_empty() { Err(error(&"no regions")) } else { Ok(map) }
}

/// An ELF file and what it holds.
///
/// # Errors
/// If it cannot be read or is not an image.
pub fn image(path: &Path) -> Result<(Vec<u8>, Image), Failure> {
    let bytes = read(path)?;
    let image = Image::parse(&bytes).map_err(|error| Failure::file(path.display(), error))?;
    Ok((bytes, image))
}

/// Puts the segments of an image into memory.
///
/// # Errors
/// If one of them lies outside.
pub fn place_image(path: &Path, image: &Image, memory: &mut Memory) -> Result<(), Failure> {
    image
        .check_fits(|address, size| memory.covers(address, size.into()))
        .map_err(|error| Failure::file(path.display(), error))?;
    for segment in &image.segments {
        write(path, segment.address, &segment.data, memory)?;
        let size = segment.data.len() as u32;
        zero(path, segment.address.wrapping_add(size), segment.memory_size - size, memory)?;
    }
    Ok(())
}

/// Zeroes memory. What is zero already is left alone, so that a large `.bss` costs no host memory.
fn zero(path: &Path, address: u32, length: u32, memory: &mut Memory) -> Result<(), Failure> {
    let mut buffer = [0; CHUNK];
    for offset in (0..length).step_by(CHUNK) {
        let piece = &mut buffer[..CHUNK.min((length - offset) as usize)];
        let at = address.wrapping_add(offset);
        memory.read_bytes(at, piece).map_err(|at| outside(path, at))?;
        if piece.iter().any(|&byte| byte != 0) {
            piece.fill(0);
            write(path, at, piece, memory)?;
        }
    }
    Ok(())
}

/// Puts the bytes of a file into memory.
///
/// # Errors
/// If the file cannot be read or does not fit.
pub fn place_file(load: &Load, memory: &mut Memory) -> Result<(), Failure> {
    let error = |error| Failure::file(load.path.display(), error);
    let mut file = File::open(&load.path).map_err(error)?;
    let mut buffer = [0; CHUNK];
    let mut address = u64::from(load.address);
    loop {
        let count = file.read(&mut buffer).map_err(error)?;
        if count == 0 {
            return Ok(());
        }
        if address + count as u64 > 1 << 32 {
            return Err(Failure::file(
                load.path.display(),
                format!("does not fit from {:#010x} on", load.address),
            ));
        }
        write(&load.path, address as u32, &buffer[..count], memory)?;
        address += count as u64;
    }
}

fn write(path: &Path, address: u32, bytes: &[u8], memory: &mut Memory) -> Result<(), Failure> {
    memory.write_bytes(address, bytes).map_err(|at| outside(path, at))
}

fn outside(path: &Path, address: u32) -> Failure {
    Failure::file(path.display(), format!("address {address:#010x} lies outside the memory of the machine"))
}

/// The address of a place; `argument` names it in the error.
///
/// # Errors
/// If there is no such symbol.
pub fn resolve(place: &Place, argument: &str, image: &Path, symbols: &SymbolTable) -> Result<u32, Failure> {
    match place {
        Place::Address(address) => Ok(*address),
        Place::Symbol(name) => symbols
            .address_of(name)
            .ok_or_else(|| Failure::usage(format!("{argument}: {} has no symbol `{name}`", image.display()))),
    }
}

/// Where the stack starts unless the user says so: the end of system RAM, or of the largest RAM.
pub fn default_stack(map: &MemoryMap) -> u32 {
    let usable = |region: &&Region| region.write && matches!(region.backing, Backing::Ram { .. });
    let region = map
        .regions
        .iter()
        .find(|region| region.name == "sysram")
        .or_else(|| map.regions.iter().filter(usable).max_by_key(|region| region.size));
    // At the end of the address space this is 0, and the first push wraps below it.
    region.map_or(0, |region| region.end() as u32 & !0xf)
}
