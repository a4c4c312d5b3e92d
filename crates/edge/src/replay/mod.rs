//! Replays: cached responses that are sent to byte-identical requests without parsing them.

mod cache;
mod response_head;

pub(crate) use cache::{HeadHash, ReplayCache, ReplayEntry, ReplayableRequest, ends};
pub use response_head::ResponseHead;

/// The largest body to replay. What parsing a request costs does not matter for larger ones.
pub const LARGEST_REPLAY: u64 = 1 << 20;
