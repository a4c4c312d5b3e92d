//! The builds of trusted publishers that published versions.

use model::{id::VersionId, timestamp::Timestamp, trusted_publisher::Build};

use crate::{
    Error, Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns the build that published a version last, if a trusted publisher did.
pub async fn find(db: &dyn Read, version_id: VersionId) -> Result<Option<Build>> {
    let statement = sql!("SELECT build FROM version_builds WHERE version_id = $1", version_id).looking_up();
    let text: Option<String> = db.one(statement).await?;
    let damaged = || Error::Broken(format!("version {version_id} has a damaged build"));
    text.map(|text| Build::from_text(&text).ok_or_else(damaged)).transpose()
}

/// Records the build that publishes a version.
pub async fn upsert(tx: &mut Tx, version_id: VersionId, build: &Build, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        version_builds { version_id, build: build.to_text(), at: now },
        "ON CONFLICT (version_id) DO UPDATE SET build = excluded.build, at = excluded.at",
    ))
    .await?;
    Ok(())
}
