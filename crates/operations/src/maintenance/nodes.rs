//! The servers of this installation: each tells of itself, and site administrators see all.

use std::sync::OnceLock;

use database::{ScopedFutureExt, maintenance::nodes as rows};
use model::{access::Action, timestamp::Timestamp};

use crate::{Caller, Error, House, Result, access};

pub use database::maintenance::nodes::Node;

const MINUTE_MS: i64 = 60_000;

/// After how long without a sign a server is taken to have stopped: it gives one a minute.
const SILENT_MS: i64 = 3 * MINUTE_MS;

/// How long a server that has stopped without a word is remembered.
const REMEMBERED_MS: i64 = 24 * 60 * MINUTE_MS;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A server, and whether it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeStatus {
    /// The server.
    pub node: Node,
    /// Whether it has told of itself lately.
    pub is_running: bool,
}

/// The servers of the last day, for site administrators.
pub async fn list(house: &House, caller: &Caller) -> Result<Vec<NodeStatus>> {
    access::check_site(caller, Action::Administer)?;
    let now = house.clock.now().millis();
    let nodes = rows::list(&house.db, Timestamp::from_millis(now - REMEMBERED_MS)).await?;
    let seen = |node: Node| NodeStatus { is_running: now - node.seen.millis() < SILENT_MS, node };
    Ok(nodes.into_iter().map(seen).collect())
}

/// Tells that this server is there, and forgets those that have long stopped.
pub(crate) async fn heartbeat(house: &House) -> Result<()> {
    let (now, node) = (house.clock.now(), &house.node);
    let id = *node.id.get_or_init(|| house.next_id());
    let node = &Node { id, name: node.name.clone(), version: VERSION.to_owned(), started: node.started, seen: now };
    let written = house.db.write(|tx| {
        async move {
            rows::forget(tx, Timestamp::from_millis(now.millis() - REMEMBERED_MS)).await?;
            Ok::<_, Error>(rows::upsert(tx, node).await?)
        }
        .scope_boxed()
    });
    written.await
}

/// Tells that this server stops.
pub(crate) async fn deregister(house: &House) -> Result<()> {
    let Some(id) = house.node.id.get().copied() else { return Ok(()) };
    let written: database::Result<()> = house.db.write(|tx| rows::delete(tx, id).scope_boxed()).await;
    Ok(written?)
}

/// What a server knows of itself.
#[derive(Debug)]
pub(crate) struct ThisNode {
    /// Its key in the database, once it has told of itself.
    pub(crate) id: OnceLock<i64>,
    /// What its operator calls it.
    pub(crate) name: String,
    /// When it began.
    pub(crate) started: Timestamp,
}
