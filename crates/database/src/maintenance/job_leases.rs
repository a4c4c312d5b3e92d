//! Leases of jobs that one node runs at a time.

use model::timestamp::Timestamp;

use crate::{
    Result, Tx,
    engine::statement::{insert, sql},
};

/// Leases a job until a time, or renews the lease; returns `false` while another node has it.
pub async fn lease(tx: &mut Tx, job: &str, token: i64, now: Timestamp, until: Timestamp) -> Result<bool> {
    tx.run(insert!(job_leases { name: job, token, leased_until: 0 }, "ON CONFLICT (name) DO NOTHING")).await?;
    let leased = tx
        .run(sql!(
            "UPDATE job_leases SET token = $2, leased_until = $4
             WHERE name = $1 AND (leased_until <= $3 OR token = $2)",
            job,
            token,
            now,
            until,
        ))
        .await?;
    Ok(leased == 1)
}

/// Releases the lease with this token.
pub async fn release(tx: &mut Tx, job: &str, token: i64) -> Result<()> {
    tx.run(sql!("UPDATE job_leases SET leased_until = 0 WHERE name = $1 AND token = $2", job, token)).await?;
    Ok(())
}
