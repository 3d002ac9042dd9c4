//! Guest memory: regions backed by host memory, reached through a page table.
//!
//! Two tables, one for reads and one for writes, hold a host pointer per 4 KiB page. A page without a
//! pointer takes the slow path: first touch, no access, code that a write must invalidate, or an
//! observed run. The pages are as small as the blocks' pages so that data next to code stays fast.

mod host;
mod map;
mod table;

pub use map::{Backing, MapError, MemoryMap, PAGE_SIZE, Region};

use std::collections::HashMap;

use crate::exception::{Cause, Exception};
use host::HostMemory;
use table::PageTable;

/// A plain value that memory holds: little-endian, `SIZE` bytes.
pub trait Value: Copy {
    /// Size in bytes, a power of two.
    const SIZE: u32;
    /// Reads from a host pointer.
    ///
    /// # Safety
    /// `SIZE` bytes must be readable; they need no alignment.
    unsafe fn read(pointer: *const u8) -> Self;
    /// Writes to a host pointer.
    ///
    /// # Safety
    /// `SIZE` bytes must be writable; they need no alignment.
    unsafe fn write(self, pointer: *mut u8);
    /// The lowest 64 bits.
    fn low(self) -> u64;
}

macro_rules! value {
    ($($type:ty),*) => {$(
        impl Value for $type {
            const SIZE: u32 = size_of::<$type>() as u32;
            #[inline]
            unsafe fn read(pointer: *const u8) -> Self {
                // SAFETY: the caller vouches for the bytes.
                <$type>::from_le(unsafe { pointer.cast::<$type>().read_unaligned() })
            }
            #[inline]
            unsafe fn write(self, pointer: *mut u8) {
                // SAFETY: the caller vouches for the bytes.
                unsafe { pointer.cast::<$type>().write_unaligned(self.to_le()) }
            }
            fn low(self) -> u64 {
                self.into()
            }
        }
    )*};
}

value!(u8, u16, u32, u64);

impl<const N: usize> Value for [u8; N] {
    const SIZE: u32 = N as u32;
    #[inline]
    unsafe fn read(pointer: *const u8) -> Self {
        const { assert!(N.is_power_of_two() && N <= PAGE_SIZE as usize) };
        // SAFETY: the caller vouches for the bytes; an array of bytes has alignment 1.
        unsafe { pointer.cast::<[u8; N]>().read() }
    }
    #[inline]
    unsafe fn write(self, pointer: *mut u8) {
        const { assert!(N.is_power_of_two() && N <= PAGE_SIZE as usize) };
        // SAFETY: as in `read`.
        unsafe { pointer.cast::<[u8; N]>().write(self) }
    }
    fn low(self) -> u64 {
        self.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}

/// One access to memory, as observers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// First byte.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
    /// True for a store.
    pub store: bool,
    /// The value, or its lowest 64 bits.
    pub value: u64,
}

/// What a store did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Nothing but data changed.
    Data,
    /// Bytes that had been decoded changed: the blocks must go.
    Code,
}

struct Mapped {
    region: Region,
    /// Index of the host mapping that backs the region.
    host: usize,
    /// The word that stands everywhere before anything is written.
    fill: u32,
}

/// The guest's memory.
pub struct Memory {
    read: PageTable,
    write: PageTable,
    mapped: Vec<Mapped>,
    hosts: Vec<HostMemory>,
    /// Decoded bytes, one bit each, by host page, so that aliases share them.
    code: HashMap<usize, Box<[u64; 64]>>,
    observing: bool,
    accesses: Vec<Access>,
    /// A store changed decoded bytes since the last `forget_code`.
    code_changed: bool,
}

const PAGE_BITS: u32 = PAGE_SIZE.trailing_zeros();

