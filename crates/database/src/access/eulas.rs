//! EULAs of products.

use model::{
    document::{Document, Syntax},
    eula::Eula,
    names::EulaName,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    access::product_packages,
    engine::{
        row::row,
        statement::{insert, select, sql, update},
    },
};

row! {
    pub(crate) struct EulaRow in "e" {
        id: i64, product_id: i64, name: String, syntax: String, content: String, is_default: bool, updated: i64,
    }
}

impl TryFrom<EulaRow> for Eula {
    type Error = Error;

    fn try_from(row: EulaRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("EULA {} has a damaged row", row.id));
        let syntax = Syntax::parse(&row.syntax).ok_or_else(damaged)?;
        Ok(Eula {
            id: row.id,
            product_id: row.product_id,
            name: EulaName::stored(&row.name).map_err(|_| damaged())?,
            document: Document { syntax, content: row.content },
            is_default: row.is_default,
            updated: Timestamp::from_millis(row.updated),
        })
    }
}

/// Returns the EULAs of a product, by name.
pub async fn list(db: &dyn Read, product_id: i64) -> Result<Vec<Eula>> {
    let rows: Vec<EulaRow> =
        db.all(select!(EulaRow, "FROM eulas e WHERE e.product_id = $1 ORDER BY e.name", product_id)).await?;
    rows.into_iter().map(Eula::try_from).collect()
}

/// Returns the EULA with this name.
pub async fn find(db: &dyn Read, product_id: i64, name: &EulaName) -> Result<Option<Eula>> {
    match (find_as(db, product_id, name).await?, name.other_form()) {
        (None, Some(other)) => find_as(db, product_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &dyn Read, product_id: i64, name: &EulaName) -> Result<Option<Eula>> {
    let row: Option<EulaRow> =
        db.one(select!(EulaRow, "FROM eulas e WHERE e.product_id = $1 AND e.name = $2", product_id, name)).await?;
    row.map(Eula::try_from).transpose()
}

/// Adds a EULA. A new default replaces the previous default.
pub async fn insert(tx: &mut Tx, eula: &Eula) -> Result<()> {
    product_packages::changed(tx, eula.product_id).await?;
    tx.run(insert!(eulas {
        id: eula.id,
        product_id: eula.product_id,
        name: &eula.name,
        syntax: eula.document.syntax.as_str(),
        content: &eula.document.content,
        is_default: eula.is_default,
        created: eula.updated,
        updated: eula.updated,
    }))
    .await?;
    replace_default(tx, eula).await
}

/// Updates all fields except the name. The text has yet to be rendered.
pub async fn update(tx: &mut Tx, eula: &Eula) -> Result<()> {
    product_packages::changed(tx, eula.product_id).await?;
    tx.run(update!(
        eulas {
            syntax: eula.document.syntax.as_str(),
            content: &eula.document.content,
            is_default: eula.is_default,
            updated: eula.updated,
            html_edition: 0,
        },
        "WHERE id = $1",
        eula.id,
    ))
    .await?;
    replace_default(tx, eula).await
}

async fn replace_default(tx: &mut Tx, eula: &Eula) -> Result<()> {
    if eula.is_default {
        tx.run(sql!(
            "UPDATE eulas SET is_default = FALSE WHERE product_id = $1 AND id <> $2 AND is_default",
            eula.product_id,
            eula.id,
        ))
        .await?;
    }
    Ok(())
}

/// Deletes a EULA. Its signatures stay.
pub async fn delete(tx: &mut Tx, eula: &Eula) -> Result<()> {
    product_packages::changed(tx, eula.product_id).await?;
    tx.run(sql!("DELETE FROM eulas WHERE id = $1", eula.id).long()).await?;
    Ok(())
}
