//! The databases of an Arch repository, which list the newest version of each package.

use std::collections::BTreeMap;

use model::{file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, FileView, Frame, Inspected, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    Arch,
    format::is_package,
    index::{self, ArchDatabase},
    inspect::ArchFacts,
    placement::{self, ANY, database_paths, parse_stream},
    version,
};
use crate::indexed::{DescribedFile, IndexedFile, decode};

impl RepoIndexes for Arch {
    fn edition(&self) -> i64 {
        3
    }

    // The architecture of almost all clients. Packages for any are in its databases, even if it has no others.
    fn fixed_streams(&self) -> &'static [&'static str] {
        &["x86_64/db", "x86_64/files"]
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let about = file.about.as_deref().filter(|_| is_package(&file.path));
        let Some(facts) = about.and_then(|about| decode::<ArchFacts>(about).ok()) else { return Vec::new() };
        let entry = |database| StreamEntry {
            stream: placement::stream(&facts.architecture, database),
            group: Some(facts.name.clone()),
        };
        ArchDatabase::ALL.into_iter().map(entry).collect()
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let about = content.about.as_deref().filter(|_| is_package(path));
        let facts = about.and_then(|about| decode::<ArchFacts>(about).ok());
        facts.map(|facts| format!("{} {} {}", facts.name, facts.version, facts.architecture)).into_iter().collect()
    }

    fn shares(&self, stream: &str, with: &str) -> bool {
        placement::shares(stream, with)
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { after: index::AFTER.to_vec(), is_compressed: true, ..Frame::default() }
    }

    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8> {
        let Some((_, database)) = parse_stream(stream) else { return Vec::new() };
        let read = DescribedFile::<ArchFacts>::read_all(files);
        let mut packages: BTreeMap<&str, Vec<(&ArchFacts, IndexedFile<'_>)>> = BTreeMap::new();
        for package in &read {
            packages.entry(&package.facts.name).or_default().push((&package.facts, package.file()));
        }
        let newest = |versions: Vec<(&ArchFacts, IndexedFile<'_>)>| {
            let at = version::newest(versions.iter().map(|(facts, _)| facts.version.as_str()))?;
            let (facts, file) = versions[at];
            Some(index::entry(database, facts, &file, None))
        };
        packages.into_values().filter_map(newest).flatten().collect()
    }

    fn seal(&self, streams: &[BuiltStream], repo: &Repo, _at: Timestamp) -> Sealed {
        let mut files = Vec::new();
        for built in streams {
            let Some((architecture, database)) = parse_stream(&built.name) else { continue };
            if architecture == ANY {
                continue;
            }
            let names = [built.name.clone()];
            let [short, long] = database_paths(architecture, repo.name.as_str(), database);
            for path in [&short, &long] {
                files.push(SealedFile::new(path, SealedContent::Gzip(built.name.clone()), &names));
            }
            files.push(SealedFile::new(format!("{short}.sig"), SealedContent::DetachedGzip(short.clone()), &names));
        }
        for (extension, is_armored) in [("gpg", false), ("asc", true)] {
            let key = SealedContent::PublicKey { is_armored };
            files.push(SealedFile::new(format!("{}.{extension}", repo.owner), key, &[]));
        }
        Sealed { files, seal_by: None }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::{digest::Digest, file_path::FilePath};
    use operations::format::{BuiltForm, Format};

    use super::{
        super::samples::{PKGINFO, package},
        *,
    };
    use crate::{readers::unpack::Packing, samples::repo};

    fn view(path: &str, pkginfo: &str) -> FileView {
        let path = FilePath::parse(path).expect("a path");
        let bytes = package(pkginfo, Packing::Zstd);
        let about = Arch.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
        let (sha256, published) = (Digest::from_bytes([7; 32]), Timestamp::from_millis(5_000));
        let (sha1, md5, sha512) = (String::new(), None, None);
        FileView { path, size_bytes: 9, sha256, sha1, md5, sha512, published, facts: None, about }
    }

    #[test]
    fn a_database_has_the_newest_version() {
        let old = view("x86_64/hello-1.0-1-x86_64.pkg.tar.zst", PKGINFO);
        let newer = PKGINFO.replace("pkgver = 1.0-1", "pkgver = 1.10-1");
        let new = view("x86_64/hello-1.10-1-x86_64.pkg.tar.zst", &newer);
        let entries = Arch.entries(&new, &repo("arch"));
        let streams: Vec<&str> = entries.iter().map(|entry| entry.stream.as_str()).collect();
        assert_eq!(streams, ["x86_64/db", "x86_64/files"]);
        assert_eq!(entries[0].group.as_deref(), Some("hello"));
        let text = Arch.render("x86_64/db", &[new, old]);
        assert!(text.starts_with(b"hello-1.10-1/\0") && !text.windows(12).any(|part| part == b"hello-1.0-1/"));
        let folder = FilePath::parse("any/hello-1.0-1-x86_64.pkg.tar.zst").expect("a path");
        assert!(Arch.inspect(&folder, &mut Cursor::new(package(PKGINFO, Packing::Xz))).is_err());
    }

    #[test]
    fn databases_have_two_names_and_a_signature() {
        let form = || BuiltForm { size_bytes: 7, sha256: "aa".to_owned() };
        let built = |name: &str| BuiltStream { name: name.into(), entries: 1, plain: form(), gzip: Some(form()) };
        let sealed = Arch.seal(&["any/db", "x86_64/db"].map(built), &repo("arch"), Timestamp::from_millis(0));
        let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
        let expected = ["x86_64/repo.db", "x86_64/repo.db.tar.gz", "x86_64/repo.db.sig", "acme.gpg", "acme.asc"];
        assert_eq!(paths, expected);
        assert_eq!(sealed.files[2].content, SealedContent::DetachedGzip("x86_64/repo.db".into()));
    }
}
