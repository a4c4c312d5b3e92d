//! The context of every operation: the stores, the clock, randomness, secrets and the policy.

use std::{path::PathBuf, sync::OnceLock};

use blobs::Blobs;
use database::{Database, ScopedFutureExt, engine::meta};
use model::plan::Plan;
use tokio::sync::Semaphore;

use crate::{
    Clock, Entropy, Error, Geo, Ids, Result, Secrets,
    access::{PackageAccessCache, access_keys::ExistenceChecks},
    accounts::{
        failures::Failures, mails::MailConfig, query_cache::QueryCountCache, token_uses::TokenUses,
        user_cache::UserCache,
    },
    content,
    downloads::DownloadCounter,
    events::{
        stream::{LoginBatch, SubscribedSubjects},
        webhooks,
    },
    format::Format,
    indexes::IndexCaches,
    maintenance::{
        master_key::{self, FINGERPRINT},
        nodes::ThisNode,
        runs::Run,
        scrub::{self, Suspects, WithheldCursor},
    },
    native::NameLists,
    oidc::{OidcConfig, Providers},
    outbound::{self, OutboundClient},
    passwords::Passwords,
    public_sync::{self, SyncSlots},
    rendering::{
        Renderer,
        images::{ImageProxy, ImageRules},
    },
    signing::SigningPool,
    storage::{computing::Computing, inspect::InspectionPool},
};

/// The maximum size of an answer from the registry: one answer contains the failures of many files.
const STAGING_ANSWER_BYTES: usize = 4 << 20;

/// The maximum size of an answer from the provider of single sign-on.
const PROVIDER_ANSWER_BYTES: usize = 256 << 10;

/// Rules that the operator may set.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The plan of new subjects.
    pub default_plan: Plan,
    /// Whether anyone may create an account.
    pub open_registration: bool,
    /// The daily quota of queries for other subjects' resources, in the free plan.
    pub free_queries_per_day: i64,
    /// The same for the premium plan.
    pub premium_queries_per_day: i64,
    /// The number of days for which a published version accepts new files.
    pub upload_days: i64,
    /// The number of days for which a published version may be deleted.
    pub delete_days: i64,
    /// The default lifetime of a signed URL, in hours.
    pub signed_url_hours: i64,
    /// The maximum size of a file.
    pub upload_bytes: u64,
    /// The folder for files being unpacked.
    pub spool: PathBuf,
    /// The number of days for which download logs are stored.
    pub download_log_days: i64,
    /// The number of hours for which unreferenced content is kept.
    pub garbage_grace_hours: i64,
    /// The rules for verifying content against its digests.
    pub scrub: scrub::Rules,
    /// The file with the countries of IP addresses.
    pub geo_database: Option<PathBuf>,
    /// The allowed destinations of outbound requests.
    pub outgoing: outbound::OutboundRules,
    /// Images of readmes.
    pub readme_images: ImageRules,
    /// Licenses that packages may use in addition to the contract's list.
    pub extra_licenses: Vec<String>,
    /// The registry for public syncs.
    pub staging: Option<public_sync::RegistryConfig>,
    /// The mail server, if messages are sent.
    pub mail: Option<MailConfig>,
    /// The storage quota of a subject in the free plan, in bytes; the largest number means no limit.
    pub free_storage_bytes: i64,
    /// The same for the premium plan.
    pub premium_storage_bytes: i64,
    /// The same for the enterprise plan.
    pub enterprise_storage_bytes: i64,
    /// The maximum number of webhooks of one user.
    pub webhooks_per_user: i64,
    /// The number of consecutive failed callbacks after which a webhook is switched off.
    pub webhook_failures: i64,
    /// The maximum number of wrong credentials for a name per minute.
    pub wrong_credentials_per_name: u64,
    /// The same for an IP address.
    pub wrong_credentials_per_address: u64,
    /// The name of this node.
    pub node_name: String,
    /// The provider of single sign-on.
    pub oidc: Option<OidcConfig>,
    /// Whether callbacks also have the header names of the API's first version.
    pub tells_old_names: bool,
}

