//! The nuspec: a package's own metadata.

use serde::{Deserialize, Serialize};

use super::{id::NugetId, range, version::NugetVersion};
use crate::{documents::clean, readers::xml::XmlElement};

/// The maximum number of dependencies.
const DEPENDENCIES: usize = 5_000;

/// The maximum length of a text.
const TEXT: usize = 4_000;

/// The facts of a nuspec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nuspec {
    /// The id.
    pub id: NugetId,
    /// The version as it is written.
    pub version: String,
    /// The title.
    pub title: Option<String>,
    /// The authors.
    pub authors: String,
    /// The description.
    pub description: String,
    /// The short description.
    pub summary: Option<String>,
    /// The licence as an SPDX expression.
    pub license_expression: Option<String>,
    /// The URL of the licence.
    pub license_url: Option<String>,
    /// The URL of the project.
    pub project_url: Option<String>,
    /// The URL of the icon.
    pub icon_url: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// Whether users must accept the licence.
    pub require_license_acceptance: bool,
    /// The oldest client that can install it.
    pub min_client_version: Option<String>,
    /// The types of the package, for example `DotnetTool`.
    pub package_types: Vec<String>,
    /// The dependencies by target framework.
    pub dependency_groups: Vec<DependencyGroup>,
}

/// The dependencies for one target framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependencyGroup {
    /// The target framework; `None` means any.
    pub target_framework: Option<String>,
    /// The dependencies.
    pub dependencies: Vec<NugetDependency>,
}

/// A dependency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NugetDependency {
    /// The id.
    pub id: NugetId,
    /// The range in its normal form.
    pub range: String,
}

impl Nuspec {
    /// Parses a nuspec. Its namespace does not matter: several are in use.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        parse(bytes).map_err(|reason| format!("the nuspec is not valid: {reason}"))
    }

    /// The version.
    pub fn version(&self) -> Result<NugetVersion, String> {
        NugetVersion::parse(&self.version)
    }
}

fn parse(bytes: &[u8]) -> Result<Nuspec, String> {
    let root = XmlElement::parse(bytes)?;
    if root.name != "package" {
        return Err("its root element is not 'package'".to_owned());
    }
    let mut all = root.children_named("metadata");
    let (Some(metadata), None) = (all.next(), all.next()) else {
        return Err("it needs one 'metadata' element".to_owned());
    };
    let text =
        |name: &str| -> Result<Option<String>, String> { Ok(metadata.child_text(name)?.map(|text| clean(text, TEXT))) };
    let version = metadata.child_text("version")?.ok_or("it has no version")?;
    NugetVersion::parse(version)?;
    let license = metadata.child("license").filter(|license| license.attribute("type") == Some("expression"));
    let types = metadata.child("packageTypes").into_iter().flat_map(|types| types.children_named("packageType"));
    Ok(Nuspec {
        id: NugetId::parse(metadata.child_text("id")?.ok_or("it has no id")?)?,
        version: version.to_owned(),
        title: text("title")?,
        authors: text("authors")?.unwrap_or_default(),
        description: text("description")?.unwrap_or_default(),
        summary: text("summary")?,
        license_expression: license.map(|license| clean(&license.text, 500)),
        license_url: text("licenseUrl")?,
        project_url: text("projectUrl")?,
        icon_url: text("iconUrl")?,
        tags: text("tags")?
            .unwrap_or_default()
            .split([' ', ',', '\n', '\t'])
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        require_license_acceptance: text("requireLicenseAcceptance")?
            .is_some_and(|text| text.eq_ignore_ascii_case("true")),
        min_client_version: metadata.attribute("minClientVersion").map(|text| clean(text, 100)),
        package_types: types.filter_map(|element| element.attribute("name")).map(|name| clean(name, 100)).collect(),
        dependency_groups: dependency_groups(metadata)?,
    })
}

/// Reads groups of dependencies; a list without groups is one group for any framework.
fn dependency_groups(metadata: &XmlElement) -> Result<Vec<DependencyGroup>, String> {
    let Some(list) = metadata.child("dependencies") else { return Ok(Vec::new()) };
    let mut groups = Vec::new();
    let flat = dependencies(list)?;
    if !flat.is_empty() {
        groups.push(DependencyGroup { target_framework: None, dependencies: flat });
    }
    for group in list.children_named("group") {
        let target_framework = group.attribute("targetFramework").map(|text| clean(text, 200));
        groups.push(DependencyGroup { target_framework, dependencies: dependencies(group)? });
    }
    if groups.iter().map(|group| group.dependencies.len() + 1).sum::<usize>() > DEPENDENCIES {
        return Err(format!("it has more than {DEPENDENCIES} dependencies"));
    }
    Ok(groups)
}

fn dependencies(list: &XmlElement) -> Result<Vec<NugetDependency>, String> {
    let read = |element: &XmlElement| {
        let id = NugetId::parse(element.attribute("id").ok_or("a dependency has no id")?)?;
        Ok(NugetDependency { id, range: range::normalize(element.attribute("version").unwrap_or_default())? })
    };
    list.children_named("dependency").map(read).collect()
}

#[cfg(test)]
#[path = "nuspec_tests.rs"]
pub(super) mod tests;
