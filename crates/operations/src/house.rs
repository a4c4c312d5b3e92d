//! What every operation gets: the stores, the clock, randomness, secrets and the house rules.

use std::{path::PathBuf, sync::OnceLock};

use blobs::Blobs;
use database::{Database, ScopedFutureExt, engine::meta};
use model::plan::Plan;
use tokio::sync::Semaphore;

use crate::{
    Clock, Entropy, Error, Geo, Ids, Result, Secrets,
    access::{PackageAccessCache, access_keys::ExistenceChecks},
    accounts::{failures::Failures, query_cache::KnownQueries, user_cache::UserCache},
    downloads::DownloadCounter,
    events::{
        stream::{LoginBatch, SubscribedSubjects},
        webhooks,
    },
    format::Format,
    maintenance::{
        master_key::{self, FINGERPRINT},
        nodes::ThisNode,
        scrub::{self, Suspects, WithheldCursor},
    },
    outbound::{self, OutboundClient},
    passwords::Passwords,
    public_sync::{self, SyncSlots},
    rendering::Renderer,
    signing::SigningPool,
    storage::checksums::Computing,
};

/// The most of what the registry says: the failures of many files come in one answer.
const STAGING_ANSWER_BYTES: usize = 4 << 20;

/// Rules that the operator may set.
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
    /// Days that a published version still takes new files.
    pub upload_days: i64,
    /// Days that a published version may still be deleted.
    pub delete_days: i64,
    /// Hours that a signed address is good when its maker does not say.
    pub signed_url_hours: i64,
    /// The largest file that is taken.
    pub upload_bytes: u64,
    /// The folder for what is unpacked on its way.
    pub spool: PathBuf,
    /// Days that the logs of downloads are kept.
    pub download_log_days: i64,
    /// Hours that content stays after no file has it any more.
    pub garbage_grace_hours: i64,
    /// How content is held against its digests.
    pub scrub: scrub::Rules,
    /// The file with the countries of addresses.
    pub geo_database: Option<PathBuf>,
    /// Where requests to servers of others may go.
    pub outgoing: outbound::OutboundRules,
    /// Licences that packages may name besides those of the contract's list.
    pub extra_licenses: Vec<String>,
    /// Where releases are staged for the public.
    pub staging: Option<public_sync::RegistryConfig>,
    /// Bytes that a subject of the free plan may store; the largest number is no limit.
    pub free_storage_bytes: i64,
    /// The same for the premium plan.
    pub premium_storage_bytes: i64,
    /// The same for the enterprise plan.
    pub enterprise_storage_bytes: i64,
    /// Hooks that one user may register.
    pub webhooks_per_user: i64,
    /// Callbacks that fail in a row until a hook is switched off.
    pub webhook_failures: i64,
    /// Wrong credentials that a name takes in a minute.
    pub wrong_credentials_per_name: u64,
    /// The same for an address.
    pub wrong_credentials_per_address: u64,
    /// What this server is called among others.
    pub node_name: String,
    /// Whether callbacks carry the header names of the API's first incarnation, too.
    pub tells_old_names: bool,
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
    /// The repository formats that are known; the first is for those that are not.
    pub formats: &'static [&'static dyn Format],
    /// Downloads that were delivered.
    pub counter: DownloadCounter,
    /// The countries of addresses.
    pub geo: Geo,
    pub(crate) passwords: Passwords,
    /// Requests to servers of others.
    pub(crate) outgoing: OutboundClient,
    /// Requests to the registry where releases are staged. Whoever runs the house has chosen it.
    pub(crate) outgoing_to_staging: OutboundClient,
    /// Room for syncs with it.
    pub(crate) syncs: SyncSlots,
    /// What others have said about keys for outsiders.
    pub(crate) existence: ExistenceChecks,
    /// Where keys are opened and used.
    pub(crate) signing: SigningPool,
    /// Checksums that are being computed.
    pub(crate) computing: Computing,
    /// Credentials that were wrong a moment ago.
    pub(crate) failures: Failures,
    /// Where texts become HTML.
    pub(crate) renderer: Renderer,
    /// Room for callbacks that somebody waits for.
    pub(crate) trials: Semaphore,
    /// Users who have called a moment ago.
    pub(crate) known_users: UserCache,
    /// How much they have asked today.
    pub(crate) known_queries: KnownQueries,
    /// Packages in which they could publish.
    pub(crate) known_packages: PackageAccessCache,
    /// Whom somebody follows.
    pub(crate) followed: SubscribedSubjects,
    /// Credentials that were shown for those.
    pub(crate) logins: LoginBatch,
    /// Which server this is.
    pub(crate) node: ThisNode,
    /// A second place that has the same content, to heal from.
    pub(crate) replica: Option<Blobs>,
    /// Content that looks damaged.
    pub(crate) suspects: Suspects,
    /// The withheld content that is examined next.
    pub(crate) withheld: WithheldCursor,
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
        formats: &'static [&'static dyn Format],
    ) -> Result<House> {
        clock.follow(&db).await?;
        recognise(&db, &secrets).await?;
        let secrets = master_key::carry(&db, secrets).await?;
        let geo = Geo::open(policy.geo_database.as_deref())?;
        let node = ThisNode { id: OnceLock::new(), name: policy.node_name.clone(), started: clock.now() };
        let replica = policy.scrub.replica.clone().map(Blobs::open_to_read).transpose()?;
        Ok(House {
            db,
            blobs,
            clock,
            ids: Ids::default(),
            entropy,
            secrets,
            formats,
            counter: DownloadCounter::default(),
            geo,
            passwords: Passwords::default(),
            outgoing: OutboundClient::new(policy.outgoing.clone()),
            outgoing_to_staging: OutboundClient::to_chosen(STAGING_ANSWER_BYTES),
            syncs: SyncSlots::default(),
            existence: ExistenceChecks::default(),
            signing: SigningPool::default(),
            computing: Computing::default(),
            failures: Failures::default(),
            renderer: Renderer::default(),
            trials: Semaphore::new(webhooks::TRIALS_AT_ONCE),
            known_users: UserCache::default(),
            known_queries: KnownQueries::default(),
            known_packages: PackageAccessCache::default(),
            followed: SubscribedSubjects::default(),
            logins: LoginBatch::default(),
            node,
            replica,
            suspects: Suspects::default(),
            withheld: WithheldCursor::default(),
            policy,
        })
    }

    /// The format of a repository type; one that has none of its own behaves as the first.
    pub(crate) fn format(&self, kind: &str) -> &'static dyn Format {
        let found = self.formats.iter().find(|format| format.name() == kind);
        *found.unwrap_or(&self.formats[0])
    }

    /// A new key for a row.
    pub(crate) fn next_id(&self) -> i64 {
        self.ids.next(self.clock.now(), &self.entropy)
    }
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
