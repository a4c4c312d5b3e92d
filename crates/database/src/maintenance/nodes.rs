//! Nodes that run on this database.

use model::{node::Node, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct NodeRow { id: i64, name: String, version: String, started: i64, heartbeat: i64 = "seen" }
}

impl From<NodeRow> for Node {
    fn from(row: NodeRow) -> Self {
        Node {
            id: row.id,
            name: row.name,
            version: row.version,
            started: Timestamp::from_millis(row.started),
            seen: Timestamp::from_millis(row.heartbeat),
        }
    }
}

/// Records a heartbeat.
pub async fn upsert(tx: &mut Tx, node: &Node) -> Result<()> {
    tx.run(insert!(
        nodes { id: node.id, name: &node.name, version: &node.version, started: node.started, seen: node.seen },
        "ON CONFLICT (id) DO UPDATE SET seen = excluded.seen",
    ))
    .await?;
    Ok(())
}

/// Returns the nodes with a heartbeat after a time, latest first.
pub async fn list(db: &dyn Read, after: Timestamp) -> Result<Vec<Node>> {
    let rows: Vec<NodeRow> = db
        .all(select!(
            NodeRow,
            "FROM nodes
             WHERE seen > $1
             ORDER BY seen DESC, id DESC",
            after,
        ))
        .await?;
    Ok(rows.into_iter().map(Node::from).collect())
}

/// Removes a node that shuts down.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM nodes WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Deletes the nodes without a heartbeat after a time.
pub async fn delete_expired(tx: &mut Tx, until: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM nodes WHERE seen <= $1", until).long()).await?;
    Ok(())
}
