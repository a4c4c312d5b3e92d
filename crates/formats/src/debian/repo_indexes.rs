//! The indexes of a Debian repository: `Packages` and `Contents` for each suite, component and architecture, and `Release`
//! over them.

use std::collections::BTreeMap;

use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, Content, FileView, Frame, Inspected, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    Debian, contents,
    format::is_deb,
    index,
    inspect::DebFacts,
    placement::DebPlacement,
    source::SourceFacts,
    stream::PackagesStream,
    suite::{Suite, valid_days},
};
use crate::{
    indexed::{DescribedFile, decode, encode},
    readers::Limits,
};

impl RepoIndexes for Debian {
    fn edition(&self) -> i64 {
        4
    }

    fn entries(&self, file: &FileView, repo: &Repo) -> Vec<StreamEntry> {
        let (Some(facts), Some(_)) = (&file.facts, &file.about) else { return Vec::new() };
        let Ok(placement) = DebPlacement::parse(&facts.0) else { return Vec::new() };
        let listed = placement.streams();
        let contents: Vec<PackagesStream> =
            listed.iter().filter(|_| repo.profile.debian_contents).filter_map(PackagesStream::contents).collect();
        let entry = |stream: PackagesStream| StreamEntry { stream: stream.to_string(), group: None };
        listed.into_iter().chain(contents).map(entry).collect()
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let deb = content.about.as_deref().filter(|_| is_deb(path.file_name())).and_then(|about| decode(about).ok());
        let placement = content.facts.as_ref().and_then(|facts| DebPlacement::parse(&facts.0).ok());
        let (Some(DebFacts { package, version, architecture, .. }), Some(placement)) = (deb, placement) else {
            return Vec::new();
        };
        placement.suites.iter().map(|suite| format!("{suite} {package} {version} {architecture}")).collect()
    }

    fn details(&self, repo: &Repo) -> Option<&'static str> {
        repo.profile.debian_contents.then_some(CONTENTS_FACTS)
    }

    fn is_detailed(&self, stream: &str) -> bool {
        PackagesStream::parse(stream).is_some_and(|stream| stream.is_contents)
    }

    fn inspect_details(&self, path: &FilePath, content: &mut dyn Content) -> Result<Option<Vec<u8>>, String> {
        if !is_deb(path.file_name()) {
            return Ok(None);
        }
        contents::inspect(content, &Limits::default()).map(|facts| Some(encode(&facts)))
    }

    fn shares(&self, stream: &str, with: &str) -> bool {
        let parsed = PackagesStream::parse(stream).zip(PackagesStream::parse(with));
        parsed.is_some_and(|(stream, with)| stream.shares(&with))
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { is_compressed: true, ..Frame::default() }
    }

    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8> {
        let stream = PackagesStream::parse(stream);
        if stream.as_ref().is_some_and(|stream| stream.is_contents) {
            return contents::block(&DescribedFile::read_all(files)).into_bytes();
        }
        if stream.is_some_and(|stream| stream.is_source()) {
            let read = DescribedFile::<SourceFacts>::read_all(files);
            return index::sources_block(read.iter().map(|dsc| (&dsc.facts, dsc.file()))).into_bytes();
        }
        let read = DescribedFile::<DebFacts>::read_all(files);
        index::packages_block(read.iter().map(|deb| (&deb.facts, deb.file()))).into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], repo: &Repo, at: Timestamp) -> Sealed {
        let mut suites: BTreeMap<String, Suite<'_>> = BTreeMap::new();
        for built in streams {
            let Some(stream) = PackagesStream::parse(&built.name) else { continue };
            if stream.is_contents && !repo.profile.debian_contents {
                continue;
            }
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
        // Half of the time is left when documents are made again.
        let half = valid_days(repo).map(|days| i64::from(days) * DAY_MS / 2);
        Sealed { files, seal_by: half.map(|half| Timestamp::from_millis(at.millis().saturating_add(half))) }
    }
}

/// The name of the facts about the files in packages.
const CONTENTS_FACTS: &str = "debian-contents";

/// The number of milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use model::{digest::Digest, repo::RepoProfile};
    use operations::format::{BuiltForm, Facts};

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
        assert_eq!(streams("stable;main;source"), ["stable/main/source"]);
        assert!(streams("damaged").is_empty());
    }

    #[test]
    fn a_release_that_ends_is_made_again_in_time() {
        let at = Timestamp::from_millis(0);
        assert_eq!(Debian.seal(&[], &repo("debian"), at).seal_by, None);
        let profile = RepoProfile { debian_valid_days: Some(6), ..RepoProfile::default() };
        let repo = Repo { profile, ..repo("debian") };
        let form = BuiltForm { size_bytes: 7, sha256: "aa".to_owned() };
        let built = BuiltStream { name: "s/main/source".into(), entries: 1, plain: form.clone(), gzip: Some(form) };
        let sealed = Debian.seal(&[built], &repo, at);
        assert_eq!(sealed.seal_by, Some(Timestamp::from_millis(3 * DAY_MS)));
        let SealedContent::Document(text) = &sealed.files[4].content else { panic!("not a document") };
        let text = String::from_utf8_lossy(text);
        assert!(text.contains("\nValid-Until: Wed, 07 Jan 1970 00:00:00 UTC\n"), "{text}");
        assert!(text.contains("\nComponents: main\n") && !text.contains("Architectures"), "{text}");
        assert!(text.contains(" main/source/Sources.gz\n"), "{text}");
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
