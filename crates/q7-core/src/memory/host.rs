//! Host memory behind a region.

use memmap2::{MmapMut, MmapRaw};

/// Anonymous host memory, zero and free of cost until touched.
pub(super) struct HostMemory(MmapRaw);

impl HostMemory {
    pub(super) fn new(size: usize) -> std::io::Result<HostMemory> {
        Ok(HostMemory(MmapMut::map_anon(size)?.into()))
    }

    /// The first byte.
    pub(super) fn pointer(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is live and plain memory; guest accesses through the page tables need
        // `&mut Memory`, so none runs while this borrow of the same `Memory` lasts.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr(), self.0.len()) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and `&mut self` excludes other borrows.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr(), self.0.len()) }
    }
}
