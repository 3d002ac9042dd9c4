//! The pipeline model's interface. Today every bundle takes one cycle.

/// How blocks cost cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// One cycle per bundle.
    #[default]
    Functional,
}

impl Timing {
    /// Cycles of a block of `bundles` bundles when everything is ready at its entry.
    pub fn cost(self, bundles: u32) -> u32 {
        match self {
            Timing::Functional => bundles,
        }
    }
}
