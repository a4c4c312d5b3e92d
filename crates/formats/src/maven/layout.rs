//! Maven's layout: `group/as/folders/artifact/version/artifact-version[-classifier].extension`.

use model::{checksum::ChecksumFile, file_path::FilePath};

use super::snapshot_name::Build;

/// The name of the index files, at every level.
pub(super) const METADATA: &str = "maven-metadata.xml";

/// The suffix of snapshot versions.
const SNAPSHOT: &str = "SNAPSHOT";

/// The suffixes of signatures, after the name of the signed file.
const SIGNATURES: [&str; 3] = [".asc", ".sigstore.json", ".sigstore"];

/// A file of an artifact, parsed from its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Artifact<'a> {
    /// The folders of the group, with `/` between them.
    pub(super) group: &'a str,
    /// The artifact's id.
    pub(super) id: &'a str,
    /// The version in the folder name.
    pub(super) version: &'a str,
    /// The build of the snapshot, if the file name contains it.
    pub(super) build: Option<Build<'a>>,
    /// Distinguishes files of one artifact with the same extension.
    pub(super) classifier: Option<&'a str>,
    /// The extension, which can contain dots.
    pub(super) extension: &'a str,
}

impl<'a> Artifact<'a> {
    /// Parses the path of a file. The error says why it is not a file of an artifact.
    pub(super) fn parse(path: &'a FilePath) -> Result<Self, String> {
        Self::parse_text(path).map_err(|reason| format!("`{}` is not in Maven layout: {reason}", cut(path.as_str())))
    }

    fn parse_text(path: &'a FilePath) -> Result<Self, String> {
        if is_metadata(path) || ChecksumFile::parse(path).is_some() {
            return Err("the server makes this file".to_owned());
        }
        let mut folders = path.as_str().rsplitn(4, '/');
        let (Some(file), Some(version), Some(id), Some(group)) =
            (folders.next(), folders.next(), folders.next(), folders.next())
        else {
            return Err("files lie at `group/artifact/version/file`".to_owned());
        };
        check_names(group, id, version)?;
        let name = file.strip_prefix(id).and_then(|name| name.strip_prefix('-'));
        let Some((build, rest)) = name.and_then(|name| strip_version(name, version)) else {
            return Err(format!("the file's name does not begin with `{}`", cut(&format!("{id}-{version}"))));
        };
        let (classifier, extension) = split_extension(rest).ok_or("the file's name has no extension")?;
        let artifact = Self { group, id, version, build, classifier, extension };
        artifact.check_file(rest)?;
        Ok(artifact)
    }

    /// Returns whether it belongs to a version that is not released yet.
    pub(super) fn is_snapshot(&self) -> bool {
        is_snapshot(self.version)
    }

    /// Returns whether it is the POM itself, not a file next to it.
    pub(super) fn is_pom(&self) -> bool {
        self.extension == "pom" && self.classifier.is_none()
    }

    /// The group's id.
    pub(super) fn group_id(&self) -> String {
        self.group.replace('/', ".")
    }

    /// The version in the file name.
    pub(super) fn file_version(&self) -> String {
        match (self.build, self.version.strip_suffix(SNAPSHOT)) {
            (Some(build), Some(base)) => format!("{base}{}", build.text),
            _ => self.version.to_owned(),
        }
    }

    /// Rejects names that would be read as files of another version.
    fn check_file(&self, rest: &str) -> Result<(), String> {
        let named = rest.strip_prefix('-').filter(|_| !self.is_snapshot());
        if named.is_some_and(|name| Build::strip(name).is_some() || name.split(['-', '.']).next() == Some(SNAPSHOT)) {
            return Err(format!("a snapshot lies in the folder `{}-{SNAPSHOT}`", cut(self.version)));
        }
        let (first, more) = unsigned(self.extension).split_once('.').unwrap_or((unsigned(self.extension), ""));
        let is_number = first.bytes().all(|digit| digit.is_ascii_digit());
        let is_version = is_number || (first.starts_with(|c: char| c.is_ascii_digit()) && !more.is_empty());
        if is_version || self.extension.contains('-') {
            return Err(format!("the file's name belongs to another version than `{}`", cut(self.version)));
        }
        if !self.classifier.is_none_or(is_printable) || !is_printable(self.extension) {
            return Err("the file's name holds a character that Maven does not allow".to_owned());
        }
        Ok(())
    }
}

