//! Hashes stored content: for a request that waits for it, or in the background.

use std::thread;

use ::blobs::{Checksums, Hashes};
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use tokio::sync::{
    mpsc::{self, Receiver},
    oneshot,
};

use crate::{Error, Result, blocking};

/// For whom content is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Priority {
    /// A request that waits for the result.
    Request,
    /// A job, which takes only what nothing else needs.
    Background,
}

impl Priority {
    /// Adds all bytes of a stream to the hashes, outside the threads that serve requests: a megabyte takes some
    /// milliseconds.
    pub(super) async fn hash(
        self,
        stream: impl Stream<Item = Result<Bytes>> + Send,
        hashes: Hashes,
    ) -> Result<Checksums> {
        match self {
            Self::Request => stream.try_fold(hashes, updated).await.map(Hashes::finish),
            Self::Background => in_background(stream, hashes).await,
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
async fn in_background(stream: impl Stream<Item = Result<Bytes>> + Send, hashes: Hashes) -> Result<Checksums> {
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
    async fn the_sums_are_the_same_for_a_request_and_in_the_background() {
        let mut whole = hashes();
        whole.update(&[7; 100_074]);
        let whole = whole.finish();
        for priority in [Priority::Request, Priority::Background] {
            assert_eq!(priority.hash(pieces(), hashes()).await.expect("hashed"), whole, "{priority:?}");
        }
    }

    #[tokio::test]
    async fn a_stream_that_fails_has_no_sums() {
        for priority in [Priority::Request, Priority::Background] {
            let failing = pieces().chain(stream::iter([Err(Error::Internal("gone".into()))]));
            assert!(priority.hash(failing, hashes()).await.is_err(), "{priority:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_thread_that_hashes_has_the_lowest_priority() {
        let of_thread = || rustix::process::getpriority_process(None).expect("a priority");
        let before = of_thread();
        let lowered = thread::spawn(move || {
            lower_priority();
            of_thread()
        });
        assert_eq!((lowered.join().expect("it ran"), of_thread()), (19, before));
    }
}
