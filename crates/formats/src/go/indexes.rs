//! `@v/list` and `@latest` as indexes of a module.

use model::{file_path::FilePath, timestamp::Timestamp};
use operations::format::{IndexText, PackageIndexes, PackageView, VersionView};

use super::{
    GoVersion, ModulePath,
    format::{Go, zip},
    index,
    layout::{latest_path, list_path},
};

/// Marks of versions that are not listed. Modules that require them can still download them.
const HIDING: [&str; 2] = ["yanked", "unlisted"];

impl PackageIndexes for Go {
    fn needs_about(&self) -> bool {
        false
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        // A package whose name no module can have has no indexes.
        let Some(module) = ModulePath::of_package(&package.name) else { return Ok(Vec::new()) };
        let is_listed = |version: &&VersionView| HIDING.iter().all(|mark| version.mark(mark).is_none());
        let listed: Vec<(GoVersion, Timestamp)> =
            package.versions.iter().filter(is_listed).filter_map(published).collect();
        let versions: Vec<GoVersion> = listed.iter().map(|(version, _)| version.clone()).collect();
        let text = |path: String, content: String| {
            let path = FilePath::parse(&path).map_err(|error| error.to_string())?;
            Ok::<_, String>(IndexText { path, content })
        };
        let mut texts = vec![text(list_path(&module), index::version_list(&versions))?];
        if let Some((latest, published)) = index::latest(&listed) {
            texts.push(text(latest_path(&module), index::info(latest, *published))?);
        }
        Ok(texts)
    }
}

/// The version with the time of its zip; `None` without one.
fn published(version: &VersionView) -> Option<(GoVersion, Timestamp)> {
    version.files.iter().find_map(|file| Some((zip(&file.path)?.1, file.published)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native_samples::{file, mark, package, version_with};

    fn with(name: &str, marks: &[&str]) -> VersionView {
        let path = FilePath::parse(&format!("example.com/!acme/lib/@v/{name}.zip")).expect("a path");
        let mut view = version_with(name, file(&path, None, None));
        view.marks = marks.iter().map(|name| mark(name, "")).collect();
        view
    }

    fn built(versions: Vec<VersionView>) -> Vec<(String, String)> {
        let texts = Go.build(&PackageView { versions, ..package("example.com:Acme:lib") }).expect("built");
        texts.into_iter().map(|text| (text.path.to_string(), text.content)).collect()
    }

    #[test]
    fn a_module_has_a_list_and_a_latest_version() {
        let pseudo = "v0.0.0-20260102150405-abcdefabcdef";
        let texts = built(vec![with("v1.10.0", &[]), with("v1.2.0", &[]), with("v2.0.0-rc.1", &[]), with(pseudo, &[])]);
        let expected = [
            ("example.com/!acme/lib/@v/list", "v1.2.0\nv1.10.0\nv2.0.0-rc.1\n"),
            ("example.com/!acme/lib/@latest", r#"{"Time":"2026-11-16T10:00:00Z","Version":"v1.10.0"}"#),
        ];
        assert_eq!(texts, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn yanked_versions_are_not_listed() {
        let texts = built(vec![with("v1.0.0", &[]), with("v1.1.0", &["yanked"]), with("v1.2.0", &["unlisted"])]);
        assert_eq!(texts[0].1, "v1.0.0\n");
        assert!(texts[1].1.contains("v1.0.0"));
        let texts = built(vec![with("v1.0.0", &["yanked"])]);
        assert_eq!(texts, [("example.com/!acme/lib/@v/list".to_owned(), String::new())], "known, but nothing to list");
    }

    #[test]
    fn other_packages_have_no_indexes() {
        assert_eq!(Go.build(&package("hello")), Ok(Vec::new()));
    }
}