/// Returns whether a version is not released yet.
pub(super) fn is_snapshot(version: &str) -> bool {
    version.ends_with(SNAPSHOT)
}

/// Returns whether the path is that of an index, of its checksum or of its signature.
pub(super) fn is_metadata(path: &FilePath) -> bool {
    let side = ChecksumFile::parse(path);
    let name = side.as_ref().map_or(path, |side| &side.main).file_name();
    name.strip_suffix(".asc").unwrap_or(name) == METADATA
}

fn check_names(group: &str, id: &str, version: &str) -> Result<(), String> {
    let is_id = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if !group.split('/').all(|folder| is_id(folder) && !folder.contains('.')) {
        return Err("the folders of a group hold letters, digits, '_' and '-' only".to_owned());
    }
    if !is_id(id) {
        return Err("an artifact's name may have only letters, digits, '.', '_' and '-'".to_owned());
    }
    if !is_printable(version) {
        return Err("the version holds a character that Maven does not allow".to_owned());
    }
    if Build::ends(version) {
        return Err("a snapshot's folder is named for the version, not for the build".to_owned());
    }
    Ok(())
}

/// Returns whether Maven allows the text in a version, and XML in an element.
fn is_printable(text: &str) -> bool {
    !text.contains(['\\', '/', ':', '"', '<', '>', '|', '?', '*', '\u{fffe}', '\u{ffff}'])
}

/// Returns the text after the version in a file name, and the build if one replaces `SNAPSHOT`.
fn strip_version<'a>(name: &'a str, version: &str) -> Option<(Option<Build<'a>>, &'a str)> {
    if let Some(rest) = name.strip_prefix(version) {
        return Some((None, rest));
    }
    let (build, rest) = Build::strip(name.strip_prefix(version.strip_suffix(SNAPSHOT)?)?)?;
    Some((Some(build), rest))
}

/// Splits the classifier and the extension. Without a classifier, everything after the first dot is the extension. A
/// classifier can contain dots (`linux.gtk.x86_64`), so after one the extension is the last word, together with the
/// words before it that belong to it, as in `tar.gz`.
fn split_extension(rest: &str) -> Option<(Option<&str>, &str)> {
    let (classifier, extension) = match rest.strip_prefix('.') {
        Some(extension) => (None, extension),
        None => {
            let rest = rest.strip_prefix('-')?;
            let classifier = before_extension(unsigned(rest))?;
            (Some(classifier), rest.get(classifier.len() + 1..)?)
        }
    };
    let is_whole = classifier != Some("") && extension.split('.').all(|word| !word.is_empty());
    is_whole.then_some((classifier, extension))
}

fn before_extension(name: &str) -> Option<&str> {
    let (stem, last) = name.rsplit_once('.')?;
    match stem.rsplit_once('.') {
        Some((classifier, "tar" | "cpio")) => Some(classifier),
        Some((classifier, "spdx")) if last == "json" => Some(classifier),
        _ => Some(stem),
    }
}

