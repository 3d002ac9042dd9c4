//! Makes a failing sequence small.

use super::{Item, Sequence};

/// Rounds at the most; every round removes something.
const ROUNDS: usize = 200;

/// The smallest sequence found for which `fails` still answers true.
///
/// `fails` judges many candidates at once, since starting a peer costs more than running a sequence.
pub(super) fn shrink(mut sequence: Sequence, fails: impl Fn(&[Sequence]) -> Vec<bool>) -> Sequence {
    for _ in 0..ROUNDS {
        let candidates: Vec<Sequence> = smaller(&sequence.items)
            .into_iter()
            .map(|items| Sequence { items, ..sequence.clone() })
            .collect();
        let Some(found) = fails(&candidates).into_iter().position(|fails| fails) else { break };
        sequence = candidates[found].clone();
    }
    sequence
}

/// Lists with something taken away, large parts first.
fn smaller(items: &[Item]) -> Vec<Vec<Item>> {
    let mut lists = Vec::new();
    let mut size = items.len();
    while size > 0 {
        for start in (0..items.len()).step_by(size) {
            let end = (start + size).min(items.len());
            lists.push([&items[..start], &items[end..]].concat());
        }
        size /= 2;
    }
    for (index, item) in items.iter().enumerate() {
        let mut replace =
            |with: Vec<Item>| lists.push([&items[..index], &with, &items[index + 1..]].concat());
        let mut changed = item.clone();
        let Some(body) = changed.body_mut() else { continue };
        replace(body.clone());
        for body in smaller(item.body()) {
            let mut shorter = item.clone();
            if let Some(inner) = shorter.body_mut() {
                *inner = body;
            }
            replace(vec![shorter]);
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::super::{Mnemonics, Op, sequence};
    use super::*;

    fn uses(items: &[Item], mnemonic: &str) -> bool {
        items.iter().any(|item| match item {
            Item::Straight(ops) => ops.iter().any(|op: &Op| op.mnemonic == mnemonic),
            other => uses(other.body(), mnemonic),
        })
    }

    #[test]
    fn one_instruction_is_left() {
        let mnemonics = Mnemonics::qemu();
        let found = (0..).map(|index| sequence(1, index, &mnemonics));
        for start in found.filter(|sequence| uses(&sequence.items, "srai")).take(10) {
            let small = shrink(start, |candidates| {
                candidates.iter().map(|candidate| uses(&candidate.items, "srai")).collect()
            });
            assert!(matches!(small.items.as_slice(), [Item::Straight(ops)] if ops.len() == 1));
        }
    }
}
