//! What a publish says about a package, reduced to what the fields of a package allow.

use model::{package::PackageProfile, text};

use crate::{House, catalogue::packages::is_known_license, format::NativeProfile};

/// The schemes of links that pages show.
const WEB: &[&str] = &["https://", "http://"];

/// The schemes of source repositories.
const SOURCES: &[&str] = &["https://", "http://", "git://", "ssh://", "git+https://", "git+ssh://"];

/// The fields with valid values. Others are left out: they must not prevent a publish.
pub(super) fn valid(house: &House, sent: &NativeProfile) -> PackageProfile {
    let licenses = sent.licenses.iter().filter(|name| is_known_license(house, name)).cloned().collect();
    PackageProfile { licenses: distinct(licenses), ..without_licenses(sent) }
}

fn without_licenses(sent: &NativeProfile) -> PackageProfile {
    let description = sent.description.as_deref().map(str::trim).filter(|text| text::check_text(text).is_ok());
    let labels: Vec<String> = sent.labels.iter().map(|label| label.trim().to_owned()).collect();
    let labels = distinct(labels.into_iter().filter(is_label).collect());
    PackageProfile {
        description: description.unwrap_or_default().to_owned(),
        labels: Some(labels).filter(|labels| text::check_labels(labels).is_ok()).unwrap_or_default(),
        website_url: url(sent.website.as_deref(), WEB),
        issue_tracker_url: url(sent.issue_tracker.as_deref(), WEB),
        vcs_url: url(sent.vcs.as_deref(), SOURCES),
        ..PackageProfile::default()
    }
}

fn is_label(label: &String) -> bool {
    text::check_labels(std::slice::from_ref(label)).is_ok()
}

/// A URL with one of these schemes, a host and no space.
fn url(sent: Option<&str>, schemes: &[&str]) -> Option<String> {
    let sent = sent.map(str::trim)?;
    let rest = schemes.iter().find_map(|scheme| sent.strip_prefix(scheme))?;
    let has_host = rest.chars().next().is_some_and(|first| first != '/');
    let is_url = has_host && !sent.chars().any(char::is_whitespace) && text::check_line(sent).is_ok();
    is_url.then(|| sent.to_owned())
}

fn distinct(mut values: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_no_field_may_have_are_left_out() {
        let sent = NativeProfile {
            description: Some("bad \u{7}".into()),
            website: Some("javascript:alert(1)".into()),
            vcs: Some("git+https://git.example/a.git".into()),
            issue_tracker: Some("https:///nothing".into()),
            labels: vec!["a".into(), String::new(), "b\n".into(), "a".into(), " c ".into()],
            ..NativeProfile::default()
        };
        let expected = PackageProfile {
            vcs_url: Some("git+https://git.example/a.git".into()),
            labels: vec!["a".into(), "b".into(), "c".into()],
            ..PackageProfile::default()
        };
        assert_eq!(without_licenses(&sent), expected);
        assert_eq!(url(Some(&format!("https://{}", "x".repeat(1_000))), WEB), None);
        assert_eq!(url(Some("https://a.example/x y"), WEB), None);
        assert_eq!(url(Some(" http://a.example "), WEB), Some("http://a.example".into()));
    }
}
