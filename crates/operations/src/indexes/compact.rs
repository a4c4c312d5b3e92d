//! Joins small blocks, so that a stream of many entries has few blocks.

use std::collections::BTreeMap;

use database::indexes::blocks::IndexBlock;

use crate::indexes::blocks::{BLOCK_BYTES, BLOCK_ENTRIES, FACTS_BYTES, GroupedFile};

/// The number of small blocks in a row that become one.
const RUN: usize = 16;

/// A block with fewer entries is small.
const SMALL_ENTRIES: i64 = BLOCK_ENTRIES as i64 / 2;

/// Returns whether there are enough small blocks to join; the last one, which is open, does not count.
pub(super) fn is_scattered(entries: impl Iterator<Item = i64>) -> bool {
    entries.filter(|entries| *entries < SMALL_ENTRIES).count() > RUN
}

/// Finds runs of small blocks that become one each, as lists of their places. Blocks that change now are left alone.
pub(super) fn find(live: &[IndexBlock], grown: &BTreeMap<i64, Vec<GroupedFile>>) -> Vec<Vec<i64>> {
    let closed = &live[..live.len().saturating_sub(1)];
    let (mut runs, mut run): (Vec<Vec<i64>>, Vec<&IndexBlock>) = (Vec::new(), Vec::new());
    for block in closed {
        let entries: i64 = run.iter().map(|block| block.entries).sum::<i64>() + block.entries;
        let bytes: i64 = run.iter().map(|block| block.plain_size).sum::<i64>() + block.plain_size;
        let facts: i64 = run.iter().map(|block| block.facts_size).sum::<i64>() + block.facts_size;
        let is_small = block.entries < SMALL_ENTRIES && !grown.contains_key(&block.place);
        let fits = entries <= BLOCK_ENTRIES as i64 && bytes <= BLOCK_BYTES as i64 && facts <= FACTS_BYTES as i64;
        if !is_small || !fits {
            end(&mut runs, &mut run);
        }
        if is_small {
            run.push(block);
        }
    }
    end(&mut runs, &mut run);
    runs
}

fn end(runs: &mut Vec<Vec<i64>>, run: &mut Vec<&IndexBlock>) {
    if run.len() >= 2 {
        runs.push(run.iter().map(|block| block.place).collect());
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(place: i64, entries: i64) -> IndexBlock {
        IndexBlock {
            id: place,
            place,
            entries,
            plain_size: entries * 600,
            size: entries * 100,
            facts_size: entries,
            states: None,
        }
    }

    #[test]
    fn small_blocks_in_a_row_become_one() {
        let mut live: Vec<IndexBlock> = (0..20).map(|place| block(place, 32)).collect();
        live.insert(0, block(-1, 512));
        assert!(is_scattered(live.iter().map(|block| block.entries)));
        let runs = find(&live, &BTreeMap::new());
        assert_eq!(runs, [(0..16).collect::<Vec<i64>>(), (16..19).collect()]);
        let grown = BTreeMap::from([(3, Vec::new())]);
        assert_eq!(find(&live, &grown)[0], [0, 1, 2]);
        assert!(find(&[block(0, 32), block(1, 1)], &BTreeMap::new()).is_empty());
        assert!(!is_scattered([32; 16].into_iter()));
    }
}
