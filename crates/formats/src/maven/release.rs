//! Checks the requirements of public registries before a release is sent: signatures, sources, documentation, and a POM
//! with authors and licences.

use std::collections::{BTreeMap, BTreeSet};

use operations::format::ReleaseFile;

use super::{
    layout::Artifact,
    pom::{Pom, walk},
};

/// The suffix of signatures.
const SIGNATURE: &str = ".asc";

/// The packaging of an artifact that consists of its POM only.
const POM_ONLY: &str = "pom";

/// Returns the reasons why a public registry would reject these files, ordered by path.
pub(super) fn gaps(files: &[ReleaseFile]) -> Vec<String> {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut gaps = Vec::new();
    let mut artifacts: BTreeMap<&str, Option<&ReleaseFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.path.as_str().ends_with(SIGNATURE)) {
        match Artifact::parse(&file.path) {
            Err(reason) => gaps.push(reason),
            Ok(artifact) => {
                let pom = artifacts.entry(folder(file)).or_default();
                if artifact.is_pom() {
                    *pom = Some(file);
                }
            }
        }
        let signature = format!("{}{SIGNATURE}", file.path);
        if !paths.contains(signature.as_str()) {
            gaps.push(format!("The signature '{signature}' is missing"));
        }
    }
    for (folder, pom) in artifacts {
        match pom {
            Some(pom) => of_artifact(pom, &paths, &mut gaps),
            None => gaps.push(format!("There is no POM in '{folder}'")),
        }
    }
    gaps
}

fn folder(file: &ReleaseFile) -> &str {
    file.path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Checks the contents of a POM and the files that belong to it.
fn of_artifact(file: &ReleaseFile, paths: &BTreeSet<&str>, gaps: &mut Vec<String>) {
    let (Ok(artifact), Some(content)) = (Artifact::parse(&file.path), &file.content) else { return };
    if artifact.is_snapshot() {
        gaps.push(format!("'{}' is a snapshot, and only releases are synced", file.path));
    }
    let pom = match Pom::parse(content) {
        Ok(pom) => pom,
        Err(reason) => return gaps.push(format!("'{}': {reason}", file.path)),
    };
    let mut tell = |gap: String| gaps.push(format!("'{}': {gap}", file.path));
    if let Err(reason) = pom.check(&artifact) {
        tell(reason);
    }
    for (name, value) in ["groupId", "artifactId", "version"].into_iter().zip(pom.coordinates()) {
        if value.is_empty() {
            tell(format!("the POM has no {name}"));
        }
    }
    for what in Described::parse(content).gaps() {
        tell(format!("the POM has no {what}"));
    }
    if pom.packaging != POM_ONLY {
        let stem = file.path.as_str().strip_suffix(".pom").unwrap_or_default();
        for classifier in ["sources", "javadoc"] {
            let jar = format!("{stem}-{classifier}.jar");
            if !paths.contains(jar.as_str()) {
                gaps.push(format!("The {classifier} jar '{jar}' is missing"));
            }
        }
    }
}

/// The project details that a POM contains.
#[derive(Debug, Default)]
struct Described {
    has_parent: bool,
    name: bool,
    description: bool,
    url: bool,
    licenses: bool,
    developers: bool,
    scm: bool,
}

impl Described {
    fn parse(content: &[u8]) -> Self {
        let mut described = Self::default();
        let walked = walk(content, &mut |path, part| {
            // A text that does not decode still counts as present.
            if part().map_or(true, |text| !text.trim().is_empty()) {
                described.add(path);
            }
            Ok(())
        });
        debug_assert!(walked.is_ok(), "it was read before");
        described
    }

    fn add(&mut self, path: &[String]) {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        match names.as_slice() {
            [_, "parent", ..] => self.has_parent = true,
            [_, "name"] => self.name = true,
            [_, "description"] => self.description = true,
            [_, "url"] => self.url = true,
            [_, "licenses", "license", "name" | "url"] => self.licenses = true,
            [_, "developers", "developer", ..] => self.developers = true,
            [_, "scm", "url" | "connection" | "developerConnection"] => self.scm = true,
            _ => {}
        }
    }

    /// Returns the missing details. The parent POM is not available, so details that it may define are not missing: all
    /// but the name are inherited.
    fn gaps(&self) -> impl Iterator<Item = &'static str> {
        let inherited = [
            ("description", self.description),
            ("url", self.url),
            ("licenses", self.licenses),
            ("developers", self.developers),
            ("scm", self.scm),
        ];
        let has_parent = self.has_parent;
        let inherited = inherited.into_iter().map(move |(what, is_there)| (what, is_there || has_parent));
        [("name", self.name)].into_iter().chain(inherited).filter(|(_, is_there)| !is_there).map(|(what, _)| what)
    }
}

