//! The blocks of a log: cut, joined, or written again in fewer lines.

use std::collections::BTreeMap;

use database::indexes::blocks::{self, IndexBlock};

use crate::{
    Error, House, Result, blocking,
    format::{LogChange, LogGroup, StreamLog},
    indexes::{
        blocks::{BLOCK_BYTES, OPEN_ENTRIES, RenderedBlock},
        compact,
    },
};

/// A log may be this many times as long as one with a line for each group.
const LONGEST: usize = 2;

/// A log of fewer bytes is never shortened.
const SHORT_BYTES: usize = 64 << 10;

/// The text of blocks in their order.
pub(super) async fn text(house: &House, live: &[IndexBlock]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for block in live {
        let missing = || Error::Internal(format!("block {} of an index has no bytes", block.id));
        text.extend(blocks::find_bytes(&house.db, block.id).await?.ok_or_else(missing)?);
    }
    Ok(text)
}

/// The blocks of the next generation that are new, by place; those without one end.
pub(super) struct LogBlocks<'b> {
    pub(super) house: &'b House,
    pub(super) live: &'b [IndexBlock],
    pub(super) rendered: BTreeMap<i64, Option<RenderedBlock>>,
}

impl LogBlocks<'_> {
    /// Adds lines to the last block if that is small, else as new blocks.
    pub(super) async fn append(&mut self, lines: &[u8]) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let last = self.live.last().filter(|last| !self.rendered.contains_key(&last.place));
        let is_open = |block: &&IndexBlock| {
            let is_below = |size: i64, most: usize| usize::try_from(size).is_ok_and(|size| size < most);
            is_below(block.entries, OPEN_ENTRIES) && is_below(block.plain_size, BLOCK_BYTES)
        };
        let (place, mut whole) = match last.filter(is_open) {
            Some(open) => (open.place, text(self.house, std::slice::from_ref(open)).await?),
            None => (self.next_place(), Vec::new()),
        };
        whole.extend_from_slice(lines);
        self.put(place, &whole);
        Ok(())
    }

    fn next_place(&self) -> i64 {
        let stored = self.live.last().map_or(0, |last| last.place + 1);
        self.rendered.keys().next_back().map_or(stored, |place| stored.max(place + 1))
    }

    /// Cuts a text into blocks from this place on.
    fn put(&mut self, place: i64, whole: &[u8]) {
        let mut place = place;
        let mut rest = whole;
        while !rest.is_empty() {
            let most = &rest[..rest.len().min(BLOCK_BYTES)];
            let end = if most.len() == rest.len() { Some(most.len()) } else { last_line_end(most) };
            let (block, after) = rest.split_at(end.or_else(|| first_line_end(rest)).unwrap_or(rest.len()));
            self.rendered.insert(place, Some(RenderedBlock::of_lines(block.to_vec())));
            (place, rest) = (place + 1, after);
        }
    }

    /// Joins small blocks; the text stays the same.
    pub(super) async fn join(&mut self) -> Result<()> {
        for places in compact::find(self.live, &BTreeMap::new()) {
            let run: Vec<IndexBlock> =
                self.live.iter().filter(|block| places.contains(&block.place)).cloned().collect();
            let whole = text(self.house, &run).await?;
            self.rendered.insert(places[0], Some(RenderedBlock::of_lines(whole)));
            self.rendered.extend(places[1..].iter().map(|place| (*place, None)));
        }
        Ok(())
    }

    /// Writes a log with one line for each group if the log is much longer than that. Clients then load it as a whole.
    pub(super) async fn shorten(&mut self, log: &'static dyn StreamLog) -> Result<bool> {
        let whole = text(self.house, self.live).await?;
        let size = whole.len();
        if size < SHORT_BYTES {
            return Ok(false);
        }
        let short = blocking::run(move || shortened(log, &whole)).await?;
        if size <= short.len() * LONGEST {
            return Ok(false);
        }
        self.rendered.extend(self.live.iter().map(|block| (block.place, None)));
        self.put(self.next_place(), &short);
        Ok(true)
    }
}

fn shortened(log: &dyn StreamLog, text: &[u8]) -> Vec<u8> {
    let groups = log.read(text);
    let line = |(group, known): (&String, &LogGroup)| {
        log.line(&LogChange { group, gone: &[], added: &known.labels, state: &known.state })
    };
    groups.iter().filter(|(_, known)| !known.labels.is_empty()).flat_map(line).collect()
}

fn last_line_end(text: &[u8]) -> Option<usize> {
    text.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1)
}

fn first_line_end(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| *byte == b'\n').map(|at| at + 1)
}
