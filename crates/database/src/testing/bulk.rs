//! Adds very many packages at once, for benchmarks: the rows that a server writes one by one, in few large statements.

use model::{
    attribute::Attribute,
    day::Days,
    id::{PackageId, RepoId},
    package::Package,
    text::fold,
    version::Version,
};

use crate::{
    Database, Result, ScopedFutureExt, Tx,
    catalogue::{
        attribute_values::value_rows,
        attributes::{AttributeLocation, content},
        blocks::{self, check, total},
    },
    engine::{
        lines,
        statement::{Statement, Value, sql},
    },
    testing::secondary_indexes::SecondaryIndexes,
};

/// A package with its versions and attributes.
#[derive(Debug, Clone)]
pub struct BulkPackage {
    /// The package.
    pub package: Package,
    /// Its versions.
    pub versions: Vec<Version>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// Prepares for very many rows: SQLite's default cache is too small for indexes that grow in all places at once, and on
/// PostgreSQL they are faster built at the end.
pub async fn prepare(db: &Database) -> Result<SecondaryIndexes> {
    if db.per_engine(true, false) {
        db.write(|tx| tx.batch("PRAGMA cache_size = -1000000").scope_boxed()).await?;
        return Ok(SecondaryIndexes::default());
    }
    SecondaryIndexes::drop_all(db).await
}

/// Adds packages. Their repository counts them when [`finish`] is called.
pub async fn insert(tx: &mut Tx, loaded: &[BulkPackage]) -> Result<()> {
    insert_rows(tx, PACKAGES, loaded.iter().map(package_row).collect()).await?;
    insert_rows(tx, VERSIONS, loaded.iter().flat_map(|loaded| loaded.versions.iter().map(version_row)).collect())
        .await?;
    insert_rows(tx, ATTRIBUTES, loaded.iter().flat_map(attribute_rows).collect()).await?;
    let values = |loaded: &BulkPackage| {
        let place = AttributeLocation::Package { id: loaded.package.id, repo_id: loaded.package.repo_id };
        loaded.attributes.iter().flat_map(|attribute| value_rows(place, attribute)).map(Vec::from).collect::<Vec<_>>()
    };
    insert_rows(tx, VALUES, loaded.iter().flat_map(values).collect()).await
}

/// Adds some downloads for all versions of a package on each of these days.
pub async fn insert_downloads(tx: &mut Tx, package_id: PackageId, days: Days) -> Result<()> {
    // The days are generated, so no index exists to look them up in.
    let text = "INSERT INTO download_counts (version_id, day, country, count, bytes)
         WITH RECURSIVE days (day) AS (
             SELECT CAST($2 AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < $3
         )
         SELECT v.id, d.day, 'ZZ', 1 + (v.id + d.day) % 7, 4096
         FROM versions v
         CROSS JOIN days d
         WHERE v.package_id = $1
         ORDER BY v.id, d.day";
    let numbers = [package_id.get(), days.first.number(), days.last.number()];
    tx.run(Statement::new(text, numbers.map(Value::from).to_vec())).await?;
    Ok(())
}

/// Builds the indexes that [`prepare`] dropped, recounts the packages of a repository, and leaves the database in the state
/// that it has after a quiet time.
pub async fn finish(db: &Database, repo_id: RepoId, dropped: SecondaryIndexes) -> Result<()> {
    dropped.build(db).await?;
    db.write(|tx| count(tx, repo_id).scope_boxed()).await?;
    tidy(db).await
}

/// Leaves the database in the state that it has after a quiet time.
pub async fn tidy(db: &Database) -> Result<()> {
    let tidy = db.per_engine(["PRAGMA wal_checkpoint(TRUNCATE)"].as_slice(), &["VACUUM ANALYZE", "CHECKPOINT"]);
    for text in tidy {
        db.all::<i64>(Statement::new(*text, Vec::new())).await?;
    }
    Ok(())
}

async fn count(tx: &mut Tx, repo_id: RepoId) -> Result<()> {
    let blocks = check::expected(tx, repo_id).await?;
    tx.run(sql!("UPDATE repos SET package_count = $2 WHERE id = $1", repo_id, total(&blocks))).await?;
    tx.run(sql!("DELETE FROM package_blocks WHERE repo_id = $1", repo_id).long()).await?;
    for block in blocks {
        blocks::insert(tx, repo_id, &block).await?;
    }
    Ok(())
}

async fn insert_rows(tx: &mut Tx, target: &str, rows: Vec<Vec<Value>>) -> Result<()> {
    let mut places = 1..;
    let list = |row: &Vec<Value>| {
        let places: Vec<String> = places.by_ref().take(row.len()).map(|place: usize| format!("${place}")).collect();
        format!("({})", places.join(", "))
    };
    let lists: Vec<String> = rows.iter().map(list).collect();
    if !lists.is_empty() {
        let text = format!("INSERT INTO {target} VALUES {}", lists.join(", "));
        tx.run(Statement::new(text, rows.concat())).await?;
    }
    Ok(())
}

const PACKAGES: &str = "packages (id, repo_id, name, folded_name, description, folded_description, labels, folded_labels,
    licenses, custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)";

fn package_row(loaded: &BulkPackage) -> Vec<Value> {
    let (package, profile) = (&loaded.package, &loaded.package.profile);
    vec![
        package.id.into(),
        package.repo_id.into(),
        (&package.name).into(),
        package.name.folded().into(),
        (&profile.description).into(),
        fold(&profile.description).into(),
        lines::join(&profile.labels).into(),
        fold(&lines::join(&profile.labels)).into(),
        lines::join(&profile.licenses).into(),
        lines::join(&profile.custom_licenses).into(),
        profile.public_download_numbers.into(),
        package.rating_sum.into(),
        package.rating_count.into(),
        package.followers_count.into(),
        loaded.versions.iter().map(|version| version.ordinal).max().unwrap_or_default().into(),
        package.created.into(),
        package.updated.into(),
    ]
}

const VERSIONS: &str = "versions (id, package_id, name, description, labels, github_use_tag_release_notes,
    published_files, ordinal, created, updated)";

