//! The state of a repository's indexes: the generation, and who may build the next one.

use model::{id::RepoId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// The state of a repository's indexes.
    #[derive(Copy)]
    pub struct IndexHead {
        /// The newest generation; 0 if none was built yet.
        generation: i64,
        /// When it was built, in milliseconds since the start of 1970.
        generated: i64,
        /// The edition of the format's code that the repository was built with.
        edition: i64,
        /// When documents are made again because they expire.
        seal_by: Option<i64>,
    }
}

/// Returns the state, if the repository has indexes.
pub async fn find(db: &dyn Read, repo_id: RepoId) -> Result<Option<IndexHead>> {
    db.one(select!(IndexHead, "FROM index_heads WHERE repo_id = $1", repo_id).looking_up()).await
}

/// Begins the indexes of a repository, unless it has them. From then on changes of its files are noted.
pub async fn insert(tx: &mut Tx, repo_id: RepoId) -> Result<()> {
    tx.run(insert!(
        index_heads { repo_id, generation: 0, generated: 0, lease: 0, leased_until: 0, edition: 0 },
        "ON CONFLICT (repo_id) DO NOTHING",
    ))
    .await?;
    Ok(())
}

/// The right of one builder to build the next generation, until its lease ends.
#[derive(Debug, Clone, Copy)]
pub struct IndexLease {
    /// The repository.
    pub repo_id: RepoId,
    /// A number that no other lease has.
    pub token: i64,
}

/// Leases a repository to one builder, if no other has it; returns its state.
pub async fn lease(tx: &mut Tx, lease: IndexLease, now: Timestamp, until: Timestamp) -> Result<Option<IndexHead>> {
    tx.one(sql!(
        "UPDATE index_heads SET lease = $2, leased_until = $4
         WHERE repo_id = $1 AND leased_until <= $3
         RETURNING generation, generated, edition, seal_by",
        lease.repo_id,
        lease.token,
        now,
        until,
    ))
    .await
}

/// Extends the lease; returns false if another builder has taken over.
pub async fn renew(tx: &mut Tx, lease: IndexLease, until: Timestamp) -> Result<bool> {
    let renewed = tx
        .run(sql!(
            "UPDATE index_heads SET leased_until = $3 WHERE repo_id = $1 AND lease = $2 AND leased_until > 0",
            lease.repo_id,
            lease.token,
            until,
        ))
        .await?;
    Ok(renewed == 1)
}

/// Ends the lease without a new generation, with the reason if the build has failed.
pub async fn release(tx: &mut Tx, lease: IndexLease, failure: Option<&str>) -> Result<()> {
    tx.run(sql!(
        "UPDATE index_heads SET leased_until = 0, failure = $3 WHERE repo_id = $1 AND lease = $2",
        lease.repo_id,
        lease.token,
        failure,
    ))
    .await?;
    Ok(())
}

/// Switches to the next generation and ends the lease; returns false, and changes nothing, if the builder has lost its
/// lease.
pub async fn switch(
    tx: &mut Tx,
    lease: IndexLease,
    generation: i64,
    now: Timestamp,
    seal_by: Option<Timestamp>,
) -> Result<bool> {
    tx.invalidate(Invalidation::Paths(lease.repo_id));
    let switched = tx
        .run(sql!(
            "UPDATE index_heads
             SET generation = generation + 1, generated = $4, leased_until = 0, seal_by = $5, failure = NULL
             WHERE repo_id = $1 AND lease = $2 AND generation = $3 AND leased_until > 0",
            lease.repo_id,
            lease.token,
            generation,
            now,
            seal_by,
        ))
        .await?;
    Ok(switched == 1)
}

/// Records the edition of the code that all files of a repository are noted for.
pub async fn set_edition(tx: &mut Tx, repo_id: RepoId, edition: i64) -> Result<()> {
    tx.run(sql!("UPDATE index_heads SET edition = $2 WHERE repo_id = $1", repo_id, edition)).await?;
    Ok(())
}

/// Lists repositories without any generation.
pub async fn list_unbuilt(db: &dyn Read, limit: i64) -> Result<Vec<RepoId>> {
    db.all(sql!(
        "SELECT repo_id FROM index_heads WHERE generation = 0 AND repo_id > 0 ORDER BY repo_id LIMIT $1",
        limit
    ))
    .await
}

/// Lists repositories whose documents have to be rebuilt.
pub async fn list_to_seal(db: &dyn Read, now: Timestamp, limit: i64) -> Result<Vec<RepoId>> {
    db.all(sql!("SELECT repo_id FROM index_heads WHERE seal_by <= $1 ORDER BY seal_by LIMIT $2", now, limit)).await
}

/// Lists repositories of a type that were built by another edition of the code, or never.
pub async fn list_outdated(db: &dyn Read, repo_type: &str, edition: i64, limit: i64) -> Result<Vec<RepoId>> {
    db.all(sql!(
        "SELECT r.id FROM repos r LEFT JOIN index_heads h ON h.repo_id = r.id
         WHERE r.type = $1 AND (h.repo_id IS NULL OR h.edition <> $2)
         ORDER BY r.id
         LIMIT $3",
        repo_type,
        edition,
        limit,
    ))
    .await
}
