//! Answers to searches.

use serde_json::{Value, json};

use super::{
    id::NugetId,
    layout::{leaf_path, registration_path},
    version::NugetVersion,
};
use crate::base::{BASE, json_text};

/// The maximum number of hits in an answer.
pub const HITS: usize = 250;

/// A package that a search found, with its listed versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NugetHit {
    /// The id.
    pub id: NugetId,
    /// The description.
    pub description: String,
    /// The authors.
    pub authors: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The listed versions that fit the search, with their downloads.
    pub versions: Vec<(NugetVersion, u64)>,
}

/// The answer to a search. `total` counts all hits, also those on other pages. Packages without a listed version are
/// left out.
pub fn search_answer(total: u64, hits: &[NugetHit]) -> String {
    let data: Vec<Value> = hits.iter().take(HITS).filter_map(hit).collect();
    json_text(&json!({ "totalHits": total, "data": data }))
}

fn hit(hit: &NugetHit) -> Option<Value> {
    let mut versions: Vec<&(NugetVersion, u64)> = hit.versions.iter().collect();
    versions.sort_by(|left, right| left.0.cmp(&right.0));
    let newest = versions.iter().rfind(|(version, _)| !version.is_prerelease()).or(versions.last())?;
    let version = |(version, downloads): &&(NugetVersion, u64)| {
        let url = format!("{BASE}/{}", leaf_path(&hit.id, version));
        json!({ "version": version.to_string(), "downloads": downloads, "@id": url })
    };
    let registration = format!("{BASE}/{}", registration_path(&hit.id));
    Some(json!({
        "@id": registration,
        "registration": registration,
        "id": hit.id.as_str(),
        "version": newest.0.to_string(),
        "description": hit.description,
        "authors": hit.authors,
        "tags": hit.tags,
        "totalDownloads": versions.iter().map(|(_, downloads)| downloads).sum::<u64>(),
        "verified": false,
        "versions": versions.iter().map(version).collect::<Vec<_>>(),
    }))
}

/// The answer to a completion of an id.
pub fn autocomplete_ids(total: u64, ids: &[NugetId]) -> String {
    let ids: Vec<&str> = ids.iter().take(HITS).map(NugetId::as_str).collect();
    json_text(&json!({ "totalHits": total, "data": ids }))
}

/// The answer to a list of an id's versions.
pub fn autocomplete_versions(versions: &[NugetVersion]) -> String {
    let mut versions: Vec<&NugetVersion> = versions.iter().collect();
    versions.sort();
    let texts: Vec<String> = versions.iter().map(ToString::to_string).collect();
    json_text(&json!({ "data": texts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> NugetVersion {
        NugetVersion::parse(text).expect("a version")
    }

    #[test]
    fn a_hit_has_its_newest_release() {
        let id = NugetId::parse("Acme.Hello").expect("an id");
        let versions = vec![(version("1.0"), 3), (version("2.0-beta"), 1), (version("1.1"), 2)];
        let hit = NugetHit { id: id.clone(), description: "d".into(), authors: "a".into(), tags: vec![], versions };
        let empty = NugetHit { versions: vec![], ..hit.clone() };
        let answer = search_answer(2, &[hit, empty]).replace(BASE, "BASE");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!((&answer["totalHits"], answer["data"].as_array().map(Vec::len)), (&json!(2), Some(1)));
        let data = &answer["data"][0];
        assert_eq!((&data["version"], &data["totalDownloads"]), (&json!("1.1.0"), &json!(6)));
        assert_eq!(data["versions"][2]["@id"], "BASE/registration/acme.hello/2.0.0-beta.json");
        assert_eq!(autocomplete_ids(1, &[id]), r#"{"data":["Acme.Hello"],"totalHits":1}"#);
        assert_eq!(autocomplete_versions(&[version("1.1"), version("1.0")]), r#"{"data":["1.0.0","1.1.0"]}"#);
    }
}
