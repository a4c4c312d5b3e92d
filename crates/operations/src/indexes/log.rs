//! Builds the next generation of a stream that is a log: lines are added behind those that clients have.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::{
    blocks::{self, IndexBlock},
    entries::{self, IndexEntry},
};

use crate::{
    House, Result, blocking,
    format::{FileView, Frame, LogChange, LogGroup, StreamLog},
    indexes::{
        IndexedRepo,
        blocks::GroupedFile,
        diff::StreamChange,
        log_blocks::{LogBlocks, text},
        slots::slots,
        stream::{StreamBuild, unfinished},
    },
};

/// Builds the next generation. With `compacts`, small blocks are joined, and a log that is much longer than it has to be
/// is written again.
pub(super) async fn build(
    house: &House,
    repo: &IndexedRepo,
    log: &'static dyn StreamLog,
    change: StreamChange,
    frame: Frame,
    compacts: bool,
) -> Result<StreamBuild> {
    let is_new = change.is_new;
    let live = if is_new { Vec::new() } else { blocks::list_live(&house.db, change.stream.id).await? };
    let mut build = StreamBuild::unchanged(change.stream.clone(), frame, unfinished());
    let lines = Lines { house, repo, log, live: &live, change: &change }.render(&mut build.entries).await?;
    build.gone = change.gone.keys().copied().collect();
    let mut blocks = LogBlocks { house, live: &live, rendered: BTreeMap::new() };
    if compacts && !(lines.is_empty() && blocks.shorten(log).await?) {
        blocks.join().await?;
    }
    blocks.append(&lines).await?;
    let rendered = blocks.rendered;
    build.is_changed = is_new || !build.gone.is_empty() || !build.entries.is_empty() || !rendered.is_empty();
    build.ended = live.iter().filter(|block| rendered.contains_key(&block.place)).map(|block| block.id).collect();
    let slots = slots(live, rendered);
    build.stream.entries = slots.iter().map(|slot| slot.1.entries()).sum();
    build.finish(house, slots, None).await?;
    Ok(build)
}

/// What the new lines are made of.
struct Lines<'l> {
    house: &'l House,
    repo: &'l IndexedRepo,
    log: &'static dyn StreamLog,
    live: &'l [IndexBlock],
    change: &'l StreamChange,
}

impl Lines<'_> {
    /// Renders a line for each group that has changed, and records the entries of new files.
    async fn render(&self, recorded: &mut Vec<IndexEntry>) -> Result<Vec<u8>> {
        let mut added: BTreeMap<&str, Vec<&GroupedFile>> = BTreeMap::new();
        for file in &self.change.added {
            let group = file.group.as_deref().unwrap_or_default();
            added.entry(group).or_default().push(file);
            let (stream_id, file_id) = (self.change.stream.id, file.file.id);
            recorded.push(IndexEntry { stream_id, file_id, place: 0, group: file.group.clone() });
        }
        let others = self.change.gone.values().chain(self.change.same.values());
        let others: BTreeSet<&str> = others.filter_map(|group| group.as_deref()).collect();
        // Only what may be in the log already has to be compared with it.
        let known = if others.is_empty() { BTreeMap::new() } else { self.read().await? };
        let groups: BTreeSet<&str> = added.keys().copied().chain(others.iter().copied()).collect();
        let mut lines = Vec::new();
        for group in groups {
            let new = added.get(group).map(Vec::as_slice).unwrap_or_default();
            let files = self.files_of(group, new).await?;
            let before = others.contains(group).then(|| known.get(group).cloned().unwrap_or_default());
            let new: Vec<FileView> = new.iter().map(|file| file.file.view.clone()).collect();
            lines.extend(line(self.log, group, before, &new, &files).unwrap_or_default());
        }
        Ok(lines)
    }

    /// What the log says now.
    async fn read(&self) -> Result<BTreeMap<String, LogGroup>> {
        let (log, text) = (self.log, text(self.house, self.live).await?);
        blocking::run(move || log.read(&text)).await
    }

    /// All files of a group after the change.
    async fn files_of(&self, group: &str, new: &[&GroupedFile]) -> Result<Vec<FileView>> {
        let mut ids: BTreeSet<i64> = BTreeSet::new();
        if !self.change.is_new {
            ids.extend(entries::list_of_group(&self.house.db, self.change.stream.id, group).await?);
        }
        ids.retain(|id| !self.change.gone.contains_key(id));
        ids.extend(new.iter().map(|file| file.file.id));
        let ids: Vec<i64> = ids.into_iter().collect();
        let files = self.repo.files_of(&self.house.db, &self.change.stream.name, &ids).await?;
        Ok(files.into_iter().map(|file| file.view).collect())
    }
}

/// The line for a group that has these files now, some of which are new. `before` is what the log says of the group, if
/// more than new files may be different.
fn line(
    log: &dyn StreamLog,
    group: &str,
    before: Option<LogGroup>,
    new: &[FileView],
    files: &[FileView],
) -> Option<Vec<u8>> {
    let state = log.state(files);
    let labels = |files: &[FileView]| {
        let mut files: Vec<&FileView> = files.iter().collect();
        files.sort_by_key(|file| file.published);
        files.into_iter().filter_map(|file| log.label(file)).collect::<Vec<String>>()
    };
    let (gone, added) = match before {
        None => (Vec::new(), labels(new)),
        Some(before) => {
            let now = labels(files);
            let added: Vec<String> = now.iter().filter(|label| !before.labels.contains(label)).cloned().collect();
            let gone: Vec<String> = before.labels.into_iter().filter(|label| !now.contains(label)).collect();
            match gone.is_empty() && added.is_empty() {
                true if before.state == state => return None,
                // The content of some of them was replaced.
                true => (now.clone(), now),
                false => (gone, added),
            }
        }
    };
    Some(log.line(&LogChange { group, gone: &gone, added: &added, state: &state }))
}

#[cfg(test)]
mod tests;
