//! The specification of a gem, from the YAML in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    name::{GemName, RUBY, check_platform, full_name, number},
    requirement::{GemRequirement, read_version},
    version::GemVersion,
};
use crate::{
    documents::clean,
    readers::gem_yaml::{YamlNode, YamlValue},
};

/// The maximum number of dependencies, and the maximum length of a text.
const DEPENDENCIES: usize = 2_000;
const TEXT: usize = 20_000;

/// The facts of a specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GemSpecification {
    /// The name.
    pub name: GemName,
    /// The version.
    pub version: GemVersion,
    /// The platform.
    pub platform: String,
    /// The date of the build, `2026-11-16`.
    pub date: Option<String>,
    /// The summary.
    pub summary: String,
    /// The description.
    pub description: Option<String>,
    /// The authors.
    pub authors: Vec<String>,
    /// The addresses of the authors.
    pub email: Vec<String>,
    /// The URL of the project.
    pub homepage: Option<String>,
    /// The licences.
    pub licenses: Vec<String>,
    /// Further URLs and flags.
    pub metadata: BTreeMap<String, String>,
    /// The dependencies.
    pub dependencies: Vec<GemDependency>,
    /// The versions of Ruby that it runs on.
    pub required_ruby_version: GemRequirement,
    /// The versions of RubyGems that can install it.
    pub required_rubygems_version: GemRequirement,
    /// The version of RubyGems that built it.
    pub rubygems_version: String,
}

/// A dependency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GemDependency {
    /// The name.
    pub name: GemName,
    /// The versions that fit.
    pub requirement: GemRequirement,
    /// Whether only developers of the gem need it.
    pub is_development: bool,
}

impl GemSpecification {
    /// Reads a specification.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let node = YamlNode::parse(bytes).and_then(|node| read(&node));
        node.map_err(|reason| format!("the gem's specification is not valid: {reason}"))
    }

    /// The full name, which the file name must be.
    pub fn full_name(&self) -> String {
        full_name(&self.name, &self.version, &self.platform)
    }

    /// The version with its platform.
    pub fn number(&self) -> String {
        number(&self.version, &self.platform)
    }

    /// The dependencies that users of the gem need.
    pub fn runtime_dependencies(&self) -> impl Iterator<Item = &GemDependency> {
        self.dependencies.iter().filter(|dependency| !dependency.is_development)
    }
}

fn read(node: &YamlNode) -> Result<GemSpecification, String> {
    if node.tag.as_deref() != Some("!ruby/object:Gem::Specification") {
        return Err("it is not a Gem::Specification".to_owned());
    }
    let text = |key: &str| node.get(key).and_then(YamlNode::text).map(|text| clean(text, TEXT));
    let requirement = |key: &str| node.get(key).map_or(Ok(GemRequirement::default()), GemRequirement::read);
    Ok(GemSpecification {
        name: GemName::parse(node.get("name").and_then(YamlNode::text).ok_or("it has no name")?)?,
        version: read_version(node.get("version").ok_or("it has no version")?)?,
        platform: platform(node.get("platform"))?,
        date: text("date").and_then(|date| date.get(..10).filter(|day| is_day(day)).map(str::to_owned)),
        summary: text("summary").unwrap_or_default(),
        description: text("description"),
        authors: texts(node.get("authors")),
        email: texts(node.get("email")),
        homepage: text("homepage"),
        licenses: texts(node.get("licenses")),
        metadata: metadata(node.get("metadata")),
        dependencies: dependencies(node.get("dependencies"))?,
        required_ruby_version: requirement("required_ruby_version")?,
        required_rubygems_version: requirement("required_rubygems_version")?,
        rubygems_version: text("rubygems_version").unwrap_or_default(),
    })
}

fn is_day(text: &str) -> bool {
    model::timestamp::Timestamp::parse(text).is_ok()
}

/// Reads a platform: a text, or an object of processor, system and version.
fn platform(node: Option<&YamlNode>) -> Result<String, String> {
    let Some(node) = node else { return Ok(RUBY.to_owned()) };
    let platform = match node.text() {
        Some("") => RUBY.to_owned(),
        Some(text) => text.to_owned(),
        None => {
            let part = |key: &str| node.get(key).and_then(YamlNode::text).map(str::to_owned);
            [part("cpu"), part("os"), part("version")].into_iter().flatten().collect::<Vec<_>>().join("-")
        }
    };
    check_platform(&platform)?;
    Ok(platform)
}

/// Reads one text or a list of texts.
fn texts(node: Option<&YamlNode>) -> Vec<String> {
    let Some(node) = node else { return Vec::new() };
    let all = match &node.value {
        YamlValue::List(list) => list.as_slice(),
        _ => std::slice::from_ref(node),
    };
    all.iter().filter_map(YamlNode::text).take(200).map(|text| clean(text, 500)).collect()
}

fn metadata(node: Option<&YamlNode>) -> BTreeMap<String, String> {
    let entries = node.and_then(YamlNode::entries).unwrap_or_default();
    let texts = entries.iter().filter_map(|(key, value)| Some((clean(key, 128), clean(value.text()?, 1024))));
    texts.take(100).collect()
}

fn dependencies(node: Option<&YamlNode>) -> Result<Vec<GemDependency>, String> {
    let list = node.map_or(Some(&[][..]), YamlNode::list).ok_or("its dependencies are not a list")?;
    if list.len() > DEPENDENCIES {
        return Err(format!("it has more than {DEPENDENCIES} dependencies"));
    }
    let read = |node: &YamlNode| {
        let name = node.get("name").and_then(YamlNode::text).ok_or("a dependency has no name")?;
        // Old gems call it `version_requirements`.
        let requirement = node.get("requirement").or_else(|| node.get("version_requirements"));
        Ok(GemDependency {
            name: GemName::parse(name)?,
            requirement: GemRequirement::read(requirement.ok_or("a dependency has no requirement")?)?,
            is_development: node.get("type").and_then(YamlNode::text) == Some(":development"),
        })
    };
    list.iter().map(read).collect()
}

#[cfg(test)]
#[path = "specification_tests.rs"]
pub(super) mod tests;
