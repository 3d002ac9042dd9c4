//! Exact models, written apart from the datapath, compared with it on random and edge operands.

mod floats;
mod lanes;
mod memory;
mod moves;
mod predicates;
mod reductions;
mod selections;
mod support;
