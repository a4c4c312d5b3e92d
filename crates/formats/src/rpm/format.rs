//! RPM as a repository format.

use std::{cmp::Ordering, collections::BTreeMap};

use model::{checksum::ChecksumFile, file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, Command, CommandPlace, Content, FileView, Format, Frame, Inspected, PathKind, PathOwner, RepoIndexes,
    Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    commands,
    index::RpmStream,
    inspect::{self, RpmFacts},
    placement::metadata_root,
    repomd::{RepomdFile, repomd},
    version,
};
use crate::{
    indexed::{IndexedFile, Listed, encode},
    readers::Limits,
};

/// Repositories of .rpm files, as dnf, yum and zypper read them.
#[derive(Debug)]
pub struct Rpm;

impl Format for Rpm {
    fn name(&self) -> &'static str {
        "rpm"
    }

    fn title(&self) -> &'static str {
        "RPM"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str().split('/').any(|segment| segment == "repodata") {
            return Ok(PathKind::Reserved);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_rpm(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_rpm(path)
    }

    fn inspect(&self, _path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let facts = inspect::inspect(content, &Limits::default())?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_rpm(path)
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

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

fn is_rpm(path: &FilePath) -> bool {
    path.file_name().ends_with(".rpm")
}

/// The stream with this name, and the folder of its metadata root, which ends with `/` or is empty.
fn split(name: &str) -> Option<(&str, RpmStream)> {
    let end = name.rfind('/').map_or(0, |at| at + 1);
    let stream = RpmStream::ALL.into_iter().find(|stream| stream.name() == &name[end..])?;
    Some((&name[..end], stream))
}

impl RepoIndexes for Rpm {
    fn edition(&self) -> i64 {
        1
    }

    fn fixed_streams(&self) -> &'static [&'static str] {
        &["filelists", "other", "primary"]
    }

    fn entries(&self, file: &FileView, repo: &Repo) -> Vec<StreamEntry> {
        let depth = repo.profile.yum_metadata_depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(0);
        let root = metadata_root(file.path.as_str(), depth).filter(|_| file.about.is_some() && is_rpm(&file.path));
        let Some(root) = root else { return Vec::new() };
        let stream = |stream: RpmStream| format!("{root}{}", stream.name());
        RpmStream::ALL.into_iter().map(|kind| StreamEntry { stream: stream(kind), group: None }).collect()
    }

    fn frame(&self, stream: &str, _at: Timestamp) -> Frame {
        let Some((_, stream)) = split(stream) else { return Frame::default() };
        // Clients do not look at the number of packages, which would change the beginning with every package.
        Frame {
            before: stream.before(0).into_bytes(),
            between: Vec::new(),
            after: stream.after().into(),
            is_compressed: true,
        }
    }

    fn render(&self, stream: &str, files: &[FileView]) -> Vec<u8> {
        let Some((root, stream)) = split(stream) else { return Vec::new() };
        let read = Listed::<RpmFacts>::read_all(files);
        let entries = read.iter().map(|rpm| {
            let file = rpm.file();
            (&rpm.facts, IndexedFile { path: file.path.strip_prefix(root).unwrap_or(file.path), ..file })
        });
        stream.block(entries).into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], _repo: &Repo, at: Timestamp) -> Sealed {
        let mut roots: BTreeMap<&str, Vec<(&BuiltStream, RepomdFile<'_>)>> = BTreeMap::new();
        for built in streams {
            let (Some((root, stream)), Some(gzip)) = (split(&built.name), &built.gzip) else { continue };
            let file = RepomdFile { stream, extension: "gz", size_bytes: gzip.size_bytes, sha256: &gzip.sha256 };
            roots.entry(root).or_default().push((built, file));
        }
        let mut files = Vec::new();
        for (root, mut streams) in roots {
            streams.sort_by_key(|(_, file)| RpmStream::ALL.iter().position(|stream| *stream == file.stream));
            let names: Vec<String> = streams.iter().map(|(built, _)| built.name.clone()).collect();
            for (built, file) in &streams {
                let content = SealedContent::Gzip(built.name.clone());
                files.push(SealedFile::lasting(
                    format!("{root}{}", file.path()),
                    content,
                    std::slice::from_ref(&built.name),
                ));
            }
            let listed: Vec<RepomdFile<'_>> = streams.iter().map(|(_, file)| *file).collect();
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
mod tests {
    use std::io::Cursor;

    use model::{digest::Digest, repo::RepoProfile};
    use operations::format::BuiltForm;

    use super::{super::samples, *};
    use crate::samples::repo;

    fn view(path: &str) -> FileView {
        let bytes = samples::rpm(&samples::hello());
        let path = FilePath::parse(path).expect("a path");
        let about = Rpm.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
        let (sha256, published) = (Digest::from_bytes([7; 32]), Timestamp::from_millis(5_000));
        let (sha1, md5, sha512) = (String::new(), None, None);
        FileView { path, size_bytes: 9, sha256, sha1, md5, sha512, published, facts: None, about }
    }

    #[test]
    fn the_depth_decides_on_the_streams_of_a_file() {
        let at_depth = |yum_metadata_depth| {
            let repo = Repo { profile: RepoProfile { yum_metadata_depth, ..RepoProfile::default() }, ..repo("rpm") };
            let entries = Rpm.entries(&view("9/x86_64/hello-2.10-3.x86_64.rpm"), &repo);
            entries.into_iter().map(|entry| entry.stream).collect::<Vec<_>>()
        };
        assert_eq!(at_depth(None), ["primary", "filelists", "other"]);
        assert_eq!(at_depth(Some(2)), ["9/x86_64/primary", "9/x86_64/filelists", "9/x86_64/other"]);
        assert!(at_depth(Some(3)).is_empty());
        let text = Rpm.render("9/x86_64/primary", &[view("9/x86_64/hello.rpm")]);
        assert!(String::from_utf8_lossy(&text).contains("<location href=\"hello.rpm\"/>"));
        assert_eq!(Rpm.classify(&FilePath::parse("9/repodata/x").expect("a path")), Ok(PathKind::Reserved));
    }

    #[test]
    fn each_root_has_its_documents() {
        let form = |digest: &str| BuiltForm { size_bytes: 7, sha256: digest.to_owned() };
        let built =
            |name: &str| BuiltStream { name: name.to_owned(), entries: 1, plain: form("0"), gzip: Some(form("ab")) };
        let streams = ["9/other", "9/primary", "9/filelists", "other", "filelists", "primary"].map(built);
        let sealed = Rpm.seal(&streams, &repo("rpm"), Timestamp::from_millis(0));
        let paths: Vec<&str> = sealed.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(
            paths[..6],
            [
                "repodata/ab-primary.xml.gz",
                "repodata/ab-filelists.xml.gz",
                "repodata/ab-other.xml.gz",
                "repodata/repomd.xml",
                "repodata/repomd.xml.asc",
                "repodata/repomd.xml.key",
            ]
        );
        assert!(paths.contains(&"9/repodata/repomd.xml.asc") && paths.len() == 12);
        let frame = Rpm.frame("9/primary", Timestamp::from_millis(0));
        assert!(frame.before.ends_with(b"packages=\"0\">\n") && frame.after == b"</metadata>\n");
    }
}
