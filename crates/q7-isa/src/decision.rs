//! Decision tables: slot word to placement without a search.
//!
//! The builder splits the placements of a slot on runs of opcode bits until one is left; a
//! placement that does not fix a bit of the run goes into every branch that its word may take. A
//! leaf then compares the whole fixed part.

use crate::PlacementId;
use crate::isa::PlacementPlan;
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
    /// What decoding needs of it, here where it is already at hand.
    pub plan: PlacementPlan,
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

/// How much a switch may grow its list of candidates by copying them, to save further switches.
const MAX_COPIES: f64 = 1.5;

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
        let Some((shift, bits)) = self.best_run(candidates, used) else {
            let names: Vec<String> =
                candidates.iter().take(4).map(|&i| format!("{:?}", self.patterns[i as usize])).collect();
            return Err(SpecError::new("decision table", format!("same word for {}", names.join(" and "))));
        };
        let base = self.nodes.len() as u32;
        self.nodes[node] = Node::Switch { shift: shift as u8, bits: bits as u8, base };
        self.nodes.resize(self.nodes.len() + (1 << bits), Node::Reserved);
        let window = ((1u64 << bits) - 1) << shift;
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); 1 << bits];
        for &index in candidates {
            let pattern = self.patterns[index as usize];
            let fixed = (pattern.mask & window) >> shift;
            let value = (pattern.template & window) >> shift;
            let free = (window >> shift) & !fixed;
            // Every value of the bits that the placement leaves to its operands.
            let mut operand = 0;
            loop {
                groups[(value | operand) as usize].push(index);
                operand = operand.wrapping_sub(free) & free;
                if operand == 0 {
                    break;
                }
            }
        }
        for (value, group) in groups.iter().enumerate() {
            self.build(base as usize + value, group, used | window)?;
        }
        Ok(())
    }

    /// The run of unused bits that tells the candidates apart best: (lowest bit, width).
    fn best_run(&self, candidates: &[u32], used: u64) -> Option<(u32, u32)> {
        let (mut ones, mut zeros) = ([0u32; 64], [0u32; 64]);
        for &index in candidates {
            let pattern = self.patterns[index as usize];
            for bit in 0..64 {
                if pattern.mask >> bit & 1 == 1 {
                    let counts = if pattern.template >> bit & 1 == 1 { &mut ones } else { &mut zeros };
                    counts[bit] += 1;
                }
            }
        }
        let total = candidates.len() as u32;
        // A bit is worth the candidates that it sends to the smaller side; bits that many
        // candidates leave open would copy them into both sides.
        let worth = |bit: usize| {
            let open = total - ones[bit] - zeros[bit];
            (used >> bit & 1 == 0).then(|| (ones[bit].min(zeros[bit])) as i32 * 4 - open as i32)
        };
        let useful = |bit: usize| worth(bit).is_some() && ones[bit] > 0 && zeros[bit] > 0;
        let best = (0..64).filter(|&bit| useful(bit)).max_by_key(|&bit| worth(bit))?;
        // Widen over neighbours while that copies few candidates and leaves few branches empty.
        let copies = |bit: usize| 1.0 + f64::from(total - ones[bit] - zeros[bit]) / f64::from(total);
        let (mut low, mut high, mut copied) = (best, best, copies(best));
        loop {
            let width = (high - low + 1) as u32;
            if width == MAX_SWITCH_BITS || 1 << width > 4 * total {
                break;
            }
            let allowed = |bit: usize| useful(bit) && copied * copies(bit) <= MAX_COPIES;
            if high < 63 && allowed(high + 1) {
                high += 1;
                copied *= copies(high);
            } else if low > 0 && allowed(low - 1) {
                low -= 1;
                copied *= copies(low);
            } else {
                break;
            }
        }
        Some((low as u32, (high - low + 1) as u32))
    }

    /// The most switches between a node and a leaf.
    #[cfg(test)]
    fn depth(&self, node: usize) -> usize {
        match self.nodes[node] {
            Node::Switch { bits, base, .. } => {
                1 + (0..1 << bits).map(|value| self.depth(base as usize + value)).max().unwrap_or(0)
            }
            Node::Leaf { .. } | Node::Reserved => 0,
        }
    }

    /// The pattern of a slot word, or `None` if it is reserved.
    #[inline]
    pub(crate) fn find(&self, word: u64) -> Option<&Pattern> {
        let mut node = *self.nodes.first()?;
        loop {
            match node {
                Node::Switch { shift, bits, base } => {
                    let value = word >> shift & ((1u64 << bits) - 1);
                    node = self.nodes[base as usize + value as usize];
                }
                Node::Leaf { index } => {
                    let pattern = &self.patterns[index as usize];
                    return (word & pattern.mask == pattern.template).then_some(pattern);
                }
                Node::Reserved => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Isa;

    #[test]
    fn tables_stay_small_and_shallow() {
        let isa = Isa::embedded();
        let nodes: usize = isa.slot_plans.iter().map(|plan| plan.decision.nodes.len()).sum();
        assert!(nodes < 8 * isa.placements().len(), "{nodes} nodes");
        for plan in &isa.slot_plans {
            let deepest = plan.decision.depth(0);
            assert!(deepest <= 16, "{deepest} switches");
        }
    }
}
