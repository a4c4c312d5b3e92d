//! Records events, for subscribers of the stream.

pub mod stream;
pub mod webhooks;

use database::{
    Tx,
    catalogue::repos::Repo,
    events::{self, Event, EventKind},
};
use model::{file_path::FilePath, timestamp::Timestamp};

use crate::{Caller, House, Result};

/// Something that happened in a repository. Names that it has nothing to do with are empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewEvent<'a> {
    pub(crate) kind: EventKind,
    pub(crate) repo: &'a Repo,
    pub(crate) package: &'a str,
    pub(crate) version: &'a str,
    pub(crate) path: Option<&'a FilePath>,
}

/// Records an event, in the transaction that causes it.
pub(crate) async fn record(
    tx: &mut Tx,
    house: &House,
    caller: &Caller,
    at: Timestamp,
    happened: NewEvent<'_>,
) -> Result<()> {
    let event = Event {
        id: house.next_id(),
        subject_id: happened.repo.owner_id,
        at,
        kind: happened.kind,
        repo: happened.repo.name.to_string(),
        package: happened.package.to_owned(),
        version: happened.version.to_owned(),
        path: happened.path.map(FilePath::to_string),
        actor: caller.audit_name(),
        address: caller.audit_address(),
        agent: caller.agent.clone(),
        detail: None,
    };
    Ok(events::insert(tx, &event).await?)
}
