//! Lists of tags and of images, in pages.

use serde_json::json;

use super::error::{OciError, OciErrorCode};
use crate::readers::quoted;

/// The maximum size of a page.
pub const PAGE: usize = 10_000;

/// The page that a client asks for by `n` and `last`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OciPageRequest {
    /// The maximum number of names; `None` means as many as a page may have.
    pub size: Option<usize>,
    /// The name before the page.
    pub last: Option<String>,
}

impl OciPageRequest {
    /// Parses the values of `n` and `last`.
    pub fn parse(n: Option<&str>, last: Option<&str>) -> Result<Self, OciError> {
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let message = || format!("n='{}' is not a number of names", quoted(text));
            if is_number {
                return Ok(text.parse().unwrap_or(usize::MAX));
            }
            Err(OciError::new(OciErrorCode::PaginationNumberInvalid, message()))
        };
        let size = n.filter(|n| !n.is_empty()).map(number).transpose()?;
        Ok(Self { size, last: last.filter(|last| !last.is_empty()).map(str::to_owned) })
    }

    /// The maximum number of names on the page.
    pub fn limit(&self) -> usize {
        self.size.unwrap_or(PAGE).min(PAGE)
    }

    /// Cuts the page out of names that are sorted by their bytes. The flag says whether more names follow.
    pub fn cut<'a, T: AsRef<str>>(&self, sorted: &'a [T]) -> (&'a [T], bool) {
        let last = self.last.as_deref();
        let start = sorted.partition_point(|name| last.is_some_and(|last| name.as_ref() <= last));
        let rest = &sorted[start..];
        let page = &rest[..rest.len().min(self.limit())];
        (page, page.len() < rest.len())
    }

    /// The `Link` header of a page that is followed by others. `path` is the URL path of the list.
    pub fn link<T: AsRef<str>>(&self, path: &str, page: &[T]) -> Option<String> {
        let last = page.last()?.as_ref();
        Some(format!("<{path}?last={}&n={}>; rel=\"next\"", encoded(last), self.limit()))
    }
}

/// Encodes a name for a query.
fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' | b'/' => text.push(char::from(byte)),
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

/// The `Link` header of a page of referrers that is followed by others.
pub fn referrers_link(path: &str, artifact_type: Option<&str>, last: i64) -> String {
    let filter = artifact_type.map(|kind| format!("&artifactType={}", encoded(kind))).unwrap_or_default();
    format!("<{path}?last={last}{filter}>; rel=\"next\"")
}

/// The list of an image's tags.
pub fn tag_list<T: AsRef<str>>(name: &str, tags: &[T]) -> String {
    let tags: Vec<&str> = tags.iter().map(AsRef::as_ref).collect();
    json!({ "name": name, "tags": tags }).to_string()
}

/// The list of images that a caller may read.
pub fn catalog<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    json!({ "repositories": names }).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_begins_after_the_last_name() {
        let tags = ["V2", "v1", "v10", "v2"];
        let page = |n, last| OciPageRequest::parse(n, last).expect("valid").cut(&tags);
        assert_eq!(page(None, None), (&tags[..], false));
        assert_eq!(page(Some("2"), None), (&tags[..2], true));
        assert_eq!(page(Some("2"), Some("v1")), (&tags[2..], false));
        assert_eq!(page(None, Some("v0")), (&tags[1..], false));
        assert_eq!(page(Some("0"), None), (&tags[..0], true));
        assert_eq!(page(Some("9"), Some("z")), (&tags[4..], false));
        for bad in ["-1", "x", "1.5", "+1"] {
            let error = OciPageRequest::parse(Some(bad), None).expect_err(bad);
            assert_eq!(error.status, 400);
        }
        assert_eq!(OciPageRequest::parse(Some("99999999999999999999999"), None).expect("capped").limit(), PAGE);
    }

    #[test]
    fn documents_name_their_entries() {
        assert_eq!(tag_list("a/b/c", &["v1"]), r#"{"name":"a/b/c","tags":["v1"]}"#);
        assert_eq!(catalog(&["a/b/c"]), r#"{"repositories":["a/b/c"]}"#);
        let request = OciPageRequest::parse(Some("1"), None).expect("valid");
        let link = request.link("/v2/a/b/c/tags/list", &["v1"]).expect("a page");
        assert_eq!(link, "</v2/a/b/c/tags/list?last=v1&n=1>; rel=\"next\"");
        assert_eq!(request.link("/v2/_catalog", &["a>\r\n"]).expect("a page").matches(['\r', '\n']).count(), 0);
        assert_eq!(request.link::<&str>("/v2/_catalog", &[]), None);
    }

    proptest! {
        #[test]
        fn pages_together_are_the_list(mut names in prop::collection::btree_set("[a-z]{1,3}", 0..30), size in 1..9_usize) {
            names.insert("x".to_owned());
            let names: Vec<String> = names.into_iter().collect();
            let (mut read, mut last) = (Vec::new(), None);
            loop {
                let request = OciPageRequest { size: Some(size), last: last.clone() };
                let (page, has_more) = request.cut(&names);
                read.extend_from_slice(page);
                last = page.last().cloned();
                if !has_more {
                    break;
                }
            }
            prop_assert_eq!(read, names);
        }
    }
}
