//! The calls of `gem push` and `gem yank`, and small documents.

use serde_json::{Value, json};

use super::{
    name::{GemName, RUBY, check_platform, number},
    specification::GemSpecification,
    version::{self, GemVersion},
};

/// The answer to a push.
pub fn pushed(specification: &GemSpecification) -> String {
    format!("Successfully registered gem: {} ({})", specification.name.as_str(), specification.number())
}

/// The answer to a yank.
pub fn yanked(target: &YankTarget) -> String {
    format!("Successfully deleted gem: {} ({})", target.name.as_str(), target.number())
}

/// The version that a yank names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YankTarget {
    /// The gem.
    pub name: GemName,
    /// The version.
    pub version: GemVersion,
    /// The platform.
    pub platform: String,
}

impl YankTarget {
    /// Reads the form fields `gem_name`, `version` and `platform`.
    pub fn parse(fields: &[(&str, &str)]) -> Result<Self, String> {
        let field = |name: &str| {
            let mut values = fields.iter().filter(|(key, _)| *key == name).map(|(_, value)| *value);
            match (values.next(), values.next()) {
                (value, None) => Ok(value.filter(|value| !value.is_empty())),
                _ => Err(format!("the field '{name}' stands twice")),
            }
        };
        let platform = field("platform")?.unwrap_or(RUBY).to_owned();
        check_platform(&platform)?;
        Ok(Self {
            name: GemName::parse(field("gem_name")?.ok_or("the field 'gem_name' is missing")?)?,
            version: GemVersion::parse(field("version")?.ok_or("the field 'version' is missing")?)?,
            platform,
        })
    }

    /// The version with its platform.
    pub fn number(&self) -> String {
        number(&self.version, &self.platform)
    }
}

/// `api/v1/versions/<gem>.json`: the versions, highest first, each with its SHA-256 in hex.
pub fn versions_document(versions: &[(&GemSpecification, &str)]) -> String {
    let mut sorted = versions.to_vec();
    sorted.sort_by(|left, right| version::compare(right.0.version.as_str(), left.0.version.as_str()));
    let entry = |(spec, sha256): &(&GemSpecification, &str)| {
        json!({
            "number": spec.version.as_str(), "platform": spec.platform, "prerelease": spec.version.is_prerelease(),
            "summary": spec.summary, "description": spec.description, "authors": spec.authors.join(", "),
            "licenses": spec.licenses, "metadata": spec.metadata, "sha": sha256,
        })
    };
    Value::from(sorted.iter().map(entry).collect::<Vec<_>>()).to_string()
}

/// `api/v1/gems/<gem>.json`: the gem by its newest version.
pub fn gem_document(spec: &GemSpecification, downloads: u64) -> Value {
    json!({
        "name": spec.name.as_str(), "version": spec.version.as_str(), "platform": spec.platform,
        "authors": spec.authors.join(", "), "info": spec.description.as_deref().unwrap_or(&spec.summary),
        "licenses": spec.licenses, "homepage_uri": spec.homepage, "downloads": downloads,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::specification::tests::specification, *};

    #[test]
    fn answers_name_the_gem() {
        let spec = specification("hello", "java");
        assert_eq!(pushed(&spec), "Successfully registered gem: hello (1.1.0-java)");
        let target = YankTarget::parse(&[("gem_name", "hello"), ("version", "1.0.0"), ("platform", "")]);
        assert_eq!(target.as_ref().map(yanked).as_deref(), Ok("Successfully deleted gem: hello (1.0.0)"));
        for bad in [
            &[("version", "1")][..],
            &[("gem_name", "hello")],
            &[("gem_name", "hello"), ("version", "1"), ("version", "2")],
            &[("gem_name", "hello"), ("version", "1"), ("platform", "../x")],
        ] {
            assert!(YankTarget::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn documents_are_json() {
        let spec = specification("hello", "ruby");
        let versions: Value = serde_json::from_str(&versions_document(&[(&spec, "9f86")])).expect("JSON");
        assert_eq!((&versions[0]["number"], &versions[0]["sha"]), (&json!("1.1.0"), &json!("9f86")));
        assert_eq!(gem_document(&spec, 7)["downloads"], 7);
    }
}
