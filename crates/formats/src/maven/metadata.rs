//! The index `maven-metadata.xml`. Its folder decides what it lists: the versions of an artifact, the builds of a
//! snapshot, the plugins of a group. A folder can be a group and an artifact at the same time; its index lists both.

use model::file_path::FilePath;
use operations::format::{Facts, PublishedFile};

use super::{
    layout::{Artifact, METADATA},
    plugins::{self, Plugins},
    snapshots::Snapshots,
    versions::Versions,
    xml::Xml,
};

/// Returns the indexes that list a file.
pub(super) fn listing(artifact: Artifact<'_>, facts: Option<&Facts>) -> Vec<FilePath> {
    let Artifact { group, id, version, .. } = artifact;
    let is_plugin = artifact.is_pom() && facts.is_some_and(plugins::is_plugin);
    let levels = [
        Some(format!("{group}/{id}")),
        artifact.is_snapshot().then(|| format!("{group}/{id}/{version}")),
        is_plugin.then(|| group.to_owned()),
    ];
    let paths = levels.into_iter().flatten().map(|folder| FilePath::parse(&format!("{folder}/{METADATA}")));
    paths.filter_map(Result::ok).collect()
}

/// Builds the index at a path from the published files below its folder; `None` if it would be empty.
pub(super) fn build(index: &FilePath, files: &[PublishedFile]) -> Option<String> {
    let folder = index.as_str().strip_suffix(METADATA).filter(|_| index.file_name() == METADATA)?;
    let mut metadata = Metadata::default();
    for file in files {
        metadata.add(folder, file);
    }
    metadata.write()
}

#[derive(Debug, Default)]
struct Metadata<'a> {
    snapshots: Snapshots<'a>,
    versions: Versions<'a>,
    plugins: Plugins<'a>,
}

impl<'a> Metadata<'a> {
    /// Adds a file. Its depth below the index's folder decides which section lists it, if any.
    fn add(&mut self, folder: &str, file: &'a PublishedFile) {
        let Some(below) = file.path.as_str().strip_prefix(folder) else { return };
        let Ok(artifact) = Artifact::parse(&file.path) else { return };
        match below.matches('/').count() {
            0 if artifact.is_snapshot() => self.snapshots.add(artifact, file.published),
            1 => self.versions.add(artifact, file.published),
            2 => {
                if let Some(facts) = &file.facts {
                    self.plugins.add(artifact, facts, file.published);
                }
            }
            _ => {}
        }
    }

