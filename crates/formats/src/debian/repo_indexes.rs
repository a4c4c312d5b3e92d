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

#[cfg(test)]
mod tests {
    use model::{digest::Digest, file_path::FilePath};
    use operations::format::Facts;

    use super::*;
    use crate::samples::repo;

    fn view(facts: &str) -> FileView {
        FileView {
            path: FilePath::parse("pool/hello_1_amd64.deb").expect("a path"),
            size_bytes: 1,
            sha256: Digest::from_bytes([1; 32]),
            sha1: String::new(),
            md5: None,
            sha512: None,
            published: Timestamp::from_millis(0),
            facts: Some(Facts(facts.to_owned())),
            about: Some(Vec::new()),
        }
    }

    #[test]
    fn a_file_has_an_entry_for_each_suite_component_and_architecture() {
        let streams = |facts: &str| {
            let entries = Debian.entries(&view(facts), &repo("debian"));
            entries.into_iter().map(|entry| entry.stream).collect::<Vec<_>>()
        };
        assert_eq!(streams("stable,testing;main;amd64"), ["stable/main/amd64", "testing/main/amd64"]);
        assert_eq!(streams("stable;main;all"), ["stable/main/all"]);
        assert_eq!(streams("stable;main;amd64,i386"), ["stable/main/amd64", "stable/main/i386"]);
        assert!(streams("damaged").is_empty());
    }

    #[test]
    fn each_suite_has_a_release_of_its_own_streams() {
        let form = |digest: &str| BuiltForm { size_bytes: 7, sha256: digest.to_owned() };
        let built =
            |name: &str| BuiltStream { name: name.to_owned(), entries: 1, plain: form("aa"), gzip: Some(form("bb")) };
        let sealed = Debian.seal(
            &["stable/main/amd64", "stable/main/arm64", "sid/main/amd64"].map(built),
            &repo("debian"),
            Timestamp::from_millis(0),
        );
        let find = |path: &str| sealed.files.iter().find(|file| file.path == path).expect("it is made");
        let release = find("dists/stable/Release");
        assert_eq!(release.streams, ["stable/main/amd64", "stable/main/arm64"]);
        let SealedContent::Document(text) = &release.content else { panic!("not a document") };
        let text = String::from_utf8_lossy(text);
        assert!(text.contains("\n bb 7 main/binary-amd64/Packages.gz\n aa 7 main/binary-amd64/Packages\n"), "{text}");
        assert!(find("dists/sid/main/binary-amd64/by-hash/SHA256/bb").is_lasting);
        assert_eq!(find("dists/sid/InRelease").content, SealedContent::Cleartext("dists/sid/Release".into()));
        assert_eq!(find("acme.gpg").content, SealedContent::PublicKey { is_armored: false });
    }
}
