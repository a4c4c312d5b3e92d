//! Core metadata of a project: METADATA of a wheel, PKG-INFO of a source distribution.

use serde::{Deserialize, Serialize};

use super::{file_name::DistributionName, name::ProjectName, version::PypiVersion};
use crate::readers::headers::Headers;

/// The maximum length of a line on pages of a project, in bytes.
const LINE_BYTES: usize = 1_000;

/// The fields of core metadata that pages and profiles need.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProjectFacts {
    /// The name as the metadata spells it.
    pub name: String,
    /// The version in its normal form.
    pub version: String,
    /// The versions of Python that it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// One line about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The licence: the expression if it has one, or else the first line of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Words to find it by, as they appear in the metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keywords: Option<String>,
    /// The requirements, one each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires_dist: Vec<String>,
    /// Labels and URLs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<(String, String)>,
    /// The SHA-256 of METADATA, for wheels only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_sha256: Option<String>,
}

impl ProjectFacts {
    /// Reads core metadata, which must name the same project and version as the file's name.
    pub fn parse(bytes: &[u8], file: &DistributionName) -> Result<Self, String> {
        let headers = Headers::parse(bytes)?;
        let name = headers.line("name")?.ok_or("it has no name")?;
        let version = headers.line("version")?.ok_or("it has no version")?;
        check(name, version, file)?;
        Ok(Self {
            name: name.to_owned(),
            version: file.version.to_string(),
            requires_python: short(headers.line("requires-python")?, "requires-python")?,
            summary: first_line(&headers, "summary"),
            license: first_line(&headers, "license-expression").or_else(|| first_line(&headers, "license")),
            keywords: first_line(&headers, "keywords"),
            requires_dist: headers.all("requires-dist").map(str::to_owned).collect(),
            urls: urls(&headers),
            metadata_sha256: None,
        })
    }
}

/// Checks that a name and a version are those of the file's name.
pub(super) fn check(name: &str, version: &str, file: &DistributionName) -> Result<(), String> {
    let (project, version) = (ProjectName::parse(name)?, PypiVersion::parse(version)?);
    if project != file.project {
        return Err(format!("it names the project '{project}', but the file name says '{}'", file.project));
    }
    if version != file.version {
        return Err(format!("it names the version '{version}', but the file name says '{}'", file.version));
    }
    Ok(())
}

fn short(value: Option<&str>, field: &str) -> Result<Option<String>, String> {
    match value {
        Some(value) if value.len() > LINE_BYTES => {
            Err(format!("its field '{field}' is longer than {LINE_BYTES} bytes"))
        }
        value => Ok(value.map(str::to_owned)),
    }
}

/// The first line of a text. Some tools write several lines where one is meant.
fn first_line(headers: &Headers, field: &'static str) -> Option<String> {
    let line = headers.all(field).next()?.lines().next()?;
    let line: String = line.chars().take(LINE_BYTES / 4).collect();
    Some(line).filter(|line| !line.is_empty() && line != "UNKNOWN")
}

fn urls(headers: &Headers) -> Vec<(String, String)> {
    let labelled = headers.all("project-url").filter_map(|entry| {
        let (label, url) = entry.split_once(',')?;
        Some((label.trim().to_owned(), url.trim().to_owned()))
    });
    let homepage = headers.all("home-page").map(|url| ("Homepage".to_owned(), url.to_owned()));
    let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    labelled.chain(homepage).filter(|(_, url)| is_web(url) && url.len() <= LINE_BYTES && !url.contains('\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ProjectFacts, String> {
        let file = DistributionName::parse("Hello_Pkg-1.0-py3-none-any.whl").expect("valid");
        ProjectFacts::parse(text.as_bytes(), &file)
    }

    #[test]
    fn the_fields_for_pages_are_read() {
        let text = "Metadata-Version: 2.4\nName: Hello.Pkg\nVersion: 1.0.0\nSummary: says hello\nRequires-Python: >=3.9\n\
            License: MIT License\n  and so on\nLicense-Expression: MIT\nRequires-Dist: six; python_version<'3'\n\
            Project-URL: Docs, https://example.org/d\nProject-URL: Bad, javascript:alert(1)\nHome-page: http://example.org\n\
            Keywords: a,b\n\nLong text";
        let facts = parse(text).expect("valid");
        assert_eq!((facts.name.as_str(), facts.version.as_str()), ("Hello.Pkg", "1.0"));
        assert_eq!(facts.requires_python.as_deref(), Some(">=3.9"));
        assert_eq!(facts.summary.as_deref(), Some("says hello"));
        assert_eq!(facts.license.as_deref(), Some("MIT"));
        assert_eq!(facts.requires_dist, ["six; python_version<'3'"]);
        let urls = [("Docs", "https://example.org/d"), ("Homepage", "http://example.org")];
        assert_eq!(facts.urls, urls.map(|(label, url)| (label.to_owned(), url.to_owned())));
        let stored = serde_json::to_vec(&facts).expect("serializable");
        assert_eq!(serde_json::from_slice::<ProjectFacts>(&stored).expect("readable"), facts);
    }

    #[test]
    fn metadata_that_contradicts_the_file_name_is_refused() {
        let reason = parse("Name: other\nVersion: 1.0\n").expect_err("another project");
        assert_eq!(reason, "it names the project 'other', but the file name says 'hello-pkg'");
        let reason = parse("Name: hello-pkg\nVersion: 1.1\n").expect_err("another version");
        assert_eq!(reason, "it names the version '1.1', but the file name says '1.0'");
        assert_eq!(parse("Version: 1.0\n"), Err("it has no name".to_owned()));
        assert_eq!(parse("Name: hello-pkg\n"), Err("it has no version".to_owned()));
    }

    #[test]
    fn folded_names_and_versions_are_refused() {
        assert!(parse("Name: hello-pkg\n Evil\nVersion: 1.0\n").is_err());
        assert!(parse("Name: hello-pkg\nVersion: 1.0\n .1\n").is_err());
        assert!(parse("Name: hello-pkg\nName: other\nVersion: 1.0\n").is_err());
        assert_eq!(parse("Name: x\nVersion: 1\n\nEvil: y"), parse("Name: x\nVersion: 1\n\nOther: z"));
        let folded = parse("Name: hello-pkg\nVersion: 1.0\nRequires-Python: >=3\n\tName: x\n");
        assert_eq!(folded, Err("its field 'requires-python' has more than one line".to_owned()));
    }
}
