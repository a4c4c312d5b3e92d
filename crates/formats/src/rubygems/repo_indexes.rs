//! The indexes of a repository. `versions` is the stream; the others are made from its text when they are read.

use std::collections::BTreeMap;

use md5::{Digest, Md5};
use model::{repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, FileView, Frame, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry, StreamLog,
};

use super::{
    compact::{self, GemVersionEvent},
    derived,
    format::{Rubygems, specification},
    indexes::{self, ListedGem, YANKED},
    layout::{NAMES, VERSIONS},
    specs::SpecsList,
};
use crate::indexed::hex;

impl RepoIndexes for Rubygems {
    fn edition(&self) -> i64 {
        2
    }

    fn fixed_streams(&self) -> &'static [&'static str] {
        &[VERSIONS]
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let found = specification(&file.path, file.about.as_deref());
        let entry = found.map(|specification| StreamEntry {
            stream: VERSIONS.to_owned(),
            group: Some(specification.name.as_str().to_owned()),
        });
        entry.into_iter().collect()
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        // The text is the same in all generations, so that clients can ask for what was added.
        Frame { before: compact::versions_header(Timestamp::EPOCH).into_bytes(), ..Frame::default() }
    }

    fn log(&self, _stream: &str) -> Option<&dyn StreamLog> {
        Some(self)
    }

    /// One line for each gem, the youngest gem last.
    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let mut gems: BTreeMap<String, Vec<ListedGem>> = BTreeMap::new();
        for gem in files.iter().filter_map(ListedGem::read) {
            gems.entry(gem.specification.name.as_str().to_owned()).or_default().push(gem);
        }
        let mut lines: Vec<(Timestamp, String)> = gems.into_values().filter_map(line).collect();
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect::<String>().into_bytes()
    }

    fn hidden_mark(&self) -> Option<&'static str> {
        Some(YANKED)
    }

    fn is_derived(&self, path: &str) -> bool {
        path != VERSIONS
    }

    fn derive(&self, path: &str, text: Vec<u8>) -> Vec<u8> {
        derived::document(path, text)
    }

    fn seal(&self, _streams: &[BuiltStream], _repo: &Repo, _at: Timestamp) -> Sealed {
        let lists = [SpecsList::Releases, SpecsList::Latest, SpecsList::Prereleases].map(SpecsList::file_name);
        let paths = [VERSIONS, NAMES].into_iter().chain(lists);
        let file = |path| SealedFile::new(path, SealedContent::Plain(VERSIONS.to_owned()), &[VERSIONS.to_owned()]);
        Sealed { files: paths.map(file).collect(), seal_by: None }
    }
}

/// The MD5 of the index of a gem. The versions are in order.
pub(super) fn info_md5(gems: &[ListedGem]) -> String {
    hex(&Md5::digest(indexes::info(gems)))
}

/// The line of a gem, with the time of its first version.
fn line(mut gems: Vec<ListedGem>) -> Option<(Timestamp, String)> {
    indexes::sort(&mut gems);
    let first = gems.first()?;
    let (name, since) = (first.specification.name.clone(), first.published());
    let md5 = info_md5(&gems);
    let events = gems.iter().map(|gem| GemVersionEvent::Published(gem.specification.number()));
    Some((since, compact::versions_line(&name, &events.collect::<Vec<_>>(), &md5)))
}

#[cfg(test)]
mod tests;
