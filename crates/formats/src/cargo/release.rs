//! A release of a crate: the facts that the index and the profile need.

#[cfg(test)]
mod tests;

use semver::VersionReq;
use serde::{Deserialize, Serialize};

use super::{
    features::{self, Features},
    name, version,
};
use crate::readers::quoted;

/// The index of crates.io, as dependencies name it.
pub const CRATES_IO: &str = "https://github.com/rust-lang/crates.io-index";

/// The maximum number of dependencies.
const DEPENDENCIES: usize = 2_000;

/// The maximum length of a text in a dependency in bytes.
const TEXT_BYTES: usize = 1_000;

/// A release of a crate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CrateRelease {
    /// The name as it is spelled.
    pub name: String,
    /// The version.
    pub version: String,
    /// All dependencies.
    pub dependencies: Vec<CrateDependency>,
    /// All features.
    pub features: Features,
    /// The native library that it links to.
    pub links: Option<String>,
    /// The oldest supported version of Rust.
    pub rust_version: Option<String>,
    /// Texts for an empty profile.
    pub profile: CrateProfile,
}

/// A dependency as the index has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CrateDependency {
    /// The name in the code, which may differ from that of the crate.
    pub name: String,
    /// The required versions.
    pub req: String,
    /// The enabled features.
    pub features: Vec<String>,
    /// Whether it is optional.
    pub optional: bool,
    /// Whether the default features are enabled.
    pub default_features: bool,
    /// The platform that needs it.
    pub target: Option<String>,
    /// `normal`, `dev` or `build`.
    pub kind: String,
    /// The URL of its registry's index; `None` for the registry that has this crate.
    pub registry: Option<String>,
    /// The name of the crate if `name` is another.
    pub package: Option<String>,
}

/// Texts about a crate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CrateProfile {
    /// The description.
    pub description: Option<String>,
    /// The licence expression.
    pub license: Option<String>,
    /// The home page.
    pub homepage: Option<String>,
    /// The source repository.
    pub repository: Option<String>,
    /// The documentation.
    pub documentation: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
}

impl CrateRelease {
    /// Checks everything that the index repeats.
    pub fn check(&self) -> Result<(), String> {
        name::CrateName::parse(&self.name)?;
        version::parse(&self.version)?;
        features::check(&self.features)?;
        if self.dependencies.len() > DEPENDENCIES {
            return Err(format!("there are more than {DEPENDENCIES} dependencies"));
        }
        for dependency in &self.dependencies {
            dependency.check().map_err(|reason| format!("dependency '{}': {reason}", quoted(&dependency.name)))?;
        }
        let is_line = |text: &String| text.len() <= TEXT_BYTES && !text.chars().any(char::is_control);
        if !self.links.iter().all(is_line) {
            return Err("'links' is not one short line".to_owned());
        }
        match &self.rust_version {
            Some(text) if !is_rust_version(text) => Err(format!("rust_version '{}' is not valid", quoted(text))),
            _ => Ok(()),
        }
    }
}

impl CrateDependency {
    fn check(&self) -> Result<(), String> {
        name::check_characters(self.name.strip_prefix('_').unwrap_or(&self.name))?;
        if let Some(package) = &self.package {
            name::check_characters(package).map_err(|reason| format!("crate name '{}': {reason}", quoted(package)))?;
        }
        VersionReq::parse(&self.req).map_err(|error| format!("requirement '{}': {error}", quoted(&self.req)))?;
        if !matches!(self.kind.as_str(), "normal" | "dev" | "build") {
            return Err(format!("kind '{}' is not valid", quoted(&self.kind)));
        }
        if let Some(bad) = self.features.iter().find(|feature| !features::is_entry(feature)) {
            return Err(format!("feature '{}' is not valid", quoted(bad)));
        }
        let is_line = |text: &String| text.len() <= TEXT_BYTES && !text.chars().any(char::is_control);
        if !self.target.iter().all(is_line) {
            return Err("its target is not one short line".to_owned());
        }
        match &self.registry {
            Some(url) if !is_line(url) || !is_index_url(url) => {
                Err(format!("registry '{}' is not a URL of an index", quoted(url)))
            }
            _ => Ok(()),
        }
    }
}

fn is_index_url(url: &str) -> bool {
    let url = url.strip_prefix("sparse+").or_else(|| url.strip_prefix("registry+")).unwrap_or(url);
    ["https://", "http://", "ssh://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme))
        && !url.contains(char::is_whitespace)
}

/// Two or three numbers, or one.
fn is_rust_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').count() <= 3 && text.split('.').all(is_number)
}
