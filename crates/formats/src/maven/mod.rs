//! Maven's layout: paths that name group, artifact and version, POMs that must match their paths, and generated
//! indexes.

mod commands;
mod coordinates;
mod layout;
mod metadata;
mod plugins;
mod pom;
mod release;
mod snapshot_name;
mod snapshots;
mod timestamp;
mod version_order;
mod versions;
mod xml;

use std::{cmp::Ordering, io::Read};

use model::{checksum::ChecksumFile, file_path::FilePath, names::VersionName};
use operations::format::{
    Command, CommandPlace, Content, Facts, FolderIndexes, Format, Inspected, PathKind, PathOwner, PublishedFile,
    ReleaseFile,
};

use layout::Artifact;
use pom::{POM_BYTES, Pom};

/// The format that Maven, Gradle, sbt and similar tools use for uploads and downloads.
#[derive(Debug)]
pub struct Maven;

impl Format for Maven {
    fn name(&self) -> &'static str {
        "maven"
    }

    fn title(&self) -> &'static str {
        "Maven"
    }

    fn names_versions(&self) -> bool {
        true
    }

    fn is_lasting(&self, path: &FilePath) -> bool {
        let folders = path.folder_prefix().split('/');
        !folders.into_iter().any(|folder| folder.to_ascii_uppercase().ends_with("-SNAPSHOT"))
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if layout::is_metadata(path) {
            return Ok(PathKind::Index);
        }
        if let Some(side) = ChecksumFile::parse(path) {
            Artifact::parse(&side.main)?;
            return Ok(PathKind::Checksum(side));
        }
        let version = VersionName::parse(Artifact::parse(path)?.version).map_err(|error| error.to_string())?;
        Ok(PathKind::Payload(PathOwner { package: None, version: Some(version) }))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        Artifact::parse(path).is_ok_and(|artifact| artifact.is_pom())
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let artifact = Artifact::parse(path)?;
        if !artifact.is_pom() {
            return Ok(Inspected::default());
        }
        let mut bytes = Vec::new();
        // One byte more than the limit, to detect POMs that are too large.
        let read = content.take(POM_BYTES as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("the POM is unreadable: {error}"))?;
        let pom = Pom::parse(&bytes)?;
        pom.check(&artifact)?;
        Ok(Inspected { facts: plugins::facts(&pom.packaging, &pom.name), about: None })
    }

    fn folder_indexes(&self) -> Option<&dyn FolderIndexes> {
        Some(self)
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version_order::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version_order::is_prerelease(version)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }

    fn released_bytes(&self, path: &FilePath) -> Option<usize> {
        // One byte more than the limit, to detect POMs that are too large.
        self.inspects(path).then_some(POM_BYTES + 1)
    }

    fn release_gaps(&self, files: &[ReleaseFile]) -> Vec<String> {
        release::gaps(files)
    }
}

impl FolderIndexes for Maven {
    fn dirty(&self, path: &FilePath, facts: Option<&Facts>) -> Vec<FilePath> {
        Artifact::parse(path).map(|artifact| metadata::listing(artifact, facts)).unwrap_or_default()
    }

