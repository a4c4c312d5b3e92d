//! URLs of pages and of link targets.

use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    digest::hex,
    target::Target,
};

/// The path of these segments, encoded.
pub(crate) fn path<'s>(segments: impl IntoIterator<Item = &'s str>) -> String {
    let segments = segments.into_iter().map(str::to_owned).collect();
    Target { segments, ..Target::default() }.canonical_path()
}

/// The page of a repository.
pub(crate) fn repo(at: &RepoAddress) -> String {
    path([at.owner.as_str(), at.repo.as_str()])
}

/// The page of a package.
pub(crate) fn package(at: &PackageAddress) -> String {
    path([at.repo.owner.as_str(), at.repo.repo.as_str(), at.package.as_str()])
}

/// The page of a version.
pub(crate) fn version(at: &VersionAddress) -> String {
    format!("{}{}", package(&at.package), path([at.version.as_str()]))
}

/// The page of a folder of a repository; an empty path is the repository's own.
pub(crate) fn folder(at: &RepoAddress, folder: &str) -> String {
    let segments = ["-", "files", at.owner.as_str(), at.repo.as_str()].into_iter();
    path(segments.chain(folder.split('/').filter(|segment| !segment.is_empty())))
}

/// The path of a file below the download URL.
pub(crate) fn file(at: &RepoAddress, file: &str) -> String {
    path([at.owner.as_str(), at.repo.as_str()].into_iter().chain(file.split('/')))
}

/// The page that fills a new token into the lines for what has this page.
pub(crate) fn setup(page: &str) -> String {
    format!("/-/setup{page}")
}

/// The Atom feed of what has this page.
pub(crate) fn feed(page: &str) -> String {
    format!("/-/feed{page}")
}

/// The URL of the form that removes a link.
pub(crate) fn unlink(to: &RepoAddress, source: &PackageAddress) -> String {
    format!("/-/unlink{}{}", repo(to), package(source))
}

/// Encodes a text as the value of a query parameter.
pub(crate) fn query_value(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push_str(&hex(&[byte]).to_uppercase());
        }
    }
    encoded
}

/// A link that a user entered, if it leads to a web page.
pub(crate) fn outside(url: Option<&str>) -> Option<String> {
    let url = url?.trim();
    let is_web = ["https://", "http://"].iter().any(|scheme| url.get(..scheme.len()) == Some(scheme));
    (is_web && !url.chars().any(char::is_whitespace)).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_pages_are_linked() {
        assert_eq!(outside(Some(" https://example.org/a?b ")), Some("https://example.org/a?b".into()));
        for other in ["javascript:alert(1)", "data:text/html,x", "//example.org", "ftp://x", "https://a b", "", "ü"] {
            assert_eq!(outside(Some(other)), None, "{other}");
        }
    }

    #[test]
    fn a_value_of_a_query_holds_nothing_that_ends_it() {
        assert_eq!(query_value("a b&c=d#e%2F/ü"), "a%20b%26c%3Dd%23e%252F/%C3%BC");
    }
}
