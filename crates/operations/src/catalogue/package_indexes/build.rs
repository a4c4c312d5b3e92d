//! Builds texts of a package, and leaves out files that no text can be built of, so that one damaged row does not prevent
//! all changes of the package.

use crate::{
    Error, Result, blocking,
    format::{PackageView, VersionView},
};

/// Texts of more files than these are built outside the threads that serve requests.
const FEW_FILES: usize = 50;

/// Builds something of a package, or of its usable files; `None` if it has none of them.
pub(super) async fn of_usable<T: Send + 'static>(
    view: PackageView,
    build: impl Fn(&PackageView) -> std::result::Result<T, String> + Send + 'static,
) -> Result<Option<T>> {
    let files: usize = view.versions.iter().map(|version| version.files.len()).sum();
    if files > FEW_FILES {
        blocking::run(move || of_usable_now(view, &build)).await?
    } else {
        of_usable_now(view, &build)
    }
}

fn of_usable_now<T>(
    view: PackageView,
    build: &dyn Fn(&PackageView) -> std::result::Result<T, String>,
) -> Result<Option<T>> {
    let reason = match build(&view) {
        Ok(built) => return Ok(Some(built)),
        Err(reason) => reason,
    };
    tracing::error!("the indexes of package '{}' cannot be built: {reason}", view.name);
    let usable = without_damaged(view, build);
    let failed =
        |reason| Error::Internal(format!("the indexes of package '{}' cannot be built: {reason}", usable.name));
    if usable.versions.is_empty() { Ok(None) } else { build(&usable).map(Some).map_err(failed) }
}

/// Returns the package with only those files of which something can be built.
fn without_damaged<T>(
    mut view: PackageView,
    build: &dyn Fn(&PackageView) -> std::result::Result<T, String>,
) -> PackageView {
    let (versions, tags) = (std::mem::take(&mut view.versions), std::mem::take(&mut view.tags));
    let mut usable = Vec::new();
    for mut version in versions {
        let files = std::mem::take(&mut version.files);
        let mut kept = Vec::new();
        for file in files {
            view.versions = vec![VersionView { files: vec![file.clone()], ..version.clone() }];
            match build(&view) {
                Ok(_) => kept.push(file),
                Err(reason) => {
                    tracing::error!("'{}' is missing from the indexes of package '{}': {reason}", file.path, view.name);
                }
            }
        }
        if !kept.is_empty() {
            usable.push(VersionView { files: kept, ..version });
        }
    }
    PackageView { versions: usable, tags, ..view }
}

#[cfg(test)]
mod tests {
    use model::{
        digest::Digest,
        file_path::FilePath,
        names::{PackageName, VersionName},
        package::PackageProfile,
        timestamp::Timestamp,
    };

    use super::*;
    use crate::format::FileView;

    /// Joins all facts; fails at those that are not text.
    fn joined(package: &PackageView) -> std::result::Result<String, String> {
        let files = package.versions.iter().flat_map(|version| &version.files);
        let mut content = String::new();
        for file in files {
            let about = file.about.clone().unwrap_or_default();
            content += &String::from_utf8(about).map_err(|_| "not text".to_owned())?;
        }
        Ok(content)
    }

    fn file(name: &str, about: &[u8]) -> FileView {
        FileView {
            path: FilePath::parse(name).expect("a path"),
            size_bytes: 1,
            sha256: Digest::from_bytes([1; 32]),
            sha1: String::new(),
            md5: None,
            sha512: None,
            published: Timestamp::EPOCH,
            facts: None,
            about: Some(about.to_vec()),
        }
    }

    fn package(versions: Vec<Vec<FileView>>) -> PackageView {
        let version = |files| VersionView {
            name: VersionName::parse("1").expect("a name"),
            published: Timestamp::EPOCH,
            marks: Vec::new(),
            files,
        };
        PackageView {
            name: PackageName::parse("cat").expect("a name"),
            owner: "ada".into(),
            created: Timestamp::EPOCH,
            updated: Timestamp::EPOCH,
            profile: PackageProfile::default(),
            tags: Vec::new(),
            versions: versions.into_iter().map(version).collect(),
        }
    }

    #[test]
    fn a_damaged_file_is_left_out_of_the_index() {
        let damaged = || file("damaged", b"\xff");
        let built = |versions| of_usable_now(package(versions), &joined).expect("built");
        let text = |content: &str| Some(content.to_owned());
        assert_eq!(built(vec![vec![file("a", b"a"), damaged()], vec![file("b", b"b")]]), text("ab"));
        assert_eq!(built(vec![vec![damaged()], vec![file("b", b"b")]]), text("b"));
        assert_eq!(built(vec![vec![damaged()]]), None);
    }
}
