//! The index file of a crate as the index of its package.

use model::{file_path::FilePath, index_frame};
use operations::format::{IndexFrame, IndexSections, IndexText, PackageIndexes, PackageView, build_joined};

use super::{
    format::{Cargo, crate_at},
    index,
    name::CrateName,
};

/// The mark of yanked versions.
pub(super) const YANKED: &str = "yanked";

impl PackageIndexes for Cargo {
    fn in_sections(&self) -> Option<&dyn IndexSections> {
        Some(self)
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        build_joined(self, package)
    }
}

impl IndexSections for Cargo {
    /// The line of a version is put together as text: everything but its checksum and its mark was rendered when the
    /// file arrived.
    fn render(&self, package: &PackageView) -> Result<Vec<String>, String> {
        let mut content = String::new();
        for version in &package.versions {
            let is_yanked = version.mark(YANKED).is_some();
            for file in version.files.iter().filter(|file| crate_at(&file.path).is_some()) {
                // A file from before its repository had this format was not inspected.
                let Some(about) = &file.about else { continue };
                let start = str::from_utf8(about).map_err(|_| "the stored facts are damaged")?;
                let own = file.facts.as_ref().map(|facts| index::without_registry(start, &facts.0));
                let start = own.as_deref().unwrap_or(start);
                index::push_line(&mut content, start, &file.sha256.to_string(), is_yanked);
            }
        }
        Ok(vec![content])
    }

    fn frames(&self, package: &PackageView) -> Result<Vec<IndexFrame>, String> {
        // A package whose name no crate can have has no index.
        let Ok(name) = CrateName::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let path = FilePath::parse(&name.index_path()).map_err(|error| error.to_string())?;
        Ok(vec![IndexFrame { path, frame: index_frame::place(0, ""), sections: 0..=0 }])
    }
}
