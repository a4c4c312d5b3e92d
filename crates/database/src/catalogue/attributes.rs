//! Typed attributes of packages and versions.

use std::collections::HashMap;

use model::{
    attribute::{Attribute, AttributeType, Number, Scalar},
    id::{PackageId, RepoId, VersionId},
};
use serde_json::Value as Json;

use crate::{
    Error, Read, Result, Tx,
    catalogue::attribute_values::insert_values,
    engine::{
        keys,
        row::row,
        statement::{Value, insert, select, sql, update},
    },
};

/// The owner of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributeOwner {
    /// The package with this id.
    Package(PackageId),
    /// The version with this id.
    Version(VersionId),
}

/// The owner of attributes and its parent.
#[derive(Debug, Clone, Copy)]
pub enum AttributeLocation {
    /// A package in a repository, by their ids.
    Package {
        /// The id of the package.
        id: PackageId,
        /// The id of its repository.
        repo_id: RepoId,
    },
    /// A version of a package, by their ids.
    Version {
        /// The id of the version.
        id: VersionId,
        /// The id of its package.
        package_id: PackageId,
    },
}

/// The id of a package or a version in the column `object_id`, which holds both. They may be the same number, so
/// version ids are negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ObjectKey(i64);

impl ObjectKey {
    /// SQL for the id of the version in `a.object_id`.
    pub(crate) const VERSION_ID: &'static str = "-a.object_id";

    /// SQL for the object key of the version `v`.
    pub(crate) const OF_VERSION: &'static str = "-v.id";

    /// Returns the owner with this object key.
    pub(crate) fn owner(self) -> AttributeOwner {
        if self.0 < 0 {
            AttributeOwner::Version(VersionId::new(-self.0))
        } else {
            AttributeOwner::Package(PackageId::new(self.0))
        }
    }
}

impl From<AttributeOwner> for ObjectKey {
    fn from(owner: AttributeOwner) -> Self {
        match owner {
            AttributeOwner::Package(id) => Self(id.get()),
            AttributeOwner::Version(id) => Self(-id.get()),
        }
    }
}

impl From<ObjectKey> for Value {
    fn from(key: ObjectKey) -> Self {
        Value::Int(key.0)
    }
}

/// Returns the value of `scope_id` for searches in a package: the negated id, because a repository may have the same
/// one.
pub(crate) fn scope_of_package(package_id: PackageId) -> i64 {
    -package_id.get()
}

impl AttributeLocation {
    /// Returns the owner of the attributes.
    pub fn owner(self) -> AttributeOwner {
        match self {
            AttributeLocation::Package { id, .. } => AttributeOwner::Package(id),
            AttributeLocation::Version { id, .. } => AttributeOwner::Version(id),
        }
    }

    /// Returns the value of `scope_id`, which searches use.
    pub(crate) fn scope_id(self) -> i64 {
        match self {
            AttributeLocation::Package { repo_id, .. } => repo_id.get(),
            AttributeLocation::Version { package_id, .. } => scope_of_package(package_id),
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

/// Returns the attributes in the order in which they were given.
pub async fn list(db: &dyn Read, owner: AttributeOwner) -> Result<Vec<Attribute>> {
    Ok(list_of(db, &[owner]).await?.remove(&owner).unwrap_or_default())
}

/// Returns the attributes of each owner, in the order in which they were given.
pub async fn list_of(db: &dyn Read, owners: &[AttributeOwner]) -> Result<HashMap<AttributeOwner, Vec<Attribute>>> {
    let statement = select!(AttributeRow, "FROM attributes WHERE object_id IN ($keys) ORDER BY object_id, position");
    let rows: Vec<AttributeRow> = keys::all(db, statement, &object_ids(owners)).await?;
    let attributes = rows.into_iter().map(|row| Ok((ObjectKey(row.object_id).owner(), Attribute::try_from(row)?)));
    Ok(keys::grouped(attributes.collect::<Result<Vec<_>>>()?))
}

/// Returns the names of each owner's attributes, in the order in which they were given.
pub async fn list_names_of(db: &dyn Read, owners: &[AttributeOwner]) -> Result<HashMap<AttributeOwner, Vec<String>>> {
    let statement = sql!(
        "SELECT object_id, name
         FROM attributes
         WHERE object_id IN ($keys)
         ORDER BY object_id, position"
    );
    let statement = keys::lookup_of_one(statement, owners);
    let rows: Vec<(i64, String)> = keys::all(db, statement, &object_ids(owners)).await?;
    Ok(keys::grouped(rows.into_iter().map(|(id, name)| (ObjectKey(id).owner(), name))))
}

fn object_ids(owners: &[AttributeOwner]) -> Vec<i64> {
    owners.iter().map(|owner| ObjectKey::from(*owner).0).collect()
}

/// Adds attributes after the existing ones.
pub async fn insert(tx: &mut Tx, place: AttributeLocation, added: &[Attribute]) -> Result<()> {
    let object_id = ObjectKey::from(place.owner());
    let (package_id, version_id) = match place {
        AttributeLocation::Package { id, .. } => (id, None),
        AttributeLocation::Version { id, package_id } => (package_id, Some(id)),
    };
    let last: Option<i64> = tx
        .one(sql!("SELECT COALESCE(MAX(position), 0) FROM attributes WHERE object_id = $1 ORDER BY 1", object_id))
        .await?;
    for (attribute, position) in added.iter().zip(last.unwrap_or_default() + 1..) {
        tx.run(insert!(attributes {
            object_id,
            name: attribute.name(),
            package_id,
            version_id,
            position,
            kind: attribute.kind().as_str(),
            content: content(attribute),
        }))
        .await?;
    }
    insert_values(tx, place, added).await
}

/// Updates the values of existing attributes and keeps their order.
pub async fn update(tx: &mut Tx, place: AttributeLocation, changed: &[Attribute]) -> Result<()> {
    let object_id = ObjectKey::from(place.owner());
    for attribute in changed {
        tx.run(update!(
            attributes { kind: attribute.kind().as_str(), content: content(attribute) },
            "WHERE object_id = $1 AND name = $2",
            object_id,
            attribute.name(),
        ))
        .await?;
        tx.run(
            sql!("DELETE FROM attribute_values WHERE object_id = $1 AND name = $2", object_id, attribute.name()).long(),
        )
        .await?;
    }
    insert_values(tx, place, changed).await
}

/// Deletes the attribute with this name; returns whether it existed.
pub async fn delete(tx: &mut Tx, owner: AttributeOwner, name: &str) -> Result<bool> {
    let removed =
        tx.run(sql!("DELETE FROM attributes WHERE object_id = $1 AND name = $2", ObjectKey::from(owner), name).long());
    Ok(removed.await? > 0)
}

/// Deletes all attributes; returns whether any existed.
pub async fn delete_all(tx: &mut Tx, owner: AttributeOwner) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM attributes WHERE object_id = $1", ObjectKey::from(owner)).long()).await? > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_and_a_version_of_the_same_id_have_different_keys() {
        let owners = [AttributeOwner::Package(PackageId::new(7)), AttributeOwner::Version(VersionId::new(7))];
        assert_ne!(ObjectKey::from(owners[0]), ObjectKey::from(owners[1]));
        assert_eq!(owners.map(|owner| ObjectKey::from(owner).owner()), owners);
    }
}