/// Removes the suffix of a signature from a name or an extension.
fn unsigned(name: &str) -> &str {
    SIGNATURES.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Truncates a text for an error message.
fn cut(text: &str) -> String {
    text.chars().take(220).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    /// Group, artifact, version, version in the file name, classifier and extension.
    fn parts(text: &str) -> [String; 6] {
        let path = path(text);
        let artifact = Artifact::parse(&path).expect(text);
        let classifier = artifact.classifier.unwrap_or_default();
        [
            artifact.group_id(),
            artifact.id.to_owned(),
            artifact.version.to_owned(),
            artifact.file_version(),
            classifier.to_owned(),
            artifact.extension.to_owned(),
        ]
    }

    #[test]
    fn a_release_is_taken_apart() {
        assert_eq!(parts("org/x/lib/1.0/lib-1.0.jar"), ["org.x", "lib", "1.0", "1.0", "", "jar"]);
        assert_eq!(parts("junit/junit/4/junit-4.pom"), ["junit", "junit", "4", "4", "", "pom"]);
        assert_eq!(
            parts("a/b/c/my.lib-x/1-rc.2/my.lib-x-1-rc.2-sources.jar"),
            ["a.b.c", "my.lib-x", "1-rc.2", "1-rc.2", "sources", "jar"]
        );
    }

    #[test]
    fn a_snapshot_belongs_to_the_version_of_its_folder() {
        assert_eq!(
            parts("org/x/lib/1.0-SNAPSHOT/lib-1.0-20260101.120000-3-sources.jar"),
            ["org.x", "lib", "1.0-SNAPSHOT", "1.0-20260101.120000-3", "sources", "jar"]
        );
        assert_eq!(
            parts("org/x/lib/1.0-SNAPSHOT/lib-1.0-SNAPSHOT-tests.jar"),
            ["org.x", "lib", "1.0-SNAPSHOT", "1.0-SNAPSHOT", "tests", "jar"]
        );
        assert_eq!(parts("x/lib/SNAPSHOT/lib-20260101.120000-3.jar")[3], "20260101.120000-3");
    }

    #[test]
    fn extensions_and_classifiers_can_hold_dots() {
        let parts = |name: &str| parts(&format!("x/lib/1.0/lib-1.0{name}"))[4..].join(" ");
        assert_eq!(parts(".tar.gz"), " tar.gz");
        assert_eq!(parts("-bin.tar.gz"), "bin tar.gz");
        assert_eq!(parts("-bin.tar.gz.asc"), "bin tar.gz.asc");
        assert_eq!(parts("-linux.gtk.x86_64.tar.gz"), "linux.gtk.x86_64 tar.gz");
        assert_eq!(parts("-jdk1.5.jar"), "jdk1.5 jar");
        assert_eq!(parts("-jdk1.5.jar.sigstore.json"), "jdk1.5 jar.sigstore.json");
        assert_eq!(parts(".spdx.json"), " spdx.json");
        assert_eq!(parts("-all.spdx.json"), "all spdx.json");
        assert_eq!(parts(".7z"), " 7z");
        assert_eq!(parts(".7z.asc"), " 7z.asc");
        assert_eq!(parts(".pom.asc"), " pom.asc");
    }

    #[test]
    fn other_paths_are_refused() {
        for text in [
            "lib-1.0.jar",
            "lib/1.0/lib-1.0.jar",
            "org/x/lib/1.0/other-1.0.jar",
            "org/x/lib/1.0/lib-2.0.jar",
            "org/x/lib/1.0/lib-1.0.1.jar",
            "org/x/lib/1.0/lib-1.0.1-sources.jar",
            "org/x/lib/1.0/lib-1.0.1",
            "org/x/lib/1.0/lib-1.0",
            "org/x/lib/1.0/lib-1.0.",
            "org/x/lib/1.0/lib-1.0-",
            "org/x/lib/1.0/lib-1.0-.jar",
            "org/x/lib/1.0/lib-1.0-sources",
            "org/x/lib/1.0/lib-1.0-sources.",
            "org/x/lib/1.0/lib-1.0..jar",
            "org/x/lib/1.0/lib-1.0jar",
            "org/x/lib/1.0/lib1.0.jar",
            "org/x/lib/1.0/readme.txt",
            "org.x/lib/1.0/lib-1.0.jar",
            "org/x y/lib/1.0/lib-1.0.jar",
            "org/x/l b/1.0/l b-1.0.jar",
            "org/x/lib/<1>/lib-<1>.jar",
            "org/x/lib/1/lib-1-\u{ffff}.jar",
        ] {
            assert!(Artifact::parse(&path(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn a_snapshot_lies_in_a_snapshots_folder_and_nothing_else_does() {
        for text in [
            "x/lib/1.0/lib-1.0-SNAPSHOT.jar",
            "x/lib/1.0/lib-1.0-SNAPSHOT-sources.jar",
            "x/lib/1.0/lib-1.0-20260101.120000-3.jar",
            "x/lib/1.0-20260101.120000-3/lib-1.0-20260101.120000-3.jar",
            "x/lib/1.0-SNAPSHOT/lib-1.0.jar",
            "x/lib/1.0-SNAPSHOT/lib-1.0-1.jar",
            "x/lib/1.0-SNAPSHOT/lib-1.0-20260101.1200-3.jar",
            "x/lib/1.0-SNAPSHOT/lib-1.1-20260101.120000-3.jar",
        ] {
            assert!(Artifact::parse(&path(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn the_reason_names_the_path_and_the_rule() {
        let path = path("org/x/lib/1.0/lib-2.0.jar");
        let reason = Artifact::parse(&path).expect_err("another version");
        assert_eq!(
            reason,
            "`org/x/lib/1.0/lib-2.0.jar` is not in Maven layout: the file's name does not begin with `lib-1.0`"
        );
    }

    #[test]
    fn indexes_are_known_at_every_level() {
        for text in [
            "maven-metadata.xml",
            "org/x/maven-metadata.xml",
            "org/x/lib/1.0-SNAPSHOT/maven-metadata.xml",
            "org/x/maven-metadata.xml.sha1",
            "org/x/maven-metadata.xml.sha512",
            "org/x/maven-metadata.xml.asc",
            "org/x/maven-metadata.xml.asc.md5",
        ] {
            assert!(is_metadata(&path(text)), "{text}");
        }
        assert!(!is_metadata(&path("org/x/maven-metadata.xml.bak")));
        assert!(!is_metadata(&path("maven-metadata.xml/x")));
    }

    prop_compose! {
        fn folder()(group in prop::collection::vec("[a-z][a-z0-9_-]{0,6}", 1..4), id in "[A-Za-z][A-Za-z0-9_.-]{0,8}")
            -> (String, String) {
            (group.join("/"), id)
        }
    }

    proptest! {
        #[test]
        fn every_part_of_a_release_is_found_again(
            (group, id) in folder(),
            version in "[0-9]([0-9A-Za-z.+~-]{0,8}[0-9a-z])?",
            classifier in prop::option::of("[a-z][a-z0-9_]{0,6}(-[a-z]{1,4})?"),
            extension in prop::sample::select(vec!["jar", "pom", "tar.gz", "jar.asc", "7z"]),
        ) {
            let suffix = classifier.as_ref().map(|classifier| format!("-{classifier}")).unwrap_or_default();
            let path = path(&format!("{group}/{id}/{version}/{id}-{version}{suffix}.{extension}"));
            let expected = Artifact {
                group: &group, id: &id, version: &version, build: None, classifier: classifier.as_deref(), extension,
            };
            prop_assert_eq!(Artifact::parse(&path), Ok(expected));
        }

        #[test]
        fn every_part_of_a_build_is_found_again(
            (group, id) in folder(),
            base in "([0-9][0-9A-Za-z.]{0,5}-)?",
            build in "[0-9]{8}\\.[0-9]{6}-[1-9][0-9]{0,8}",
            classifier in prop::option::of("[a-z][a-z0-9]{0,6}"),
        ) {
            let suffix = classifier.as_ref().map(|classifier| format!("-{classifier}")).unwrap_or_default();
            let path = path(&format!("{group}/{id}/{base}SNAPSHOT/{id}-{base}{build}{suffix}.jar"));
            let artifact = Artifact::parse(&path).expect("in layout");
            prop_assert_eq!(artifact.file_version(), format!("{base}{build}"));
            prop_assert_eq!(artifact.version, format!("{base}SNAPSHOT"));
            prop_assert_eq!(artifact.classifier, classifier.as_deref());
        }

        #[test]
        fn what_is_taken_apart_can_be_put_together(
            version in "[0-9](-SNAPSHOT)?",
            rest in "(-20260101\\.120000-[0-9])?[a-zA-Z0-9.é-]{0,12}",
        ) {
            let text = format!("a/b/{version}/b-{}{rest}", &version[..1]);
            let path = path(&text);
            if let Ok(artifact) = Artifact::parse(&path) {
                let Artifact { group, id, version, classifier, extension, .. } = artifact;
                let suffix = classifier.map(|classifier| format!("-{classifier}")).unwrap_or_default();
                let name = format!("{id}-{}{suffix}.{extension}", artifact.file_version());
                prop_assert_eq!(format!("{group}/{id}/{version}/{name}"), text);
            }
        }
    }
}
