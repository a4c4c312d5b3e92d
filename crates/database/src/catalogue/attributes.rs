//! Typed attributes of packages and versions.

use std::collections::HashMap;

use model::attribute::{Attribute, AttributeType, Number, Scalar};
use serde_json::Value as Json;

use crate::{
    Error, Read, Result, Tx,
    catalogue::attribute_values::insert_values,
    engine::{keys, row::row, statement::sql},
};

/// What attributes belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributeOwner {
    /// A package, by its key.
    Package(i64),
    /// A version, by its key.
    Version(i64),
}

/// What attributes belong to, and where that is.
#[derive(Debug, Clone, Copy)]
pub enum AttributeLocation {
    /// A package in a repository, by their keys.
    Package {
        /// The package.
        id: i64,
        /// Its repository.
        repo_id: i64,
    },
    /// A version of a package, by their keys.
    Version {
        /// The version.
        id: i64,
        /// Its package.
        package_id: i64,
    },
}

impl AttributeOwner {
    /// Keys of packages and of versions may meet, so those of versions are negated.
    pub(crate) fn object_id(self) -> i64 {
        match self {
            AttributeOwner::Package(id) => id,
            AttributeOwner::Version(id) => -id,
        }
    }

    fn of_object(id: i64) -> Self {
        if id < 0 { AttributeOwner::Version(-id) } else { AttributeOwner::Package(id) }
    }
}

impl AttributeLocation {
    /// What the attributes belong to.
    pub fn owner(self) -> AttributeOwner {
        match self {
            AttributeLocation::Package { id, .. } => AttributeOwner::Package(id),
            AttributeLocation::Version { id, .. } => AttributeOwner::Version(id),
        }
    }

    /// What searches look in: a repository's key or, for versions, the package's, negated.
    pub(crate) fn scope_id(self) -> i64 {
        match self {
            AttributeLocation::Package { repo_id, .. } => repo_id,
            AttributeLocation::Version { package_id, .. } => -package_id,
        }
    }
}

row! {
    struct AttributeRow { object_id: i64, name: String, kind: String, content: String }
}

impl TryFrom<AttributeRow> for Attribute {
    type Error = Error;

    fn try_from(row: AttributeRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("attribute `{}` has a damaged row", row.name));
        let content: Option<Vec<Json>> = serde_json::from_str(&row.content).map_err(|_| damaged())?;
        let scalars = |values: Vec<Json>| values.iter().map(scalar).collect::<Option<Vec<_>>>().ok_or_else(damaged);
        let kind = AttributeType::parse(&row.kind).ok_or_else(damaged)?;
        Attribute::new(&row.name, content.map(scalars).transpose()?, Some(kind)).map_err(|_| damaged())
    }
}

/// The attributes, in the order they were given.
pub async fn list(db: &impl Read, owner: AttributeOwner) -> Result<Vec<Attribute>> {
    Ok(list_of(db, &[owner]).await?.remove(&owner).unwrap_or_default())
}

/// The attributes of each, in the order they were given.
pub async fn list_of(db: &impl Read, owners: &[AttributeOwner]) -> Result<HashMap<AttributeOwner, Vec<Attribute>>> {
    let statement = sql!(
        "SELECT object_id, name, kind, content
         FROM attributes
         WHERE object_id IN ($keys)
         ORDER BY object_id, position"
    );
    let rows: Vec<AttributeRow> = keys::all(db, statement, &object_ids(owners)).await?;
    let attributes =
        rows.into_iter().map(|row| Ok((AttributeOwner::of_object(row.object_id), Attribute::try_from(row)?)));
    Ok(keys::grouped(attributes.collect::<Result<Vec<_>>>()?))
}

/// The names of each one's attributes, in the order they were given.
pub async fn list_names_of(db: &impl Read, owners: &[AttributeOwner]) -> Result<HashMap<AttributeOwner, Vec<String>>> {
    let statement = sql!(
        "SELECT object_id, name
         FROM attributes
         WHERE object_id IN ($keys)
         ORDER BY object_id, position"
    );
    let rows: Vec<(i64, String)> = keys::all(db, statement, &object_ids(owners)).await?;
    Ok(keys::grouped(rows.into_iter().map(|(id, name)| (AttributeOwner::of_object(id), name))))
}

fn object_ids(owners: &[AttributeOwner]) -> Vec<i64> {
    owners.iter().map(|owner| owner.object_id()).collect()
}

/// Adds attributes behind those that there are.
pub async fn insert(tx: &mut Tx, place: AttributeLocation, added: &[Attribute]) -> Result<()> {
    let object_id = place.owner().object_id();
    let (package_id, version_id) = match place {
        AttributeLocation::Package { id, .. } => (id, None),
        AttributeLocation::Version { id, package_id } => (package_id, Some(id)),
    };
    let last: Option<i64> = tx
        .one(sql!("SELECT COALESCE(MAX(position), 0) FROM attributes WHERE object_id = $1 ORDER BY 1", object_id))
        .await?;
    for (attribute, position) in added.iter().zip(last.unwrap_or_default() + 1..) {
        tx.run(sql!(
            "INSERT INTO attributes (object_id, name, package_id, version_id, position, kind, content)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            object_id,
            attribute.name(),
            package_id,
            version_id,
            position,
            attribute.kind().as_str(),
            content(attribute),
        ))
        .await?;
    }
    insert_values(tx, place, added).await
}

/// Gives attributes that there are other values, and leaves them in their places.
pub async fn update(tx: &mut Tx, place: AttributeLocation, changed: &[Attribute]) -> Result<()> {
    let object_id = place.owner().object_id();
    for attribute in changed {
        tx.run(sql!(
            "UPDATE attributes SET kind = $3, content = $4 WHERE object_id = $1 AND name = $2",
            object_id,
            attribute.name(),
            attribute.kind().as_str(),
            content(attribute),
        ))
        .await?;
        tx.run(
            sql!("DELETE FROM attribute_values WHERE object_id = $1 AND name = $2", object_id, attribute.name()).long(),
        )
        .await?;
    }
    insert_values(tx, place, changed).await
}

/// Removes the attribute of this name, and says whether there was one.
pub async fn delete(tx: &mut Tx, owner: AttributeOwner, name: &str) -> Result<bool> {
    let removed =
        tx.run(sql!("DELETE FROM attributes WHERE object_id = $1 AND name = $2", owner.object_id(), name).long());
    Ok(removed.await? > 0)
}

/// Removes all attributes, and says whether there were any.
pub async fn delete_all(tx: &mut Tx, owner: AttributeOwner) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM attributes WHERE object_id = $1", owner.object_id()).long()).await? > 0)
}

pub(crate) fn content(attribute: &Attribute) -> String {
    let values = attribute.values().map(|values| values.iter().map(json).collect::<Vec<_>>());
    values.map_or(Json::Null, Json::Array).to_string()
}

fn json(value: &Scalar) -> Json {
    match value {
        Scalar::Null => Json::Null,
        Scalar::Boolean(value) => Json::from(*value),
        Scalar::Text(text) => Json::from(text.as_str()),
        Scalar::Number(number) => serde_json::from_str(number.literal()).unwrap_or_else(|_| number.value().into()),
    }
}

fn scalar(value: &Json) -> Option<Scalar> {
    match value {
        Json::Null => Some(Scalar::Null),
        Json::Bool(value) => Some(Scalar::Boolean(*value)),
        Json::String(text) => Some(Scalar::Text(text.clone())),
        Json::Number(number) => Number::parse(&number.to_string()).map(Scalar::Number),
        Json::Array(_) | Json::Object(_) => None,
    }
}
