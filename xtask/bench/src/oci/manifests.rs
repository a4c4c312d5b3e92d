//! Requests for a manifest by its tag.

use super::client::{MANIFEST, Registry};
use crate::content::rounds::Sample;
use crate::content::target::Done;
use crate::content::wrk;
use xtask::failure::Result;
use xtask::signals::Signals;

/// Requests a manifest again and again, and returns the requests per second.
pub(super) fn measure(
    registry: &Registry,
    tag: &str,
    connections: u32,
    seconds: u32,
    signals: &Signals,
) -> Result<Sample> {
    let run = wrk::Run {
        url: registry.manifest(tag),
        authorization: registry.target.authorization.as_deref(),
        accept: Some(MANIFEST),
        connections,
        seconds,
        script: None,
    };
    registry.target.sample(|| {
        let seen = run.run(signals)?;
        Ok(Done { value: seen.per_second, operations: seen.requests })
    })
}
