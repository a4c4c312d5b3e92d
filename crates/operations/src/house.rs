//! What every operation gets: the stores, the clock, randomness, secrets and the house rules.

use blobs::Blobs;
use database::{Database, ScopedFutureExt, meta};
use model::plan::Plan;

use crate::{Clock, Entropy, Error, Ids, Result, Secrets, passwords::Passwords};

/// The key of `meta` under which the master key is recognised.
const FINGERPRINT: &str = "master_key_fingerprint";

/// Rules that whoever runs the house may set.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The plan of new subjects.
    pub default_plan: Plan,
    /// Whether strangers may make accounts.
    pub open_registration: bool,
    /// Queries of others' resources that the free plan has each day.
    pub free_queries_per_day: i64,
    /// The same for the premium plan.
    pub premium_queries_per_day: i64,
}

/// The service with everything it stands on.
pub struct House {
    /// Metadata.
    pub db: Database,
    /// Content.
    pub blobs: Blobs,
    /// Time.
    pub clock: Clock,
    /// Keys of rows.
    pub ids: Ids,
    /// Randomness.
    pub entropy: Entropy,
    /// What hangs on the master key.
    pub secrets: Secrets,
    /// The house rules.
    pub policy: Policy,
    pub(crate) passwords: Passwords,
}

impl House {
    /// Puts a house together on a migrated database, and refuses a master key that is not this database's.
    pub async fn open(
        db: Database,
        blobs: Blobs,
        clock: Clock,
        entropy: Entropy,
        secrets: Secrets,
        policy: Policy,
    ) -> Result<House> {
        clock.follow(&db).await?;
        recognise(&db, &secrets).await?;
        Ok(House { db, blobs, clock, ids: Ids::default(), entropy, secrets, policy, passwords: Passwords::default() })
    }

    /// A new key for a row.
    pub(crate) fn next_id(&self) -> i64 {
        self.ids.next(self.clock.now(), &self.entropy)
    }
}

/// Whether no house has been opened on this database yet.
pub async fn is_new_house(db: &Database) -> Result<bool> {
    Ok(meta::find(db, FINGERPRINT).await?.is_none())
}

async fn recognise(db: &Database, secrets: &Secrets) -> Result<()> {
    let fingerprint = secrets.fingerprint();
    let fingerprint = &fingerprint;
    let known = db
        .write(|tx| {
            async move {
                let known = meta::find(tx, FINGERPRINT).await?;
                if known.is_none() {
                    meta::insert(tx, FINGERPRINT, fingerprint).await?;
                }
                Ok::<_, database::Error>(known)
            }
            .scope_boxed()
        })
        .await;
    let known = match known {
        // Another node was first.
        Err(database::Error::Conflict) => meta::find(db, FINGERPRINT).await?,
        other => other?,
    };
    match known {
        Some(known) if known != *fingerprint => Err(Error::Internal(
            "the master key is not the one this database was made with; restore its file, or no key and no secret will work".into(),
        )),
        _ => Ok(()),
    }
}
