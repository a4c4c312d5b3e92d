//! `@v/list`, `.info` and `@latest`.

use model::timestamp::Timestamp;
use serde_json::json;

use super::version::GoVersion;
use crate::documents::seconds;

/// `@v/list`: the versions in ascending order, without pseudo-versions.
pub fn version_list(versions: &[GoVersion]) -> String {
    let mut listed: Vec<&GoVersion> = versions.iter().filter(|version| !version.is_pseudo()).collect();
    listed.sort_by(|left, right| left.order(right).then_with(|| left.as_str().cmp(right.as_str())));
    listed.iter().map(|version| format!("{}\n", version.as_str())).collect()
}

/// The `.info` document of a version.
pub fn info(version: &GoVersion, published: Timestamp) -> String {
    json!({ "Version": version.as_str(), "Time": seconds(published) }).to_string()
}

/// The version that `@latest` names: the highest release, else the highest prerelease, else the highest
/// pseudo-version.
pub fn latest<'a, T>(versions: impl IntoIterator<Item = &'a (GoVersion, T)>) -> Option<&'a (GoVersion, T)> {
    let rank = |version: &GoVersion| match version {
        version if version.is_pseudo() => 0,
        version if version.is_prerelease() => 1,
        _ => 2,
    };
    versions.into_iter().max_by(|(left, _), (right, _)| {
        rank(left).cmp(&rank(right)).then_with(|| left.order(right)).then_with(|| left.as_str().cmp(right.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> GoVersion {
        GoVersion::parse(text).expect("a version")
    }

    #[test]
    fn the_list_is_ascending_and_without_commits() {
        let versions = ["v1.10.0", "v1.2.0", "v1.2.0-rc.1", "v0.0.0-20260102150405-abcdefabcdef"].map(version);
        assert_eq!(version_list(&versions), "v1.2.0-rc.1\nv1.2.0\nv1.10.0\n");
        assert_eq!(version_list(&[]), "");
    }

    #[test]
    fn the_latest_is_a_release_if_there_is_one() {
        let latest = |texts: &[&str]| {
            let versions: Vec<(GoVersion, ())> = texts.iter().map(|text| (version(text), ())).collect();
            latest(&versions).map(|(version, ())| version.as_str().to_owned())
        };
        let pseudo = "v2.0.1-0.20260102150405-abcdefabcdef";
        assert_eq!(latest(&["v1.2.0", "v1.10.0", "v2.0.0-rc.1", pseudo]).as_deref(), Some("v1.10.0"));
        assert_eq!(latest(&["v0.1.0-a", pseudo]).as_deref(), Some("v0.1.0-a"));
        assert_eq!(latest(&[pseudo]).as_deref(), Some(pseudo));
        assert_eq!(latest(&[]), None);
    }

    #[test]
    fn info_has_version_and_time() {
        let text = info(&version("v1.2.3"), Timestamp::EPOCH);
        assert_eq!(text, r#"{"Time":"1970-01-01T00:00:00Z","Version":"v1.2.3"}"#);
    }
}
