//! What a publish says about a package, reduced to what its profile may hold.

use model::text::{check_labels, check_line, check_text};
use operations::format::NativeProfile;

/// The maximum number of labels that a publish sets.
const LABELS: usize = 20;

/// Removes everything that the fields of a package may not hold, because a publish must not fail for it.
pub(crate) fn cleaned(profile: NativeProfile) -> NativeProfile {
    let url = |url: Option<String>| url.as_deref().map(web_url).filter(|url| is_web(url));
    NativeProfile {
        description: profile.description.filter(|text| !text.trim().is_empty() && check_text(text).is_ok()),
        licenses: profile.licenses.into_iter().filter(|name| !name.is_empty() && check_line(name).is_ok()).collect(),
        website: url(profile.website),
        vcs: url(profile.vcs),
        issue_tracker: url(profile.issue_tracker),
        labels: labels(profile.labels),
    }
}

/// The names in a licence expression: `MIT OR Apache-2.0`, or `MIT/Apache-2.0` as it was written before.
pub(crate) fn licenses(expression: &str) -> Vec<String> {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = words.split(" OR ").flat_map(|part| part.split(" AND "));
    names.map(|name| name.split(" WITH ").next().unwrap_or(name).trim().to_owned()).collect()
}

/// Sources often stand as the URL of a clone.
fn web_url(url: &str) -> String {
    let url = url.trim();
    let url = url.strip_prefix("git+").unwrap_or(url);
    match url.strip_prefix("git://") {
        Some(rest) => format!("https://{rest}"),
        None => url.to_owned(),
    }
}

fn is_web(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(char::is_whitespace)
        && check_line(url).is_ok()
}

fn labels(labels: Vec<String>) -> Vec<String> {
    let mut valid: Vec<String> = Vec::new();
    for label in labels {
        let label = label.trim().to_owned();
        if valid.len() < LABELS && !valid.contains(&label) && check_labels(std::slice::from_ref(&label)).is_ok() {
            valid.push(label);
        }
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_of_an_expression_are_names() {
        for (expression, names) in [
            ("MIT", vec!["MIT"]),
            ("MIT OR Apache-2.0", vec!["MIT", "Apache-2.0"]),
            ("MIT/Apache-2.0", vec!["MIT", "Apache-2.0"]),
            ("(MIT  AND (Zlib OR Apache-2.0 WITH LLVM-exception))", vec!["MIT", "Zlib", "Apache-2.0"]),
        ] {
            assert_eq!(licenses(expression), names, "{expression}");
        }
    }

    #[test]
    fn only_valid_values_are_left() {
        let some = |text: &str| Some(text.to_owned());
        let profile = cleaned(NativeProfile {
            description: some("a\u{7}"),
            licenses: vec![String::new(), "MIT".to_owned()],
            website: some("javascript:alert(1)"),
            vcs: some("git+https://example.org/a.git"),
            issue_tracker: some("http://example.org/a b"),
            labels: ["b", "", "b", " c ", "d\n\u{1}e"].map(str::to_owned).to_vec(),
        });
        assert_eq!((profile.description, profile.website, profile.issue_tracker), (None, None, None));
        assert_eq!(profile.vcs, some("https://example.org/a.git"));
        assert_eq!(profile.licenses, ["MIT"]);
        assert_eq!(profile.labels, ["b", "c"]);
        let source = NativeProfile { vcs: some("git://example.org/a"), ..NativeProfile::default() };
        assert_eq!(cleaned(source).vcs, some("https://example.org/a"));
    }
}
