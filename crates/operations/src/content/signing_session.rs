//! The signatures of one call: what a transaction needs and does not have yet is owed, made, and there when it runs again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use database::{ScopedBoxFuture, ScopedFutureExt, Tx, catalogue::repos::Repo, content::blobs::Blob};
use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    Caller, Error, House, Result,
    signing::{
        SigningOptions,
        choice::{KeyChoice, choose},
        sign,
        signing_key::SigningKey,
        unlock::unlock,
    },
};

/// Signatures of one call that are made at the same time.
const AT_ONCE: usize = 4;

/// How often a transaction is run again because something else is to be signed than a moment ago.
const ROUNDS: u32 = 5;

/// What a call signs with, and what it has signed.
pub(crate) struct Session<'h> {
    house: &'h House,
    with: SigningOptions,
    /// `None` when nothing is signed.
    choice: Option<KeyChoice>,
    key: Option<Arc<SigningKey>>,
    contents: BTreeMap<i64, Blob>,
    texts: BTreeMap<String, String>,
    owed: Mutex<Owed>,
    rounds: u32,
}

#[derive(Default)]
struct Owed {
    contents: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

/// The signature of a text.
pub(crate) enum Text<'s> {
    /// Here it is, armoured.
    Signed(&'s str),
    /// It comes when the transaction runs again.
    Owed,
    /// Nothing is signed.
    Unsigned,
}

impl<'h> Session<'h> {
    /// Signs what is published in this repository, when it says so.
    pub(crate) async fn of_repo(house: &'h House, caller: &Caller, repo: &Repo, with: &SigningOptions) -> Result<Self> {
        let signs_indexes = repo.profile.gpg_sign_metadata && house.format(&repo.kind).builds_indexes();
        if repo.profile.gpg_sign_files || signs_indexes {
            Self::with_key(house, caller, repo, with).await
        } else {
            Ok(Self::none(house))
        }
    }

    /// Signs the indexes that a deletion changes, when that needs no passphrase: nothing is kept because of a lost one.
    pub(crate) async fn of_deletion(house: &'h House, caller: &Caller, repo: &Repo) -> Result<Self> {
        if !repo.profile.gpg_sign_metadata || !house.format(&repo.kind).builds_indexes() {
            return Ok(Self::none(house));
        }
        match Self::with_key(house, caller, repo, &SigningOptions::default()).await {
            Ok(session) if session.choice.as_ref().is_none_or(|choice| !choice.needs_passphrase) => Ok(session),
            Ok(_) | Err(Error::Invalid { .. }) => Ok(Self::none(house)),
            Err(other) => Err(other),
        }
    }

    /// Signs in any case.
    pub(crate) async fn with_key(
        house: &'h House,
        caller: &Caller,
        repo: &Repo,
        with: &SigningOptions,
    ) -> Result<Self> {
        let choice = choose(house, caller, repo, with).await?;
        Ok(Self::new(house, with, Some(choice)))
    }

    /// Signs nothing.
    pub(crate) fn none(house: &'h House) -> Self {
        Self::new(house, &SigningOptions::default(), None)
    }

    fn new(house: &'h House, with: &SigningOptions, choice: Option<KeyChoice>) -> Self {
        let (contents, texts, owed) = (BTreeMap::new(), BTreeMap::new(), Mutex::default());
        Self { house, with: with.clone(), choice, key: None, contents, texts, owed, rounds: 0 }
    }

    /// What the key in use is known by; `None` when nothing is signed.
    pub(crate) fn fingerprint(&self) -> Option<&str> {
        self.choice.as_ref().map(|choice| choice.fingerprint.as_str())
    }

    /// Runs a transaction, and once more when signatures that it lacked are made. It asks this session for them.
    pub(crate) async fn write<'w, T: Send>(
        mut self,
        work: impl for<'t> Fn(&'t mut Tx, &'t Self) -> ScopedBoxFuture<'w, 't, Result<T>> + Send + Sync + 'w,
    ) -> Result<T> {
        loop {
            let (session, work) = (&self, &work);
            let db = &self.house.db;
            let written = match self.choice {
                // The first attempt lacks every signature.
                Some(_) => db.write_in_savepoint(|tx| session.attempt(tx, work).scope_boxed()).await,
                None => db.write(|tx| session.attempt(tx, work).scope_boxed()).await,
            };
            if !self.owes(&written).await? {
                return written;
            }
        }
    }

    /// Refuses to have a transaction written down that lacks signatures.
    async fn attempt<'w, T>(
        &self,
        tx: &mut Tx,
        work: &(impl for<'t> Fn(&'t mut Tx, &'t Self) -> ScopedBoxFuture<'w, 't, Result<T>> + 'w),
    ) -> Result<T> {
        *self.owed() = Owed::default();
        let done = work(tx, self).await?;
        let owed = self.owed();
        if owed.contents.is_empty() && owed.texts.is_empty() { Ok(done) } else { Err(unsigned()) }
    }

    /// The signature of content. `None`: it comes when the transaction runs again.
    pub(crate) fn content(&self, blob_id: i64) -> Option<&Blob> {
        let signed = self.contents.get(&blob_id);
        if signed.is_none() {
            self.owed().contents.insert(blob_id);
        }
        signed
    }

    /// The signature of a text.
    pub(crate) fn text(&self, text: &str) -> Text<'_> {
        match self.texts.get(text) {
            _ if self.choice.is_none() => Text::Unsigned,
            Some(signed) => Text::Signed(signed),
            None => {
                self.owed().texts.insert(text.to_owned());
                Text::Owed
            }
        }
    }

    /// Whether a transaction has to run again, after what it lacked was made.
    async fn owes<T>(&mut self, written: &Result<T>) -> Result<bool> {
        if !matches!(written, Err(error) if *error == unsigned()) || self.rounds >= ROUNDS {
            return Ok(false);
        }
        self.rounds += 1;
        self.make().await?;
        Ok(true)
    }

    async fn make(&mut self) -> Result<()> {
        let Owed { contents, texts } = std::mem::take(&mut *self.owed());
        let (house, key) = (self.house, self.key().await?);
        let _place = house.signing.enter_signing().await?;
        let signed = stream::iter(contents).map(|id| sign_content(house, &key, id)).buffer_unordered(AT_ONCE);
        self.contents.extend(signed.try_collect::<Vec<_>>().await?);
        let signed = stream::iter(texts).map(|text| sign_text(house, &key, text)).buffer_unordered(AT_ONCE);
        self.texts.extend(signed.try_collect::<Vec<_>>().await?);
        Ok(())
    }

    async fn key(&mut self) -> Result<Arc<SigningKey>> {
        if let Some(key) = &self.key {
            return Ok(Arc::clone(key));
        }
        let choice = self.choice.as_ref().ok_or_else(|| Error::Internal("there is no key to sign with".into()))?;
        let key = unlock(self.house, choice, &self.with).await?;
        Ok(Arc::clone(self.key.insert(key)))
    }

    fn owed(&self) -> MutexGuard<'_, Owed> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn sign_content(house: &House, key: &Arc<SigningKey>, blob_id: i64) -> Result<(i64, Blob)> {
    Ok((blob_id, sign::sign_content(house, key, blob_id).await?))
}

async fn sign_text(house: &House, key: &Arc<SigningKey>, text: String) -> Result<(String, String)> {
    let signed = sign::sign_text(house, key, &text).await?;
    Ok((text, signed))
}

/// What a transaction fails with that lacks signatures. Callers see it when others change the files all the time.
fn unsigned() -> Error {
    Error::Conflict("The files were changed while they were being signed; try again".into())
}
