//! The compact index of a gem as the index of its package.

use model::{file_path::FilePath, timestamp::Timestamp};
use operations::format::{FileView, IndexText, PackageIndexes, PackageView};

use super::{
    compact,
    format::{Rubygems, specification},
    name::{GemName, info_path},
    specification::GemSpecification,
};

/// The mark of yanked versions.
pub(super) const YANKED: &str = "yanked";

/// A version that is not yanked.
pub(super) struct ListedGem {
    pub(super) specification: GemSpecification,
    sha256: String,
    published: Timestamp,
}

impl ListedGem {
    /// The gem of a file, if it is one.
    pub(super) fn read(file: &FileView) -> Option<Self> {
        let specification = specification(&file.path, file.about.as_deref())?;
        Some(Self { specification, sha256: file.sha256.to_string(), published: file.published })
    }

    /// When the version was published.
    pub(super) fn published(&self) -> Timestamp {
        self.published
    }
}

/// Brings the versions of a gem into the order of the index: the package index and `versions` must agree.
pub(super) fn sort(gems: &mut [ListedGem]) {
    gems.sort_by(|one, other| {
        let key = |gem: &ListedGem| (gem.published, gem.specification.number());
        key(one).cmp(&key(other))
    });
}

/// The text of `info/<gem>`. The versions are in order.
pub(super) fn info(gems: &[ListedGem]) -> String {
    compact::info(gems.iter().map(|gem| (&gem.specification, gem.sha256.as_str())))
}

impl PackageIndexes for Rubygems {
    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        // A package whose name no gem can have has no index.
        let Ok(name) = GemName::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let is_own = |gem: &ListedGem| gem.specification.name == name;
        let has_gems = package.versions.iter().flat_map(|version| &version.files).any(|file| file.about.is_some());
        if !has_gems {
            return Ok(Vec::new());
        }
        let listed = package.versions.iter().filter(|version| version.mark(YANKED).is_none());
        let files = listed.flat_map(|version| &version.files);
        let mut gems: Vec<ListedGem> = files.filter_map(ListedGem::read).filter(is_own).collect();
        sort(&mut gems);
        let path = FilePath::parse(&info_path(&name)).map_err(|error| error.to_string())?;
        Ok(vec![IndexText { path, content: info(&gems) }])
    }
}

#[cfg(test)]
mod tests {
    use super::{super::samples::gem, *};
    use crate::native_samples::{mark, package, version};

    #[test]
    fn a_gem_lists_versions_that_are_not_yanked() {
        let mut hello = package("hello");
        for number in ["1.0.0", "1.1.0"] {
            let path = format!("gems/hello-{number}.gem");
            hello.versions.push(version(&Rubygems, number, &path, &gem("hello", number, "ruby")));
        }
        let text = |package: &PackageView| Rubygems.build(package).expect("built").remove(0);
        let checksum = "ab".repeat(32);
        let index = text(&hello);
        assert_eq!(index.path.as_str(), "info/hello");
        assert_eq!(index.content, format!("---\n1.0.0 |checksum:{checksum}\n1.1.0 |checksum:{checksum}\n"));
        hello.versions[0].marks.push(mark(YANKED, ""));
        assert_eq!(text(&hello).content, format!("---\n1.1.0 |checksum:{checksum}\n"));
        hello.versions[1].marks.push(mark(YANKED, ""));
        assert_eq!(text(&hello).content, "---\n");
        hello.versions[0].files[0].about = None;
        hello.versions[1].files[0].about = None;
        assert_eq!(Rubygems.build(&hello), Ok(Vec::new()));
    }
}
