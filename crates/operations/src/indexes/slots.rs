//! The blocks of the next generation in their order.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::blocks::IndexBlock;

use crate::indexes::blocks::RenderedBlock;

/// A block of the next generation.
pub(super) enum Slot {
    /// A block that stays.
    Stored(IndexBlock),
    /// A new block at this place.
    New(i64, RenderedBlock),
}

/// Joins the blocks that stay and the new ones in the order of their places. Each comes with whether all before it, and
/// itself, are as they were.
pub(super) fn slots(live: Vec<IndexBlock>, rendered: BTreeMap<i64, Option<RenderedBlock>>) -> Vec<(bool, Slot)> {
    let first = rendered.keys().next().copied().unwrap_or(i64::MAX);
    let places: BTreeSet<i64> = rendered.keys().copied().collect();
    let stored = live.into_iter().filter(|block| !places.contains(&block.place)).map(Slot::Stored);
    let new = rendered.into_iter().filter_map(|(place, block)| Some(Slot::New(place, block?)));
    let mut slots: Vec<(bool, Slot)> = stored.chain(new).map(|slot| (slot.place() < first, slot)).collect();
    slots.sort_by_key(|(_, slot)| slot.place());
    slots
}

impl Slot {
    pub(super) fn place(&self) -> i64 {
        match self {
            Slot::Stored(block) => block.place,
            Slot::New(place, _) => *place,
        }
    }

    /// The number of its entries.
    pub(super) fn entries(&self) -> i64 {
        match self {
            Slot::Stored(block) => block.entries,
            Slot::New(_, block) => block.entries,
        }
    }
}
