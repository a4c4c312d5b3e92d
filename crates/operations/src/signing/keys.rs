//! Keys of users and organizations.

use database::{
    ScopedFutureExt, Tx,
    accounts::subjects,
    signing::gpg_keys::{self, GpgKey},
};
use model::{
    access::Action,
    names::SubjectName,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, RepoAccess, Result, access,
    audit::{entry, record},
    signing::{
        SecretText,
        certificate::{self, Certificate, refused},
        guesses, new_key,
        sealed::seal,
    },
};

/// The owner of a key.
#[derive(Debug, Clone)]
pub struct KeyOwner {
    /// The kind of the owner.
    pub kind: SubjectKind,
    /// The owner's name.
    pub name: SubjectName,
}

/// The public properties of a key. Nothing in it is secret.
#[derive(Debug, Clone)]
pub struct PublicKeyDetail {
    /// The fingerprint of the public key.
    pub fingerprint: String,
    /// Whether calls must send a passphrase.
    pub needs_passphrase: bool,
    /// Its expiry.
    pub expiry: Option<Timestamp>,
    /// When the server received or generated it.
    pub created: Timestamp,
}

/// Stores an armored private key, replacing the existing one. If its passphrase is sent, the key is unlocked now and
/// needs none later; otherwise it keeps its own protection.
#[boxed::future]
pub async fn import(
    house: &House,
    caller: &Caller,
    at: &KeyOwner,
    private_key: SecretText,
    passphrase: Option<SecretText>,
) -> Result<PublicKeyDetail> {
    let owner = access::account(&house.db, caller, at.kind, &at.name, Action::EditProfile).await?;
    let now = house.clock.now();
    let read = house.signing.enter()?.run(move || {
        let mut certificate = certificate::read(private_key.expose(), now)?;
        if let Some(passphrase) = passphrase
            && !certificate.part.unlock(&passphrase)
        {
            return Err(guesses::wrong());
        }
        if certificate.is_sound(now) {
            Ok(certificate)
        } else {
            Err(refused("its private part does not belong to its public part"))
        }
    });
    let certificate = read.await??;
    replace(house, caller, &owner, "gpg_key.import", certificate).await
}

/// Generates a key, replacing the existing one.
#[boxed::future]
pub async fn generate(house: &House, caller: &Caller, at: &KeyOwner) -> Result<PublicKeyDetail> {
    let owner = access::account(&house.db, caller, at.kind, &at.name, Action::EditProfile).await?;
    let certificate = new_key::generate(owner.name.as_str(), &house.entropy, house.clock.now())?;
    replace(house, caller, &owner, "gpg_key.generate", certificate).await
}

/// Deletes a key. Its signatures stay, and can be verified with the public key.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &KeyOwner) -> Result<()> {
    let owner = &access::account(&house.db, caller, at.kind, &at.name, Action::EditProfile).await?;
    let log = &entry(house, caller, "gpg_key.delete", &owner.name, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                if !gpg_keys::delete(tx, owner.id).await? {
                    return Err(not_found(&owner.name));
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the public properties of a key, for callers who manage the account.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &KeyOwner) -> Result<PublicKeyDetail> {
    let owner = access::account(&house.db, caller, at.kind, &at.name, Action::EditProfile).await?;
    let key = gpg_keys::find(&house.db, owner.id).await?.ok_or_else(|| not_found(&at.name))?;
    Ok(shown(&key))
}

/// Returns the armored public key, for anyone. An account without a key looks like one that does not exist.
#[boxed::future]
pub async fn public_key(house: &House, at: &KeyOwner) -> Result<String> {
    let owner = subjects::find(&house.db, &at.name).await?.filter(|subject| subject.kind == at.kind);
    let key = match owner {
        Some(owner) => gpg_keys::find(&house.db, owner.id).await?,
        None => None,
    };
    key.map(|key| key.public_key).ok_or_else(|| not_found(&at.name))
}

/// Whose key signs in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepoSigner {
    /// Its owner.
    Owner(SubjectKind),
    /// The server.
    Server,
}

/// Returns the public properties of the key that signs in a repository, for anyone who may see the repository. If it
/// signs nothing, that is the key of its owner, who may sign files elsewhere.
#[boxed::future]
pub async fn find_of_repo(house: &House, repo: &RepoAccess) -> Result<Option<(RepoSigner, PublicKeyDetail)>> {
    let (profile, owner_id) = (&repo.repo.profile, repo.repo.owner_id);
    let signs = profile.gpg_sign_files || profile.gpg_sign_metadata;
    let owners = if profile.gpg_use_owner_key || !signs { gpg_keys::find(&house.db, owner_id).await? } else { None };
    if let Some(key) = owners {
        let owner = subjects::find_by_id(&house.db, owner_id).await?;
        return Ok(owner.map(|owner| (RepoSigner::Owner(owner.kind), shown(&key))));
    }
    let own = if signs { gpg_keys::find_own(&house.db).await? } else { None };
    Ok(own.map(|key| (RepoSigner::Server, shown(&key))))
}

async fn replace(
    house: &House,
    caller: &Caller,
    owner: &Subject,
    action: &'static str,
    certificate: Certificate,
) -> Result<PublicKeyDetail> {
    let key = &seal(house, house.next_id(), Some(owner.id), certificate)?;
    let log = &entry(house, caller, action, &owner.name, &key.fingerprint);
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                gpg_keys::insert(tx, key).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(shown(key))
}

/// Locks the owner and checks the right again, because it may have been lost in the meantime.
async fn lock_owner(tx: &mut Tx, caller: &Caller, owner: &Subject) -> Result<()> {
    let owner = access::lock(tx, owner).await?;
    access::check_account(tx, caller, &owner, Action::EditProfile).await
}

fn shown(key: &GpgKey) -> PublicKeyDetail {
    let GpgKey { fingerprint, needs_passphrase, expiry, created, .. } = key.clone();
    PublicKeyDetail { fingerprint, needs_passphrase, expiry, created }
}

pub(super) fn not_found(owner: &SubjectName) -> Error {
    Error::NotFound { what: "GPG key of", name: owner.to_string() }
}
