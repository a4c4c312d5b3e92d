//! Objects and lists of the API that everyone may read: they have an entity tag, and callers without credentials get
//! them from a cache that is valid as long as cached downloads are.
//!
//! A call takes part with one word in its entry of the endpoint table. Callers with credentials are looked up each
//! time: their calls count against a quota, and are recorded as uses of a token.

mod cache;
mod respond;

pub(crate) use cache::ObjectCache;
pub(crate) use respond::{RequestedObject, answer, without_body};
