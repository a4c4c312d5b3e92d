//! Records events, for subscribers of the stream and for webhooks.

pub mod attention;
pub mod stream;
pub mod webhooks;

use database::{Tx, events};
use model::{
    event::{Event, EventKind},
    file_path::FilePath,
    package::Package,
    repo::Repo,
    timestamp::Timestamp,
    version::Version,
};

use crate::{Caller, House, Result, events::webhooks::Subscriptions};

/// An event in a repository.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewEvent<'a> {
    pub(crate) kind: EventKind,
    pub(crate) at: Timestamp,
    pub(crate) repo: &'a Repo,
    pub(crate) scope: EventScope<'a>,
}

/// The scope of an event in a repository.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EventScope<'a> {
    /// The repository.
    Repo,
    /// A package, with everything in it. The package is deleted, and so are its webhooks.
    Package(&'a Package),
    /// A version.
    Version(&'a Package, &'a Version),
    /// Files of a version: one event each.
    Files(&'a Package, &'a Version, &'a [&'a FilePath]),
}

/// Records an event, in the transaction that causes it, and enqueues its webhook deliveries. All events of a package in
/// one transaction share the `subscriptions`.
pub(crate) async fn record(
    tx: &mut Tx,
    house: &House,
    caller: &Caller,
    event: NewEvent<'_>,
    subscriptions: &Subscriptions,
) -> Result<()> {
    for path in event.scope.paths() {
        let row = Event {
            id: house.next_id(),
            subject_id: event.repo.owner_id,
            at: event.at,
            kind: event.kind,
            repo: event.repo.name.to_string(),
            package: event.scope.package().to_owned(),
            version: event.scope.version().to_owned(),
            path: path.map(FilePath::to_string),
            actor: caller.audit_name(),
            address: caller.audit_address(),
            agent: caller.agent.clone(),
            detail: None,
        };
        events::insert(tx, &row).await?;
    }
    webhooks::enqueue(tx, house, caller, &event, subscriptions).await
}

impl<'a> EventScope<'a> {
    /// The name of the package; empty for an event of the repository.
    fn package(&self) -> &'a str {
        match self {
            EventScope::Repo => "",
            EventScope::Package(package) | EventScope::Version(package, _) | EventScope::Files(package, ..) => {
                package.name.as_str()
            }
        }
    }

    /// The name of the version; empty if the event covers more than one.
    fn version(&self) -> &'a str {
        match self {
            EventScope::Repo | EventScope::Package(_) => "",
            EventScope::Version(_, version) | EventScope::Files(_, version, _) => version.name.as_str(),
        }
    }

    /// The path of each event; `None` for a single event without a file.
    fn paths(&self) -> Vec<Option<&'a FilePath>> {
        match self {
            EventScope::Files(.., paths) => paths.iter().copied().map(Some).collect(),
            EventScope::Repo | EventScope::Package(_) | EventScope::Version(..) => vec![None],
        }
    }
}