/// The service with all its dependencies.
pub struct House {
    /// The metadata.
    pub db: Database,
    /// The content.
    pub blobs: Blobs,
    /// The clock.
    pub clock: Clock,
    /// The generator of ids.
    pub ids: Ids,
    /// The source of random bytes.
    pub entropy: Entropy,
    /// Secrets derived from the master key.
    pub secrets: Secrets,
    /// The policy.
    pub policy: Policy,
    /// The repository formats; the first one also serves types without a format.
    pub formats: &'static [&'static dyn Format],
    /// Counts completed downloads.
    pub counter: DownloadCounter,
    /// The countries of IP addresses.
    pub geo: Geo,
    pub(crate) passwords: Passwords,
    /// The client for outbound requests.
    pub(crate) outgoing: OutboundClient,
    /// The client for requests to the registry of public syncs, which the operator has chosen.
    pub(crate) outgoing_to_staging: OutboundClient,
    /// The client for requests to the provider of single sign-on, which the operator has chosen.
    pub(crate) outgoing_to_provider: OutboundClient,
    /// What issuers of identity tokens publish about themselves.
    pub(crate) providers: Providers,
    /// Limits simultaneous public syncs.
    pub(crate) syncs: SyncSlots,
    /// Cached answers about the existence of access keys.
    pub(crate) existence: ExistenceChecks,
    /// Unlocks and uses signing keys.
    pub(crate) signing: SigningPool,
    /// Limits simultaneous inspections of content.
    pub(crate) inspections: InspectionPool,
    /// Checksums being computed.
    pub(crate) computing: Computing,
    /// Recent wrong credentials.
    pub(crate) failures: Failures,
    /// What this node remembers of the indexes of repositories.
    pub(crate) index_caches: IndexCaches,
    /// The names of all packages of repositories.
    pub(crate) name_lists: NameLists,
    /// Renders texts as HTML.
    pub(crate) renderer: Renderer,
    /// Fetches and caches images of readmes.
    pub(crate) images: ImageProxy,
    /// Limits simultaneous test callbacks.
    pub(crate) trials: Semaphore,
    /// Limits simultaneous deletions of packages and versions with very many files.
    pub(crate) deletions: Semaphore,
    /// Caches users by their keys.
    pub(crate) known_users: UserCache,
    /// Uses of tokens, not written yet.
    pub(crate) token_uses: TokenUses,
    /// Caches the daily query counts of users.
    pub(crate) known_queries: QueryCountCache,
    /// Caches the packages in which users may publish.
    pub(crate) known_packages: PackageAccessCache,
    /// Caches the subjects that have subscribers.
    pub(crate) followed: SubscribedSubjects,
    /// Logins to those subjects, not flushed yet.
    pub(crate) logins: LoginBatch,
    /// This node.
    pub(crate) node: ThisNode,
    /// A second store with the same content, to repair damaged content from.
    pub(crate) replica: Option<Blobs>,
    /// Content that looks damaged.
    pub(crate) suspects: Suspects,
    /// The withheld content to verify next.
    pub(crate) withheld: WithheldCursor,
}

impl House {
    /// Opens a house on a migrated database, and rejects a master key that does not belong to this database.
    pub(crate) async fn open(
        (db, blobs): (Database, Blobs),
        clock: Clock,
        entropy: Entropy,
        secrets: Secrets,
        policy: Policy,
        formats: &'static [&'static dyn Format],
        run: Run,
    ) -> Result<House> {
        clock.follow(&db).await?;
        recognise(&db, &secrets).await?;
        let secrets = master_key::carry(&db, secrets).await?;
        let geo = Geo::open(policy.geo_database.as_deref())?;
        let node = ThisNode { id: OnceLock::new(), name: policy.node_name.clone(), started: clock.now(), run };
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
            outgoing_to_provider: OutboundClient::to_chosen(PROVIDER_ANSWER_BYTES),
            providers: Providers::default(),
            syncs: SyncSlots::default(),
            existence: ExistenceChecks::default(),
            signing: SigningPool::default(),
            inspections: InspectionPool::default(),
            computing: Computing::default(),
            failures: Failures::default(),
            index_caches: IndexCaches::default(),
            name_lists: NameLists::default(),
            renderer: Renderer::default(),
            images: ImageProxy::new(&policy.readme_images, &policy.outgoing),
            trials: Semaphore::new(webhooks::TRIALS_AT_ONCE),
            deletions: Semaphore::new(content::LARGE_AT_ONCE),
            known_users: UserCache::default(),
            token_uses: TokenUses::default(),
            known_queries: QueryCountCache::default(),
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

    /// Returns the format of a repository type; a type without one behaves like the first format.
    pub fn format(&self, kind: &str) -> &'static dyn Format {
        let found = self.formats.iter().find(|format| format.name() == kind);
        *found.unwrap_or(&self.formats[0])
    }

    /// The types that a new repository can have: those with a format.
    pub fn repo_types(&self) -> Vec<&'static str> {
        self.formats.iter().map(|format| format.name()).collect()
    }

    /// Returns whether repositories of this type have clients of their own that do more than fetch files.
    pub fn has_native(&self, kind: &str) -> bool {
        self.format(kind).native().is_some() || self.format(kind).holds_images()
    }

    /// Generates an id for a row.
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
