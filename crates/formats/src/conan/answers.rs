//! The documents that clients ask for.

use model::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use super::{
    reference::ConanReference,
    revision::{ConanPackageId, RevisionId},
};

/// The header that tells clients what the server can do.
pub const CAPABILITIES: (&str, &str) = ("x-conan-server-capabilities", "complex_search,revisions");

/// The maximum number of packages of a revision in one answer.
pub const PACKAGES: usize = 10_000;

/// A complete revision, with the time of its manifest's publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConanRevision {
    /// The revision.
    pub id: RevisionId,
    /// The time.
    pub time: Timestamp,
}

/// Formats a time: `2026-11-16T10:00:00.000000+0000`.
pub fn time(time: Timestamp) -> String {
    time.to_string().replace('Z', "000+0000")
}

fn revision(revision: &ConanRevision) -> Value {
    json!({ "revision": revision.id.as_str(), "time": time(revision.time) })
}

/// Returns the newest revision.
pub fn latest(revisions: &[ConanRevision]) -> Option<&ConanRevision> {
    revisions.iter().max_by(|left, right| (left.time, &left.id).cmp(&(right.time, &right.id)))
}

/// The answer to `latest`; `None` without revisions.
pub fn latest_answer(revisions: &[ConanRevision]) -> Option<String> {
    latest(revisions).map(|newest| revision(newest).to_string())
}

/// The answer to `revisions`: newest first. `reference` is that of the recipe, or `<recipe>#<revision>:<package id>`.
pub fn revisions_answer(reference: &str, revisions: &[ConanRevision]) -> String {
    let mut sorted: Vec<&ConanRevision> = revisions.iter().collect();
    sorted.sort_by(|left, right| (right.time, &right.id).cmp(&(left.time, &left.id)));
    let revisions: Vec<Value> = sorted.into_iter().map(revision).collect();
    json!({ "reference": reference, "revisions": revisions }).to_string()
}

/// The text that names a binary package in the answer to `revisions`.
pub fn package_reference(reference: &ConanReference, revision: &RevisionId, id: &ConanPackageId) -> String {
    format!("{reference}#{}:{}", revision.as_str(), id.as_str())
}

/// The answer to `files`.
pub fn files_answer<T: AsRef<str>>(names: &[T]) -> String {
    let files: Map<String, Value> = names.iter().map(|name| (name.as_ref().to_owned(), json!({}))).collect();
    json!({ "files": files }).to_string()
}

/// The answer to a search for recipes, sorted.
pub fn search_answer(references: &[ConanReference]) -> String {
    let mut results: Vec<String> = references.iter().map(ToString::to_string).collect();
    results.sort();
    results.dedup();
    json!({ "results": results }).to_string()
}

/// The answer to a search for packages of a revision: the conaninfo.txt of each.
pub fn packages_answer(packages: &[(ConanPackageId, String)]) -> Result<String, String> {
    if packages.len() > PACKAGES {
        return Err(format!("the revision has more than {PACKAGES} packages"));
    }
    let entry = |(id, info): &(ConanPackageId, String)| (id.as_str().to_owned(), json!({ "content": info }));
    Ok(Value::Object(packages.iter().map(entry).collect()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(byte: &str, millis: i64) -> ConanRevision {
        let id = RevisionId::parse(&byte.repeat(16)).expect("a revision");
        ConanRevision { id, time: Timestamp::from_millis(millis) }
    }

    #[test]
    fn revisions_are_listed_newest_first() {
        let (old, new) = (revision("aa", 0), revision("bb", 1_500));
        let newest = format!(r#"{{"revision":"{}","time":"1970-01-01T00:00:01.500000+0000"}}"#, "bb".repeat(16));
        assert_eq!(latest_answer(&[old.clone(), new.clone()]), Some(newest.clone()));
        assert_eq!(latest_answer(&[]), None);
        let list = revisions_answer("hello/1.0", &[old, new]);
        assert!(list.starts_with(&format!(r#"{{"reference":"hello/1.0","revisions":[{newest},"#)), "{list}");
        let reference = ConanReference::parse("hello", "1.0", "_", "_").expect("valid");
        let id = ConanPackageId::parse(&"cd".repeat(20)).expect("an id");
        let text = package_reference(&reference, &revision("aa", 0).id, &id);
        assert_eq!(text, format!("hello/1.0#{}:{}", "aa".repeat(16), "cd".repeat(20)));
    }

    #[test]
    fn other_answers_are_json() {
        assert_eq!(files_answer(&["conanfile.py"]), r#"{"files":{"conanfile.py":{}}}"#);
        let plain = ConanReference::parse("hello", "1.0", "_", "_").expect("valid");
        let full = ConanReference::parse("hello", "1.0", "acme", "stable").expect("valid");
        let expected = r#"{"results":["hello/1.0","hello/1.0@acme/stable"]}"#;
        assert_eq!(search_answer(&[full, plain.clone(), plain]), expected);
        let id = ConanPackageId::parse(&"cd".repeat(20)).expect("an id");
        let packages = vec![(id, "[settings]\nos=Linux\n".to_owned())];
        let expected = format!(r#"{{"{}":{{"content":"[settings]\nos=Linux\n"}}}}"#, "cd".repeat(20));
        assert_eq!(packages_answer(&packages), Ok(expected));
        assert!(packages_answer(&vec![packages[0].clone(); PACKAGES + 1]).is_err());
    }
}
