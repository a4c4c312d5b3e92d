//! Pushing the files of a version to a public staging registry of somebody else: checked here first, then deployed there,
//! closed and released. Nothing of it is kept; the credentials live as long as the call.

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

use database::{
    ScopedFutureExt,
    catalogue::{repos::Repo, versions},
};
use model::{access::Right, address::VersionAddress};

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

/// A registry where releases are staged for the public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryConfig {
    /// Its address.
    pub url: String,
    /// How it is talked to.
    pub protocol: Protocol,
    /// The name or the id of the staging profile, where there are several.
    pub profile: Option<String>,
    /// How long a sync may take.
    pub timeout: Duration,
}

/// How a registry is talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// A staging repository is started, filled, closed and released.
    Nexus,
    /// One bundle is uploaded, validated and published.
    Portal,
}

impl Protocol {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Protocol::Nexus => "nexus",
            Protocol::Portal => "portal",
        }
    }
}

/// Whether files are released when they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseMode {
    /// They are.
    Release,
    /// They wait for somebody who does it by hand.
    LeaveOpen,
}

/// How a sync ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncOutcome {
    /// The house has no registry.
    NotConfigured,
    /// The files are not fit to be released, for all these reasons. Nothing was sent.
    Invalid(Vec<String>),
    /// The registry failed, or would not have them. What it says.
    Failed(Vec<String>),
    /// Done.
    Done {
        /// How far.
        ending: ReleaseMode,
        /// What there is to tell.
        messages: Vec<String>,
    },
}

/// Pushes the published files of a version to the house's registry, for whoever may publish it.
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
        never = turn.keep() => match never {},
    };
    turn.end().await;
    ended
}

/// A sync whose turn it is.
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
                self.write_down().await?;
                Ok(self.send(&release).await)
            }
        }
    }

    /// Before anything leaves the house: a sync that fails half-way has happened, too.
    async fn write_down(&self) -> Result<()> {
        let Self { house, caller, at, .. } = *self;
        let detail = match self.ending {
            ReleaseMode::Release => format!("{}: release", self.registry.protocol.as_str()),
            ReleaseMode::LeaveOpen => format!("{}: leave open", self.registry.protocol.as_str()),
        };
        let log = &entry(house, caller, "staging.sync", at, detail);
        let written = house.db.write(|tx| {
            async move {
                // Reading the files takes a while: the caller may have lost the right.
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
