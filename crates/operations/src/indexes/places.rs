//! Which block of a stream lists which file.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::{
    blocks::IndexBlock,
    entries::{self, IndexEntry},
};

use crate::{
    House, Result,
    indexes::{
        IndexedRepo,
        blocks::{BLOCK_BYTES, FACTS_BYTES, GroupedFile, OPEN_ENTRIES, RenderedBlock, Renderer},
    },
};

/// Whether a block is small enough to get more entries.
fn is_open(block: &IndexBlock) -> bool {
    let is_below = |size: i64, most: usize| usize::try_from(size).is_ok_and(|size| size < most);
    is_below(block.plain_size, BLOCK_BYTES) && is_below(block.facts_size, FACTS_BYTES)
}

/// The blocks that grow, by place, and the files for new blocks.
pub(super) type Assignment = (BTreeMap<i64, Vec<GroupedFile>>, Vec<GroupedFile>);

/// The work on the blocks of a stream.
pub(super) struct Places<'p> {
    pub(super) house: &'p House,
    pub(super) repo: &'p IndexedRepo,
    pub(super) stream_id: i64,
    pub(super) renderer: Renderer,
    /// Files that lose their entry.
    pub(super) gone: BTreeSet<i64>,
    /// Entries to insert or to move.
    pub(super) entries: Vec<IndexEntry>,
}

impl Places<'_> {
    /// Distributes new files: those of a known group go to its block, few others to the open block at the end. Returns
    /// the blocks that grow, and the files for new blocks.
    pub(super) async fn assign(
        &mut self,
        live: &[IndexBlock],
        places: &BTreeSet<i64>,
        added: Vec<GroupedFile>,
    ) -> Result<Assignment> {
        let (mut grown, mut fresh): Assignment = (BTreeMap::new(), Vec::new());
        let mut known: BTreeMap<String, Option<i64>> = BTreeMap::new();
        for file in added {
            let place = match &file.group {
                Some(group) => match known.get(group) {
                    Some(place) => *place,
                    None => {
                        let place = entries::find_place(&self.house.db, self.stream_id, group).await?;
                        known.insert(group.clone(), place);
                        place
                    }
                },
                None => None,
            };
            match place {
                Some(place) => grown.entry(place).or_default().push(file),
                None => fresh.push(file),
            }
        }
        // A block that loses entries in this generation takes no new ones, so that its size is known.
        let open = live.last().filter(|last| !places.contains(&last.place) && is_open(last));
        if let Some(open) = open
            && usize::try_from(open.entries).unwrap_or(usize::MAX).saturating_add(fresh.len()) <= OPEN_ENTRIES
            && !fresh.is_empty()
        {
            grown.entry(open.place).or_default().append(&mut fresh);
        }
        Ok((grown, fresh))
    }

    /// Renders the block of the entries at these places with further files; `None` if nothing is left.
    pub(super) async fn render_place(
        &mut self,
        places: &[i64],
        added: Vec<GroupedFile>,
    ) -> Result<Option<RenderedBlock>> {
        let mut groups: BTreeMap<i64, Option<String>> = BTreeMap::new();
        for place in places {
            let found = entries::list_at_place(&self.house.db, self.stream_id, *place).await?;
            groups.extend(found.into_iter().map(|entry| (entry.file_id, entry.group)));
        }
        groups.retain(|id, _| !self.gone.contains(id));
        let ids: Vec<i64> = groups.keys().copied().collect();
        let mut files: Vec<GroupedFile> = Vec::new();
        for file in self.repo.files_of(&self.house.db, &self.renderer.stream, &ids).await? {
            let group = groups.remove(&file.id).flatten();
            files.push(GroupedFile { file, group });
        }
        for file in &added {
            self.entries.push(self.entry(places[0], file.file.id, file.group.clone()));
        }
        if places.len() > 1 {
            for file in &files {
                self.entries.push(self.entry(places[0], file.file.id, file.group.clone()));
            }
            // Files that vanished a moment ago have a change of their own, which deletes their entries.
            for (id, group) in groups {
                self.entries.push(self.entry(places[0], id, group));
            }
        }
        files.extend(added);
        files.sort_by_key(|file| file.file.id);
        files.dedup_by_key(|file| file.file.id);
        if files.is_empty() { Ok(None) } else { self.renderer.block(files).await.map(Some) }
    }

    /// Records the entries of a new block.
    pub(super) fn record(&mut self, place: i64, block: &RenderedBlock) {
        let entries: Vec<IndexEntry> =
            block.files.iter().map(|(id, group)| self.entry(place, *id, group.clone())).collect();
        self.entries.extend(entries);
    }

    fn entry(&self, place: i64, file_id: i64, group: Option<String>) -> IndexEntry {
        IndexEntry { stream_id: self.stream_id, file_id, place, group }
    }
}
