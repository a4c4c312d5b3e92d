//! The list of versions and the registration of an id as indexes of its package.

use model::file_path::FilePath;
use operations::format::{IndexText, PackageIndexes, PackageView, VersionView};

use super::{
    format::Nuget,
    id::NugetId,
    index,
    layout::{NugetPath, registration_path, versions_path},
    nuspec::Nuspec,
    registration::{self, RegisteredVersion},
    version::NugetVersion,
};

/// The mark of versions that search and listings leave out. Yanked ones are left out, too.
pub(super) const UNLISTED: &str = "unlisted";
const YANKED: &str = "yanked";
const DEPRECATED: &str = "deprecated";

impl PackageIndexes for Nuget {
    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        // A package whose name no id can have has no indexes.
        let Ok(id) = NugetId::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let mut versions = Vec::new();
        for version in &package.versions {
            versions.extend(registered(version)?);
        }
        let Some(index) = registration::registration_index(&versions) else { return Ok(Vec::new()) };
        let numbers: Vec<NugetVersion> = versions.iter().map(|version| version.version.clone()).collect();
        let mut texts = vec![(versions_path(&id), index::version_list(&numbers)), (registration_path(&id), index)];
        texts.extend(registration::registration_pages(&versions));
        let text = |(path, content): (String, String)| {
            let path = FilePath::parse(&path).map_err(|error| error.to_string())?;
            Ok::<_, String>(IndexText { path, content })
        };
        texts.into_iter().map(text).collect()
    }
}

/// Whether search and listings leave a version out.
pub(super) fn is_unlisted(version: &VersionView) -> bool {
    version.mark(UNLISTED).is_some() || version.mark(YANKED).is_some()
}

/// A version with the metadata of its package; `None` if it has no package.
pub(super) fn registered(version: &VersionView) -> Result<Option<RegisteredVersion>, String> {
    let is_package = |path: &FilePath| matches!(NugetPath::parse(path.as_str()), Some(NugetPath::Package(..)));
    let file = version.files.iter().find(|file| is_package(&file.path));
    // A file from before its repository had this format was not inspected.
    let Some((file, about)) = file.and_then(|file| Some((file, file.about.as_deref()?))) else { return Ok(None) };
    let nuspec = Nuspec::parse(about)?;
    Ok(Some(RegisteredVersion {
        version: nuspec.version()?,
        nuspec,
        published: file.published,
        is_unlisted: is_unlisted(version),
        deprecation: version.mark(DEPRECATED).map(str::to_owned),
    }))
}

#[cfg(test)]
mod tests {
    use super::{super::samples::nupkg, *};
    use crate::native_samples::{mark, package, version};

    fn hello(numbers: impl IntoIterator<Item = String>) -> PackageView {
        let mut hello = package("acme.hello");
        for number in numbers {
            let path = format!("flat/acme.hello/{number}/acme.hello.{number}.nupkg");
            hello.versions.push(version(&Nuget, &number, &path, &nupkg("Acme.Hello", &number)));
        }
        hello
    }

    #[test]
    fn unlisted_versions_stay_in_the_list() {
        let mut hello = hello(["1.1.0".to_owned(), "1.0.0".to_owned()]);
        hello.versions[1].marks.push(mark(UNLISTED, ""));
        let texts = Nuget.build(&hello).expect("built");
        let paths: Vec<&str> = texts.iter().map(|text| text.path.as_str()).collect();
        assert_eq!(paths, ["flat/acme.hello/index.json", "registration/acme.hello/index.json"]);
        assert_eq!(texts[0].content, r#"{"versions":["1.0.0","1.1.0"]}"#);
        assert!(texts[1].content.contains("\"id\":\"Acme.Hello\""), "{}", texts[1].content);
        assert!(texts[1].content.contains("\"listed\":false,") && texts[1].content.contains("1900-01-01"));
        hello.versions.iter_mut().for_each(|version| version.files[0].about = None);
        assert_eq!(Nuget.build(&hello), Ok(Vec::new()));
    }

    #[test]
    fn many_versions_have_pages() {
        let hello = hello((0..130).map(|minor| format!("1.{minor}.0")));
        let texts = Nuget.build(&hello).expect("built");
        let pages: Vec<&IndexText> = texts.iter().filter(|text| text.path.as_str().contains("/page/")).collect();
        assert_eq!(pages.len(), 3);
        assert_eq!(pages[2].path.as_str(), "registration/acme.hello/page/1.128.0/1.129.0.json");
        assert!(pages.iter().all(|page| texts[1].content.contains(page.path.as_str())));
    }
}
