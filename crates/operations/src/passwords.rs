//! Passwords of the web pages: Argon2id, a few at a time.

use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version, password_hash::phc::PasswordHash};
use tokio::sync::Semaphore;

use crate::{Entropy, Error, Result};

/// Hashing takes a core and 19 MiB: this many run at once.
const AT_ONCE: usize = 2;

/// And this many more wait; the rest are told to come back.
const WAITING: usize = 4;

const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// Hashes passwords without letting strangers use up the machine.
#[derive(Debug)]
pub(crate) struct Passwords {
    running: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { running: Arc::new(Semaphore::new(AT_ONCE)), admitted: Arc::new(Semaphore::new(AT_ONCE + WAITING)) }
    }
}

impl Passwords {
    /// The text that the database keeps of a password.
    pub(crate) async fn hash(&self, password: &str, entropy: &Entropy) -> Result<String> {
        if !LENGTH.contains(&password.len()) {
            return Err(Error::invalid("password", "it must have 8 to 200 bytes"));
        }
        let busy = || Error::Unavailable("too many passwords are being checked".into());
        let _admitted = self.admitted.clone().try_acquire_owned().map_err(|_| busy())?;
        let running = self.running.clone().acquire_owned().await.map_err(|_| busy())?;
        let (password, salt) = (password.to_owned(), entropy.bytes());
        let work = tokio::task::spawn_blocking(move || {
            let _running = running;
            hash(password.as_bytes(), &salt[..16])
        });
        work.await.unwrap_or_else(|error| Err(Error::Internal(error.to_string())))
    }
}

fn hash(password: &[u8], salt: &[u8]) -> Result<String> {
    let broken = |error: &dyn std::fmt::Display| Error::Internal(format!("password: {error}"));
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|error| broken(&error))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash: PasswordHash = argon2.hash_password_with_salt(password, salt).map_err(|error| broken(&error))?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use argon2::PasswordVerifier;

    use super::*;

    #[tokio::test]
    async fn a_hash_verifies_its_password_only() {
        let text = Passwords::default().hash("correct horse", &Entropy::seeded(1)).await.expect("hashed");
        assert!(text.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{text}");
        let hash = PasswordHash::new(&text).expect("readable");
        assert!(Argon2::default().verify_password(b"correct horse", &hash).is_ok());
        assert!(Argon2::default().verify_password(b"wrong horse", &hash).is_err());
    }

    #[tokio::test]
    async fn short_and_long_passwords_are_refused() {
        let passwords = Passwords::default();
        for bad in ["", "1234567", &"x".repeat(201)] {
            assert!(passwords.hash(bad, &Entropy::seeded(1)).await.is_err());
        }
    }
}
