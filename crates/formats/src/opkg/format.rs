//! opkg as a repository format.

use std::cmp::Ordering;

use model::{checksum::ChecksumFile, file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, Command, CommandPlace, Content, FileView, Format, Frame, IndexSigning, Inspected, Native, PathKind,
    PathOwner, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    index,
    inspect::{self, IpkFacts},
    native::NATIVE,
    placement::feed_of_path,
};
use crate::{
    debian::version,
    indexed::{DescribedFile, decode, encode},
    readers::Limits,
};

/// Feeds of .ipk files, as opkg reads them. Each folder is a feed.
#[derive(Debug)]
pub struct Opkg;

impl Format for Opkg {
    fn name(&self) -> &'static str {
        "opkg"
    }

    fn title(&self) -> &'static str {
        "opkg"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if matches!(path.file_name(), "Packages" | "Packages.gz" | "Packages.sig") {
            return Ok(PathKind::Index);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_ipk(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_ipk(path)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        feed_of_path(path.as_str())?;
        let facts = inspect::inspect(content, &Limits::default())?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_ipk(path)
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        (path.file_name() == "Packages").then_some("text/plain; charset=utf-8")
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
        let CommandPlace { base, owner, repo, package, user, .. } = *place;
        let mut text = format!("echo 'src/gz {owner}_{repo} {base}/FEED' >> /etc/opkg/customfeeds.conf\nopkg update");
        if let Some(package) = package {
            text += &format!("\nopkg install {package}");
        }
        let user = user.unwrap_or("YOU");
        let publish = format!("curl --user {user}:YOUR_API_KEY --upload-file PACKAGE.ipk {base}/upload/FEED/");
        let command =
            |caption: &str, text, publishes| Command { client: "opkg", caption: caption.to_owned(), text, publishes };
        vec![command("Add the feed and install", text, false), command("Publish a package", publish, true)]
    }
}

fn is_ipk(path: &FilePath) -> bool {
    path.file_name().ends_with(".ipk")
}

impl RepoIndexes for Opkg {
    fn edition(&self) -> i64 {
        4
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        if file.about.is_none() || !is_ipk(&file.path) {
            return Vec::new();
        }
        vec![StreamEntry { stream: format!("{}Packages", file.path.folder_prefix()), group: None }]
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let ipk = content.about.as_deref().filter(|_| is_ipk(path)).and_then(|about| decode::<IpkFacts>(about).ok());
        let of_feed =
            |ipk: IpkFacts| format!("{} {} {} {}", path.folder_prefix(), ipk.package, ipk.version, ipk.architecture);
        ipk.map(of_feed).into_iter().collect()
    }

    fn signing(&self) -> IndexSigning {
        IndexSigning::Usign
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { is_compressed: true, ..Frame::default() }
    }

    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let read = DescribedFile::<IpkFacts>::read_all(files);
        index::block(read.iter().map(|ipk| (&ipk.facts, ipk.file()))).into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], repo: &Repo, _at: Timestamp) -> Sealed {
        let of_stream = |built: &BuiltStream| {
            let names = [built.name.clone()];
            let gzip = SealedContent::Gzip(built.name.clone());
            let plain = SealedContent::Plain(built.name.clone());
            [
                SealedFile::new(format!("{}.gz", built.name), gzip, &names),
                SealedFile::new(built.name.clone(), plain, &names),
                SealedFile::new(format!("{}.sig", built.name), SealedContent::Usign(built.name.clone()), &names),
            ]
        };
        let key = SealedFile::new(format!("{}.pub", repo.owner), SealedContent::UsignPublicKey, &[]);
        Sealed { files: streams.iter().flat_map(of_stream).chain([key]).collect(), seal_by: None }
    }
}
