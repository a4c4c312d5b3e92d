//! The file names that Conan uploads.

use crate::readers::quoted;

/// The file whose upload completes a revision.
pub const MANIFEST: &str = "conanmanifest.txt";

/// The file that describes a binary package.
pub const INFO: &str = "conaninfo.txt";

/// The two kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConanFileKind {
    /// A file of a recipe.
    Recipe,
    /// A file of a binary package.
    Package,
}

/// Refuses a file name that Conan does not upload.
pub fn check_name(kind: ConanFileKind, name: &str) -> Result<(), String> {
    let is_known = match kind {
        ConanFileKind::Recipe => matches!(name, "conanfile.py" | "conanfile.txt" | MANIFEST),
        ConanFileKind::Package => matches!(name, INFO | MANIFEST),
    };
    if is_known || is_archive(name) {
        return Ok(());
    }
    Err(format!("file name '{}' is not one that Conan uploads", quoted(name)))
}

/// Returns whether a name is `conan_<word>` with `.tgz`, `.txz` or `.tzst`.
fn is_archive(name: &str) -> bool {
    let stem = [".tgz", ".txz", ".tzst"].iter().find_map(|end| name.strip_suffix(end));
    let word = stem.and_then(|stem| stem.strip_prefix("conan_"));
    word.is_some_and(|word| (1..=50).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
}

/// Returns whether a whole GET counts as a download: binaries, and sources, which only builds ask for.
pub fn is_counted(name: &str) -> bool {
    is_archive(name) && (name.starts_with("conan_package.") || name.starts_with("conan_sources."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        for name in ["conanfile.py", "conanmanifest.txt", "conan_export.tgz", "conan_sources.txz"] {
            assert_eq!(check_name(ConanFileKind::Recipe, name), Ok(()));
        }
        for name in ["conaninfo.txt", "conanmanifest.txt", "conan_package.tgz", "conan_package.tzst"] {
            assert_eq!(check_name(ConanFileKind::Package, name), Ok(()));
        }
        for bad in ["a/b", "..", "", "x.py", "conan_.tgz", "conan_a/b.tgz", "conan_package.zip", "Conanfile.py"] {
            assert!(check_name(ConanFileKind::Recipe, bad).is_err(), "{bad}");
            assert!(check_name(ConanFileKind::Package, bad).is_err(), "{bad}");
        }
        assert!(check_name(ConanFileKind::Package, "conanfile.py").is_err());
    }

    #[test]
    fn binaries_and_sources_count() {
        assert!(is_counted("conan_package.tgz") && is_counted("conan_sources.tgz"));
        assert!(!is_counted("conan_export.tgz") && !is_counted("conanfile.py") && !is_counted("conaninfo.txt"));
    }
}
