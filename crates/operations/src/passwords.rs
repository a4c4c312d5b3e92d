//! Passwords of the web pages: Argon2id, a few at a time.

use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash::phc::PasswordHash};
use tokio::sync::Semaphore;

use crate::{Entropy, Error, Result};

/// The number of simultaneous hashes: each takes a core and 19 MiB.
const AT_ONCE: usize = 2;

/// The number of further requests that may wait; the rest are rejected and may retry.
const WAITING: usize = 4;

const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// Hashes passwords with a limit, so that anonymous clients cannot exhaust the machine.
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
    /// Returns the text that the database stores for a password.
    pub(crate) async fn hash(&self, password: &str, entropy: &Entropy) -> Result<String> {
        if !LENGTH.contains(&password.len()) {
            return Err(Error::invalid("password", "it must have 8 to 200 bytes"));
        }
        let (password, salt) = (password.to_owned(), entropy.bytes());
        self.run(move || hash(password.as_bytes(), &salt[..16])).await
    }

    /// Returns whether a password matches a stored text. Without a text it takes as long, and does not match.
    pub(crate) async fn verify(&self, password: &str, kept: Option<String>) -> Result<bool> {
        if !LENGTH.contains(&password.len()) {
            return Ok(false);
        }
        let password = password.to_owned();
        let verify = move || match kept {
            Some(kept) => is_of(password.as_bytes(), &kept),
            None => hash(password.as_bytes(), &[0; 16]).map(|_| false),
        };
        self.run(verify).await
    }

    /// Runs slow work if the limit allows it.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let busy = || Error::Unavailable("too many passwords are being checked".into());
        let _admitted = self.admitted.clone().try_acquire_owned().map_err(|_| busy())?;
        let running = self.running.clone().acquire_owned().await.map_err(|_| busy())?;
        let work = tokio::task::spawn_blocking(move || {
            let _running = running;
            work()
        });
        work.await.unwrap_or_else(|error| Err(Error::Internal(error.to_string())))
    }
}

fn is_of(password: &[u8], kept: &str) -> Result<bool> {
    let kept = PasswordHash::new(kept).map_err(|error| Error::Internal(format!("password: {error}")))?;
    Ok(Argon2::default().verify_password(password, &kept).is_ok())
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
    use super::*;

    #[tokio::test]
    async fn a_hash_verifies_its_password_only() {
        let text = Passwords::default().hash("correct horse", &Entropy::seeded(1)).await.expect("hashed");
        assert!(text.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{text}");
        let is_right = async |password| Passwords::default().verify(password, Some(text.clone())).await;
        assert_eq!(is_right("correct horse").await, Ok(true));
        assert_eq!(is_right("wrong horse").await, Ok(false));
        assert_eq!(is_right("").await, Ok(false));
        assert_eq!(Passwords::default().verify("correct horse", None).await, Ok(false));
    }

    #[tokio::test]
    async fn short_and_long_passwords_are_refused() {
        let passwords = Passwords::default();
        for bad in ["", "1234567", &"x".repeat(201)] {
            assert!(passwords.hash(bad, &Entropy::seeded(1)).await.is_err());
        }
    }
}
