//! Compares the entries that changed files have with those that they should have.

use std::collections::{BTreeMap, BTreeSet};

use database::indexes::{entries, streams};

use crate::{
    House, Result,
    indexes::{IndexedRepo, ListedFile, blocks::GroupedFile, shares},
};

/// The entries that files should have, by file and stream.
pub(super) type WantedFiles = BTreeMap<(i64, String), GroupedFile>;

/// What a generation changes.
pub(super) struct Diff {
    /// All streams, with what changes in them.
    pub(super) streams: Vec<StreamChange>,
    /// Files whose entries in new streams are left to later generations.
    pub(super) later: Vec<i64>,
}

/// What changes in a stream.
pub(super) struct StreamChange {
    pub(super) stream: streams::IndexStream,
    pub(super) is_new: bool,
    /// Files that lose their entry, with its group.
    pub(super) gone: BTreeMap<i64, Option<String>>,
    /// Files whose entry stays, with its group.
    pub(super) same: BTreeMap<i64, Option<String>>,
    /// Places of blocks that are rendered again.
    pub(super) places: BTreeSet<i64>,
    /// Files that get an entry.
    pub(super) added: Vec<GroupedFile>,
}

impl StreamChange {
    pub(super) fn none(stream: streams::IndexStream, is_new: bool) -> Self {
        let (gone, same) = (BTreeMap::new(), BTreeMap::new());
        Self { stream, is_new, gone, same, places: BTreeSet::new(), added: Vec::new() }
    }

    /// Whether the stream is the same as before.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_new && self.gone.is_empty() && self.places.is_empty() && self.added.is_empty()
    }
}

/// Returns all streams of a repository with what changes in them when these files are as they are now.
pub(super) async fn read(house: &House, repo: &IndexedRepo, changed: &BTreeSet<i64>) -> Result<Diff> {
    let ids: Vec<i64> = changed.iter().copied().collect();
    let known = streams::list(&house.db, repo.id()).await?;
    let names: BTreeMap<i64, String> = known.iter().map(|stream| (stream.id, stream.name.clone())).collect();
    let mut wanted = wanted(house, repo, &ids).await?;
    let later = shares::begin(house, repo, &known, &mut wanted).await?;
    let begun = wanted.keys().map(|(_, name)| name.clone());
    let fixed = repo.indexes.fixed_streams().iter().map(|name| (*name).to_owned());
    let all: BTreeSet<String> = names.values().cloned().chain(fixed).chain(begun).collect();
    shares::copy(repo.indexes, &all, &mut wanted);
    let mut changes = Changes { house, streams: BTreeMap::new() };
    for stream in known {
        changes.streams.insert(stream.name.clone(), StreamChange::none(stream, false));
    }
    for name in repo.indexes.fixed_streams() {
        changes.of(name);
    }
    for entry in entries::list_of_files(&house.db, repo.id(), &ids).await? {
        let Some(name) = names.get(&entry.stream_id) else { continue };
        let change = changes.of(name);
        change.places.insert(entry.place);
        let key = (entry.file_id, name.clone());
        if wanted.get(&key).is_some_and(|file| file.group == entry.group) {
            wanted.remove(&key);
            change.same.insert(entry.file_id, entry.group);
        } else {
            change.gone.insert(entry.file_id, entry.group);
        }
    }
    for ((_, name), file) in wanted {
        changes.of(&name).added.push(file);
    }
    Ok(Diff { streams: changes.streams.into_values().collect(), later })
}

/// The entries that files should have.
pub(super) async fn wanted(house: &House, repo: &IndexedRepo, ids: &[i64]) -> Result<WantedFiles> {
    let files = repo.files(&house.db, ids).await?;
    let detailed = repo.detailed_files(&house.db, ids).await?;
    let detailed: BTreeMap<i64, ListedFile> = detailed.into_iter().map(|file| (file.id, file)).collect();
    let mut wanted = BTreeMap::new();
    for file in files {
        for entry in repo.indexes.entries(&file.view, &repo.repo) {
            let is_detailed = repo.indexes.is_detailed(&entry.stream);
            // A file that vanished a moment ago has a change of its own.
            let Some(listed) = (if is_detailed { detailed.get(&file.id) } else { Some(&file) }) else { continue };
            let grouped = GroupedFile { file: listed.clone(), group: entry.group };
            wanted.insert((file.id, entry.stream), grouped);
        }
    }
    Ok(wanted)
}

struct Changes<'h> {
    house: &'h House,
    streams: BTreeMap<String, StreamChange>,
}

impl Changes<'_> {
    /// The change of the stream with this name, which is new if the repository does not have it.
    fn of(&mut self, name: &str) -> &mut StreamChange {
        self.streams.entry(name.to_owned()).or_insert_with(|| {
            let stream = streams::IndexStream { id: self.house.next_id(), name: name.to_owned(), entries: 0 };
            StreamChange::none(stream, true)
        })
    }
}
