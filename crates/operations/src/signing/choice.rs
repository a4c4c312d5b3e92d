//! Chooses the key that signs.

use database::{
    accounts::subjects,
    signing::gpg_keys::{self, GpgKey},
};
use model::{access::Action, file_path::FilePath, names::SubjectName, repo::Repo, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, access,
    signing::{
        SigningOptions,
        certificate::{self, Certificate},
        keys, own_key,
    },
};

/// The key that a call signs with, not unlocked yet.
pub(crate) struct KeyChoice {
    pub(crate) source: KeySource,
    pub(crate) fingerprint: String,
    pub(crate) needs_passphrase: bool,
    pub(crate) expiry: Option<Timestamp>,
}

pub(crate) enum KeySource {
    /// A stored key.
    Stored(GpgKey),
    /// A key sent with the call.
    Supplied(Box<Certificate>),
}

/// Chooses the key of the call, or of the subject that it names, or of the repository's owner, or the server's own.
pub(crate) async fn choose(house: &House, caller: &Caller, repo: &Repo, with: &SigningOptions) -> Result<KeyChoice> {
    let choice = match (&with.private_key, &with.subject) {
        (Some(text), subject) => {
            let (text, now) = (text.clone(), house.clock.now());
            let sent = house.signing.enter()?.run(move || certificate::read(text.expose(), now)).await??;
            if let Some(subject) = subject {
                check_same(house, subject, &sent).await?;
            }
            KeyChoice::supplied(sent)
        }
        (None, Some(subject)) => KeyChoice::stored(of_subject(house, caller, subject).await?),
        (None, None) => KeyChoice::stored(of_repo(house, caller, repo).await?),
    };
    match choice.expiry.filter(|expiry| *expiry <= house.clock.now()) {
        Some(expiry) => Err(Error::invalid("gpg key", format!("it has expired at {expiry}; store a new one"))),
        None => Ok(choice),
    }
}

/// Rejects a call at the start if it will need a passphrase that was not sent.
pub(crate) async fn check_ready(
    house: &House,
    caller: &Caller,
    repo: &Repo,
    path: &FilePath,
    with: &SigningOptions,
) -> Result<()> {
    let profile = &repo.profile;
    let signs_file = profile.gpg_sign_files && !path.is_signature();
    let format = house.format(&repo.kind);
    let has_indexes = format.folder_indexes().is_some()
        || format.repo_indexes().is_some_and(|indexes| indexes.signing().needs_gpg_key());
    let signs_index = profile.gpg_sign_metadata && has_indexes;
    if (signs_file || signs_index) && with.passphrase.is_none() {
        return choose(house, caller, repo, with).await?.check_passphrase(with);
    }
    Ok(())
}

impl KeyChoice {
    fn stored(key: GpgKey) -> Self {
        let (fingerprint, needs_passphrase, expiry) = (key.fingerprint.clone(), key.needs_passphrase, key.expiry);
        Self { fingerprint, needs_passphrase, expiry, source: KeySource::Stored(key) }
    }

    fn supplied(key: Certificate) -> Self {
        let (fingerprint, needs_passphrase) = (key.fingerprint.clone(), key.part.is_locked());
        Self { fingerprint, needs_passphrase, expiry: key.expiry, source: KeySource::Supplied(Box::new(key)) }
    }

    /// Rejects a call that lacks the passphrase.
    pub(crate) fn check_passphrase(&self, with: &SigningOptions) -> Result<()> {
        if self.needs_passphrase && with.passphrase.is_none() {
            return Err(Error::invalid("passphrase", "the GPG key needs one: send X-GPG-PASSPHRASE or a JSON body"));
        }
        Ok(())
    }
}

/// Checks that the sent key is the subject's. This needs no right, because nothing of the subject is used: its public
/// key is public.
async fn check_same(house: &House, subject: &SubjectName, sent: &Certificate) -> Result<()> {
    let owner = subjects::find(&house.db, subject).await?.ok_or_else(|| keys::not_found(subject))?;
    let kept = gpg_keys::find(&house.db, owner.id).await?.ok_or_else(|| keys::not_found(subject))?;
    if kept.fingerprint == sent.fingerprint {
        Ok(())
    } else {
        Err(Error::invalid("private_key", format!("it does not belong to the public key of '{subject}'")))
    }
}

/// Returns the key of another subject, which only callers who manage that account may use.
async fn of_subject(house: &House, caller: &Caller, subject: &SubjectName) -> Result<GpgKey> {
    let owner = subjects::find(&house.db, subject).await?.ok_or_else(|| keys::not_found(subject))?;
    access::account(&house.db, caller, owner.kind, subject, Action::EditProfile).await?;
    gpg_keys::find(&house.db, owner.id).await?.ok_or_else(|| keys::not_found(subject))
}

async fn of_repo(house: &House, caller: &Caller, repo: &Repo) -> Result<GpgKey> {
    let owners = if repo.profile.gpg_use_owner_key { gpg_keys::find(&house.db, repo.owner_id).await? } else { None };
    match owners {
        Some(key) => Ok(key),
        None => own_key::find(house, caller).await,
    }
}
