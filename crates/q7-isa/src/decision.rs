//! Decision tables: slot word to placement without a search.
//!
//! The builder splits the placements of a slot on runs of bits that all of them fix, until one is
//! left; a leaf then compares the whole fixed part.

use crate::PlacementId;
use crate::spec::SpecError;

/// One placement as the builder and the leaves see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The slot bits that are not operands.
    pub mask: u64,
    /// Their value.
    pub template: u64,
    /// The placement that has this pattern.
    pub placement: PlacementId,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// Take `bits` bits at `shift`; children lie at `base + value`.
    Switch { shift: u8, bits: u8, base: u32 },
    /// Compare with `patterns[index]`.
    Leaf { index: u32 },
    /// No placement has this word.
    Reserved,
}

/// The decision table of one slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecisionTable {
    nodes: Vec<Node>,
    patterns: Vec<Pattern>,
}

/// Widest switch, in bits: bounds the size of a node.
const MAX_SWITCH_BITS: u32 = 8;

impl DecisionTable {
    /// Builds the table.
    ///
    /// # Errors
    /// If two placements accept the same word.
    pub(crate) fn new(patterns: Vec<Pattern>) -> Result<DecisionTable, SpecError> {
        let mut table = DecisionTable { nodes: vec![Node::Reserved], patterns };
        let all: Vec<u32> = (0..table.patterns.len() as u32).collect();
        table.build(0, &all, 0)?;
        Ok(table)
    }

    fn build(&mut self, node: usize, candidates: &[u32], used: u64) -> Result<(), SpecError> {
        match candidates {
            [] => return Ok(()),
            [only] => {
                self.nodes[node] = Node::Leaf { index: *only };
                return Ok(());
            }
            _ => {}
        }
        let pattern = |index: u32| self.patterns[index as usize];
        let common = candidates.iter().fold(u64::MAX, |mask, &index| mask & pattern(index).mask);
        // A bit that all candidates share tells nothing apart, so only differing bits are offered.
        let first = pattern(candidates[0]).template;
        let differing = candidates.iter().fold(0, |bits, &index| bits | (pattern(index).template ^ first));
        let offered = common & !used & differing;
        if offered == 0 {
            let names: Vec<String> =
                candidates.iter().take(4).map(|&i| format!("{:?}", pattern(i))).collect();
            return Err(SpecError::new("decision table", format!("same word for {}", names.join(" and "))));
        }
        let (shift, bits) = widest_run(common & !used, offered);
        let base = self.nodes.len() as u32;
        self.nodes[node] = Node::Switch { shift: shift as u8, bits: bits as u8, base };
        self.nodes.resize(self.nodes.len() + (1 << bits), Node::Reserved);
        let window = ((1u64 << bits) - 1) << shift;
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); 1 << bits];
        for &index in candidates {
            groups[((self.patterns[index as usize].template & window) >> shift) as usize].push(index);
        }
        for (value, group) in groups.iter().enumerate() {
            self.build(base as usize + value, group, used | window)?;
        }
        Ok(())
    }

    /// The placement of a slot word, or `None` if it is reserved.
    pub(crate) fn find(&self, word: u64) -> Option<PlacementId> {
        let mut node = *self.nodes.first()?;
        loop {
            match node {
                Node::Switch { shift, bits, base } => {
                    let value = word >> shift & ((1u64 << bits) - 1);
                    node = self.nodes[base as usize + value as usize];
                }
                Node::Leaf { index } => {
                    let pattern = &self.patterns[index as usize];
                    return (word & pattern.mask == pattern.template).then_some(pattern.placement);
                }
                Node::Reserved => return None,
            }
        }
    }
}

/// The run of usable bits that holds the most offered ones: (lowest bit, width).
fn widest_run(usable: u64, offered: u64) -> (u32, u32) {
    let mut best = (offered.trailing_zeros(), 1, 1);
    for shift in 0..64 {
        for bits in 1..=MAX_SWITCH_BITS.min(64 - shift) {
            let window = ((1u64 << bits) - 1) << shift;
            if usable & window != window {
                break;
            }
            let gain = (offered & window).count_ones();
            if gain > best.2 {
                best = (shift, bits, gain);
            }
        }
    }
    (best.0, best.1)
}
