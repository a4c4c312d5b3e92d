//! Marks on versions, each with a text for its readers: `yanked`, `deprecated`, `unlisted`.

use model::{
    id::{PackageId, VersionId},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    content::package_files::Ordinals,
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A mark on a version.
    pub struct Mark {
        /// The id of the version.
        version_id: VersionId = "m.version_id",
        /// The kind of mark.
        name: String = "m.name",
        /// The text for readers, which may be empty.
        text: String = "m.text",
    }
}

/// Returns the marks on these versions of a package.
pub async fn of_package(db: &dyn Read, package_id: PackageId, ordinals: &Ordinals) -> Result<Vec<Mark>> {
    db.all(select!(
        Mark,
        "FROM versions v
         JOIN marks m ON m.version_id = v.id
         WHERE v.package_id = $1 AND v.ordinal >= $2 AND v.ordinal <= $3
         ORDER BY v.ordinal, m.name",
        package_id,
        *ordinals.start(),
        *ordinals.end(),
    ))
    .await
}

/// Returns the marks on these versions.
pub async fn of_versions(db: &dyn Read, version_ids: &[VersionId]) -> Result<Vec<Mark>> {
    let statement = select!(Mark, "FROM marks m WHERE m.version_id IN ($keys) ORDER BY m.version_id, m.name");
    keys::all(db, statement, version_ids).await
}

/// Sets a mark, or replaces its text.
pub async fn set(tx: &mut Tx, version_id: VersionId, name: &str, text: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        marks { version_id, name, text, at: now },
        "ON CONFLICT (version_id, name) DO UPDATE SET text = excluded.text, at = excluded.at",
    ))
    .await?;
    Ok(())
}

/// Deletes a mark; returns whether it existed.
pub async fn delete(tx: &mut Tx, version_id: VersionId, name: &str) -> Result<bool> {
    let deleted =
        tx.run(sql!("DELETE FROM marks WHERE version_id = $1 AND name = $2", version_id, name).long()).await?;
    Ok(deleted > 0)
}
