//! The catalogue document of a box, and the answer to a search.

use serde_json::{Value, json};

use super::{
    layout::file_path,
    name::{BoxArchitecture, BoxName, BoxProvider, UNKNOWN},
    version::BoxVersion,
};
use crate::base::{BASE, json_text};

/// A published version of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxRelease {
    /// The version.
    pub version: BoxVersion,
    /// The release notes.
    pub notes: String,
    /// The box files.
    pub files: Vec<BoxFile>,
}

/// A box file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxFile {
    /// The provider.
    pub provider: BoxProvider,
    /// The architecture.
    pub architecture: BoxArchitecture,
    /// The SHA-256 in hex.
    pub sha256: String,
}

/// The names and texts of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxProfile {
    /// The repository's name: users type `<repository>/<box>`.
    pub repo: String,
    /// The box.
    pub name: BoxName,
    /// The short description.
    pub short_description: String,
    /// The description.
    pub description: String,
}

/// The document of a box, highest version first; `None` without versions.
pub fn document(profile: &BoxProfile, releases: &[BoxRelease]) -> Option<String> {
    let mut sorted: Vec<&BoxRelease> = releases.iter().filter(|release| !release.files.is_empty()).collect();
    if sorted.is_empty() {
        return None;
    }
    sorted.sort_by(|left, right| right.version.order(&left.version));
    let versions: Vec<Value> = sorted.into_iter().map(|release| version(profile, release)).collect();
    Some(json_text(&json!({
        "name": format!("{}/{}", profile.repo, profile.name.as_str()),
        "description": profile.description,
        "short_description": profile.short_description,
        "versions": versions,
    })))
}

fn version(profile: &BoxProfile, release: &BoxRelease) -> Value {
    let mut files: Vec<&BoxFile> = release.files.iter().collect();
    files.sort_by(|left, right| (&left.provider, &left.architecture).cmp(&(&right.provider, &right.architecture)));
    let provider = |file: &&BoxFile| {
        let path = file_path(&profile.name, &release.version, &file.provider, &file.architecture);
        json!({
            "name": file.provider.as_str(),
            "url": format!("{BASE}/{path}"),
            "checksum_type": "sha256",
            "checksum": file.sha256,
            "architecture": file.architecture.as_str(),
            "default_architecture": is_default(file, &files),
        })
    };
    json!({
        "version": release.version.as_str(),
        "status": "active",
        "description_html": null,
        "description_markdown": release.notes,
        "providers": files.iter().map(provider).collect::<Vec<_>>(),
    })
}

/// Returns whether a file has the default architecture of its provider: `amd64`, else none, else the first one.
fn is_default(file: &BoxFile, files: &[&BoxFile]) -> bool {
    let rank = |file: &BoxFile| match file.architecture.as_str() {
        "amd64" => 0,
        UNKNOWN => 1,
        _ => 2,
    };
    let of_provider = files.iter().filter(|other| other.provider == file.provider);
    let default = of_provider.min_by_key(|other| (rank(other), other.architecture.clone()));
    default.is_some_and(|default| default.architecture == file.architecture)
}

/// The answer to a search: boxes with their newest version.
pub fn search(repo: &str, boxes: &[(BoxName, String, BoxVersion)]) -> String {
    let entry = |(name, description, version): &(BoxName, String, BoxVersion)| {
        json!({
            "tag": format!("{repo}/{}", name.as_str()), "username": repo, "name": name.as_str(),
            "short_description": description, "current_version": { "version": version.as_str(), "status": "active" },
        })
    };
    json_text(&json!({ "boxes": boxes.iter().map(entry).collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(version: &str, files: &[(&str, &str)]) -> BoxRelease {
        let file = |(provider, architecture): &(&str, &str)| BoxFile {
            provider: BoxProvider::parse(provider).expect("a provider"),
            architecture: BoxArchitecture::parse(architecture).expect("an architecture"),
            sha256: "9f86".to_owned(),
        };
        let version = BoxVersion::parse(version).expect("a version");
        BoxRelease { version, notes: "<b>notes</b>".to_owned(), files: files.iter().map(file).collect() }
    }

    fn profile() -> BoxProfile {
        BoxProfile {
            repo: "boxes".to_owned(),
            name: BoxName::parse("ubuntu").expect("a name"),
            short_description: String::new(),
            description: "<script>".to_owned(),
        }
    }

    #[test]
    fn a_document_lists_versions_and_providers() {
        let files = [("libvirt", "arm64"), ("libvirt", "amd64"), ("virtualbox", "unknown"), ("virtualbox", "arm64")];
        let releases = [release("1.9", &files), release("1.10", &files[..1]), release("2.0", &[])];
        let text = document(&profile(), &releases).expect("versions").replace(BASE, "BASE");
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&read["name"], &read["description"]), (&json!("boxes/ubuntu"), &json!("<script>")));
        let versions: Vec<&Value> =
            read["versions"].as_array().expect("a list").iter().map(|v| &v["version"]).collect();
        assert_eq!(versions, ["1.10", "1.9"]);
        let providers = read["versions"][1]["providers"].as_array().expect("a list");
        assert_eq!(providers[0]["url"], "BASE/ubuntu/1.9/libvirt/amd64.box");
        let defaults: Vec<bool> = providers.iter().map(|p| p["default_architecture"] == true).collect();
        assert_eq!(defaults, [true, false, false, true]);
        assert_eq!(read["versions"][0]["providers"][0]["default_architecture"], true);
        assert_eq!(read["versions"][0]["description_html"], Value::Null);
        assert_eq!(document(&profile(), &[]), None);
    }

    #[test]
    fn a_search_names_boxes() {
        let found =
            [(BoxName::parse("ubuntu").expect("a name"), "d".to_owned(), BoxVersion::parse("1.0").expect("a version"))];
        let read: Value = serde_json::from_str(&search("boxes", &found)).expect("JSON");
        assert_eq!(
            (&read["boxes"][0]["tag"], &read["boxes"][0]["current_version"]["version"]),
            (&json!("boxes/ubuntu"), &json!("1.0"))
        );
    }
}