#[cfg(test)]
mod tests {
    use model::file_path::FilePath;

    use super::*;

    const POM: &str = "org/x/lib/1.0/lib-1.0.pom";

    const WHOLE: &str = "<project><groupId>org.x</groupId><artifactId>lib</artifactId><version>1.0</version>\
        <name>Lib</name><description>d&eacute;</description><url>https://example.org</url>\
        <licenses><license><name>MIT</name></license></licenses>\
        <developers><developer><id>ada</id></developer></developers>\
        <scm><url>https://example.org/scm</url></scm></project>";

    fn released(path: &str, content: Option<&str>) -> ReleaseFile {
        ReleaseFile {
            path: FilePath::parse(path).expect("a path"),
            content: content.map(|text| text.as_bytes().to_vec()),
        }
    }

    /// The files of an artifact with this POM, all signed.
    fn whole(pom: &str) -> Vec<ReleaseFile> {
        let stem = "org/x/lib/1.0/lib-1.0";
        let mut files = vec![released(POM, Some(pom)), released(&format!("{POM}.asc"), None)];
        for ending in [".jar", "-sources.jar", "-javadoc.jar"] {
            files.push(released(&format!("{stem}{ending}"), None));
            files.push(released(&format!("{stem}{ending}.asc"), None));
        }
        files
    }

    fn without(ending: &str) -> Vec<String> {
        let mut files = whole(WHOLE);
        files.retain(|file| !file.path.as_str().contains(ending));
        gaps(&files)
    }

    #[test]
    fn a_whole_release_has_no_gaps() {
        assert_eq!(gaps(&whole(WHOLE)), [""; 0]);
    }

    #[test]
    fn each_file_that_is_missing_is_named() {
        assert_eq!(without("sources"), ["The sources jar 'org/x/lib/1.0/lib-1.0-sources.jar' is missing"]);
        assert_eq!(without("javadoc"), ["The javadoc jar 'org/x/lib/1.0/lib-1.0-javadoc.jar' is missing"]);
        assert_eq!(without(".jar.asc").len(), 3);
        assert_eq!(without(".pom"), ["There is no POM in 'org/x/lib/1.0'"]);
        assert_eq!(without(".pom.asc"), ["The signature 'org/x/lib/1.0/lib-1.0.pom.asc' is missing"]);
    }

    #[test]
    fn everything_that_a_pom_lacks_is_told_at_once() {
        let lacking = gaps(&whole("<project><artifactId>bib</artifactId><licenses/></project>"));
        let said: Vec<&str> = lacking.iter().filter_map(|gap| gap.split_once(": ")).map(|(_, gap)| gap).collect();
        assert_eq!(said.len(), lacking.len());
        assert_eq!(
            said,
            [
                "the POM's artifactId is `bib`, but its path says `lib`",
                "the POM has no groupId",
                "the POM has no version",
                "the POM has no name",
                "the POM has no description",
                "the POM has no url",
                "the POM has no licenses",
                "the POM has no developers",
                "the POM has no scm",
            ]
        );
    }

    #[test]
    fn a_parent_may_say_all_but_the_name() {
        let parent = "<parent><groupId>org.x</groupId><version>1.0</version></parent><artifactId>lib</artifactId>";
        assert_eq!(gaps(&whole(&format!("<project>{parent}<name>Lib</name></project>"))), [""; 0]);
        let unnamed = gaps(&whole(&format!("<project>{parent}</project>")));
        assert_eq!(unnamed, ["'org/x/lib/1.0/lib-1.0.pom': the POM has no name"]);
    }

    #[test]
    fn a_pom_alone_needs_no_jars() {
        let pom = WHOLE.replace("<name>", "<packaging>pom</packaging><name>");
        let files = [released(POM, Some(&pom)), released(&format!("{POM}.asc"), None)];
        assert_eq!(gaps(&files), [""; 0]);
    }

    #[test]
    fn what_is_no_release_is_told() {
        assert_eq!(gaps(&whole("no POM")).len(), 1);
        let stray = [released("readme.txt", None), released("readme.txt.asc", None)];
        assert!(gaps(&stray)[0].contains("not in Maven layout"));
        let snapshot = "org/x/lib/1-SNAPSHOT/lib-1-SNAPSHOT.pom";
        let pom = WHOLE.replace("1.0", "1-SNAPSHOT").replace("<name>", "<packaging>pom</packaging><name>");
        let files = [released(snapshot, Some(&pom)), released(&format!("{snapshot}.asc"), None)];
        assert_eq!(gaps(&files), [format!("'{snapshot}' is a snapshot, and only releases are synced")]);
    }
}
