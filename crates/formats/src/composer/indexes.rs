//! The two documents of a package as its indexes.

use model::file_path::FilePath;
use operations::format::{IndexText, PackageIndexes, PackageView, VersionView};

use super::{
    document::{self, ComposerDocument, ComposerRelease},
    facts::ComposerFacts,
    format::{Composer, dist},
    name::ComposerName,
};
use crate::indexed::decode;

/// Marks of versions that are not listed. Lock files that name them still install them.
const HIDING: [&str; 2] = ["yanked", "unlisted"];

/// The mark of abandoned versions. Its text may be the name of the package to use instead.
const DEPRECATED: &str = "deprecated";

impl PackageIndexes for Composer {
    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        // A package whose name no package of Composer can have has no documents.
        let Some(name) = ComposerName::of_package(&package.name) else { return Ok(Vec::new()) };
        let mut releases = Vec::new();
        for version in package.versions.iter().filter(|version| HIDING.iter().all(|mark| version.mark(mark).is_none()))
        {
            releases.extend(release(version)?);
        }
        let text = |kind: ComposerDocument| {
            let content = document::document(&name, kind, &releases)?;
            let path = FilePath::parse(&kind.path(&name)).map_err(|error| error.to_string());
            Some(path.map(|path| IndexText { path, content }))
        };
        [ComposerDocument::Releases, ComposerDocument::Branches].into_iter().filter_map(text).collect()
    }
}

/// The entry of a version; `None` without a zip that was inspected.
fn release(version: &VersionView) -> Result<Option<ComposerRelease>, String> {
    let zip = version.files.iter().find_map(|file| Some((file, dist(&file.path)?.1, file.about.as_deref()?)));
    let Some((file, own, about)) = zip else { return Ok(None) };
    let facts: ComposerFacts = decode(about)?;
    let replacement = |text: &str| ComposerName::parse(text).ok().map(|name| name.as_str().to_owned());
    Ok(Some(ComposerRelease {
        version: own,
        document: facts.document,
        sha1: file.sha1.clone(),
        published: file.published,
        abandoned: version.mark(DEPRECATED).map(replacement),
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{
        native_samples::{mark, package, version},
        readers::samples::zip,
    };

    fn with(name: &str, marks: &[(&str, &str)]) -> VersionView {
        let json: &[u8] = br#"{"name":"acme/hello","dist":{"url":"https://evil"}}"#;
        let path = format!("dist/acme/hello/{name}.zip");
        let mut view = version(&Composer, name, &path, &zip(&[("composer.json", json)]));
        view.marks = marks.iter().map(|(name, text)| mark(name, text)).collect();
        view
    }

    fn built(versions: Vec<VersionView>) -> Vec<(String, Value)> {
        let texts = Composer.build(&PackageView { versions, ..package("acme:hello") }).expect("built");
        let read = |text: IndexText| {
            (text.path.to_string(), serde_json::from_str(&text.content.replace('\u{2}', "")).expect("JSON"))
        };
        texts.into_iter().map(read).collect()
    }

    #[test]
    fn a_package_has_two_documents() {
        let texts = built(vec![with("1.0", &[("deprecated", "acme/new")]), with("dev-feature:x", &[])]);
        let [(path, releases), (dev_path, branches)] = &texts[..] else { panic!("{texts:?}") };
        assert_eq!((path.as_str(), dev_path.as_str()), ("p2/acme/hello.json", "p2/acme/hello~dev.json"));
        let release = &releases["packages"]["acme/hello"][0];
        assert_eq!((&release["version"], &release["abandoned"]), (&"1.0".into(), &"acme/new".into()));
        assert_eq!(release["dist"]["url"], "base/dist/acme/hello/1.0.zip", "its own URL is dropped");
        assert_eq!(release["dist"]["shasum"], "cd".repeat(20));
        assert_eq!(branches["packages"]["acme/hello"][0]["version"], "dev-feature/x");
    }

    #[test]
    fn a_text_that_is_no_name_abandons_without_a_replacement() {
        let texts = built(vec![with("1.0", &[("deprecated", "it is old")])]);
        assert_eq!(texts[0].1["packages"]["acme/hello"][0]["abandoned"], true);
    }

    #[test]
    fn yanked_versions_are_not_listed() {
        assert_eq!(built(vec![with("1.0", &[("yanked", "")]), with("1.1", &[("unlisted", "")])]), []);
        let texts = built(vec![with("1.0", &[("yanked", "")]), with("1.1", &[])]);
        assert_eq!(texts[0].1["packages"]["acme/hello"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn other_packages_have_no_documents() {
        assert_eq!(Composer.build(&package("Hello")), Ok(Vec::new()));
    }
}
