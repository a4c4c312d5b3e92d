//! Pages of a list: 50 results from a zero-based start position.

/// The number of results per page.
pub const PAGE_SIZE: u64 = 50;

/// The requested page of a list.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest {
    /// The position of the first result.
    pub start: i64,
    /// The maximum number of results.
    pub limit: i64,
}

/// The largest position that JSON numbers represent exactly for all clients.
const LAST_POSITION: u64 = 1 << 53;

/// The start position is not a number from 0 to 2^53.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a number from 0 to 9007199254740992")]
pub struct InvalidPosition(String);

/// Parses `start_pos`; without it, the first page is returned.
pub fn start_position(text: Option<&str>) -> Result<u64, InvalidPosition> {
    let Some(text) = text else { return Ok(0) };
    let invalid = || InvalidPosition(text.chars().take(40).collect());
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid());
    }
    text.parse().ok().filter(|position| *position <= LAST_POSITION).ok_or_else(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_plain_numbers() {
        assert_eq!(start_position(None), Ok(0));
        assert_eq!(start_position(Some("50")), Ok(50));
        assert_eq!(start_position(Some("9007199254740992")), Ok(LAST_POSITION));
        for bad in ["", "-1", "+1", "1.0", "x", "9007199254740993", "99999999999999999999"] {
            assert!(start_position(Some(bad)).is_err(), "{bad}");
        }
    }
}
