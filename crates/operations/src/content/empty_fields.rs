//! Fills empty fields of a package.

use model::package::{PackageChange, PackageProfile};

/// The fields of a profile that are empty and that the other one has.
pub(super) fn missing(held: &PackageProfile, sent: &PackageProfile) -> PackageChange {
    let line = |held: &Option<String>, sent: &Option<String>| match held {
        None => sent.clone().map(Some),
        Some(_) => None,
    };
    let list = |held: &[String], sent: &[String]| (held.is_empty() && !sent.is_empty()).then(|| sent.to_vec());
    let is_described = !held.description.is_empty() || sent.description.is_empty();
    let is_licensed = !held.custom_licenses.is_empty();
    PackageChange {
        description: (!is_described).then(|| sent.description.clone()),
        labels: list(&held.labels, &sent.labels),
        licenses: list(&held.licenses, &sent.licenses).filter(|_| !is_licensed),
        website_url: line(&held.website_url, &sent.website_url),
        issue_tracker_url: line(&held.issue_tracker_url, &sent.issue_tracker_url),
        vcs_url: line(&held.vcs_url, &sent.vcs_url),
        ..PackageChange::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_fields_are_filled() {
        let held = PackageProfile {
            description: "ours".into(),
            custom_licenses: vec!["house".into()],
            website_url: Some("https://a.example".into()),
            ..PackageProfile::default()
        };
        let sent = PackageProfile {
            description: "theirs".into(),
            labels: vec!["b".into()],
            licenses: vec!["MIT".into()],
            website_url: Some("https://b.example".into()),
            vcs_url: Some("https://c.example".into()),
            ..PackageProfile::default()
        };
        let mut filled = held.clone();
        missing(&held, &sent).apply(&mut filled);
        let expected = PackageProfile { labels: sent.labels.clone(), vcs_url: sent.vcs_url.clone(), ..held };
        assert_eq!(filled, expected);
        assert!(missing(&filled, &PackageProfile::default()).apply(&mut filled).is_empty());
    }
}
