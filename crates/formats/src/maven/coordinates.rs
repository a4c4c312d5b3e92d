//! Maven coordinates from the paths of a repository, for snippets that people paste into their builds.

/// The coordinates by which a build names an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coordinates {
    pub(super) group: String,
    pub(super) artifact: String,
    pub(super) version: String,
}

impl Coordinates {
    /// The coordinates of a POM at this path: `org/example/lib/1.0/lib-1.0.pom`.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let mut segments: Vec<&str> = path.split('/').collect();
        let (file, version, artifact) = (segments.pop()?, segments.pop()?, segments.pop()?);
        let is_pom = file.ends_with(".pom") && file.starts_with(&format!("{artifact}-"));
        let group = segments.join(".");
        (is_pom && !group.is_empty()).then(|| Self { group, artifact: artifact.into(), version: version.into() })
    }

    /// The snippet for `pom.xml`.
    pub(super) fn xml(&self) -> String {
        let Self { group, artifact, version } = self;
        format!(
            "<dependency>\n  <groupId>{}</groupId>\n  <artifactId>{}</artifactId>\n  <version>{}</version>\n</dependency>",
            escaped(group),
            escaped(artifact),
            escaped(version)
        )
    }

    /// The snippet for `build.gradle`.
    pub(super) fn gradle(&self) -> String {
        format!("implementation '{}:{}:{}'", self.group, self.artifact, self.version)
    }

    /// The snippet for `ivy.xml`.
    pub(super) fn ivy(&self) -> String {
        let Self { group, artifact, version } = self;
        format!("<dependency org=\"{}\" name=\"{}\" rev=\"{}\"/>", escaped(group), escaped(artifact), escaped(version))
    }
}

/// Escapes a text for XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_tells_its_coordinates_and_other_files_do_not() {
        let found = Coordinates::of_path("org/example/lib/1.0/lib-1.0.pom").expect("a POM");
        assert_eq!(found.gradle(), "implementation 'org.example:lib:1.0'");
        assert_eq!(found.ivy(), "<dependency org=\"org.example\" name=\"lib\" rev=\"1.0\"/>");
        for other in ["lib-1.0.pom", "lib/1.0/lib-1.0.pom", "org/lib/1.0/lib-1.0.jar", "org/lib/1.0/other-1.0.pom"] {
            assert_eq!(Coordinates::of_path(other), None, "{other}");
        }
    }
}
