//! Unlocks the chosen key. Sealed keys are unsealed only here.

use std::sync::Arc;

use crate::{
    House, Result,
    signing::{
        SigningOptions,
        choice::{KeyChoice, KeySource},
        guesses,
        sealed::place,
        signing_key::SigningKey,
    },
};

/// Unlocks the key, with the passphrase if it needs one.
pub(crate) async fn unlock(house: &House, choice: &KeyChoice, with: &SigningOptions) -> Result<Arc<SigningKey>> {
    choice.check_passphrase(with)?;
    let part = part(house, choice)?;
    let Some(passphrase) = with.passphrase.clone().filter(|_| choice.needs_passphrase) else {
        return Ok(Arc::new(part));
    };
    // This includes keys that were stored before the limit existed.
    part.check_opening()?;
    let attempt = house.signing.enter()?.run(move || {
        let mut part = part;
        part.unlock(&passphrase).then_some(part)
    });
    let part = match &choice.source {
        KeySource::Stored(key) => guesses::limited(house, key.id, attempt).await?,
        // A caller who sends the key itself can also try passphrases offline.
        KeySource::Supplied(_) => attempt.await?.ok_or_else(guesses::wrong)?,
    };
    Ok(Arc::new(part))
}

/// The part of the key that signs, which may be locked.
pub(super) fn part(house: &House, choice: &KeyChoice) -> Result<SigningKey> {
    match &choice.source {
        KeySource::Stored(key) => SigningKey::from_bytes(&house.secrets.unseal(place(key.id), &key.sealed_key)?),
        KeySource::Supplied(sent) => Ok(sent.part.clone()),
    }
}
