//! Pushes the files of a version to a third-party public registry: checks them here first, then deploys, closes and
//! releases them there. Nothing of it is stored; the credentials exist only during the call.

mod bundle;
mod credentials;
pub(crate) mod lease;
pub(crate) mod messages;
mod nexus;
mod portal;
mod protocol;
mod release;
mod remote;
mod running;

pub use credentials::Credentials;

pub(crate) use running::SyncSlots;

use std::time::Duration;

use database::{ScopedFutureExt, catalogue::versions};
use model::{access::Right, address::VersionAddress, repo::Repo};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    public_sync::lease::SyncLeaseGuard,
};
use nexus::Nexus;
use portal::Portal;
use protocol::carry_out;
use release::Release;
use remote::{RegistryConnection, SyncError};

/// A registry that stages releases for the public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryConfig {
    /// The URL.
    pub url: String,
    /// The protocol.
    pub protocol: Protocol,
    /// The name or the id of the staging profile, if several exist.
    pub profile: Option<String>,
    /// The maximum duration of a sync.
    pub timeout: Duration,
}

/// The protocol of a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Starts, fills, closes and releases a staging repository.
    Nexus,
    /// Uploads one bundle, which is validated and published.
    Portal,
}

impl Protocol {
    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Protocol::Nexus => "nexus",
            Protocol::Portal => "portal",
        }
    }
}

/// Whether the files are released after they are deployed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseMode {
    /// Release them.
    Release,
    /// Leave them for a person to release.
    LeaveOpen,
}

/// The outcome of a sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncOutcome {
    /// No registry is configured.
    NotConfigured,
    /// The files do not meet the requirements for a release, for these reasons. Nothing was sent.
    Invalid(Vec<String>),
    /// The registry failed or rejected the files, with these messages.
    Failed(Vec<String>),
    /// The sync succeeded.
    Done {
        /// Whether the files were released.
        ending: ReleaseMode,
        /// Messages for the caller.
        messages: Vec<String>,
    },
}

/// Pushes the published files of a version to the configured registry, for callers who may publish it.
#[boxed::future]
pub async fn sync(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    credentials: Result<Credentials>,
    ending: Result<ReleaseMode>,
) -> Result<SyncOutcome> {
    let access = access::package(&house.db, caller, at, Right::Publish).await?;
    let version = versions::find(&house.db, access.package.id, &at.version).await?;
    version.ok_or_else(|| Error::no_version(at))?;
    let Some(registry) = &house.policy.staging else { return Ok(SyncOutcome::NotConfigured) };
    let (credentials, ending) = (credentials?, ending?);
    let _place = house.syncs.begin()?;
    let turn = SyncLeaseGuard::take(house, access.package.id, at).await?;
    let syncing = Syncing { house, caller, at, repo: &access.repo.repo, registry, credentials, ending, turn: &turn };
    let ended = tokio::select! {
        ended = syncing.run() => ended,
        never = turn.renew_forever() => match never {},
    };
    turn.end().await;
    ended
}

/// A sync that has its lease.
struct Syncing<'s> {
    house: &'s House,
    caller: &'s Caller,
    at: &'s VersionAddress,
    repo: &'s Repo,
    registry: &'s RegistryConfig,
    credentials: Credentials,
    ending: ReleaseMode,
    turn: &'s SyncLeaseGuard<'s>,
}

impl Syncing<'_> {
    async fn run(&self) -> Result<SyncOutcome> {
        match Release::gather(self.house, self.repo, self.turn.version_id()).await? {
            Err(gaps) => Ok(SyncOutcome::Invalid(gaps)),
            Ok(release) => {
                self.record_audit().await?;
                Ok(self.send(&release).await)
            }
        }
    }

    /// Records the sync in the audit log before anything is sent: a sync that fails half-way counts, too.
    async fn record_audit(&self) -> Result<()> {
        let Self { house, caller, at, .. } = *self;
        let detail = match self.ending {
            ReleaseMode::Release => format!("{}: release", self.registry.protocol.as_str()),
            ReleaseMode::LeaveOpen => format!("{}: leave open", self.registry.protocol.as_str()),
        };
        let log = &entry(house, caller, "staging.sync", at, detail);
        let written = house.db.write(|tx| {
            async move {
                // Reading the files takes a while, and the caller may have lost the right by now.
                access::package(tx, caller, at, Right::Publish).await?;
                record(tx, log).await
            }
            .scope_boxed()
        });
        written.await
    }

    async fn send(&self, release: &Release) -> SyncOutcome {
        let Self { house, at, registry, turn, ending, .. } = *self;
        tracing::info!(version = %at, "syncing {} files of `{at}`", release.files.len());
        let remote = &RegistryConnection::new(&house.outgoing_to_staging, registry, &self.credentials);
        let carried_out = match registry.protocol {
            Protocol::Nexus => {
                let nexus = Nexus::new(house, remote, turn, registry.profile.as_deref());
                carry_out(nexus, remote, release, ending).await
            }
            Protocol::Portal => carry_out(Portal::new(house, remote, turn, at), remote, release, ending).await,
        };
        match carried_out {
            Ok(messages) => {
                tracing::info!(version = %at, "synced `{at}`");
                SyncOutcome::Done { ending, messages }
            }
            Err(SyncError(messages)) => {
                tracing::warn!(version = %at, "syncing `{at}` failed: {}", messages.join("; "));
                SyncOutcome::Failed(messages)
            }
        }
    }
}
