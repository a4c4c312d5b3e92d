//! Hashes stored content: for a request that waits for it, or in the time that nothing else needs.

use std::thread;

use ::blobs::{Checksums, Hashes};
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use tokio::sync::{
    mpsc::{self, Receiver},
    oneshot,
};

use crate::{Error, Result, blocking};

/// Whether a request waits for the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Haste {
    Awaited,
    AtLeisure,
}

impl Haste {
    /// Adds all bytes of a stream to the hashes, outside the threads that serve requests: a megabyte takes some
    /// milliseconds.
    pub(super) async fn hash(
        self,
        stream: impl Stream<Item = Result<Bytes>> + Send,
        hashes: Hashes,
    ) -> Result<Checksums> {
        match self {
            Self::Awaited => stream.try_fold(hashes, updated).await.map(Hashes::finish),
            Self::AtLeisure => at_leisure(stream, hashes).await,
        }
    }
}

async fn updated(mut hashes: Hashes, piece: Bytes) -> Result<Hashes> {
    blocking::run(move || {
        hashes.update(&piece);
        hashes
    })
    .await
}

/// Uses a thread of its own, because a thread that has lowered its priority cannot raise it again.
async fn at_leisure(stream: impl Stream<Item = Result<Bytes>> + Send, hashes: Hashes) -> Result<Checksums> {
    let (sender, pieces) = mpsc::channel(1);
    let (finished, sums) = oneshot::channel();
    // Nobody waits for the result when the stream has failed.
    let hash = move || finished.send(hash_pieces(pieces, hashes)).unwrap_or_default();
    let broken = |error: &dyn std::error::Error| Error::Internal(format!("cannot hash content: {error}"));
    thread::Builder::new().name("checksums".into()).spawn(hash).map_err(|error| broken(&error))?;
    let send = async |piece| sender.send(piece).await.map_err(|error| broken(&error));
    stream.try_for_each(send).await?;
    drop(sender);
    sums.await.map_err(|error| broken(&error))
}

fn hash_pieces(mut pieces: Receiver<Bytes>, mut hashes: Hashes) -> Checksums {
    lower_priority();
    while let Some(piece) = pieces.blocking_recv() {
        hashes.update(&piece);
    }
    hashes.finish()
}

/// Gives this thread the lowest priority: it gets a processor when no other thread of the system wants it, and little
/// of it otherwise. Only on Linux does that not apply to the whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!("the checksums are computed at the usual priority: {error}");
    }
}

#[cfg(test)]
mod tests {
    use ::blobs::ReceiveOptions;
    use futures_util::{StreamExt, stream};

    use super::*;

    fn pieces() -> impl Stream<Item = Result<Bytes>> + Send {
        stream::iter([100_003, 1, 70].map(|length| Ok(Bytes::from(vec![7; length]))))
    }

    fn hashes() -> Hashes {
        Hashes::new(ReceiveOptions { md5: true, ..ReceiveOptions::SHA256 })
    }

    #[tokio::test]
    async fn the_sums_are_the_same_in_haste_and_at_leisure() {
        let mut whole = hashes();
        whole.update(&[7; 100_074]);
        let whole = whole.finish();
        for haste in [Haste::Awaited, Haste::AtLeisure] {
            assert_eq!(haste.hash(pieces(), hashes()).await.expect("hashed"), whole, "{haste:?}");
        }
    }

    #[tokio::test]
    async fn a_stream_that_fails_has_no_sums() {
        for haste in [Haste::Awaited, Haste::AtLeisure] {
            let failing = pieces().chain(stream::iter([Err(Error::Internal("gone".into()))]));
            assert!(haste.hash(failing, hashes()).await.is_err(), "{haste:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_thread_that_hashes_has_the_lowest_priority() {
        let priority = || rustix::process::getpriority_process(None).expect("a priority");
        let before = priority();
        let lowered = thread::spawn(move || {
            lower_priority();
            priority()
        });
        assert_eq!((lowered.join().expect("it ran"), priority()), (19, before));
    }
}
