//! Register windows: 64 ARs in panes of eight, sixteen of them visible.
//!
//! Only CALL8 exists, so a frame is one pane; the visible registers are the current pane and the next.
//! Overflow and underflow move whole panes at once (DECISIONS, Exceptions; `xea3/spec-xea3.md` section 3).

use crate::core::Core;
use crate::exception::{Cause, Exception};
use crate::memory::Stored;

/// Older frames that may stay in registers: a call needs panes C+1 and C+2.
const MOST_LIVE: u32 = 5;

/// WB and the panes that are not visible.
///
/// `panes[current]` and `panes[current + 1]` are stale while they are visible in `Core::ar`.
#[derive(Clone, Debug)]
pub struct Windows {
    panes: [[u32; 8]; 8],
    /// WB.C: the current pane.
    current: u32,
    /// WB.P: the pane that names registers; differs from C only in dispatch code.
    base: u32,
    /// WB.N: older frames in registers.
    live: u32,
    /// WB.S: 0 traps window instructions.
    mode: u32,
}

impl Default for Windows {
    fn default() -> Windows {
        Windows { panes: [[0; 8]; 8], current: 0, base: 0, live: 0, mode: 1 }
    }
}

impl Windows {
    /// WB as a word: P 2:0, C 6:4, N 10:8, S 31:30 (`xea3/fields.csv`).
    pub fn word(&self) -> u32 {
        self.base | self.current << 4 | self.live << 8 | self.mode << 30
    }

    /// WB.C, the current pane.
    pub fn current(&self) -> u32 {
        self.current
    }

    /// WB.N, the number of older frames in registers.
    pub fn live(&self) -> u32 {
        self.live
    }

    /// False while window instructions trap.
    pub fn enabled(&self) -> bool {
        self.mode != 0
    }
}

impl Core {
    fn hide_panes(&mut self) {
        let first = self.windows.base as usize & 7;
        self.windows.panes[first].copy_from_slice(&self.ar[..8]);
        self.windows.panes[(first + 1) & 7].copy_from_slice(&self.ar[8..]);
    }

    fn show_panes(&mut self) {
        let first = self.windows.base as usize & 7;
        self.ar[..8].copy_from_slice(&self.windows.panes[first]);
        self.ar[8..].copy_from_slice(&self.windows.panes[(first + 1) & 7]);
    }

    /// All 64 physical ARs.
    pub fn physical_ars(&self) -> [u32; 64] {
        let mut panes = self.windows.panes;
        let first = self.windows.base as usize & 7;
        panes[first].copy_from_slice(&self.ar[..8]);
        panes[(first + 1) & 7].copy_from_slice(&self.ar[8..]);
        std::array::from_fn(|index| panes[index / 8][index % 8])
    }

    /// Writes WB: shows the panes it selects.
    pub fn set_window_word(&mut self, word: u32) {
        self.hide_panes();
        self.windows.base = word & 7;
        self.windows.current = word >> 4 & 7;
        self.windows.live = word >> 8 & 7;
        self.windows.mode = word >> 30;
        self.show_panes();
    }

    /// ROTW: moves the base and the current pane by `panes`.
    pub fn rotate_window(&mut self, panes: i32) {
        self.hide_panes();
        self.windows.base = self.windows.base.wrapping_add(panes as u32) & 7;
        self.windows.current = self.windows.current.wrapping_add(panes as u32) & 7;
        self.show_panes();
    }

    /// ENTRY's rotation: the callee's pane becomes current.
    #[inline]
    pub(crate) fn enter_window(&mut self) {
        let windows = &mut self.windows;
        let first = windows.base as usize & 7;
        windows.panes[first].copy_from_slice(&self.ar[..8]);
        self.ar.copy_within(8.., 0);
        self.ar[8..].copy_from_slice(&windows.panes[(first + 2) & 7]);
        windows.base = (windows.base + 1) & 7;
        windows.current = (windows.current + 1) & 7;
        windows.live += 1;
    }

    /// RETW's rotation: the caller's pane becomes current; it must be live.
    #[inline]
    pub(crate) fn leave_window(&mut self) {
        let windows = &mut self.windows;
        let first = windows.base as usize & 7;
        windows.panes[(first + 1) & 7].copy_from_slice(&self.ar[8..]);
        self.ar.copy_within(..8, 8);
        self.ar[..8].copy_from_slice(&windows.panes[(first + 7) & 7]);
        windows.base = (windows.base + 7) & 7;
        windows.current = (windows.current + 7) & 7;
        windows.live -= 1;
    }

    /// A window instruction needs WB.S != 0.
    #[inline]
    pub(crate) fn need_windows(&self) -> Result<(), Exception> {
        if self.windows.enabled() { Ok(()) } else { Err(Exception::new(Cause::ILLEGAL_ENTRY)) }
    }

    /// Makes room for a call: spills the oldest frames while more than [`MOST_LIVE`] are live (A36).
    ///
    /// # Errors
    /// What a store of the spill raises.
    #[inline]
    pub(crate) fn make_room(&mut self) -> Result<Stored, Exception> {
        let mut stored = Stored::Data;
        while self.windows.live > MOST_LIVE {
            if self.spill_oldest()? == Stored::Code {
                stored = Stored::Code;
            }
        }
        Ok(stored)
    }

    /// Stores a0..a7 of the oldest live frame below the stack pointer of the frame it called.
    ///
    /// # Errors
    /// What a store raises; then nothing was written.
    #[cold]
    pub(crate) fn spill_oldest(&mut self) -> Result<Stored, Exception> {
        self.hide_panes();
        let windows = &self.windows;
        let victim = (windows.current + 8 - windows.live) as usize & 7;
        let frame = windows.panes[victim];
        let save_area = windows.panes[(victim + 1) & 7][1].wrapping_sub(32);
        for word in 0..8 {
            self.memory.check_store(save_area.wrapping_add(4 * word), 4)?;
        }
        let mut stored = Stored::Data;
        for (index, value) in frame.into_iter().enumerate() {
            if self.memory.store(save_area.wrapping_add(4 * index as u32), value)? == Stored::Code {
                stored = Stored::Code;
            }
        }
        self.windows.live -= 1;
        Ok(stored)
    }

    /// Loads a0..a7 of the caller, which is not live, from below the current stack pointer.
    ///
    /// # Errors
    /// What a load raises; then nothing has changed.
    #[cold]
    pub(crate) fn fill_caller(&mut self) -> Result<(), Exception> {
        let save_area = self.ar[1].wrapping_sub(32);
        let mut frame = [0; 8];
        for (index, value) in frame.iter_mut().enumerate() {
            *value = self.memory.load(save_area.wrapping_add(4 * index as u32))?;
        }
        let caller = (self.windows.current + 7) as usize & 7;
        self.windows.panes[caller] = frame;
        self.windows.live = 1;
        Ok(())
    }

    /// Forgets all but the `keep` youngest older frames (TOSSW).
    pub(crate) fn drop_frames(&mut self, keep: u32) {
        self.windows.live = self.windows.live.min(keep);
    }
}