    fn write(&self) -> Option<String> {
        let (versions, snapshots) = (self.versions.artifact(), self.snapshots.artifact());
        if versions.is_none() && snapshots.is_none() && self.plugins.is_empty() {
            return None;
        }
        Some(Xml::document("metadata", "modelVersion=\"1.1.0\"", |xml| {
            if let Some(artifact) = versions.or(snapshots) {
                xml.leaf("groupId", &artifact.group_id());
                xml.leaf("artifactId", artifact.id);
            }
            match (versions, snapshots) {
                (Some(_), _) => xml.element("versioning", |xml| self.versions.write(xml)),
                (None, Some(artifact)) => {
                    xml.leaf("version", artifact.version);
                    xml.element("versioning", |xml| self.snapshots.write(xml));
                }
                (None, None) => {}
            }
            if !self.plugins.is_empty() {
                xml.element("plugins", |xml| self.plugins.write(xml));
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_767_268_800_000;

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    fn file(text: &str) -> PublishedFile {
        PublishedFile { path: path(text), facts: None, published: NOON }
    }

    fn plugin(text: &str, name: &str) -> PublishedFile {
        PublishedFile { facts: plugins::facts("maven-plugin", name), ..file(text) }
    }

    fn metadata(folder: &str, files: &[PublishedFile]) -> String {
        let index = build(&path(&format!("{folder}/{METADATA}")), files).expect("an index");
        let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<metadata modelVersion=\"1.1.0\">\n";
        let end = "</metadata>\n";
        index.strip_prefix(start).and_then(|index| index.strip_suffix(end)).expect("one element").to_owned()
    }

    #[test]
    fn an_artifacts_index_lists_its_versions_from_old_to_new() {
        let late = PublishedFile { published: NOON + 61_000, ..file("org/x/lib/1.9/lib-1.9.jar") };
        let files = [file("org/x/lib/1.10/lib-1.10.jar"), file("org/x/lib/1.9/lib-1.9-sources.jar"), late];
        let expected = "  \
  <groupId>org.x</groupId>
  <artifactId>lib</artifactId>
  <versioning>
    <latest>1.10</latest>
    <release>1.10</release>
    <versions>
      <version>1.9</version>
      <version>1.10</version>
    </versions>
    <lastUpdated>20260101120101</lastUpdated>
  </versioning>
";
        assert_eq!(metadata("org/x/lib", &files), expected);
    }

    #[test]
    fn a_snapshot_is_the_latest_but_no_release() {
        let snapshot = file("x/lib/2-SNAPSHOT/lib-2-20260101.120000-1.jar");
        let index = metadata("x/lib", &[file("x/lib/1/lib-1.jar"), snapshot.clone()]);
        assert!(index.contains("<latest>2-SNAPSHOT</latest>\n    <release>1</release>"), "{index}");
        let index = metadata("x/lib", &[snapshot]);
        assert!(index.contains("<latest>2-SNAPSHOT</latest>") && !index.contains("<release>"), "{index}");
    }

    #[test]
    fn text_is_escaped() {
        let index = metadata("x/lib", &[file("x/lib/1&2/lib-1&2.jar")]);
        assert!(index.contains("<version>1&amp;2</version>"), "{index}");
    }

    #[test]
    fn a_snapshots_index_lists_the_newest_of_each_kind() {
        let files = [
            file("x/lib/1-SNAPSHOT/lib-1-20260101.120000-9-bin.tar.gz"),
            file("x/lib/1-SNAPSHOT/lib-1-20260101.120000-9.jar"),
            file("x/lib/1-SNAPSHOT/lib-1-20260102.130000-10.jar"),
        ];
        let expected = "  \
  <groupId>x</groupId>
  <artifactId>lib</artifactId>
  <version>1-SNAPSHOT</version>
  <versioning>
    <snapshot>
      <timestamp>20260102.130000</timestamp>
      <buildNumber>10</buildNumber>
    </snapshot>
    <lastUpdated>20260101120000</lastUpdated>
    <snapshotVersions>
      <snapshotVersion>
        <extension>jar</extension>
        <value>1-20260102.130000-10</value>
        <updated>20260102130000</updated>
      </snapshotVersion>
      <snapshotVersion>
        <classifier>bin</classifier>
        <extension>tar.gz</extension>
        <value>1-20260101.120000-9</value>
        <updated>20260101120000</updated>
      </snapshotVersion>
    </snapshotVersions>
  </versioning>
";
        assert_eq!(metadata("x/lib/1-SNAPSHOT", &files), expected);
    }

    #[test]
    fn builds_of_one_second_are_told_apart_by_their_number() {
        let name = |number| file(&format!("x/lib/1-SNAPSHOT/lib-1-20260101.120000-{number}.jar"));
        let index = metadata("x/lib/1-SNAPSHOT", &[name(10), name(9)]);
        assert!(index.contains("<buildNumber>10</buildNumber>") && index.contains("-10</value>"), "{index}");
    }

    #[test]
    fn a_snapshot_without_builds_is_listed_by_its_version() {
        let index = metadata("x/lib/1-SNAPSHOT", &[file("x/lib/1-SNAPSHOT/lib-1-SNAPSHOT.jar")]);
        assert!(!index.contains("<snapshot>"), "{index}");
        let listed = "<value>1-SNAPSHOT</value>\n        <updated>20260101120000</updated>";
        assert!(index.contains(listed), "{index}");
    }

    #[test]
    fn of_a_build_and_a_plain_snapshot_the_later_one_is_listed() {
        let plain = file("x/lib/1-SNAPSHOT/lib-1-SNAPSHOT.jar");
        let [earlier, later] = ["110000", "120000"].map(|time| format!("1-20260101.{time}-1"));
        let build = |version: &str| file(&format!("x/lib/1-SNAPSHOT/lib-{version}.jar"));
        let index = metadata("x/lib/1-SNAPSHOT", &[build(&earlier), plain.clone()]);
        assert!(index.contains("<value>1-SNAPSHOT</value>") && !index.contains("<snapshot>"), "{index}");
        let index = metadata("x/lib/1-SNAPSHOT", &[build(&later), plain]);
        assert!(index.contains(&format!("<value>{later}</value>")) && index.contains("<snapshot>"), "{index}");
    }

    #[test]
    fn a_groups_index_lists_its_plugins() {
        let newer =
            PublishedFile { published: NOON + 1, ..plugin("org/x/go-maven-plugin/2/go-maven-plugin-2.pom", "Go & do") };
        let files = [
            plugin("org/x/go-maven-plugin/1/go-maven-plugin-1.pom", "Go"),
            newer,
            plugin("org/x/maven-run-plugin/1/maven-run-plugin-1.pom", ""),
        ];
        let expected = "  \
  <plugins>
    <plugin>
      <name>Go &amp; do</name>
      <prefix>go</prefix>
      <artifactId>go-maven-plugin</artifactId>
    </plugin>
    <plugin>
      <name>maven-run-plugin</name>
      <prefix>run</prefix>
      <artifactId>maven-run-plugin</artifactId>
    </plugin>
  </plugins>
";
        assert_eq!(metadata("org/x", &files), expected);
    }

    #[test]
    fn a_folder_can_be_an_artifact_and_a_group_with_plugins() {
        let files = [file("org/x/1/x-1.jar"), plugin("org/x/go-maven-plugin/1/go-maven-plugin-1.pom", "Go")];
        let index = metadata("org/x", &files);
        assert!(index.contains("<artifactId>x</artifactId>") && index.contains("<version>1</version>"), "{index}");
        assert!(index.contains("<prefix>go</prefix>") && !index.contains("<version>go"), "{index}");
    }

    #[test]
    fn files_of_others_do_not_count() {
        let foreign = [
            file("org/x/lib/sub/1/sub-1.jar"),
            file("org/x/lib/sub/deep/1/deep-1.jar"),
            file("org/x/lib/readme.txt"),
            file("org/x/library/1/library-1.jar"),
            plugin("org/x/lib/sub/deep-plugin/1/deep-plugin-1.pom", "Deep"),
        ];
        let index = |folder: &str| build(&path(&format!("{folder}/{METADATA}")), &foreign);
        assert_eq!(index("org/x/lib"), None);
        assert_eq!(index("org/x/lib/1-SNAPSHOT"), None);
        assert_eq!(build(&path(METADATA), &foreign), None);
        assert_eq!(build(&path("org/x/lib/maven-metadata.xml"), &[]), None);
    }

    #[test]
    fn a_file_is_listed_at_each_level_that_it_belongs_to() {
        let facts = plugins::facts("maven-plugin", "");
        let indexes = |text: &str, facts: Option<&Facts>| -> Vec<String> {
            let path = path(text);
            let indexes = listing(Artifact::parse(&path).expect("in layout"), facts);
            indexes.iter().map(FilePath::to_string).collect()
        };
        let artifact = "org/x/lib/maven-metadata.xml".to_owned();
        let snapshot = "org/x/lib/1-SNAPSHOT/maven-metadata.xml".to_owned();
        let group = "org/x/maven-metadata.xml".to_owned();
        assert_eq!(indexes("org/x/lib/1/lib-1.jar", None), std::slice::from_ref(&artifact));
        assert_eq!(indexes("org/x/lib/1-SNAPSHOT/lib-1-SNAPSHOT.jar", None), [artifact.clone(), snapshot]);
        assert_eq!(indexes("org/x/lib/1/lib-1.pom", facts.as_ref()), [artifact.clone(), group]);
        assert_eq!(indexes("org/x/lib/1/lib-1.pom", None), [artifact]);
    }
}
