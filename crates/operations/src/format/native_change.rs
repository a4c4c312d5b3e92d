//! Changes that native clients ask for.

use std::collections::BTreeMap;

use model::names::{PackageName, VersionName};

/// A change of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeChange {
    /// Sets a mark on versions with a text, or takes it away. Versions that do not exist are ignored if there are
    /// others.
    Mark {
        /// The package.
        package: PackageName,
        /// The mark, such as `yanked`.
        mark: &'static str,
        /// The versions with the text of the mark; `None` takes the mark away.
        versions: BTreeMap<String, Option<String>>,
    },
    /// Creates the package, and the version if there is one, unless they exist; sets the description of the version, else
    /// of the package.
    Describe {
        /// The package.
        package: PackageName,
        /// The version.
        version: Option<VersionName>,
        /// The description; absent, it stays as it is.
        description: Option<String>,
    },
    /// Publishes what is staged in a version.
    PublishStaged {
        /// The package.
        package: PackageName,
        /// The version.
        version: VersionName,
    },
    /// Points a tag to a version.
    SetTag {
        /// The package.
        package: PackageName,
        /// The tag.
        tag: String,
        /// The version.
        version: VersionName,
    },
    /// Deletes a tag.
    DeleteTag {
        /// The package.
        package: PackageName,
        /// The tag.
        tag: String,
    },
    /// Deletes all versions but these.
    KeepVersions {
        /// The package.
        package: PackageName,
        /// The versions to keep.
        versions: Vec<String>,
    },
    /// Deletes a version; succeeds if it is gone already.
    DeleteVersion {
        /// The package.
        package: PackageName,
        /// The version.
        version: VersionName,
    },
    /// Deletes all files of a version below a folder.
    DeleteFolder {
        /// The package.
        package: PackageName,
        /// The version.
        version: VersionName,
        /// The folder, with a slash at its end.
        folder: String,
    },
    /// Deletes the package.
    DeletePackage {
        /// The package.
        package: PackageName,
    },
}
