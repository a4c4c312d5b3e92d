//! The checksum of a file that is being sent.
//!
//! While the network keeps up, pieces are hashed as they are sent, and the file is read once. If the network is slow,
//! the rest is hashed ahead of sending, because the checksum may show that nothing more has to be sent.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::{reading::PIECE, source::Source};
use crate::digest::hex;

/// Before this time, the speed of the network is unknown.
const LOOK: Duration = Duration::from_millis(500);

/// If the rest takes longer than this to send, it is worth checking whether it is needed.
const LONG: Duration = Duration::from_secs(5);

/// The SHA-256 of a file.
pub(super) struct FileDigest {
    pub(super) sha256: String,
    /// Whether much of the file is not sent yet.
    pub(super) is_early: bool,
}

/// An unfinished checksum.
pub(super) struct PartialDigest {
    hash: Sha256,
    began: Instant,
    report: oneshot::Sender<FileDigest>,
}

impl PartialDigest {
    /// Starts a checksum, and returns the receiver of its result.
    pub(super) fn start() -> (Self, oneshot::Receiver<FileDigest>) {
        let (report, digest) = oneshot::channel();
        (Self { hash: Sha256::new(), began: Instant::now(), report }, digest)
    }

    /// Adds the next piece.
    pub(super) fn add(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// Finishes the checksum.
    pub(super) fn end(self) {
        self.report(false);
    }

    /// Returns whether the checksum should stop waiting for the network.
    pub(super) fn should_finish_early(&self, at: u64, size: u64) -> bool {
        takes_long(self.began.elapsed(), at, size)
    }

    /// Hashes the rest from this offset in the background, while the file is being sent.
    pub(super) fn finish_early(self, source: Arc<Source>, at: u64) {
        // An error here also occurs in the sender, which reports it.
        tokio::task::spawn_blocking(move || drop(self.read_rest(&source, at)));
    }

    fn read_rest(mut self, source: &Source, mut at: u64) -> io::Result<()> {
        let mut buffer = vec![0; PIECE];
        loop {
            match source.read(at, &mut buffer)? {
                0 => break,
                length => {
                    self.add(&buffer[..length]);
                    at += length as u64;
                }
            }
        }
        source.check()?;
        self.report(true);
        Ok(())
    }

    fn report(self, is_early: bool) {
        // Fails if the push has ended in the meantime.
        let _ = self.report.send(FileDigest { sha256: hex(&self.hash.finalize()), is_early });
    }
}

/// Returns whether sending the rest takes long at the current rate.
fn takes_long(elapsed: Duration, at: u64, size: u64) -> bool {
    let left = elapsed.as_secs_f64() * (size - at) as f64 / at as f64;
    elapsed >= LOOK && left > LONG.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_slow_network_is_not_waited_for() {
        let second = Duration::from_secs(1);
        assert!(takes_long(second, 100, 1_000), "nine seconds are left");
        assert!(!takes_long(second, 300, 1_000), "less than three");
        assert!(!takes_long(second / 4, 1, 1_000), "too soon to tell");
        assert!(!takes_long(second * 100, 1_000, 1_000), "nothing is left");
    }
}
