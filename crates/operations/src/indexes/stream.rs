//! Builds the next generation of one stream.

use std::collections::BTreeMap;

use database::indexes::{
    blocks::{self, IndexBlock},
    entries::IndexEntry,
    streams::IndexStream,
};

use crate::{
    Error, House, Result, blocking,
    format::{BuiltForm, BuiltStream, Frame},
    indexes::{
        IndexedRepo,
        blocks::{BLOCK_ENTRIES, OPEN_ENTRIES, RenderedBlock, Renderer},
        compact, deflate,
        diff::StreamChange,
        digests::{Digests, FinishedStream},
        log,
        places::Places,
        slots::{Slot, slots},
    },
};

/// The next generation of a stream.
pub(super) struct StreamBuild {
    pub(super) stream: IndexStream,
    pub(super) is_changed: bool,
    pub(super) frame: Frame,
    pub(super) finished: FinishedStream,
    /// The ids of blocks that end.
    pub(super) ended: Vec<i64>,
    /// New blocks with their bytes.
    pub(super) inserted: Vec<(IndexBlock, Vec<u8>)>,
    /// Blocks that stay, with new states of the digests after them.
    pub(super) states: Vec<(i64, Vec<u8>)>,
    /// Entries to insert or to move.
    pub(super) entries: Vec<IndexEntry>,
    /// Files that lose their entry.
    pub(super) gone: Vec<i64>,
    /// Whether many small blocks could become one.
    pub(super) is_scattered: bool,
}

/// Builds the next generation of a stream. With `compacts`, small blocks are joined.
pub(super) async fn build(
    house: &House,
    repo: &IndexedRepo,
    change: StreamChange,
    frame: Frame,
    compacts: bool,
) -> Result<StreamBuild> {
    if let Some(log) = repo.indexes.log(&change.stream.name) {
        return log::build(house, repo, log, change, frame, compacts).await;
    }
    let is_empty = change.is_empty();
    let StreamChange { mut stream, is_new, gone, places, added, .. } = change;
    let gone = gone.into_keys().collect();
    let live = if is_new { Vec::new() } else { blocks::list_live(&house.db, stream.id).await? };
    let renderer = Renderer { indexes: repo.indexes, stream: stream.name.clone(), is_compressed: frame.is_compressed };
    let mut plan = Places { house, repo, stream_id: stream.id, renderer, gone, entries: Vec::new() };
    let mut rendered: BTreeMap<i64, Option<RenderedBlock>> = BTreeMap::new();
    let (mut grown, fresh) = plan.assign(&live, &places, added).await?;
    for place in places {
        grown.entry(place).or_default();
    }
    let merges = if compacts { compact::find(&live, &grown) } else { Vec::new() };
    for (place, added) in grown {
        rendered.insert(place, plan.render_place(&[place], added).await?);
    }
    for places in merges {
        rendered.insert(places[0], plan.render_place(&places, Vec::new()).await?);
        rendered.extend(places[1..].iter().map(|place| (*place, None)));
    }
    let next = live.last().map_or(0, |last| last.place + 1);
    let block_entries = if fresh.len() > OPEN_ENTRIES { BLOCK_ENTRIES } else { OPEN_ENTRIES };
    for (place, block) in (next..).zip(plan.renderer.blocks(fresh, block_entries).await?) {
        plan.record(place, &block);
        rendered.insert(place, Some(block));
    }
    let is_changed = !is_empty || !rendered.is_empty();
    let ended = live.iter().filter(|block| rendered.contains_key(&block.place)).map(|block| block.id).collect();
    let slots = slots(live, rendered);
    stream.entries = slots.iter().map(|slot| slot.1.entries()).sum();
    let mut build = StreamBuild { is_changed, ended, ..StreamBuild::unchanged(stream, frame, unfinished()) };
    build.finish(house, slots, Some(&mut plan)).await?;
    (build.entries, build.gone) = (plan.entries, plan.gone.into_iter().collect());
    Ok(build)
}

/// A stream before it was finished.
pub(super) fn unfinished() -> FinishedStream {
    let plain = BuiltForm { size_bytes: 0, sha256: String::new() };
    FinishedStream { built: BuiltStream { name: String::new(), entries: 0, plain, gzip: None }, tail: Vec::new() }
}

impl StreamBuild {
    /// A stream that stays as it is.
    pub(super) fn unchanged(stream: IndexStream, frame: Frame, finished: FinishedStream) -> Self {
        Self {
            stream,
            is_changed: false,
            frame,
            finished,
            ended: Vec::new(),
            inserted: Vec::new(),
            states: Vec::new(),
            entries: Vec::new(),
            gone: Vec::new(),
            is_scattered: false,
        }
    }

