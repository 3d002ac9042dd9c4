//! The interrupt controller and the three timers.
//!
//! Source: `xea3/interrupt-controller.csv`. Priorities and thresholds are not published: all
//! interrupts have one priority, the lowest number wins, and none is taken while another is active
//! (docs/assumptions.md, X4).

/// Interrupts of this configuration.
pub const INTERRUPTS: u32 = 37;

/// External register of interrupt 0; interrupt n is at `+ 4 * n`.
pub const CONTROL_BASE: u32 = 0x0012_2000;

/// Interrupt number of timer 0.
const TIMER_INTERRUPT: u32 = 28;

/// Controller and timer state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interrupts {
    enabled: u64,
    pending: u64,
    active: u64,
    compare: [u32; 3],
    /// The cycle up to which timer matches are latched.
    pub(crate) settled: u64,
    /// The interrupt that S32SI.X4 chose and S32DIS.H will dispatch.
    pub(crate) selected: Option<u32>,
}

impl Interrupts {
    /// CCOMPAREn.
    pub fn compare(&self, timer: u8) -> u32 {
        self.compare[timer as usize]
    }

    /// Writes CCOMPAREn; a pending timer interrupt stays pending.
    pub fn set_compare(&mut self, timer: u8, value: u32) {
        self.compare[timer as usize] = value;
    }

    /// Cycles until the next timer match after `ccount`, 1..=2^32.
    pub fn cycles_to_match(&self, ccount: u32) -> u64 {
        self.compare
            .iter()
            .map(|compare| u64::from(compare.wrapping_sub(ccount).wrapping_sub(1)) + 1)
            .min()
            .unwrap_or(1 << 32)
    }

    /// Latches the timers that match while CCOUNT goes from `before` (exclusive) over `cycles` steps.
    pub fn advance(&mut self, before: u32, cycles: u64) {
        for (timer, compare) in self.compare.iter().enumerate() {
            if u64::from(compare.wrapping_sub(before).wrapping_sub(1)) < cycles {
                self.pending |= 1 << (TIMER_INTERRUPT + timer as u32);
            }
        }
    }

    /// The interrupt to take next, if masks allow any.
    pub fn deliverable(&self) -> Option<u32> {
        let ready = self.pending & self.enabled;
        (ready != 0 && self.active == 0).then(|| ready.trailing_zeros())
    }

    /// True if an interrupt is or can become deliverable by itself: a timer.
    pub fn can_come(&self) -> bool {
        self.active == 0 && (self.pending & self.enabled != 0 || self.enabled >> TIMER_INTERRUPT & 7 != 0)
    }

    /// Makes an interrupt active and no longer pending.
    pub fn activate(&mut self, number: u32) {
        self.active |= 1 << number;
        self.pending &= !(1 << number);
    }

    /// Ends the active interrupt.
    pub fn retire(&mut self) {
        self.active = 0;
    }

    /// Reads an external register; unknown ones read 0.
    pub fn read(&self, address: u32) -> u32 {
        self.number_at(address).map_or(0, |number| {
            let bit = |bits: u64| (bits >> number & 1) as u32;
            bit(self.enabled) | bit(self.pending) << 1 | bit(self.active) << 2
        })
    }

    /// Writes an external register: bits 8, 9, 10 allow bits 0, 1, 2. Unknown ones are ignored.
    pub fn write(&mut self, address: u32, value: u32) {
        let Some(number) = self.number_at(address) else { return };
        for (shift, bits) in [&mut self.enabled, &mut self.pending, &mut self.active].into_iter().enumerate()
        {
            if value >> (8 + shift) & 1 == 1 {
                *bits = *bits & !(1 << number) | u64::from(value >> shift & 1) << number;
            }
        }
    }

    fn number_at(&self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(CONTROL_BASE);
        (offset.is_multiple_of(4) && offset / 4 < INTERRUPTS).then_some(offset / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_words_write_only_what_they_enable() {
        let mut interrupts = Interrupts::default();
        interrupts.write(CONTROL_BASE + 4 * 5, 0x303);
        assert_eq!(interrupts.read(CONTROL_BASE + 4 * 5), 3);
        assert_eq!(interrupts.deliverable(), Some(5));
        interrupts.write(CONTROL_BASE + 4 * 5, 0x200);
        assert_eq!(interrupts.read(CONTROL_BASE + 4 * 5), 1);
        assert_eq!(interrupts.deliverable(), None);
        assert_eq!(interrupts.read(CONTROL_BASE + 4 * 37), 0);
    }

    #[test]
    fn timers_match_once_per_pass() {
        let mut interrupts = Interrupts::default();
        interrupts.set_compare(1, 100);
        interrupts.write(CONTROL_BASE + 4 * 29, 0x101);
        assert_eq!(interrupts.cycles_to_match(90), 10);
        interrupts.advance(90, 9);
        assert_eq!(interrupts.deliverable(), None);
        interrupts.advance(99, 1);
        assert_eq!(interrupts.deliverable(), Some(29));
        assert_eq!(interrupts.cycles_to_match(0), 100);
    }
}
