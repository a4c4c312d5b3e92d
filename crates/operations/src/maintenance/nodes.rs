//! The nodes of this installation: each sends heartbeats, and site administrators can list them.

use std::sync::OnceLock;

use database::{ScopedFutureExt, maintenance::nodes as rows};
pub use model::node::Node;
use model::{access::Action, timestamp::Timestamp};

use crate::{Caller, Error, House, Result, access, maintenance::runs::Run};

const MINUTE_MS: i64 = 60_000;

/// A node without a heartbeat for this long counts as stopped; heartbeats come every minute.
const SILENT_MS: i64 = 3 * MINUTE_MS;

/// The time after which a node that stopped without deregistering is deleted.
const REMEMBERED_MS: i64 = 24 * 60 * MINUTE_MS;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A node, and whether it is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeStatus {
    /// The node.
    pub node: Node,
    /// Whether its last heartbeat is recent.
    pub is_running: bool,
}

/// Lists the nodes of the last day, for site administrators.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller) -> Result<Vec<NodeStatus>> {
    access::check_site(caller, Action::Administer)?;
    let now = house.clock.now().millis();
    let nodes = rows::list(&house.db, Timestamp::from_millis(now - REMEMBERED_MS)).await?;
    let seen = |node: Node| NodeStatus { is_running: now - node.seen.millis() < SILENT_MS, node };
    Ok(nodes.into_iter().map(seen).collect())
}

/// Records a heartbeat of this node, and deletes nodes that stopped long ago.
pub(crate) async fn heartbeat(house: &House) -> Result<()> {
    let (now, node) = (house.clock.now(), &house.node);
    let id = *node.id.get_or_init(|| house.next_id());
    let node = &Node { id, name: node.name.clone(), version: VERSION.to_owned(), started: node.started, seen: now };
    let written = house.db.write(|tx| {
        async move {
            rows::delete_expired(tx, Timestamp::from_millis(now.millis() - REMEMBERED_MS)).await?;
            Ok::<_, Error>(rows::upsert(tx, node).await?)
        }
        .scope_boxed()
    });
    written.await
}

/// Deletes this node when it stops.
pub(crate) async fn deregister(house: &House) -> Result<()> {
    let Some(id) = house.node.id.get().copied() else { return Ok(()) };
    let written: database::Result<()> = house.db.write(|tx| rows::delete(tx, id).scope_boxed()).await;
    Ok(written?)
}

/// The identity of this node.
#[derive(Debug)]
pub(crate) struct ThisNode {
    /// The id in the database, set by the first heartbeat.
    pub(crate) id: OnceLock<i64>,
    /// The name that the operator gave to it.
    pub(crate) name: String,
    /// The time of its start.
    pub(crate) started: Timestamp,
    /// Its present run.
    pub(crate) run: Run,
}
