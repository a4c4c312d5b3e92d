//! Numbers about the whole installation, for monitoring.

use database::{PoolStatus, content::stored_bytes, events::webhook_deliveries, indexes::changes};

use crate::{House, Result};

/// Longer queues are counted as this long, so that counting stays cheap.
const LONGEST: i64 = 100_000;

/// The numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gauges {
    /// The number of repositories that store something.
    pub repos: i64,
    /// The bytes of all files.
    pub stored_bytes: i64,
    /// The calls of webhooks that are not made yet, at most 100,000.
    pub webhook_backlog: i64,
    /// The files that repository indexes do not list yet, at most 100,000.
    pub index_backlog: i64,
}

/// Reads the numbers from the database.
#[boxed::future]
pub async fn read(house: &House) -> Result<Gauges> {
    let (repos, stored_bytes) = stored_bytes::of_all(&house.db).await?;
    let webhook_backlog = webhook_deliveries::count_all_pending(&house.db, LONGEST).await?;
    let index_backlog = changes::count(&house.db, LONGEST).await?;
    Ok(Gauges { repos, stored_bytes, webhook_backlog, index_backlog })
}

/// Returns the use of the database's connections by this node.
pub fn pool(house: &House) -> PoolStatus {
    house.db.pool_status()
}

/// Returns the number of statements that this node has run.
pub fn statements(house: &House) -> u64 {
    house.db.statements_run()
}
