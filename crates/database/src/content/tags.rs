//! Tags of packages: names that point to one version and can be moved to another.

use std::collections::HashMap;

use model::{
    id::{PackageId, VersionId},
    names::VersionName,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        keys::{self, lookup_of_one},
        row::row,
        statement::{insert, select, sql},
    },
};

/// A tag of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// The version that it points to.
    pub version: VersionName,
    /// When it was set.
    pub changed: Timestamp,
    /// Whether that version has published files.
    pub is_published: bool,
}

row! {
    struct TagRow {
        package_id: PackageId = "t.package_id", name: String = "t.name", version: String = "v.name",
        changed: i64 = "t.changed", is_published: bool = "v.published_files > 0",
    }
}

impl TryFrom<TagRow> for Tag {
    type Error = Error;

    fn try_from(row: TagRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("the tag '{}' has a damaged row", row.name));
        let version = VersionName::stored(&row.version).map_err(damaged)?;
        let changed = Timestamp::from_millis(row.changed);
        Ok(Self { name: row.name, version, changed, is_published: row.is_published })
    }
}

/// Returns the tags of a package, by name.
pub async fn list(db: &dyn Read, package_id: PackageId) -> Result<Vec<Tag>> {
    let rows: Vec<TagRow> = db
        .all(select!(
            TagRow,
            "FROM tags t JOIN versions v ON v.id = t.version_id WHERE t.package_id = $1 ORDER BY t.name",
            package_id,
        ))
        .await?;
    rows.into_iter().map(Tag::try_from).collect()
}

/// Returns the tags of each package, by name.
pub async fn list_of_packages(db: &dyn Read, package_ids: &[PackageId]) -> Result<HashMap<PackageId, Vec<Tag>>> {
    let statement = select!(
        TagRow,
        "FROM tags t JOIN versions v ON v.id = t.version_id WHERE t.package_id IN ($keys)
         ORDER BY t.package_id, t.name",
    );
    let rows: Vec<TagRow> = keys::all(db, lookup_of_one(statement, package_ids), package_ids).await?;
    let tags: Result<Vec<(PackageId, Tag)>> =
        rows.into_iter().map(|row| Ok((row.package_id, Tag::try_from(row)?))).collect();
    Ok(keys::grouped(tags?))
}

/// Sets a tag, or moves it to another version.
pub async fn set(tx: &mut Tx, package_id: PackageId, name: &str, version_id: VersionId, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        tags { package_id, name, version_id, changed: now },
        "ON CONFLICT (package_id, name) DO UPDATE SET version_id = excluded.version_id, changed = excluded.changed",
    ))
    .await?;
    Ok(())
}

/// Deletes a tag; returns whether it existed.
pub async fn delete(tx: &mut Tx, package_id: PackageId, name: &str) -> Result<bool> {
    let deleted = tx.run(sql!("DELETE FROM tags WHERE package_id = $1 AND name = $2", package_id, name).long()).await?;
    Ok(deleted > 0)
}
