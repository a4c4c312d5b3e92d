//! The metadata of the publish call.

use serde::Deserialize;

use super::{
    features::Features,
    release::{CrateDependency, CrateProfile, CrateRelease},
};
use crate::readers::json;

/// The maximum size of the metadata in bytes.
pub const METADATA_BYTES: u32 = 4 * 1024 * 1024;

/// Returns the size of the metadata from the four bytes before it.
pub fn metadata_length(prefix: [u8; 4]) -> Result<u32, String> {
    match u32::from_le_bytes(prefix) {
        length if length > METADATA_BYTES => Err(format!("the metadata is larger than {METADATA_BYTES} bytes")),
        length => Ok(length),
    }
}

/// Returns the size of the `.crate` file from the four bytes before it. The file must be the rest of the body, if the
/// body has a length.
pub fn crate_length(prefix: [u8; 4], rest_bytes: Option<u64>) -> Result<u32, String> {
    let length = u32::from_le_bytes(prefix);
    match rest_bytes {
        Some(rest) if rest != u64::from(length) => {
            Err(format!("the crate has {length} bytes by its length prefix, but {rest} bytes follow"))
        }
        _ => Ok(length),
    }
}

/// Parses and checks the metadata; the error is for a response with status 400.
pub fn parse(bytes: &[u8]) -> Result<CrateRelease, String> {
    if bytes.len() > METADATA_BYTES as usize {
        return Err(format!("the metadata is larger than {METADATA_BYTES} bytes"));
    }
    let value = json::parse_unique(bytes).map_err(|reason| format!("the metadata is not valid: {reason}"))?;
    let metadata: Metadata =
        serde_json::from_value(value).map_err(|error| format!("the metadata is not valid: {error}"))?;
    let release = CrateRelease::from(metadata);
    release.check()?;
    Ok(release)
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    vers: String,
    #[serde(default)]
    deps: Vec<Dependency>,
    #[serde(default)]
    features: Features,
    links: Option<String>,
    rust_version: Option<String>,
    description: Option<String>,
    license: Option<String>,
    homepage: Option<String>,
    repository: Option<String>,
    documentation: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    version_req: String,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    optional: bool,
    #[serde(default = "yes")]
    default_features: bool,
    target: Option<String>,
    kind: Option<String>,
    registry: Option<String>,
    explicit_name_in_toml: Option<String>,
}

fn yes() -> bool {
    true
}

impl From<Metadata> for CrateRelease {
    fn from(metadata: Metadata) -> Self {
        Self {
            name: metadata.name,
            version: metadata.vers,
            dependencies: metadata.deps.into_iter().map(CrateDependency::from).collect(),
            features: metadata.features,
            links: metadata.links,
            rust_version: metadata.rust_version,
            profile: CrateProfile {
                description: metadata.description,
                license: metadata.license,
                homepage: metadata.homepage,
                repository: metadata.repository,
                documentation: metadata.documentation,
                keywords: metadata.keywords,
            },
        }
    }
}

impl From<Dependency> for CrateDependency {
    fn from(dependency: Dependency) -> Self {
        let (name, package) = match dependency.explicit_name_in_toml {
            Some(alias) => (alias, Some(dependency.name)),
            None => (dependency.name, None),
        };
        Self {
            name,
            req: dependency.version_req,
            features: dependency.features,
            optional: dependency.optional,
            default_features: dependency.default_features,
            target: dependency.target,
            kind: dependency.kind.unwrap_or_else(|| "normal".to_owned()),
            registry: dependency.registry,
            package,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_beyond_the_limits_are_refused() {
        assert_eq!(metadata_length([2, 1, 0, 0]), Ok(258));
        assert_eq!(metadata_length([0xff; 4]), Err("the metadata is larger than 4194304 bytes".to_owned()));
        assert_eq!(crate_length([5, 0, 0, 0], Some(5)), Ok(5));
        assert_eq!(crate_length([5, 0, 0, 0], None), Ok(5));
        let reason = "the crate has 4294967295 bytes by its length prefix, but 10 bytes follow";
        assert_eq!(crate_length([0xff; 4], Some(10)), Err(reason.to_owned()));
        assert!(parse(&vec![b' '; 4 * 1024 * 1024 + 1]).is_err());
    }

    #[test]
    fn metadata_is_checked() {
        let release =
            parse(br#"{"name":"hello","vers":"1.0.0","authors":[],"badges":{},"description":"d"}"#).expect("valid");
        assert_eq!((release.name.as_str(), release.profile.description.as_deref()), ("hello", Some("d")));
        for (text, reason) in [
            (r#"{"vers":"1.0.0"}"#, "missing field `name`"),
            (r#"{"name":"hello","vers":"1.0 .0"}"#, "version '1.0 .0' is not valid"),
            (r#"{"name":"hello","vers":" 1.0.0"}"#, "version ' 1.0.0' is not valid"),
            (r#"{"name":"1","vers":"1.0.0"}"#, "crate name '1' is not valid"),
            (r#"{"name":"config.json","vers":"1.0.0"}"#, "crate name 'config.json' is not valid"),
            (r#"{"name":"a","name":"b","vers":"1.0.0"}"#, "key 'name' appears twice"),
            (r#"{"name":"a","vers":"1.0.0","features":{"a\u0007":[]}}"#, "feature name"),
            (
                r#"{"name":"a","vers":"1.0.0","deps":[{"name":"b","version_req":"1","registry":"javascript:x"}]}"#,
                "registry",
            ),
            ("[]", "the metadata is not valid"),
            ("", "the metadata is not valid"),
        ] {
            let refusal = parse(text.as_bytes()).expect_err(text);
            assert!(refusal.contains(reason), "{text}: {refusal}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_metadata_or_refused(text in "[{}\\[\\]\":,a-z1.]{0,40}") {
            let _ = parse(text.as_bytes());
        }
    }
}
