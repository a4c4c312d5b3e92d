//! The names that tags may have.

use crate::{Error, Result};

/// The maximum length of a tag in bytes.
const TAG_BYTES: usize = 200;

/// Rejects what no tag may be called.
pub(super) fn check_tag(tag: &str) -> Result<()> {
    let reason = match tag {
        "" => "it is empty",
        _ if tag.len() > TAG_BYTES => "it is longer than 200 bytes",
        _ if tag.chars().any(|c| c.is_control() || c.is_whitespace() || c == '/') => {
            "it holds a space, a slash or a control character"
        }
        _ => return Ok(()),
    };
    Err(Error::Refused(format!("'{}' is not a tag: {reason}", tag.chars().take(TAG_BYTES).collect::<String>())))
}