impl Memory {
    /// Allocates the regions of a map; large ones cost nothing until touched.
    ///
    /// # Errors
    /// [`MapError`] if the map is not usable or the host gives no memory.
    pub fn new(map: &MemoryMap) -> Result<Memory, MapError> {
        map.check()?;
        let mut memory = Memory {
            read: PageTable::new(),
            write: PageTable::new(),
            mapped: Vec::new(),
            hosts: Vec::new(),
            code: HashMap::new(),
            observing: false,
            accesses: Vec::new(),
            code_changed: false,
        };
        for region in &map.regions {
            let (mut host, mut initial) = (usize::MAX, 0);
            if let Backing::Ram { fill } = region.backing {
                initial = fill;
                let mut mapping = HostMemory::new(region.size as usize).map_err(|error| MapError::Host {
                    name: region.name.clone(),
                    size: region.size,
                    reason: error.to_string(),
                })?;
                if fill != 0 {
                    for word in mapping.bytes_mut().chunks_exact_mut(4) {
                        word.copy_from_slice(&fill.to_le_bytes());
                    }
                }
                host = memory.hosts.len();
                memory.hosts.push(mapping);
            }
            memory.mapped.push(Mapped { region: region.clone(), host, fill: initial });
        }
        for index in 0..memory.mapped.len() {
            if let Backing::Alias { of } = &memory.mapped[index].region.backing {
                let target = memory.mapped.iter().find(|other| other.region.name == *of);
                let (host, fill) = target.map_or((0, 0), |other| (other.host, other.fill));
                (memory.mapped[index].host, memory.mapped[index].fill) = (host, fill);
            }
        }
        Ok(memory)
    }

