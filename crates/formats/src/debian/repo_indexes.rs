//! The indexes of a Debian repository: `Packages` for each suite, component and architecture, and `Release` over them.

use std::collections::{BTreeMap, BTreeSet};

use model::{repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltForm, BuiltStream, FileView, Frame, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    Debian, index,
    inspect::DebFacts,
    placement::DebPlacement,
    release::{SuiteInfo, release},
    stream::PackagesStream,
};
use crate::indexed::{BuiltIndexFile, Listed};

impl RepoIndexes for Debian {
    fn edition(&self) -> i64 {
        1
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let (Some(facts), Some(_)) = (&file.facts, &file.about) else { return Vec::new() };
        let Ok(placement) = DebPlacement::parse(&facts.0) else { return Vec::new() };
        // Packages for all architectures have an index of their own, which apt reads beside that of its architecture.
        let streams = placement.streams(&|_, _| Vec::new());
        streams.into_iter().map(|stream| StreamEntry { stream: stream.to_string(), group: None }).collect()
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { is_compressed: true, ..Frame::default() }
    }

    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let read = Listed::<DebFacts>::read_all(files);
        index::packages_block(read.iter().map(|deb| (&deb.facts, deb.file()))).into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], repo: &Repo, at: Timestamp) -> Sealed {
        let mut suites: BTreeMap<String, Suite<'_>> = BTreeMap::new();
        for built in streams {
            let Some(stream) = PackagesStream::parse(&built.name) else { continue };
            suites.entry(stream.suite.clone()).or_default().add(stream, built);
        }
        let mut files = Vec::new();
        for (name, suite) in &suites {
            suite.seal(name, repo, at, &mut files);
        }
        for (extension, is_armored) in [("gpg", false), ("asc", true)] {
            let key = SealedContent::PublicKey { is_armored };
            files.push(SealedFile::new(format!("{}.{extension}", repo.owner), key, &[]));
        }
        Sealed { files, seal_by: None }
    }
}

/// The streams of one suite.
#[derive(Default)]
struct Suite<'b> {
    streams: Vec<(PackagesStream, &'b BuiltStream)>,
    components: BTreeSet<String>,
    architectures: BTreeSet<String>,
}

impl<'b> Suite<'b> {
    fn add(&mut self, stream: PackagesStream, built: &'b BuiltStream) {
        self.components.insert(stream.component.clone());
        self.architectures.insert(stream.architecture.clone());
        self.streams.push((stream, built));
    }

    fn seal(&self, name: &str, repo: &Repo, at: Timestamp, files: &mut Vec<SealedFile>) {
        let folder = format!("dists/{name}");
        let mut listed: Vec<(String, &BuiltForm)> = Vec::new();
        for (stream, built) in &self.streams {
            let path = stream.path_in_suite();
            let by_hash = format!("{}/by-hash/SHA256", path.trim_end_matches("/Packages"));
            let names = [built.name.clone()];
            let gzip =
                built.gzip.as_ref().map(|form| (form, format!("{path}.gz"), SealedContent::Gzip(names[0].clone())));
            let plain = (&built.plain, path, SealedContent::Plain(names[0].clone()));
            for (form, path, content) in gzip.into_iter().chain([plain]) {
                let lasting = format!("{folder}/{by_hash}/{}", form.sha256);
                files.push(SealedFile::lasting(lasting, content.clone(), &names));
                files.push(SealedFile::new(format!("{folder}/{path}"), content, &names));
                listed.push((path, form));
            }
        }
        let text = self.release(name, repo, &listed, at);
        let names: Vec<String> = self.streams.iter().map(|(_, built)| built.name.clone()).collect();
        let release = format!("{folder}/Release");
        files.push(SealedFile::new(release.clone(), SealedContent::Document(text.into_bytes()), &names));
        for (path, content) in [
            ("Release.gpg", SealedContent::Detached(release.clone())),
            ("InRelease", SealedContent::Cleartext(release.clone())),
        ] {
            files.push(SealedFile::new(format!("{folder}/{path}"), content, &names));
        }
    }

    fn release(&self, suite: &str, repo: &Repo, listed: &[(String, &BuiltForm)], at: Timestamp) -> String {
        let (owner, label) = (repo.owner.to_string(), format!("{}/{}", repo.owner, repo.name));
        let description = &repo.profile.description;
        let [architectures, components] =
            [&self.architectures, &self.components].map(|names| names.iter().cloned().collect::<Vec<_>>());
        let info = SuiteInfo {
            origin: &owner,
            label: &label,
            suite,
            description: if description.is_empty() { &label } else { description },
            architectures: &architectures,
            components: &components,
            ..SuiteInfo::default()
        };
        let files: Vec<BuiltIndexFile<'_>> = listed
            .iter()
            .map(|(path, form)| BuiltIndexFile { path, size_bytes: form.size_bytes, sha256: &form.sha256 })
            .collect();
        release(&info, &files, at.millis())
    }
}
