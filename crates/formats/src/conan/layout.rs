//! Files of a repository.

use super::{
    files::{ConanFileKind, check_name},
    reference::ConanReference,
    revision::{ConanPackageId, RevisionId},
};

/// A file of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConanFile {
    /// The recipe.
    pub reference: ConanReference,
    /// The revision of the recipe.
    pub revision: RevisionId,
    /// The binary package and its revision; `None` for files of the recipe.
    pub package: Option<(ConanPackageId, RevisionId)>,
    /// The file name.
    pub name: String,
}

impl ConanFile {
    /// Parses a path of a repository:
    /// `<reference>/<revision>/export/<file>` or `<reference>/<revision>/package/<id>/<revision>/<file>`.
    pub fn parse(path: &str) -> Result<Self, String> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments[..] {
            [name, version, user, channel, revision, "export", file] => {
                Self::new(ConanReference::parse(name, version, user, channel)?, revision, None, file)
            }
            [name, version, user, channel, revision, "package", id, package_revision, file] => {
                let reference = ConanReference::parse(name, version, user, channel)?;
                Self::new(reference, revision, Some((id, package_revision)), file)
            }
            _ => Err("the path is not that of a file of a Conan revision".to_owned()),
        }
    }

    fn new(
        reference: ConanReference,
        revision: &str,
        package: Option<(&str, &str)>,
        name: &str,
    ) -> Result<Self, String> {
        let kind = if package.is_some() { ConanFileKind::Package } else { ConanFileKind::Recipe };
        check_name(kind, name)?;
        let package = match package {
            Some((id, revision)) => Some((ConanPackageId::parse(id)?, RevisionId::parse(revision)?)),
            None => None,
        };
        Ok(Self { reference, revision: RevisionId::parse(revision)?, package, name: name.to_owned() })
    }

    /// The path in the repository.
    pub fn path(&self) -> String {
        let start = format!("{}/{}", self.reference.path(), self.revision.as_str());
        match &self.package {
            None => format!("{start}/export/{}", self.name),
            Some((id, revision)) => format!("{start}/package/{}/{}/{}", id.as_str(), revision.as_str(), self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_files_of_revisions() {
        let (revision, id) = ("0f".repeat(16), "ab".repeat(20));
        for path in [
            format!("hello/1.0/_/_/{revision}/export/conanfile.py"),
            format!("hello/1.0/acme/stable/{revision}/package/{id}/{revision}/conaninfo.txt"),
        ] {
            assert_eq!(ConanFile::parse(&path).expect("valid").path(), path);
        }
    }

    #[test]
    fn other_paths_are_refused() {
        let revision = "0f".repeat(16);
        for bad in [
            "hello/1.0/_/_/../export/conanfile.py".to_owned(),
            format!("hello/1.0/_/_/{revision}/export/x.py"),
            format!("hello/1.0/_/_/{revision}/package/a/{revision}/conaninfo.txt"),
            format!("hello/1.0/_/_/{revision}/other/conanfile.py"),
            format!("hello/1.0/_/{revision}/export/conanfile.py"),
        ] {
            assert!(ConanFile::parse(&bad).is_err(), "{bad}");
        }
    }
}
