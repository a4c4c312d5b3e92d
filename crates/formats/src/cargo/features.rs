//! Features of a crate.

use std::collections::BTreeMap;

use crate::readers::quoted;

/// The maximum number of features, and of the entries of all of them.
const FEATURES: usize = 2_000;
const ENTRIES: usize = 20_000;

/// The maximum length of a feature's name or entry in bytes.
const FEATURE_BYTES: usize = 200;

/// Features by name, each with the features and dependencies that it enables.
pub type Features = BTreeMap<String, Vec<String>>;

/// Checks names and entries.
pub fn check(features: &Features) -> Result<(), String> {
    if features.len() > FEATURES || features.values().map(Vec::len).sum::<usize>() > ENTRIES {
        return Err(format!("there are more than {FEATURES} features or {ENTRIES} entries in them"));
    }
    for (name, entries) in features {
        if !is_name(name) {
            return Err(format!("feature name '{}' is not valid", quoted(name)));
        }
        if let Some(bad) = entries.iter().find(|entry| !is_entry(entry)) {
            return Err(format!("feature '{name}' enables '{}', which is not valid", quoted(bad)));
        }
    }
    Ok(())
}

/// Checks the features of a dependency that another crate enables.
pub fn is_entry(entry: &str) -> bool {
    let name = entry.strip_prefix("dep:").unwrap_or(entry);
    match name.split_once('/') {
        Some((dependency, feature)) => is_name(dependency.strip_suffix('?').unwrap_or(dependency)) && is_name(feature),
        None => is_name(name),
    }
}

/// Returns whether a text can be the name of a feature.
fn is_name(text: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
    let is_first = |c: char| c.is_alphanumeric() || c == '_';
    text.len() <= FEATURE_BYTES && text.starts_with(is_first) && text.chars().all(is_inner)
}

/// Splits features into those that all versions of Cargo read, and those with `dep:` or `?/`, which only newer ones do.
pub fn split(features: &Features) -> (Features, Features) {
    let is_new = |entry: &String| entry.starts_with("dep:") || entry.contains("?/");
    features.clone().into_iter().partition(|(_, entries)| !entries.iter().any(is_new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(list: &[(&str, &[&str])]) -> Features {
        list.iter()
            .map(|(name, entries)| ((*name).to_owned(), entries.iter().map(|entry| (*entry).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn new_entries_are_apart() {
        let all = features(&[
            ("a", &["b"]),
            ("b", &[]),
            ("c", &["dep:serde"]),
            ("d", &["serde?/derive"]),
            ("e", &["serde/std"]),
        ]);
        assert_eq!(check(&all), Ok(()));
        let (old, new) = split(&all);
        assert_eq!(old.into_keys().collect::<Vec<_>>(), ["a", "b", "e"]);
        assert_eq!(new.into_keys().collect::<Vec<_>>(), ["c", "d"]);
    }

    #[test]
    fn other_names_are_refused() {
        for bad in ["", "a\n", "a\u{7}", "-a", "a b", "a/b", "dep:a", "a,b"] {
            assert!(check(&features(&[(bad, &[])])).is_err(), "{bad}");
        }
        for bad in ["", "a b", "dep:", "a/", "/a", "a/b/c", "a\0"] {
            assert!(check(&features(&[("a", &[bad])])).is_err(), "{bad}");
        }
        assert_eq!(check(&features(&[("a\u{1}", &[])])), Err("feature name 'a\\u{1}' is not valid".to_owned()));
        let many: Features = (0..2_001).map(|number| (format!("f{number}"), Vec::new())).collect();
        assert!(check(&many).is_err());
    }
}
