//! The feed that lists a file.

use crate::{indexed::matches, readers::quoted};

/// The feed of a file: its folder, or the repository itself.
pub fn feed_of_path(path: &str) -> Result<&str, String> {
    let feed = path.rsplit_once('/').map_or("", |(feed, _)| feed);
    check_feed(feed)?;
    Ok(feed)
}

/// Splits a native upload path, `<feed>/<file>`, into feed and file name.
pub fn split_upload(path: &str) -> Result<(&str, &str), String> {
    let (feed, file) = path.rsplit_once('/').unwrap_or(("", path));
    check_feed(feed)?;
    Ok((feed, file))
}

/// Checks the name of a feed, which may have several segments.
pub fn check_feed(feed: &str) -> Result<(), String> {
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    let is_segment = |segment: &str| matches(segment, |byte| byte.is_ascii_alphanumeric(), is_byte);
    let is_valid = feed.is_empty() || (!feed.contains("..") && feed.split('/').all(is_segment));
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of a feed", quoted(feed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_are_folders() {
        assert_eq!(feed_of_path("23.05/aarch64/base/a.ipk"), Ok("23.05/aarch64/base"));
        assert_eq!(feed_of_path("a.ipk"), Ok(""));
        assert_eq!(split_upload("base/a.ipk"), Ok(("base", "a.ipk")));
        for bad in ["../a.ipk", "a/../b/a.ipk", "a;b/a.ipk", "a//a.ipk", "a..b/a.ipk", "/a.ipk/b"] {
            assert!(feed_of_path(bad).is_err(), "{bad}");
        }
        assert_eq!(check_feed("a;b"), Err("'a;b' is not the name of a feed".to_owned()));
    }
}
