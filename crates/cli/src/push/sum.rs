//! The checksum of a file that is on its way.
//!
//! While the network keeps up, pieces are hashed as they are sent, and the file is read once. Where it does not, the
//! checksum hurries ahead, for it may tell that nothing more has to be sent.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::{reading::PIECE, source::Source};
use crate::digest::hex;

/// Before this, nothing is known about the network.
const LOOK: Duration = Duration::from_millis(500);

/// Sending that goes on for longer than this may be worth being spared.
const LONG: Duration = Duration::from_secs(5);

/// The SHA-256 of a file.
pub(super) struct FileDigest {
    pub(super) sha256: String,
    /// Whether much of the file is still to be sent.
    pub(super) is_early: bool,
}

/// A checksum that is not complete.
pub(super) struct PartialDigest {
    hash: Sha256,
    began: Instant,
    tell: oneshot::Sender<FileDigest>,
}

impl PartialDigest {
    /// Begins, and says where the checksum will come out.
    pub(super) fn start() -> (Self, oneshot::Receiver<FileDigest>) {
        let (tell, sum) = oneshot::channel();
        (Self { hash: Sha256::new(), began: Instant::now(), tell }, sum)
    }

    /// The next piece.
    pub(super) fn add(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// That was all of it.
    pub(super) fn end(self) {
        self.tell(false);
    }

    /// Whether the checksum should not wait for the network any longer.
    pub(super) fn should_hurry(&self, at: u64, size: u64) -> bool {
        takes_long(self.began.elapsed(), at, size)
    }

    /// Reads the rest from this place on, beside what is sent.
    pub(super) fn hurry(self, source: Arc<Source>, at: u64) {
        // What goes wrong here goes wrong for the sender, too, which tells.
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
        self.tell(true);
        Ok(())
    }

    fn tell(self, is_early: bool) {
        // Fails when the push has ended meanwhile.
        let _ = self.tell.send(FileDigest { sha256: hex(&self.hash.finalize()), is_early });
    }
}

/// Whether the rest takes long at the rate so far.
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
