//! The indexes of an RPM repository: `primary`, `filelists` and `other` of each metadata root, and `repomd.xml` over them.

use std::collections::BTreeMap;

use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, FileView, Frame, Inspected, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    Rpm,
    extras::{ExtraFacts, RpmExtra},
    format::is_rpm,
    index::RpmStream,
    index_kind::{IndexKind, split},
    inspect::RpmFacts,
    placement::metadata_root,
    repomd::{RepomdFile, repomd},
};
use crate::indexed::{DescribedFile, IndexedFile, decode};

/// The number of folders in front of the metadata roots of a repository.
fn depth(repo: &Repo) -> usize {
    repo.profile.yum_metadata_depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(0)
}

impl RepoIndexes for Rpm {
    fn edition(&self) -> i64 {
        3
    }

    fn fixed_streams(&self) -> &'static [&'static str] {
        &["filelists", "other", "primary"]
    }

    fn entries(&self, file: &FileView, repo: &Repo) -> Vec<StreamEntry> {
        let Some(root) = metadata_root(file.path.as_str(), depth(repo)).filter(|_| file.about.is_some()) else {
            return Vec::new();
        };
        if let Some(extra) = RpmExtra::of_file(file.path.file_name()) {
            let is_listed = file.path.as_str() == format!("{root}{}", extra.file());
            let entry = StreamEntry { stream: format!("{root}{}", extra.name()), group: None };
            return if is_listed { vec![entry] } else { Vec::new() };
        }
        if !is_rpm(&file.path) {
            return Vec::new();
        }
        let stream = |stream: RpmStream| format!("{root}{}", stream.name());
        RpmStream::ALL.into_iter().map(|kind| StreamEntry { stream: stream(kind), group: None }).collect()
    }

    fn identities(&self, path: &FilePath, content: &Inspected, repo: &Repo) -> Vec<String> {
        let rpm = content.about.as_deref().filter(|_| is_rpm(path)).and_then(|about| decode::<RpmFacts>(about).ok());
        let Some((root, rpm)) = metadata_root(path.as_str(), depth(repo)).zip(rpm) else { return Vec::new() };
        vec![format!("{root} {} {} {}", rpm.name, rpm.full_version(), rpm.architecture)]
    }

    fn frame(&self, stream: &str, _at: Timestamp) -> Frame {
        let Some((_, stream)) = split(stream) else { return Frame { is_compressed: true, ..Frame::default() } };
        // Clients do not look at the number of packages, which would change the beginning with every package.
        Frame {
            before: stream.before(0).into_bytes(),
            between: Vec::new(),
            after: stream.after().into(),
            is_compressed: true,
        }
    }

    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8> {
        let Some((root, stream)) = split(stream) else {
            let texts = DescribedFile::<ExtraFacts>::read_all(files);
            return texts.iter().flat_map(|extra| extra.facts.text.bytes()).collect();
        };
        let read = DescribedFile::<RpmFacts>::read_all(files);
        let entries = read.iter().map(|rpm| {
            let file = rpm.file();
            (&rpm.facts, IndexedFile { path: file.path.strip_prefix(root).unwrap_or(file.path), ..file })
        });
        stream.block(entries).into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], _repo: &Repo, at: Timestamp) -> Sealed {
        let mut roots: BTreeMap<&str, Vec<(&BuiltStream, IndexKind)>> = BTreeMap::new();
        for built in streams {
            let Some((root, kind)) = IndexKind::of_stream(built) else { continue };
            roots.entry(root).or_default().push((built, kind));
        }
        let mut files = Vec::new();
        for (root, mut streams) in roots {
            streams.sort_by_key(|(_, kind)| kind.position());
            let names: Vec<String> = streams.iter().map(|(built, _)| built.name.clone()).collect();
            let file_names: Vec<String> = streams.iter().map(|(_, kind)| kind.file()).collect();
            let streams: Vec<(&BuiltStream, IndexKind, RepomdFile<'_>)> = streams
                .iter()
                .zip(&file_names)
                .filter(|((built, kind), _)| kind.is_listed(built))
                .filter_map(|((built, kind), file)| {
                    let form = if kind.is_compressed() { built.gzip.as_ref()? } else { &built.plain };
                    let (size_bytes, sha256) = (form.size_bytes, form.sha256.as_str());
                    Some((*built, *kind, RepomdFile { kind: kind.name(), file, size_bytes, sha256 }))
                })
                .collect();
            for (built, kind, file) in &streams {
                let name = built.name.clone();
                let content = if kind.is_compressed() { SealedContent::Gzip(name) } else { SealedContent::Plain(name) };
                files.push(SealedFile::lasting(
                    format!("{root}{}", file.path()),
                    content,
                    std::slice::from_ref(&built.name),
                ));
            }
            let listed: Vec<RepomdFile<'_>> = streams.iter().map(|(_, _, file)| *file).collect();
            let path = format!("{root}repodata/repomd.xml");
            let text = repomd(&listed, at.millis()).into_bytes();
            files.push(SealedFile::new(path.clone(), SealedContent::Document(text), &names));
            files.push(SealedFile::new(format!("{path}.asc"), SealedContent::Detached(path.clone()), &names));
            files.push(SealedFile::new(format!("{path}.key"), SealedContent::PublicKey { is_armored: true }, &[]));
        }
        Sealed { files, seal_by: None }
    }
}

#[cfg(test)]
#[path = "repo_indexes_tests.rs"]
mod tests;