    /// The regions, by ascending base.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.mapped.iter().map(|mapped| &mapped.region)
    }

    fn find(&self, address: u32) -> Option<&Mapped> {
        self.mapped.iter().find(|mapped| mapped.region.contains(address, 1))
    }

    /// Loads a naturally aligned value.
    ///
    /// # Errors
    /// The architectural exception: misaligned, outside any region, or not readable.
    #[inline(always)]
    pub fn load<V: Value>(&mut self, address: u32) -> Result<V, Exception> {
        match self.load_quick(address) {
            Some(value) => Ok(value),
            None => self.load_slow(address),
        }
    }

    /// As [`Memory::load`], but only if nothing but the bytes of the page is needed.
    #[inline(always)]
    pub(crate) fn load_quick<V: Value>(&self, address: u32) -> Option<V> {
        let page = self.read.get(address >> PAGE_BITS);
        if page.is_null() || address & (V::SIZE - 1) != 0 {
            return None;
        }
        // SAFETY: the table points at whole pages of live mappings, and an aligned value no
        // larger than a page does not leave its page.
        Some(unsafe { V::read(page.add((address & (PAGE_SIZE - 1)) as usize)) })
    }

    /// Stores a naturally aligned value.
    ///
    /// # Errors
    /// The architectural exception: misaligned, outside any region, or not writable.
    #[inline(always)]
    pub fn store<V: Value>(&mut self, address: u32, value: V) -> Result<Stored, Exception> {
        if self.store_quick(address, value) { Ok(Stored::Data) } else { self.store_slow(address, value) }
    }

    /// As [`Memory::store`], but only if nothing but the bytes of the page changes; tells whether it did.
    #[inline(always)]
    pub(crate) fn store_quick<V: Value>(&mut self, address: u32, value: V) -> bool {
        let page = self.write.get(address >> PAGE_BITS);
        if page.is_null() || address & (V::SIZE - 1) != 0 {
            return false;
        }
        // SAFETY: as in `load_quick`; the write table holds writable pages only.
        unsafe { value.write(page.add((address & (PAGE_SIZE - 1)) as usize)) };
        true
    }

    /// True if a load is sure to work and no slow path need look at it. `size` is a power of two.
    #[inline(always)]
    pub(crate) fn loads(&self, address: u32, size: u32) -> bool {
        !self.read.get(address >> PAGE_BITS).is_null() && address & (size - 1) == 0
    }

    /// The bytes at an address of any alignment, if they lie in a page that no slow path need look at.
    #[inline(always)]
    pub(crate) fn unaligned<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        const { assert!(N <= PAGE_SIZE as usize) };
        let (page, offset) = (self.read.get(address >> PAGE_BITS), address & (PAGE_SIZE - 1));
        if page.is_null() || offset > PAGE_SIZE - N as u32 {
            return None;
        }
        // SAFETY: the table points at whole pages of live mappings, and all bytes lie in this one.
        Some(unsafe { page.add(offset as usize).cast::<[u8; N]>().read() })
    }

    /// As `loads`, for a store, which is to data then.
    #[inline(always)]
    pub(crate) fn stores(&self, address: u32, size: u32) -> bool {
        !self.write.get(address >> PAGE_BITS).is_null() && address & (size - 1) == 0
    }

    /// Stores the bytes of a naturally aligned block whose bit in `enable` is set. The whole block must be
    /// writable (`microarchitecture/spec-lsu-memory.md`).
    ///
    /// # Errors
    /// As for [`Memory::store`].
    #[inline(always)]
    pub fn store_enabled<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
        enable: u64,
    ) -> Result<Stored, Exception> {
        let all = if N >= 64 { u64::MAX } else { (1 << N) - 1 };
        if enable & all == all {
            return self.store(address, bytes);
        }
        self.store_some(address, &bytes, enable & all)
    }

    #[inline(never)]
    fn store_some(&mut self, address: u32, bytes: &[u8], enable: u64) -> Result<Stored, Exception> {
        let size = bytes.len() as u32;
        self.reach(address, size, |region| region.write, Cause::STORE_PROHIBITED)?;
        let mut stored = Stored::Data;
        let mut left = enable;
        while left != 0 {
            let index = left.trailing_zeros();
            left &= left - 1;
            if self.store(address + index, bytes[index as usize])? == Stored::Code {
                stored = Stored::Code;
            }
        }
        Ok(stored)
    }

    #[cold]
    #[inline(never)]
    fn load_slow<V: Value>(&mut self, address: u32) -> Result<V, Exception> {
        let pointer = self.reach(address, V::SIZE, |region| region.read, Cause::LOAD_PROHIBITED)?;
        if self.observing {
            // SAFETY: `reach` gave SIZE readable bytes.
            let value = unsafe { V::read(pointer) }.low();
            self.accesses.push(Access { address, size: V::SIZE, store: false, value });
        } else {
            let offset = (address & (PAGE_SIZE - 1)) as usize;
            self.read.set(address >> PAGE_BITS, pointer.wrapping_sub(offset));
        }
        // SAFETY: as above.
        Ok(unsafe { V::read(pointer) })
    }

    #[cold]
    #[inline(never)]
    fn store_slow<V: Value>(&mut self, address: u32, value: V) -> Result<Stored, Exception> {
        let pointer = self.reach(address, V::SIZE, |region| region.write, Cause::STORE_PROHIBITED)?;
        // SAFETY: `reach` gave SIZE writable bytes.
        unsafe { value.write(pointer) };
        if self.observing {
            self.accesses.push(Access { address, size: V::SIZE, store: true, value: value.low() });
        }
        let host_page = pointer as usize >> PAGE_BITS;
        let code = self.code.get(&host_page);
        if code.is_none() && !self.observing {
            let offset = (address & (PAGE_SIZE - 1)) as usize;
            self.write.set(address >> PAGE_BITS, pointer.wrapping_sub(offset));
        }
        let offset = pointer as usize & (PAGE_SIZE as usize - 1);
        let touched = code.is_some_and(|bits| {
            (offset..offset + V::SIZE as usize).any(|byte| bits[byte / 64] >> (byte % 64) & 1 == 1)
        });
        self.code_changed |= touched;
        Ok(if touched { Stored::Code } else { Stored::Data })
    }

    /// Checks an access and gives the host address of its first byte.
    fn reach(
        &self,
        address: u32,
        size: u32,
        allowed: impl Fn(&Region) -> bool,
        prohibited: Cause,
    ) -> Result<*mut u8, Exception> {
        if address & (size - 1) != 0 {
            return Err(Exception::at(Cause::UNALIGNED_ACCESS, address));
        }
        let mapped = self.find(address).ok_or(Exception::at(Cause::INVALID_MEMORY_SPACE, address))?;
        if !allowed(&mapped.region) {
            return Err(Exception::at(prohibited, address));
        }
        let offset = (address - mapped.region.base) as usize;
        Ok(self.hosts[mapped.host].pointer().wrapping_add(offset))
    }

    /// Up to `out.len()` instruction bytes at `address`; the number that could be fetched.
    ///
    /// # Errors
    /// The architectural exception if not even the first byte can be executed.
    pub fn fetch(&self, address: u32, out: &mut [u8]) -> Result<usize, Exception> {
        let mapped = self.find(address).ok_or(Exception::at(Cause::INVALID_PC, address))?;
        if !mapped.region.execute {
            return Err(Exception::at(Cause::FETCH_PROHIBITED, address));
        }
        let offset = (address - mapped.region.base) as usize;
        let count = out.len().min((mapped.region.size - offset as u64) as usize);
        out[..count].copy_from_slice(&self.hosts[mapped.host].bytes()[offset..offset + count]);
        Ok(count)
    }

    /// Copies guest bytes out, regardless of permissions and without being observed.
    ///
    /// # Errors
    /// The first address that lies in no region.
    pub fn read_bytes(&self, address: u32, out: &mut [u8]) -> Result<(), u32> {
        let mut done = 0;
        while done < out.len() {
            let at = address.wrapping_add(done as u32);
            let mapped = self.find(at).ok_or(at)?;
            let offset = (at - mapped.region.base) as usize;
            let count = (out.len() - done).min((mapped.region.size - offset as u64) as usize);
            out[done..done + count].copy_from_slice(&self.hosts[mapped.host].bytes()[offset..offset + count]);
            done += count;
        }
        Ok(())
    }

    /// Copies bytes into the guest, regardless of permissions and without being observed.
    ///
    /// # Errors
    /// The first address that lies in no region; nothing was written then.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), u32> {
        let mut done = 0;
        let mut parts = Vec::new();
        while done < bytes.len() {
            let at = address.wrapping_add(done as u32);
            let mapped = self.find(at).ok_or(at)?;
            let offset = (at - mapped.region.base) as usize;
            let count = (bytes.len() - done).min((mapped.region.size - offset as u64) as usize);
            parts.push((mapped.host, offset, done..done + count));
            done += count;
        }
        for (host, offset, range) in parts {
            let length = range.len();
            let first = self.hosts[host].pointer() as usize + offset;
            let mut pages = first >> PAGE_BITS..=(first + length - 1) >> PAGE_BITS;
            self.code_changed |= !self.code.is_empty() && pages.any(|page| self.code.contains_key(&page));
            self.hosts[host].bytes_mut()[offset..offset + length].copy_from_slice(&bytes[range]);
        }
        Ok(())
    }

    /// True if all bytes lie in regions.
    pub fn covers(&self, address: u32, length: u64) -> bool {
        MemoryMap { regions: self.regions().cloned().collect() }.covers(address, length)
    }

    /// Remembers that `length` bytes at `address` were decoded, so that stores to them are noticed.
    pub(crate) fn mark_code(&mut self, address: u32, length: u32) {
        let (mut at, end) = (u64::from(address), u64::from(address) + u64::from(length));
        while at < end {
            let page_end = (at / u64::from(PAGE_SIZE) + 1) * u64::from(PAGE_SIZE);
            let count = (page_end.min(end) - at) as usize;
            if let Some(pointer) = u32::try_from(at).ok().and_then(|at| self.host_pointer(at)) {
                self.mark_code_in_page(pointer as usize, count);
            }
            at += count as u64;
        }
    }

    fn mark_code_in_page(&mut self, pointer: usize, count: usize) {
        let (page, offset) = (pointer >> PAGE_BITS, pointer & (PAGE_SIZE as usize - 1));
        if !self.code.contains_key(&page) {
            // Any guest page may reach this host page through an alias.
            self.write.clear();
        }
        let bits = self.code.entry(page).or_insert_with(|| Box::new([0; 64]));
        for byte in offset..offset + count {
            bits[byte / 64] |= 1 << (byte % 64);
        }
    }

    fn host_pointer(&self, address: u32) -> Option<*mut u8> {
        let mapped = self.find(address)?;
        Some(self.hosts[mapped.host].pointer().wrapping_add((address - mapped.region.base) as usize))
    }

    /// Forgets all decoded bytes; their pages become writable without notice again.
    pub(crate) fn forget_code(&mut self) {
        self.code.clear();
        self.code_changed = false;
    }

    /// Counts all decoded bytes as changed.
    pub(crate) fn drop_code(&mut self) {
        self.code_changed = true;
    }

    /// True if decoded bytes changed since [`Memory::forget_code`].
    pub(crate) fn code_changed(&self) -> bool {
        self.code_changed
    }

    /// Logs every access from now on (or no longer).
    pub(crate) fn observe(&mut self, observing: bool) {
        if self.observing != observing {
            self.observing = observing;
            self.read.clear();
            self.write.clear();
        }
    }

    /// Takes the accesses logged since the last call.
    pub(crate) fn take_accesses(&mut self) -> Vec<Access> {
        std::mem::take(&mut self.accesses)
    }

    /// True if the word at an address holds something else than before anything was loaded or stored.
    pub(crate) fn is_written(&self, address: u32) -> bool {
        let mut bytes = [0; 4];
        if self.read_bytes(address, &mut bytes).is_err() {
            return false;
        }
        u32::from_le_bytes(bytes) != self.find(address).map_or(0, |mapped| mapped.fill)
    }

    /// Checks that a naturally aligned block could be stored.
    ///
    /// # Errors
    /// As for [`Memory::store`].
    pub(crate) fn check_store(&self, address: u32, size: u32) -> Result<(), Exception> {
        self.reach(address, size, |region| region.write, Cause::STORE_PROHIBITED).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let text = "[[region]]\nname='ram'\nbase=0x1000\nsize=0x3000\n\
                    [[region]]\nname='rom'\nbase=0x8000\nsize=0x1000\npermissions='rx'\n\
                    [[region]]\nname='mirror'\nbase=0x10000\nsize=0x2000\nalias='ram'";
        Memory::new(&MemoryMap::from_toml(text).unwrap()).unwrap()
    }

    #[test]
    fn values_are_little_endian_and_aligned() {
        let mut memory = memory();
        memory.store(0x1004u32, 0x1122_3344u32).unwrap();
        assert_eq!(memory.load::<u8>(0x1004).unwrap(), 0x44);
        assert_eq!(memory.load::<u16>(0x1006).unwrap(), 0x1122);
        for address in [0x1005, 0x1006] {
            let error = memory.load::<u32>(address).unwrap_err();
            assert_eq!(error, Exception::at(Cause::UNALIGNED_ACCESS, address));
        }
    }

    #[test]
    fn access_outside_or_against_permissions_faults() {
        let mut memory = memory();
        assert_eq!(memory.load::<u32>(0x4000).unwrap_err().cause, Cause::INVALID_MEMORY_SPACE);
        assert_eq!(memory.store(0x8000, 1u32).unwrap_err().cause, Cause::STORE_PROHIBITED);
        assert_eq!(memory.load::<u32>(0x8000).unwrap(), 0);
        assert_eq!(memory.fetch(0x5000, &mut [0; 4]).unwrap_err().cause, Cause::INVALID_PC);
    }

    #[test]
    fn aliases_share_bytes() {
        let mut memory = memory();
        memory.store(0x1010, 7u32).unwrap();
        assert_eq!(memory.load::<u32>(0x1_0010).unwrap(), 7);
    }

    #[test]
    fn stores_to_decoded_bytes_are_noticed_through_any_view() {
        let mut memory = memory();
        assert_eq!(memory.store(0x1020, 1u32), Ok(Stored::Data));
        memory.mark_code(0x1020, 3);
        assert_eq!(memory.store(0x1020, 2u32), Ok(Stored::Code));
        assert_eq!(memory.store(0x1024, 2u32), Ok(Stored::Data));
        assert_eq!(memory.store(0x1_0022, 2u8), Ok(Stored::Code));
        memory.forget_code();
        assert_eq!(memory.store(0x1020, 3u32), Ok(Stored::Data));
    }

    #[test]
    fn observed_accesses_are_logged() {
        let mut memory = memory();
        memory.store(0x1000, 5u32).unwrap();
        memory.observe(true);
        memory.store(0x1000, 6u16).unwrap();
        memory.load::<u32>(0x1000).unwrap();
        let log = memory.take_accesses();
        assert_eq!(log[0], Access { address: 0x1000, size: 2, store: true, value: 6 });
        assert_eq!(log[1], Access { address: 0x1000, size: 4, store: false, value: 6 });
    }
}
