//! CRAN as a repository format.

use std::{cmp::Ordering, collections::BTreeMap};

use model::{checksum::ChecksumFile, file_path::FilePath, repo::Repo, timestamp::Timestamp};
use operations::format::{
    BuiltStream, Command, CommandPlace, Content, FileView, Format, Frame, Inspected, Native, PathKind, PathOwner,
    RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
};

use super::{
    index,
    inspect::{self, CranFacts},
    native::NATIVE,
    placement::index_folder,
    version,
};
use crate::{
    indexed::{DescribedFile, IndexedFile, decode, encode},
    readers::{Limits, quoted},
};

/// The name of the index in each folder.
const INDEX: &str = "PACKAGES";

/// Repositories of R packages, as `install.packages` reads them.
#[derive(Debug)]
pub struct Cran;

impl Format for Cran {
    fn name(&self) -> &'static str {
        "cran"
    }

    fn title(&self) -> &'static str {
        "CRAN"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if matches!(path.file_name(), INDEX | "PACKAGES.gz" | "PACKAGES.rds") {
            return Ok(PathKind::Index);
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
        let stem = format!("{}_{}.", facts.package, facts.version);
        if !path.file_name().starts_with(&stem) {
            let name = quoted(path.file_name());
            return Err(format!("the file name '{name}' does not begin with '{stem}', as the package says"));
        }
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_package(path)
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        (path.file_name() == INDEX).then_some("text/plain; charset=utf-8")
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, _version: &str) -> bool {
        false
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(&NATIVE)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        let CommandPlace { base, package, user, .. } = *place;
        let package = package.unwrap_or("PACKAGE");
        let text = format!("install.packages(\"{package}\", repos = c(\"{base}\", getOption(\"repos\")))");
        let user = user.unwrap_or("YOU");
        let publish = format!("curl --user {user}:YOUR_API_KEY --upload-file NAME_VERSION.tar.gz {base}/upload/");
        let command =
            |caption: &str, text, publishes| Command { client: "R", caption: caption.to_owned(), text, publishes };
        vec![command("Install", text, false), command("Publish a package", publish, true)]
    }
}

fn is_package(path: &FilePath) -> bool {
    index_folder(path.as_str()).is_some()
}

impl RepoIndexes for Cran {
    fn edition(&self) -> i64 {
        3
    }

    fn fixed_streams(&self) -> &'static [&'static str] {
        &["src/contrib"]
    }

    fn entries(&self, file: &FileView, _repo: &Repo) -> Vec<StreamEntry> {
        let facts = file.about.as_deref().and_then(|about| decode::<CranFacts>(about).ok());
        let (Some(folder), Some(facts)) = (index_folder(file.path.as_str()), facts) else { return Vec::new() };
        vec![StreamEntry { stream: folder.to_owned(), group: Some(facts.package) }]
    }

    fn identities(&self, path: &FilePath, content: &Inspected, _repo: &Repo) -> Vec<String> {
        let facts = content.about.as_deref().and_then(|about| decode::<CranFacts>(about).ok());
        let Some((folder, facts)) = index_folder(path.as_str()).zip(facts) else { return Vec::new() };
        vec![format!("{folder} {} {}", facts.package, facts.version)]
    }

    fn frame(&self, _stream: &str, _at: Timestamp) -> Frame {
        Frame { is_compressed: true, ..Frame::default() }
    }

    fn render(&self, _stream: &str, files: &[FileView]) -> Vec<u8> {
        let read = DescribedFile::<CranFacts>::read_all(files);
        let mut packages: BTreeMap<&str, Vec<(&CranFacts, IndexedFile<'_>)>> = BTreeMap::new();
        for package in &read {
            packages.entry(&package.facts.package).or_default().push((&package.facts, package.file()));
        }
        packages.into_values().filter_map(|versions| index::newest_entry(&versions)).collect::<String>().into_bytes()
    }

    fn seal(&self, streams: &[BuiltStream], _repo: &Repo, _at: Timestamp) -> Sealed {
        let of_stream = |built: &BuiltStream| {
            let (name, names) = (&built.name, [built.name.clone()]);
            [
                SealedFile::new(format!("{name}/{INDEX}.gz"), SealedContent::Gzip(name.clone()), &names),
                SealedFile::new(format!("{name}/{INDEX}"), SealedContent::Plain(name.clone()), &names),
            ]
        };
        Sealed { files: streams.iter().flat_map(of_stream).collect(), seal_by: None }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::digest::Digest;

    use super::{
        super::inspect::tests::{DESCRIPTION, package},
        *,
    };
    use crate::samples::repo;

    fn view(version: &str) -> FileView {
        let path = FilePath::parse(&format!("src/contrib/hellotiny_{version}.tar.gz")).expect("a path");
        let bytes = package(DESCRIPTION.replace("1.0", version).as_bytes());
        let about = Cran.inspect(&path, &mut Cursor::new(bytes)).expect("valid").about;
        let (sha256, published) = (Digest::from_bytes([7; 32]), Timestamp::from_millis(5_000));
        let (sha1, md5, sha512) = (String::new(), None, None);
        FileView { path, size_bytes: 9, sha256, sha1, md5, sha512, published, facts: None, about }
    }

    #[test]
    fn the_newest_version_of_a_package_is_listed() {
        let files = [view("1.9"), view("1.10"), view("1.2")];
        let entries = Cran.entries(&files[0], &repo("cran"));
        assert_eq!(entries, [StreamEntry { stream: "src/contrib".into(), group: Some("hellotiny".into()) }]);
        let text = String::from_utf8(Cran.render("src/contrib", &files)).expect("a text");
        assert!(text.starts_with("Package: hellotiny\nVersion: 1.10\n"), "{text}");
        assert_eq!(text.matches("Package: ").count(), 1);
    }

    #[test]
    fn a_file_name_begins_with_name_and_version() {
        let path = FilePath::parse("src/contrib/other_1.0.tar.gz").expect("a path");
        let refusal = Cran.inspect(&path, &mut Cursor::new(package(DESCRIPTION.as_bytes()))).expect_err("a refusal");
        assert!(refusal.contains("does not begin with 'hellotiny_1.0.'"), "{refusal}");
    }
}
