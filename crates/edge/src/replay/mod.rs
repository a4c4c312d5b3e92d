//! Replays: responses to requests that are equal to the byte to one before, sent without parsing them.

mod cache;
mod response_head;

pub(crate) use cache::{HeadHash, ReplayCache, ReplayEntry, ReplayableRequest, ends};
pub use response_head::ResponseHead;

/// The largest body that is worth a replay: a connection usually takes that much at once.
pub const LARGEST_REPLAY: u64 = 64 << 10;
