//! The service index and the list of versions.

use serde_json::{Value, json};

use super::version::NugetVersion;
use crate::base::{BASE, json_text};

/// The service index: the URLs of all resources.
pub fn service_index() -> String {
    let resource = |path: &str, kind: &str| json!({ "@id": format!("{BASE}/{path}"), "@type": kind });
    let resources: Vec<Value> = [
        ("publish", "PackagePublish/2.0.0"),
        ("symbols", "SymbolPackagePublish/4.9.0"),
        ("flat/", "PackageBaseAddress/3.0.0"),
        ("registration/", "RegistrationsBaseUrl"),
        ("registration/", "RegistrationsBaseUrl/3.0.0-rc"),
        ("registration/", "RegistrationsBaseUrl/3.4.0"),
        ("registration/", "RegistrationsBaseUrl/3.6.0"),
        ("query", "SearchQueryService"),
        ("query", "SearchQueryService/3.0.0-rc"),
        ("query", "SearchQueryService/3.5.0"),
        ("autocomplete", "SearchAutocompleteService"),
        ("autocomplete", "SearchAutocompleteService/3.5.0"),
    ]
    .into_iter()
    .map(|(path, kind)| resource(path, kind))
    .collect();
    json_text(&json!({ "version": "3.0.0", "resources": resources }))
}

/// The list of versions for the flat container: ascending, in normal form and lower case, with unlisted ones.
pub fn version_list(versions: &[NugetVersion]) -> String {
    let mut versions: Vec<&NugetVersion> = versions.iter().collect();
    versions.sort();
    let texts: Vec<String> = versions.into_iter().map(NugetVersion::lower).collect();
    json_text(&json!({ "versions": texts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_index_has_absolute_urls() {
        let index = service_index();
        assert!(index.contains("{\"@id\":\"\u{2}base\u{2}/publish\",\"@type\":\"PackagePublish/2.0.0\"}"), "{index}");
        assert_eq!(index.matches(BASE).count(), 12);
    }

    #[test]
    fn versions_are_ascending() {
        let versions = ["1.10", "1.2", "1.2-Beta"].map(|text| NugetVersion::parse(text).expect("a version"));
        assert_eq!(version_list(&versions), r#"{"versions":["1.2.0-beta","1.2.0","1.10.0"]}"#);
    }
}
