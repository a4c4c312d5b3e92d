//! Names of gems, platforms, and full names.

use model::names::PackageName;
use serde::{Deserialize, Serialize};

use super::version::GemVersion;
use crate::readers::quoted;

/// The maximum length of a name.
const NAME_BYTES: usize = 150;

/// The platform of gems that run everywhere. It is left out of full names.
pub const RUBY: &str = "ruby";

/// The name of a gem.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GemName(String);

impl GemName {
    /// Parses a name: letters, digits, `.`, `_` and `-`, with at least one letter.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_valid = is_plain(text) && text.len() <= NAME_BYTES && text.bytes().any(|b| b.is_ascii_alphabetic());
        if is_valid {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "gem name '{}' is not valid: use letters, digits, '.', '_' and '-', begin with a letter or digit, \
             and have at least one letter and at most {NAME_BYTES} characters",
            quoted(text)
        ))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The package of the gem.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.0).map_err(|error| error.to_string())
    }
}

/// Checks a platform, for example `x86_64-linux`.
pub fn check_platform(text: &str) -> Result<(), String> {
    if is_plain(text) && text.len() <= 100 {
        return Ok(());
    }
    Err(format!("platform '{}' is not valid", quoted(text)))
}

fn is_plain(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes().next().is_some_and(is_word)
        && !text.contains("..")
        && text.bytes().all(|byte| is_word(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

/// Returns whether a text can be a full name.
pub fn is_full_name(text: &str) -> bool {
    is_plain(text) && text.contains('-') && text.len() <= NAME_BYTES + 202
}

/// The version and the platform of the name of our version. No version has a `-`.
pub fn split_number(number: &str) -> (&str, &str) {
    number.split_once('-').unwrap_or((number, RUBY))
}

/// The version with its platform, which is the name of our version: `1.0.0` or `1.0.0-java`.
pub fn number(version: &GemVersion, platform: &str) -> String {
    if platform == RUBY { version.as_str().to_owned() } else { format!("{}-{platform}", version.as_str()) }
}

/// The full name: `hello-1.0.0` or `hello-1.0.0-java`. It cannot be cut into its parts: look it up as a whole.
pub fn full_name(name: &GemName, version: &GemVersion, platform: &str) -> String {
    format!("{}-{}", name.as_str(), number(version, platform))
}

/// The path of a gem.
pub fn gem_path(full_name: &str) -> String {
    format!("gems/{full_name}.gem")
}

/// The path of a quick specification.
pub fn quick_path(full_name: &str) -> String {
    format!("quick/Marshal.4.8/{full_name}.gemspec.rz")
}

/// The path of a gem's compact index.
pub fn info_path(name: &GemName) -> String {
    format!("info/{}", name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_letter() {
        for good in ["hello", "a", "7zip", "A.b-c_d", "versions", "names", &"x".repeat(150)] {
            assert_eq!(GemName::parse(good).expect(good).package().expect("a name").as_str(), good);
        }
        let long = "x".repeat(1 << 20);
        for bad in ["", "12", "-a", ".a", "_a", "a b", "a/b", "a..b", "a\nb", "a|b", "\u{e9}", &long] {
            assert!(GemName::parse(bad).is_err(), "{}", quoted(bad));
        }
    }

    #[test]
    fn a_gem_named_like_an_index_has_other_paths() {
        let name = GemName::parse("versions").expect("a name");
        assert_eq!(info_path(&name), "info/versions");
    }

    #[test]
    fn full_names_leave_the_ruby_platform_out() {
        let (name, version) =
            (GemName::parse("hello").expect("a name"), GemVersion::parse("1.0.0").expect("a version"));
        assert_eq!(full_name(&name, &version, RUBY), "hello-1.0.0");
        assert_eq!(full_name(&name, &version, "java"), "hello-1.0.0-java");
        assert_eq!(gem_path("hello-1.0.0"), "gems/hello-1.0.0.gem");
        assert_eq!(quick_path("hello-1.0.0"), "quick/Marshal.4.8/hello-1.0.0.gemspec.rz");
        for good in ["java", "x86_64-linux", "universal-darwin-19", "x64-mingw-ucrt"] {
            assert_eq!(check_platform(good), Ok(()));
        }
        for bad in ["../x", "", "a/b", "a\nb", "-x", "a,b"] {
            assert!(check_platform(bad).is_err(), "{bad}");
        }
    }
}
