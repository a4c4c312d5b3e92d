//! Paths of boxes and of their documents.

use super::{
    name::{BoxArchitecture, BoxName, BoxProvider},
    version::BoxVersion,
};

/// The folder of the documents of boxes, which is also an address of theirs.
pub const DOCUMENTS: &str = "api/v2/vagrant/";

/// A file or document of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoxPath {
    /// The document of a box: `<box>`, `<box>.json` or `api/v2/vagrant/<box>`.
    Document(BoxName),
    /// A box file.
    File(BoxName, BoxVersion, BoxProvider, BoxArchitecture),
    /// The search of Vagrant's cloud commands.
    Search,
}

impl BoxPath {
    /// Parses a path below the repository's URL.
    pub fn parse(path: &str) -> Result<Self, String> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments[..] {
            ["api", "v2", "search"] => Ok(Self::Search),
            [name] | ["api", "v2", "vagrant", name] => {
                Ok(Self::Document(BoxName::parse(name.strip_suffix(".json").unwrap_or(name))?))
            }
            [name, version, provider] => {
                let provider = provider.strip_suffix(".box").ok_or("the path does not end with '.box'")?;
                file(name, version, provider, BoxArchitecture::unknown())
            }
            [name, version, provider, architecture] => {
                let architecture = architecture.strip_suffix(".box").ok_or("the path does not end with '.box'")?;
                file(name, version, provider, BoxArchitecture::parse(architecture)?)
            }
            _ => Err("the path is not '<box>/<version>/<provider>/<architecture>.box'".to_owned()),
        }
    }
}

fn file(name: &str, version: &str, provider: &str, architecture: BoxArchitecture) -> Result<BoxPath, String> {
    let provider = BoxProvider::parse(provider)?;
    Ok(BoxPath::File(BoxName::parse(name)?, BoxVersion::parse(version)?, provider, architecture))
}

/// The path of the document of a box.
pub fn document_path(name: &BoxName) -> String {
    format!("{DOCUMENTS}{}", name.as_str())
}

/// The path of a box file.
pub fn file_path(
    name: &BoxName,
    version: &BoxVersion,
    provider: &BoxProvider,
    architecture: &BoxArchitecture,
) -> String {
    format!("{}/{}/{}/{}.box", name.as_str(), version.as_str(), provider.as_str(), architecture.as_str())
}

/// The folder of the boxes of a provider.
pub fn folder_path(name: &BoxName, version: &BoxVersion, provider: &BoxProvider) -> String {
    format!("{}/{}/{}/", name.as_str(), version.as_str(), provider.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_documents_have_paths() {
        let name = BoxName::parse("ubuntu").expect("a name");
        for path in ["ubuntu", "ubuntu.json", "api/v2/vagrant/ubuntu"] {
            assert_eq!(BoxPath::parse(path), Ok(BoxPath::Document(name.clone())), "{path}");
        }
        assert_eq!(BoxPath::parse("api/v2/search"), Ok(BoxPath::Search));
        for (path, written) in [
            ("ubuntu/1.0.0/libvirt/amd64.box", "ubuntu/1.0.0/libvirt/amd64.box"),
            ("ubuntu/1.0.0/libvirt.box", "ubuntu/1.0.0/libvirt/unknown.box"),
        ] {
            let Ok(BoxPath::File(name, version, provider, architecture)) = BoxPath::parse(path) else {
                panic!("{path}")
            };
            assert_eq!(file_path(&name, &version, &provider, &architecture), written);
        }
    }

    #[test]
    fn other_paths_are_refused() {
        for bad in [
            "api",
            "",
            "a/latest/libvirt/amd64.box",
            "a/1.0/../x.box",
            "a/1.0/libvirt/amd64.zip",
            "a/1.0/Libvirt.box",
            "a/b/c/d/e",
        ] {
            assert!(BoxPath::parse(bad).is_err(), "{bad}");
        }
    }
}
