//! The upload of a package.

use super::{inspect::ComposerPackage, name::ComposerName, version::ComposerVersion};
use crate::readers::quoted;

/// The path of a version's zip. `/` in a branch becomes `:`.
pub fn dist_path(name: &ComposerName, version: &ComposerVersion) -> String {
    format!("dist/{}/{}.zip", name.as_str(), version.as_str().replace('/', ":"))
}

/// Parses the path of a zip.
pub fn parse_dist_path(path: &str) -> Result<(ComposerName, ComposerVersion), String> {
    let invalid = || format!("path '{}' is not 'dist/<vendor>/<name>/<version>.zip'", quoted(path));
    let rest = path.strip_prefix("dist/").and_then(|rest| rest.strip_suffix(".zip")).ok_or_else(invalid)?;
    let (name, version) = rest.rsplit_once('/').ok_or_else(invalid)?;
    Ok((ComposerName::parse(name)?, ComposerVersion::parse(&version.replace(':', "/"))?))
}

/// Returns the version of an upload: that of the query or of composer.json, which must not contradict each other.
pub fn version_of_upload(package: &ComposerPackage, asked: Option<&str>) -> Result<ComposerVersion, String> {
    let asked = asked.filter(|text| !text.is_empty()).map(ComposerVersion::parse).transpose()?;
    let version = match (asked, &package.version) {
        (Some(asked), Some(own)) if asked.normalized() != own.normalized() => {
            let (asked, own) = (asked.as_str(), own.as_str());
            return Err(format!("the upload says version '{asked}', but composer.json says '{own}'"));
        }
        (Some(asked), _) => asked,
        (None, Some(own)) => own.clone(),
        (None, None) => {
            return Err("the package has no version; add it to composer.json or as ?version=".to_owned());
        }
    };
    version.version_name()?;
    Ok(version)
}

/// Refuses a package whose name is not that of its path.
pub fn check_name(package: &ComposerPackage, name: &ComposerName) -> Result<(), String> {
    if package.name == *name {
        return Ok(());
    }
    Err(format!("the package is '{}', but its path says '{}'", package.name.as_str(), name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{super::inspect::parse, *};

    #[test]
    fn the_version_comes_from_query_or_file() {
        let with = parse(br#"{"name":"acme/hello","version":"1.1"}"#).expect("valid");
        let without = parse(br#"{"name":"acme/hello"}"#).expect("valid");
        let version = |package, asked| version_of_upload(package, asked).map(|version| version.as_str().to_owned());
        assert_eq!(version(&with, None).as_deref(), Ok("1.1"));
        assert_eq!(version(&with, Some("v1.1.0")).as_deref(), Ok("v1.1.0"));
        assert_eq!(version(&without, Some("2.0")).as_deref(), Ok("2.0"));
        assert!(version(&with, Some("1.2")).is_err());
        assert!(version(&without, None).is_err() && version(&without, Some("x")).is_err());
        assert!(version(&without, Some("dev-a?b")).is_err());
        let other = ComposerName::parse("acme/other").expect("a name");
        assert!(check_name(&with, &other).is_err());
        assert_eq!(check_name(&with, &with.name), Ok(()));
    }

    #[test]
    fn paths_go_both_ways() {
        let name = ComposerName::parse("acme/hello").expect("a name");
        let branch = ComposerVersion::parse("dev-feature/x").expect("a branch");
        let path = dist_path(&name, &branch);
        assert_eq!(path, "dist/acme/hello/dev-feature:x.zip");
        assert_eq!(parse_dist_path(&path), Ok((name, branch)));
        for bad in ["dist/acme/1.0.zip", "dist/acme/hello/1.0.tar", "acme/hello/1.0.zip", "dist/a/b/latest.zip"] {
            assert!(parse_dist_path(bad).is_err(), "{bad}");
        }
    }
}
