//! What each instruction does, in plain integer arithmetic lane by lane, found by its name.
//!
//! Nothing here calls a function of the datapath; its types serve as containers of bytes and bits.

mod floats;
mod lanes;
mod memory;
mod moves;
mod name;
mod predicates;
mod reductions;
mod selections;

use std::cell::Cell;

use q7_datapath::{Pred64, Vec512};

use crate::operands::Call;
use crate::state::State;
use crate::support::{read, truth, write};
use name::Name;

/// What the model says about an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The state is as it must be afterwards.
    Done,
    /// The meaning of an operand is not published; the state is as before.
    Unknown,
    /// The instruction leaves the window of memory; what the state says is worthless.
    Outside,
    /// No model.
    Missing,
}

/// One instruction on a state.
pub struct Step<'a> {
    pub call: &'a Call<'a>,
    pub state: &'a mut State,
    outside: Cell<bool>,
}

impl Step<'_> {
    fn register(&self, role: &str) -> usize {
        self.call.get(role) as usize
    }

    fn imm(&self, role: &str) -> i128 {
        self.call.get(role).into()
    }

    fn vec(&self, role: &str) -> Vec512 {
        self.state.vec[self.register(role)]
    }

    fn set_vec(&mut self, role: &str, value: Vec512) {
        let register = self.register(role);
        self.state.vec[register] = value;
    }

    fn pred(&self, role: &str) -> Pred64 {
        self.state.vbool[self.register(role)]
    }

    fn set_pred(&mut self, role: &str, value: Pred64) {
        let register = self.register(role);
        self.state.vbool[register] = value;
    }

    fn ar(&self, role: &str) -> u32 {
        self.state.ar[self.register(role)]
    }

    fn set_ar(&mut self, role: &str, value: u32) {
        let register = self.register(role);
        self.state.ar[register] = value;
    }

    fn boolean(&self, role: &str) -> bool {
        self.state.br >> self.register(role) & 1 == 1
    }

    fn set_boolean(&mut self, role: &str, value: bool) {
        let bit = self.register(role);
        self.state.br = self.state.br & !(1 << bit) | u32::from(value) << bit;
    }

    /// The lanes of a vector operand as signed numbers.
    fn signed(&self, role: &str, width: u32) -> Vec<i128> {
        read(width, true, self.vec(role).bytes())
    }

    /// The lanes of a vector operand as unsigned numbers.
    fn unsigned(&self, role: &str, width: u32) -> Vec<i128> {
        read(width, false, self.vec(role).bytes())
    }

    /// Whether each lane counts: by `vbr` in predicated forms, all otherwise.
    fn active(&self, name: &Name<'_>) -> Vec<bool> {
        let lanes = 512 / name.width as usize;
        match name.predicated {
            true => (0..lanes).map(|lane| truth(self.pred("vbr"), name.width, lane)).collect(),
            false => vec![true; lanes],
        }
    }

    /// Writes lanes to `vt`; in predicated forms lanes that are switched off stay.
    fn merge(&mut self, name: &Name<'_>, lanes: &[i128]) {
        let (old, active) = (self.unsigned("vt", name.width), self.active(name));
        let merged: Vec<i128> =
            (0..active.len()).map(|lane| if active[lane] { lanes[lane] } else { old[lane] }).collect();
        self.set_vec("vt", write(name.width, &merged));
    }

    /// Writes flags of lanes to `vbt`; in predicated forms groups that are switched off stay.
    fn merge_flags(&mut self, name: &Name<'_>, flags: &[bool]) {
        let (old, active, group) = (self.pred("vbt").bits(), self.active(name), name.width as usize / 8);
        let bit = |k: usize| match active[k / group] {
            true => u64::from(flags[k / group]),
            false => old >> k & 1,
        };
        let bits = (0..64).map(|k| bit(k) << k).sum();
        self.set_pred("vbt", Pred64::from_bits(bits));
    }
}

/// Carries an instruction out on a state.
pub fn apply(call: &Call<'_>, state: &mut State) -> Outcome {
    let mut step = Step { call, state, outside: Cell::new(false) };
    let spelling = name::plain(call.mnemonic);
    let name = spelling.as_str();
    if let Some(outcome) = selections::pattern(&mut step, name) {
        return outcome;
    }
    let by_name: [fn(&mut Step<'_>, &str) -> Option<()>; 4] =
        [memory::by_name, moves::by_name, predicates::by_name, selections::by_name];
    if by_name.iter().any(|model| model(&mut step, name).is_some()) {
        return if step.outside.get() { Outcome::Outside } else { Outcome::Done };
    }
    let Some(name) = Name::parse(name) else { return Outcome::Missing };
    let by_lanes: [fn(&mut Step<'_>, &Name<'_>) -> Option<()>; 3] =
        [floats::by_lanes, reductions::by_lanes, lanes::by_lanes];
    if by_lanes.iter().any(|model| model(&mut step, &name).is_some()) {
        return Outcome::Done;
    }
    Outcome::Missing
}
