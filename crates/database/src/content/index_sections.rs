//! Sections of the indexes of packages: texts that are made of the versions of one block, and joined when an index is
//! read.

use model::{id::PackageId, index_frame::SectionSizes};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// The number of versions in a block.
pub const BLOCK_VERSIONS: i64 = 32;

row! {
    struct SizeRow {
        section: i64, texts: i64 = "COUNT(*)", files: i64 = "CAST(SUM(files) AS BIGINT)",
        size: i64 = "CAST(SUM(size) AS BIGINT)",
    }
}

/// The amount of what the indexes of a package are made of.
#[derive(Debug, Clone, Default)]
pub struct IndexSize {
    /// The number of published files.
    pub files: i64,
    /// The sizes of the sections.
    pub sections: SectionSizes,
}

/// Returns the sizes of a package's sections.
pub async fn measure(db: &dyn Read, package_id: PackageId) -> Result<IndexSize> {
    let rows: Vec<SizeRow> = db
        .all(select!(
            SizeRow,
            "FROM index_sections WHERE package_id = $1 GROUP BY section ORDER BY section",
            package_id
        ))
        .await?;
    let number = |value: i64| usize::try_from(value).unwrap_or_default();
    let size = |row: &SizeRow| (row.section, (number(row.texts), number(row.size)));
    Ok(IndexSize {
        files: rows.iter().map(|row| row.files).max().unwrap_or_default(),
        sections: rows.iter().map(size).collect(),
    })
}

/// Returns the blocks in which a package has versions with published files.
pub async fn list_blocks(db: &dyn Read, package_id: PackageId) -> Result<Vec<i64>> {
    let statement = sql!(
        "SELECT DISTINCT ordinal / $2 AS block FROM versions WHERE package_id = $1 AND published_files > 0 ORDER BY block",
        package_id,
        BLOCK_VERSIONS,
    );
    db.all(statement.long()).await
}

/// The texts that the versions of one block add to the sections, in the order of the sections.
#[derive(Debug, Clone, Copy)]
pub struct Block<'t> {
    /// Its number.
    pub block: i64,
    /// The number of published files of its versions.
    pub files: i64,
    /// The texts. An empty one adds nothing.
    pub texts: &'t [String],
}

/// Replaces what a block adds to the sections.
pub async fn replace(tx: &mut Tx, package_id: PackageId, Block { block, files, texts }: Block<'_>) -> Result<()> {
    tx.run(sql!("DELETE FROM index_sections WHERE package_id = $1 AND block = $2", package_id, block).long()).await?;
    for (section, content) in (0_i64..).zip(texts).filter(|(_, text)| !text.is_empty()) {
        let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
        tx.run(insert!(index_sections { package_id, section, block, files, size, content: content.as_str() })).await?;
    }
    Ok(())
}

/// Deletes all sections of a package.
pub async fn clear(tx: &mut Tx, package_id: PackageId) -> Result<()> {
    tx.run(sql!("DELETE FROM index_sections WHERE package_id = $1", package_id).long()).await?;
    Ok(())
}
