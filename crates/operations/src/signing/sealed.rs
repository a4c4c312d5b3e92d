//! Keys as stored.

use database::signing::gpg_keys::GpgKey;
use model::id::SubjectId;

use crate::{House, Result, sealing::SealContext, signing::certificate::Certificate};

/// Builds the row of a key, for the subject with this id or for the server.
pub(super) fn seal(house: &House, id: i64, subject_id: Option<SubjectId>, certificate: Certificate) -> Result<GpgKey> {
    let Certificate { part, public_key, fingerprint, expiry } = certificate;
    let sealed_key = house.secrets.seal(place(id), &part.to_bytes()?, &house.entropy)?;
    let (needs_passphrase, created) = (part.is_locked(), house.clock.now());
    Ok(GpgKey { id, subject_id, sealed_key, public_key, fingerprint, needs_passphrase, expiry, created })
}

/// The context in which the private part of a key is sealed.
pub(crate) fn place(id: i64) -> SealContext {
    SealContext { table: "gpg_keys", column: "sealed_key", row: id }
}