    /// Continues the digests and makes the rows of new blocks. Damaged blocks are rendered again, if `plan` knows how.
    pub(super) async fn finish(
        &mut self,
        house: &House,
        slots: Vec<(bool, Slot)>,
        mut plan: Option<&mut Places<'_>>,
    ) -> Result<()> {
        self.is_scattered = compact::is_scattered(slots.iter().map(|(_, slot)| slot.entries()));
        let mut digests = Digests::new(&self.frame);
        let mut plain_bytes = self.frame.before.len() + self.frame.after.len();
        plain_bytes += self.frame.between.len() * slots.len().saturating_sub(1);
        let (mut plain_bytes, mut is_repaired) = (plain_bytes as u64, false);
        for (is_same, slot) in slots {
            match slot {
                Slot::Stored(block) => {
                    plain_bytes += block.plain_size.unsigned_abs();
                    let continued = self.continue_over(house, &digests, is_same && !is_repaired, &block).await;
                    digests = match (continued, &mut plan) {
                        (Err(Error::Internal(reason)), Some(plan)) => {
                            is_repaired = true;
                            self.repair(digests, block, plan, &reason).await?
                        }
                        (continued, _) => continued?,
                    };
                }
                Slot::New(place, block) => {
                    plain_bytes += block.text.len() as u64;
                    digests = self.insert(house, digests, place, block).await?;
                }
            }
        }
        let entries = u64::try_from(self.stream.entries).unwrap_or_default();
        self.finished = if self.frame.is_compressed {
            digests.finish(&self.frame, &self.stream.name, entries)
        } else {
            let plain = BuiltForm { size_bytes: plain_bytes, sha256: String::new() };
            let built = BuiltStream { name: self.stream.name.clone(), entries, plain, gzip: None };
            FinishedStream { built, tail: self.frame.after.clone() }
        };
        Ok(())
    }

    /// Goes on after a block that stays. If something before it has changed, its bytes are hashed again.
    async fn continue_over(
        &mut self,
        house: &House,
        digests: &Digests,
        is_same: bool,
        block: &IndexBlock,
    ) -> Result<Digests> {
        if !self.frame.is_compressed {
            return Ok(digests.clone());
        }
        if let Some(states) = block.states.as_ref().filter(|_| is_same) {
            return Digests::from_bytes(states);
        }
        let missing = || Error::Internal(format!("block {} of an index has no bytes", block.id));
        let piece = blocks::find_bytes(&house.db, block.id).await?.ok_or_else(missing)?;
        let (frame, size, mut digests) = (self.frame.clone(), block.plain_size.unsigned_abs(), digests.clone());
        let hashed = blocking::run(move || {
            let text = deflate::inflate(&piece, size)?;
            digests.add(&frame, &text, &piece);
            Ok::<_, Error>(digests)
        });
        let digests = hashed.await??;
        self.states.push((block.id, digests.to_bytes()));
        Ok(digests)
    }

    /// Replaces a damaged block by one with the same entries.
    async fn repair(
        &mut self,
        digests: Digests,
        block: IndexBlock,
        plan: &mut Places<'_>,
        reason: &str,
    ) -> Result<Digests> {
        tracing::warn!("rendering block {} of an index again: {reason}", block.id);
        let rendered = plan.render_place(&[block.place], Vec::new()).await?;
        self.ended.push(block.id);
        self.stream.entries += rendered.as_ref().map_or(0, |rendered| rendered.entries) - block.entries;
        match rendered {
            Some(rendered) => self.insert(plan.house, digests, block.place, rendered).await,
            None => Ok(digests),
        }
    }

    async fn insert(
        &mut self,
        house: &House,
        mut digests: Digests,
        place: i64,
        block: RenderedBlock,
    ) -> Result<Digests> {
        let mut states = None;
        if let Some(piece) = &block.piece {
            digests.add(&self.frame, &block.text, piece);
            states = Some(digests.to_bytes());
        }
        let size = |bytes: &[u8]| i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let row = IndexBlock {
            id: house.next_id(),
            place,
            entries: block.entries,
            plain_size: size(&block.text),
            size: size(block.stored()),
            facts_size: i64::try_from(block.facts_size).unwrap_or(i64::MAX),
            states,
        };
        self.inserted.push((row, block.piece.unwrap_or(block.text)));
        Ok(digests)
    }
}