    fn build(&self, index: &FilePath, files: &[PublishedFile]) -> Option<String> {
        metadata::build(index, files)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use model::checksum::Algorithm;
    use proptest::prelude::*;

    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    fn place(text: &str) -> Result<PathKind, String> {
        Maven.classify(&path(text))
    }

    fn inspect(path: &FilePath, content: &[u8]) -> Result<Inspected, String> {
        Maven.inspect(path, &mut Cursor::new(content))
    }

    fn version(name: &str) -> PathKind {
        PathKind::Payload(PathOwner { package: None, version: Some(VersionName::parse(name).expect("a version")) })
    }

    #[test]
    fn files_belong_to_the_version_of_their_folder() {
        assert_eq!(place("org/x/lib/1.0/lib-1.0.jar"), Ok(version("1.0")));
        assert_eq!(place("org/x/lib/1.0/lib-1.0.jar.asc"), Ok(version("1.0")));
        assert_eq!(place("org/x/lib/1-SNAPSHOT/lib-1-20260101.120000-3.pom"), Ok(version("1-SNAPSHOT")));
        assert!(place("org/x/lib/1.0/other.jar").is_err());
        assert!(place("org/x/lib/_latest/lib-_latest.jar").is_err());
    }

    #[test]
    fn checksums_belong_to_a_file_in_layout() {
        let checksum = |main: &str, algorithm| Ok(PathKind::Checksum(ChecksumFile { main: path(main), algorithm }));
        let main = "org/x/lib/1.0/lib-1.0.jar";
        assert_eq!(place("org/x/lib/1.0/lib-1.0.jar.sha1"), checksum(main, Algorithm::Sha1));
        assert_eq!(
            place("org/x/lib/1.0/lib-1.0.jar.asc.sha512"),
            checksum("org/x/lib/1.0/lib-1.0.jar.asc", Algorithm::Sha512)
        );
        for bad in ["org/x/lib/1.0/lib-1.0.sha1", "org/x/lib/1.0/lib-1.0.jar.sha1.md5", "org/x/lib/1.0/x.md5", "a.md5"]
        {
            assert!(place(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn indexes_are_the_servers_own() {
        for text in ["org/x/lib/maven-metadata.xml", "org/x/lib/1-SNAPSHOT/maven-metadata.xml.sha256"] {
            assert_eq!(place(text), Ok(PathKind::Index), "{text}");
        }
        assert_eq!(Maven.dirty(&path("org/x/lib/maven-metadata.xml"), None), []);
    }

    #[test]
    fn only_poms_are_looked_into() {
        let asked = |text: &str| Maven.inspects(&path(text));
        assert!(asked("org/x/lib/1.0/lib-1.0.pom"));
        for other in ["lib-1.0.jar", "lib-1.0-build.pom", "lib-1.0.pom.asc", "lib-1.0.pom.sha1", "maven-metadata.xml"] {
            assert!(!asked(&format!("org/x/lib/1.0/{other}")), "{other}");
        }
        assert_eq!(inspect(&path("org/x/lib/1.0/lib-1.0.jar"), b"no POM"), Ok(Inspected::default()));
    }

    #[test]
    fn a_pom_is_refused_when_it_contradicts_its_path_or_is_none() {
        let inspect = |content: &str| inspect(&path("org/x/lib/1.0/lib-1.0.pom"), content.as_bytes());
        assert_eq!(inspect("<project><artifactId>lib</artifactId></project>"), Ok(Inspected::default()));
        assert!(inspect("<project><artifactId>bib</artifactId></project>").is_err());
        assert!(inspect("no POM").is_err());
    }

    #[test]
    fn a_plugin_is_in_its_groups_index() {
        let pom = path("org/x/go-maven-plugin/1/go-maven-plugin-1.pom");
        let content = b"<project><packaging>maven-plugin</packaging><name>Go</name></project>";
        let facts = inspect(&pom, content).expect("a POM").facts;
        let group = path("org/x/maven-metadata.xml");
        assert!(Maven.dirty(&pom, facts.as_ref()).contains(&group));
        let index = Maven.build(&group, &[PublishedFile { path: pom, facts, published: 0 }]).expect("an index");
        assert!(index.contains("<name>Go</name>\n      <prefix>go</prefix>"), "{index}");
    }

    proptest! {
        #[test]
        fn a_file_is_in_every_index_that_it_makes_dirty(
            version in "[0-9]{1,3}(\\.[0-9]{1,3}){0,2}(-rc[0-9]|-SNAPSHOT)?",
            extension in "[a-z]{1,4}",
            published: i64,
        ) {
            let path = path(&format!("org/x/lib/{version}/lib-{version}.{extension}"));
            let file = PublishedFile { path, facts: None, published };
            prop_assume!(matches!(Maven.classify(&file.path), Ok(PathKind::Payload(_))));
            let indexes = Maven.dirty(&file.path, None);
            prop_assert!(!indexes.is_empty());
            for index in indexes {
                prop_assert_eq!(Maven.classify(&index), Ok(PathKind::Index));
                let content = Maven.build(&index, std::slice::from_ref(&file)).expect("an index");
                let listed = format!("<version>{version}</version>");
                prop_assert!(content.contains(&listed), "{}", content);
                prop_assert_eq!(Maven.build(&index, &[]), None);
            }
        }

        #[test]
        fn any_path_has_a_place_or_a_reason(text in "\\PC{1,20}(/\\PC{1,20}){0,5}") {
            if let Ok(path) = FilePath::parse(&text) {
                let _ = Maven.classify(&path);
                let _ = Maven.dirty(&path, None);
            }
        }
    }
}
