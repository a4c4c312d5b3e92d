//! From a chosen key to one that signs. Only here a sealed key is opened.

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

/// Opens the key, with the passphrase where it needs one.
pub(crate) async fn unlock(house: &House, choice: &KeyChoice, with: &SigningOptions) -> Result<Arc<SigningKey>> {
    choice.check_passphrase(with)?;
    let part = match &choice.source {
        KeySource::Stored(key) => SigningKey::from_bytes(&house.secrets.unseal(place(key.id), &key.sealed_key)?)?,
        KeySource::Supplied(sent) => sent.part.clone(),
    };
    let Some(passphrase) = with.passphrase.clone().filter(|_| choice.needs_passphrase) else {
        return Ok(Arc::new(part));
    };
    // Also one that was kept before there was a bound.
    part.check_opening()?;
    let attempt = house.signing.enter()?.run(move || {
        let mut part = part;
        part.unlock(&passphrase).then_some(part)
    });
    let part = match &choice.source {
        KeySource::Stored(key) => guesses::limited(house, key.id, attempt).await?,
        // Whoever sends the key itself can try passphrases at home.
        KeySource::Supplied(_) => attempt.await?.ok_or_else(guesses::wrong)?,
    };
    Ok(Arc::new(part))
}
