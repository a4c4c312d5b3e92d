//! References to recipes: `name/version[@user/channel]`.

use model::names::{PackageName, VersionName};

use crate::readers::quoted;

/// Stands in URLs for no user and no channel.
const NONE: &str = "_";

/// A reference to a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConanReference {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The user and the channel, if it has them.
    pub user_channel: Option<(String, String)>,
}

impl ConanReference {
    /// Parses the four segments of URLs; `_` stands for no user and no channel.
    pub fn parse(name: &str, version: &str, user: &str, channel: &str) -> Result<Self, String> {
        check(name, "name", 2, false)?;
        check(version, "version", 1, true)?;
        let user_channel = match (user, channel) {
            (NONE, NONE) => None,
            (NONE, _) | (_, NONE) => return Err("user and channel are given together or not at all".to_owned()),
            (user, channel) => {
                check(user, "user", 1, true)?;
                check(channel, "channel", 1, true)?;
                Some((user.to_owned(), channel.to_owned()))
            }
        };
        Ok(Self { name: name.to_owned(), version: version.to_owned(), user_channel })
    }

    /// The four segments of URLs and files.
    pub fn path(&self) -> String {
        let (user, channel) = self.user_channel.as_ref().map_or((NONE, NONE), |(user, channel)| (user, channel));
        format!("{}/{}/{user}/{channel}", self.name, self.version)
    }

    /// The package of the recipe.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.name).map_err(|error| error.to_string())
    }

    /// The name of our version: `1.0`, or `1.0@user:channel`.
    pub fn version_name(&self) -> Result<VersionName, String> {
        let name = match &self.user_channel {
            None => self.version.clone(),
            Some((user, channel)) => format!("{}@{user}:{channel}", self.version),
        };
        VersionName::parse(&name).map_err(|error| error.to_string())
    }

    /// The reference of one of our versions, if it can be one.
    pub fn of_version(package: &PackageName, version: &VersionName) -> Option<Self> {
        let (version, user, channel) = match version.as_str().split_once('@') {
            None => (version.as_str(), NONE, NONE),
            Some((version, rest)) => {
                let (user, channel) = rest.split_once(':')?;
                (version, user, channel)
            }
        };
        Self::parse(package.as_str(), version, user, channel).ok()
    }
}

impl std::fmt::Display for ConanReference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name, self.version)?;
        match &self.user_channel {
            Some((user, channel)) => write!(f, "@{user}/{channel}"),
            None => Ok(()),
        }
    }
}

fn check(text: &str, what: &str, least: usize, has_upper_case: bool) -> Result<(), String> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || (has_upper_case && byte.is_ascii_uppercase());
    let is_word = |byte: u8| is_letter(byte) || byte.is_ascii_digit() || byte == b'_';
    let is_valid = (least..=101).contains(&text.len())
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(|byte| is_word(byte) || matches!(byte, b'+' | b'.' | b'-'));
    if is_valid {
        return Ok(());
    }
    let letters = if has_upper_case { "letters" } else { "lower-case letters" };
    Err(format!("{what} '{}' is not valid: it holds {letters}, digits, '_', '+', '.' and '-'", quoted(text)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_have_four_segments() {
        let plain = ConanReference::parse("hello", "1.0", "_", "_").expect("valid");
        assert_eq!((plain.to_string().as_str(), plain.path().as_str()), ("hello/1.0", "hello/1.0/_/_"));
        let full = ConanReference::parse("hello", "1.0", "acme", "stable").expect("valid");
        assert_eq!(full.to_string(), "hello/1.0@acme/stable");
        assert_eq!(full.version_name().expect("a name").as_str(), "1.0@acme:stable");
        for (name, version, user, channel) in [
            ("h", "1.0", "_", "_"),
            ("Hello", "1.0", "_", "_"),
            ("hello", "", "_", "_"),
            ("hello", "..", "_", "_"),
            ("hello", "1.0", "acme", "_"),
            ("hello", "1.0", "_", "stable"),
            ("hello", "1.0", "a/b", "c"),
            ("hello", "1 0", "_", "_"),
            ("../x", "1.0", "_", "_"),
        ] {
            assert!(ConanReference::parse(name, version, user, channel).is_err(), "{name} {version} {user} {channel}");
        }
    }

    proptest! {
        #[test]
        fn references_and_versions_map_both_ways(
            name in "[a-z0-9_][a-z0-9_+.-]{1,9}", version in "[a-z0-9][a-z0-9_+.-]{0,9}", is_plain: bool,
        ) {
            let (user, channel) = if is_plain { ("_", "_") } else { ("acme", "dev.1") };
            let reference = ConanReference::parse(&name, &version, user, channel).expect("valid");
            let package = reference.package().expect("a name");
            let own = reference.version_name().expect("a name");
            prop_assert_eq!(ConanReference::of_version(&package, &own), Some(reference));
        }
    }
}
