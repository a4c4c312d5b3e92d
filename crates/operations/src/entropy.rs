//! Random bytes: from the system's generator, or from a seeded stream for tests.

use std::sync::Mutex;

use sha2::{Digest, Sha256};

/// A source of random bytes.
#[derive(Debug)]
pub struct Entropy(Source);

#[derive(Debug)]
enum Source {
    System,
    /// The seed, and the number of blocks it has generated.
    Seeded(u64, Mutex<u64>),
}

impl Entropy {
    /// The system's generator.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// The same bytes in every run. For tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(seed, Mutex::new(0)))
    }

    /// The next 32 bytes.
    pub fn bytes(&self) -> [u8; 32] {
        match &self.0 {
            Source::System => system_bytes(),
            Source::Seeded(seed, given) => {
                let mut given = given.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                *given += 1;
                Sha256::new().chain_update(seed.to_be_bytes()).chain_update(given.to_be_bytes()).finalize().into()
            }
        }
    }

    /// The next number.
    pub fn number(&self) -> u64 {
        let bytes = self.bytes();
        u64::from_be_bytes(bytes.first_chunk().copied().unwrap_or_default())
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system's generator")]
fn system_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    // A system without randomness cannot protect a secret, so the process cannot continue.
    getrandom::fill(&mut bytes).expect("the system's random generator works");
    bytes
}
