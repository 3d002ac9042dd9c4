//! Page table: guest page number to host pointer.

/// Pages in the 32-bit address space.
const PAGES: usize = 1 << 20;

/// One pointer per guest page, null where the slow path must look. Lazily backed by the host.
pub(super) struct PageTable {
    pages: Box<[*mut u8]>,
    /// Pages set since the last clear, so that clearing does not touch the whole table.
    filled: Vec<u32>,
}

// SAFETY: the pointers refer to mappings owned by the same `Memory`, which moves with its tables.
unsafe impl Send for PageTable {}

impl PageTable {
    pub(super) fn new() -> PageTable {
        let pages = vec![std::ptr::null_mut(); PAGES].into_boxed_slice();
        PageTable { pages, filled: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn get(&self, page: u32) -> *mut u8 {
        debug_assert!((page as usize) < PAGES);
        // SAFETY: callers shift a 32-bit address right by 12, which is below PAGES.
        unsafe { *self.pages.get_unchecked(page as usize) }
    }

    pub(super) fn set(&mut self, page: u32, pointer: *mut u8) {
        self.pages[page as usize] = pointer;
        self.filled.push(page);
    }

    pub(super) fn clear(&mut self) {
        for page in self.filled.drain(..) {
            self.pages[page as usize] = std::ptr::null_mut();
        }
    }
}