fn version_row(version: &Version) -> Vec<Value> {
    vec![
        version.id.into(),
        version.package_id.into(),
        (&version.name).into(),
        (&version.profile.description).into(),
        lines::join(&version.profile.labels).into(),
        version.profile.github_use_tag_release_notes.into(),
        version.published_files.into(),
        version.ordinal.into(),
        version.created.into(),
        version.updated.into(),
    ]
}

const ATTRIBUTES: &str = "attributes (object_id, name, package_id, position, kind, content)";

fn attribute_rows(loaded: &BulkPackage) -> Vec<Vec<Value>> {
    let id = loaded.package.id;
    let row = |(attribute, position): (&Attribute, i64)| {
        let (name, kind) = (attribute.name(), attribute.kind().as_str());
        vec![id.into(), name.into(), id.into(), position.into(), kind.into(), content(attribute).into()]
    };
    loaded.attributes.iter().zip(1..).map(row).collect()
}

const VALUES: &str = "attribute_values (object_id, name, key, scope_id, is_array, number, moment)";

#[cfg(test)]
mod tests {
    use model::{attribute::Scalar, id::VersionId, names::VersionName, timestamp::Timestamp, version::VersionProfile};

    use super::*;
    use crate::catalogue::{
        attributes::{self, AttributeOwner},
        blocks::tests::{REPO, package, start},
        packages, versions,
    };
    use crate::testing::secondary_indexes;

    #[tokio::test]
    async fn what_is_loaded_is_what_would_have_been_written() {
        let (_scratch, db) = start(&["one".into()]).await;
        let loaded = &loaded();
        let before = secondary_indexes::list(&db).await.expect("the indexes can be listed");
        let dropped = prepare(&db).await.expect("prepared");
        db.write(|tx| insert(tx, std::slice::from_ref(loaded)).scope_boxed()).await.expect("written");
        finish(&db, REPO, dropped).await.expect("counted");
        assert_eq!(secondary_indexes::list(&db).await.expect("the indexes can be listed"), before);
        let found = packages::find(&db, REPO, &loaded.package.name).await.expect("read").expect("there");
        assert_eq!(format!("{found:?}"), format!("{:?}", loaded.package));
        let version = versions::find_by_id(&db, VersionId::new(5)).await.expect("read").expect("there");
        assert_eq!(format!("{version:?}"), format!("{:?}", loaded.versions[0]));
        assert_eq!(attributes::list(&db, AttributeOwner::Package(found.id)).await.expect("read"), loaded.attributes);
        assert_eq!(check::find_damage(&db).await.expect("it looks"), [""; 0]);
    }

    fn loaded() -> BulkPackage {
        let package = package("two");
        let version = Version {
            id: VersionId::new(5),
            package_id: package.id,
            name: VersionName::parse("1.0").expect("a name"),
            ordinal: 1,
            created: Timestamp::from_millis(3),
            updated: Timestamp::from_millis(4),
            published_files: 0,
            first_published: None,
            is_draft: false,
            profile: VersionProfile::default(),
        };
        let attribute = Attribute::new("colour", Some(vec![Scalar::Text("green".into())]), None).expect("an attribute");
        BulkPackage { package, versions: vec![version], attributes: vec![attribute] }
    }
}
