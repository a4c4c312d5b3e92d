//! The calls of `gem push` and `gem yank`.

use super::{
    name::{GemName, RUBY, check_platform, number},
    version::GemVersion,
};

/// The answer to a push.
pub fn registered(name: &str, number: &str) -> String {
    format!("Successfully registered gem: {name} ({number})")
}

/// The answer to a yank.
pub fn deleted(name: &str, number: &str) -> String {
    format!("Successfully deleted gem: {name} ({number})")
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
                _ => Err(format!("the field '{name}' appears twice")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_name_the_gem() {
        assert_eq!(registered("hello", "1.1.0-java"), "Successfully registered gem: hello (1.1.0-java)");
        let target = YankTarget::parse(&[("gem_name", "hello"), ("version", "1.0.0"), ("platform", "")]);
        let answer = target.map(|target| deleted(target.name.as_str(), &target.number()));
        assert_eq!(answer.as_deref(), Ok("Successfully deleted gem: hello (1.0.0)"));
        for bad in [
            &[("version", "1")][..],
            &[("gem_name", "hello")],
            &[("gem_name", "hello"), ("version", "1"), ("version", "2")],
            &[("gem_name", "hello"), ("version", "1"), ("platform", "../x")],
        ] {
            assert!(YankTarget::parse(bad).is_err(), "{bad:?}");
        }
    }
}
