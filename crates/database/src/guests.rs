//! Changes that tools make to an embedded database beside the server that has it: they leave a mark, and the server
//! looks for it.

use std::time::Duration;

use crate::{
    Database, Read, Result, Tx,
    changes::{Change, Changes},
    statement::sql,
};

/// How often the server looks.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Leaves a mark with a change.
pub(crate) async fn leave_mark(tx: &mut Tx) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO meta (key, value)
         VALUES ('guest_changes', '1')
         ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)"
    ))
    .await?;
    Ok(())
}

/// Looks for marks for as long as it runs.
pub(crate) async fn listen(db: &Database, changes: &Changes) {
    let mut known = mark(db).await;
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let found = mark(db).await;
        if found != known {
            changes.note(Change::Everything);
            known = found;
        }
    }
}

/// The mark; a failure looks like another one.
async fn mark(db: &Database) -> Option<String> {
    db.one(sql!("SELECT value FROM meta WHERE key = 'guest_changes'")).await.unwrap_or_default()
}
