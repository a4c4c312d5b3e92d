//! conda as a repository format. Each platform has a folder with an index of its packages.

use std::{cmp::Ordering, collections::BTreeSet};

use model::{checksum::ChecksumFile, file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, Command, CommandPlace, Content, FileView, Format, Frame, Inspected, Native, PathKind, PathOwner,
    RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry, StreamPair,
};

use super::{
    commands, index,
    inspect::{self, CondaFacts},
    native::NATIVE,
    shards::{self, SHARD_INDEX},
    version,
};
use crate::{
    indexed::{DescribedFile, decode, encode},
    readers::Limits,
};

/// The name of the index of a platform.
const INDEX: &str = "repodata.json";

/// The name of the same index, compressed. Frames in a row are not read by all clients, so one frame is made of the text
/// when somebody reads it.
const PACKED_INDEX: &str = "repodata.json.zst";

/// The maximum size of an index that is also compressed as a whole.
const PACKED_BYTES: u64 = 64 << 20;

/// The level of the compression: each generation is compressed once on each node.
const LEVEL: i32 = 6;

/// Files that clients ask for beside the index, and that do not exist.
const OTHER_INDEXES: [&str; 4] =
    ["current_repodata.json", "repodata.json.bz2", "repodata_from_packages.json", "run_exports.json"];

/// Channels of conda packages, as conda, mamba, pixi and rattler read them.
#[derive(Debug)]
pub struct Conda;

impl Format for Conda {
    fn name(&self) -> &'static str {
        "conda"
    }

    fn title(&self) -> &'static str {
        "conda"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if [INDEX, PACKED_INDEX, SHARD_INDEX].contains(&path.file_name()) || OTHER_INDEXES.contains(&path.file_name()) {
            return Ok(PathKind::Index);
        }
        let is_shard = path.as_str().split('/').nth(1) == Some("shards");
        if is_shard || path.as_str().starts_with(inspect::UPLOAD) {
            return Ok(PathKind::Reserved);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_package(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_package(path)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let facts = inspect::inspect(content, &Limits::default())?;
        facts.check_path(path.as_str())?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_package(path)
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version::is_prerelease(version)
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(&NATIVE)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

fn is_package(path: &FilePath) -> bool {
    path.file_name().ends_with(".conda") || path.file_name().ends_with(".tar.bz2")
}

/// The streams of a platform: of .tar.bz2 files, and of .conda files.
fn streams(subdir: &str) -> [String; 2] {
    ["packages", "packages.conda"].map(|name| format!("{subdir}/{name}"))
}

impl RepoIndexes for Conda {
    fn edition(&self) -> i64 {
        4
    }

    // Clients fail if this platform, which all others include, has no index.
    fn fixed_streams(&self) -> &'static [&'static str] {
        &["noarch/packages", "noarch/packages.conda"]
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let facts = file.about.as_deref().and_then(|about| decode::<CondaFacts>(about).ok());
        let Some(facts) = facts.filter(|facts| facts.check_path(file.path.as_str()).is_ok()) else { return Vec::new() };
        let [old, new] = streams(&facts.subdir);
        let stream = if index::is_conda(file.path.file_name()) { new } else { old };
        vec![StreamEntry { stream, group: None }]
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { between: index::BETWEEN.into(), is_compressed: true, ..Frame::default() }
    }

    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let read = DescribedFile::<CondaFacts>::read_all(files);
        index::block(read.iter().map(|package| (&package.facts, package.file()))).into_bytes()
    }

    fn is_derived(&self, path: &str) -> bool {
        path.ends_with(PACKED_INDEX)
    }

    fn derive(&self, path: &str, text: Vec<u8>) -> Vec<u8> {
        if !self.is_derived(path) {
            return text;
        }
        zstd::bulk::compress(&text, LEVEL).expect("memory takes everything")
    }

    fn part_of(&self, path: &str) -> Option<String> {
        shards::subdir_of(path).map(shards::folder)
    }

    fn has_parts(&self, path: &str) -> bool {
        path.contains("/shards/") && path.ends_with(".json")
    }

    fn parts(&self, path: &str, text: &[u8]) -> Vec<(String, Vec<u8>)> {
        path.split_once('/').map(|(subdir, _)| shards::split(subdir, text)).unwrap_or_default()
    }

    fn is_lasting_part(&self, path: &str) -> bool {
        path.contains("/shards/")
    }

    fn seal(&self, built: &[BuiltStream], _repo: &Repo, _at: Timestamp) -> Sealed {
        let subdirs: BTreeSet<&str> = built.iter().filter_map(|stream| Some(stream.name.split_once('/')?.0)).collect();
        let file = |subdir: &str| {
            let names = streams(subdir);
            let [first, second] = names.clone();
            let pair = StreamPair {
                before: index::before(subdir).into_bytes(),
                first,
                between: index::MIDDLE.into(),
                second,
                after: index::after(&[]).into_bytes(),
            };
            let content = SealedContent::Pair(Box::new(pair));
            // Shards are made of this one. It stays for a while when it is replaced, as they must.
            let digest = names.iter().map(|name| digest(built, name)).collect::<Vec<_>>().join("-");
            let lengths =
                built.iter().filter(|stream| names.contains(&stream.name)).map(|stream| stream.plain.size_bytes);
            let packed = SealedFile::new(format!("{subdir}/{PACKED_INDEX}"), content.clone(), &names);
            [
                Some(SealedFile::new(format!("{subdir}/{INDEX}"), content.clone(), &names)),
                Some(SealedFile::lasting(format!("{}{digest}.json", shards::folder(subdir)), content, &names)),
                (lengths.sum::<u64>() <= PACKED_BYTES).then_some(packed),
            ]
        };
        Sealed { files: subdirs.into_iter().flat_map(file).flatten().collect(), seal_by: None }
    }
}

/// The first digits of a stream's digest.
fn digest<'s>(streams: &'s [BuiltStream], name: &str) -> &'s str {
    let built = streams.iter().find(|built| built.name == name);
    built.and_then(|built| built.plain.sha256.get(..32)).unwrap_or("none")
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
