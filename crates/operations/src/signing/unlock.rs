//! From a chosen key to one that signs. Only here a sealed key is opened.

use std::sync::Arc;

use crate::{
    House, Result,
    signing::{
        With,
        choice::{Choice, Source},
        guesses,
        sealed::place,
        signing_key::Part,
    },
};

/// Opens the key, with the passphrase where it needs one.
pub(crate) async fn unlock(house: &House, choice: &Choice, with: &With) -> Result<Arc<Part>> {
    choice.check_passphrase(with)?;
    let part = match &choice.source {
        Source::Kept(key) => Part::from_bytes(&house.secrets.unseal(place(key.id), &key.sealed_key)?)?,
        Source::Sent(sent) => sent.part.clone(),
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
        Source::Kept(key) => guesses::limited(house, key.id, attempt).await?,
        // Whoever sends the key itself can try passphrases at home.
        Source::Sent(_) => attempt.await?.ok_or_else(guesses::wrong)?,
    };
    Ok(Arc::new(part))
}
