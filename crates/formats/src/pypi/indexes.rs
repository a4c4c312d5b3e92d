//! The two pages of a project as indexes of its package.

use model::file_path::FilePath;
use operations::format::{
    FileView, IndexFrame, IndexSections, IndexText, PackageIndexes, PackageView, VersionView, build_joined,
};

use super::{
    format::{Pypi, distribution},
    layout,
    name::ProjectName,
    page_facts::PageFacts,
    simple::{self, SimpleFile},
};

/// The mark of yanked versions.
pub(super) const YANKED: &str = "yanked";

impl PackageIndexes for Pypi {
    fn needs_about(&self) -> bool {
        false
    }

    fn in_sections(&self) -> Option<&dyn IndexSections> {
        Some(self)
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        build_joined(self, package)
    }
}

impl IndexSections for Pypi {
    fn render(&self, package: &PackageView) -> Result<Vec<String>, String> {
        // A package whose name no project can have has no pages.
        let Ok(project) = ProjectName::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let pairs = package.versions.iter().flat_map(|version| version.files.iter().map(move |file| (version, file)));
        let files: Vec<SimpleFile> = pairs.filter_map(|(version, file)| entry(version, file)).collect();
        Ok(simple::sections(project.normalized(), &files))
    }

    fn frames(&self, package: &PackageView) -> Result<Vec<IndexFrame>, String> {
        let Ok(project) = ProjectName::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let name = project.normalized();
        let json = (simple::json_frame(name), simple::FILES..=simple::VERSIONS);
        let html = (simple::html_frame(name), simple::LINKS..=simple::LINKS);
        let frames = layout::pages_of(&project).into_iter().zip([json, html]).map(|(path, (frame, sections))| {
            let path = FilePath::parse(&path).map_err(|error| error.to_string())?;
            Ok::<_, String>(IndexFrame { path, frame, sections })
        });
        frames.collect()
    }
}

/// The entry of a distribution file; other files are not listed.
fn entry(version: &VersionView, file: &FileView) -> Option<SimpleFile> {
    let name = distribution(&file.path)?;
    let facts = file.facts.as_ref().map(|facts| PageFacts::decode(&facts.0)).unwrap_or_default();
    Some(SimpleFile {
        version: name.version.to_string(),
        file_name: name.file_name,
        sha256: file.sha256.to_string(),
        size_bytes: file.size_bytes,
        uploaded: file.published,
        requires_python: facts.requires_python,
        metadata_sha256: facts.metadata_sha256,
        yanked: version.mark(YANKED).map(str::to_owned),
    })
}
