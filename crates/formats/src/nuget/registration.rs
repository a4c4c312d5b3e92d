//! Registrations: the metadata of all versions of an id.

use model::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use super::{
    layout::{leaf_path, package_path, registration_path},
    nuspec::Nuspec,
    version::NugetVersion,
};
use crate::{
    base::{BASE, json_text},
    documents::seconds,
};

/// Up to this many versions are in the index itself.
const INLINE: usize = 128;

/// The number of versions on a page of its own.
const PAGE: usize = 64;

/// The time that clients know as "unlisted".
const UNLISTED: &str = "1900-01-01T00:00:00Z";

/// A published version of an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredVersion {
    /// The version.
    pub version: NugetVersion,
    /// The metadata of its package.
    pub nuspec: Nuspec,
    /// The time of its publication.
    pub published: Timestamp,
    /// Whether search and listings leave it out.
    pub is_unlisted: bool,
    /// The reason if it is deprecated.
    pub deprecation: Option<String>,
}

/// The registration index; `None` without versions. Large ones have pages of their own.
pub fn registration_index(versions: &[RegisteredVersion]) -> Option<String> {
    let sorted = sorted(versions);
    let first = sorted.first()?;
    let own = format!("{BASE}/{}", registration_path(&first.nuspec.id));
    let is_inline = sorted.len() <= INLINE;
    let pages: Vec<Value> =
        sorted.chunks(if is_inline { INLINE } else { PAGE }).map(|page| entry(page, is_inline)).collect();
    Some(json_text(&json!({ "@id": own, "count": pages.len(), "items": pages })))
}

/// The pages of a large registration, with their paths.
pub fn registration_pages(versions: &[RegisteredVersion]) -> Vec<(String, String)> {
    let sorted = sorted(versions);
    let pages = sorted.chunks(PAGE).filter(|_| sorted.len() > INLINE);
    pages
        .map(|page| {
            let url = page_url(page, false);
            let path = url.strip_prefix(BASE).unwrap_or(&url).trim_start_matches('/').to_owned();
            (path, json_text(&page_document(page, &url, true)))
        })
        .collect()
}

/// The registration of one version.
pub fn registration_leaf(version: &RegisteredVersion) -> String {
    let id = &version.nuspec.id;
    json_text(&json!({
        "@id": format!("{BASE}/{}", leaf_path(id, &version.version)),
        "catalogEntry": catalog_entry(version),
        "listed": !version.is_unlisted,
        "packageContent": format!("{BASE}/{}", package_path(id, &version.version)),
        "published": published(version),
        "registration": format!("{BASE}/{}", registration_path(id)),
    }))
}

fn sorted(versions: &[RegisteredVersion]) -> Vec<&RegisteredVersion> {
    let mut sorted: Vec<&RegisteredVersion> = versions.iter().collect();
    sorted.sort_by(|left, right| left.version.cmp(&right.version));
    sorted
}

fn entry(page: &[&RegisteredVersion], is_inline: bool) -> Value {
    page_document(page, &page_url(page, is_inline), is_inline)
}

/// The URL of a page: part of the index, or a document of its own.
fn page_url(page: &[&RegisteredVersion], is_inline: bool) -> String {
    let (Some(first), Some(last)) = (page.first(), page.last()) else { return String::new() };
    let (low, high) = (first.version.lower(), last.version.lower());
    if is_inline {
        return format!("{BASE}/{}#page/{low}/{high}", registration_path(&first.nuspec.id));
    }
    format!("{BASE}/registration/{}/page/{low}/{high}.json", first.nuspec.id.lower())
}

fn page_document(page: &[&RegisteredVersion], url: &str, has_items: bool) -> Value {
    let bound = |item: Option<&&RegisteredVersion>| item.map(|item| item.version.lower());
    let mut document = json!({
        "@id": url, "count": page.len(), "lower": bound(page.first()), "upper": bound(page.last()),
    });
    if has_items {
        document["items"] = page.iter().map(|item| leaf(item)).collect();
        document["parent"] = page.first().map(|item| format!("{BASE}/{}", registration_path(&item.nuspec.id))).into();
    }
    document
}

fn leaf(version: &RegisteredVersion) -> Value {
    let id = &version.nuspec.id;
    json!({
        "@id": format!("{BASE}/{}", leaf_path(id, &version.version)),
        "packageContent": format!("{BASE}/{}", package_path(id, &version.version)),
        "registration": format!("{BASE}/{}", registration_path(id)),
        "catalogEntry": catalog_entry(version),
    })
}

fn published(version: &RegisteredVersion) -> String {
    if version.is_unlisted { UNLISTED.to_owned() } else { seconds(version.published) }
}

fn catalog_entry(version: &RegisteredVersion) -> Value {
    let nuspec = &version.nuspec;
    let mut entry = Map::new();
    let mut add = |key: &str, value: Value| match value {
        Value::Null => {}
        value => drop(entry.insert(key.to_owned(), value)),
    };
    add("@id", format!("{BASE}/{}", leaf_path(&nuspec.id, &version.version)).into());
    add("id", nuspec.id.as_str().into());
    add("version", version.version.to_string().into());
    add("authors", nuspec.authors.as_str().into());
    add("description", nuspec.description.as_str().into());
    add("title", nuspec.title.as_deref().into());
    add("summary", nuspec.summary.as_deref().into());
    add("licenseExpression", nuspec.license_expression.as_deref().into());
    add("licenseUrl", nuspec.license_url.as_deref().into());
    add("projectUrl", nuspec.project_url.as_deref().into());
    add("iconUrl", nuspec.icon_url.as_deref().into());
    add("minClientVersion", nuspec.min_client_version.as_deref().into());
    add("listed", (!version.is_unlisted).into());
    add("published", published(version).into());
    add("tags", nuspec.tags.clone().into());
    add("requireLicenseAcceptance", nuspec.require_license_acceptance.into());
    add("packageContent", format!("{BASE}/{}", package_path(&nuspec.id, &version.version)).into());
    add("dependencyGroups", dependency_groups(nuspec));
    if let Some(message) = &version.deprecation {
        add("deprecation", json!({ "reasons": ["Other"], "message": message }));
    }
    Value::Object(entry)
}

fn dependency_groups(nuspec: &Nuspec) -> Value {
    let mut groups = Vec::new();
    for group in &nuspec.dependency_groups {
        let dependency = |d: &super::nuspec::NugetDependency| json!({ "id": d.id.as_str(), "range": d.range });
        let mut value = json!({ "dependencies": group.dependencies.iter().map(dependency).collect::<Vec<_>>() });
        if let Some(framework) = &group.target_framework {
            value["targetFramework"] = framework.as_str().into();
        }
        groups.push(value);
    }
    groups.into()
}

#[cfg(test)]
#[path = "registration_tests.rs"]
mod tests;
