//! Typed attributes of packages and versions.

use std::fmt;

use database::{
    Read, ScopedFutureExt, Tx,
    catalogue::{
        attributes::{self, AttributeLocation, AttributeOwner},
        packages,
    },
};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    attribute::{self, Attribute, Scalar},
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    audit::{entry, record_edits},
    catalogue::{packages::PackageDetail, updates, versions::VersionDetail},
    change::Edits,
};

/// The owner of attributes.
#[derive(Debug, Clone)]
pub enum AttributeTarget {
    /// A package.
    Package(PackageAddress),
    /// A version.
    Version(VersionAddress),
}

impl fmt::Display for AttributeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttributeTarget::Package(at) => at.fmt(f),
            AttributeTarget::Version(at) => at.fmt(f),
        }
    }
}

/// A selection of attributes.
#[derive(Debug, Clone)]
pub enum AttributeSelection {
    /// All of them.
    All,
    /// Those with these names, if they exist.
    Some(Vec<String>),
}

impl AttributeSelection {
    fn include(&self, name: &str) -> bool {
        match self {
            AttributeSelection::All => true,
            AttributeSelection::Some(names) => names.iter().any(|wanted| wanted == name),
        }
    }
}

/// Lists the attributes that the caller may see, in their order.
#[boxed::future]
pub async fn list(
    house: &House,
    caller: &Caller,
    object: &AttributeTarget,
    names: &AttributeSelection,
) -> Result<Vec<Attribute>> {
    let package = access::package(&house.db, caller, object.scope(), Right::Read).await?;
    let owner = object.location(&house.db, &package).await?.owner();
    let visible = visible_of(house, vec![(owner, &package)]).await?.into_iter().flatten();
    Ok(visible.filter(|attribute| names.include(attribute.name())).collect())
}

/// Lists the attributes of each of these packages that the caller may see.
#[boxed::future]
pub async fn of_packages(house: &House, details: &[PackageDetail]) -> Result<Vec<Vec<Attribute>>> {
    let owners = details.iter().map(|detail| (AttributeOwner::Package(detail.access.package.id), &detail.access));
    visible_of(house, owners.collect()).await
}

/// Lists the attributes of each of these versions that the caller may see.
#[boxed::future]
pub async fn of_versions(house: &House, details: &[VersionDetail]) -> Result<Vec<Vec<Attribute>>> {
    visible_of(
        house,
        details.iter().map(|detail| (AttributeOwner::Version(detail.version.id), &detail.package)).collect(),
    )
    .await
}

async fn visible_of(house: &House, owners: Vec<(AttributeOwner, &PackageAccess)>) -> Result<Vec<Vec<Attribute>>> {
    let keys: Vec<AttributeOwner> = owners.iter().map(|(owner, _)| *owner).collect();
    let mut found = attributes::list_of(&house.db, &keys).await?;
    let visible = |(owner, access): (AttributeOwner, &PackageAccess)| {
        let attributes = found.remove(&owner).unwrap_or_default().into_iter();
        attributes.filter(|attribute| access.repo.is_publisher() || !attribute.is_private()).collect()
    };
    Ok(owners.into_iter().map(visible).collect())
}

/// Replaces all attributes with these.
#[boxed::future]
pub async fn replace(
    house: &House,
    caller: &Caller,
    object: &AttributeTarget,
    given: Vec<Attribute>,
) -> Result<Vec<Attribute>> {
    access::package(&house.db, caller, object.scope(), Right::Publish).await?;
    attribute::check_new(&given).map_err(|reason| Error::invalid("attributes", reason))?;
    check(&given)?;
    let (new, log) = (&given, &entry(house, caller, "attributes.replace", object, ""));
    house
        .db
        .write(|tx| {
            async move {
                let place = object.lock(tx, caller).await?;
                let before = attributes::list(tx, place.owner()).await?;
                attributes::delete_all(tx, place.owner()).await?;
                attributes::insert(tx, place, new).await?;
                touch(tx, place, log.at).await?;
                record_edits(tx, log, &edits(&before, new)).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(given)
}

/// Sets attributes, appends new ones to the others, and returns all attributes afterwards.
#[boxed::future]
pub async fn edit(
    house: &House,
    caller: &Caller,
    object: &AttributeTarget,
    given: Vec<Attribute>,
) -> Result<Vec<Attribute>> {
    access::package(&house.db, caller, object.scope(), Right::Publish).await?;
    attribute::check_new(&given).map_err(|reason| Error::invalid("attributes", reason))?;
    check(&given)?;
    let (given, log) = (&given, &entry(house, caller, "attributes.edit", object, ""));
    house
        .db
        .write(|tx| {
            async move {
                let place = object.lock(tx, caller).await?;
                let mut all = attributes::list(tx, place.owner()).await?;
                let before = all.clone();
                let (mut changed, mut added) = (Vec::new(), Vec::new());
                for attribute in given {
                    match all.iter_mut().find(|known| known.name() == attribute.name()) {
                        Some(known) => {
                            known.clone_from(attribute);
                            changed.push(attribute.clone());
                        }
                        None => added.push(attribute.clone()),
                    }
                }
                all.extend_from_slice(&added);
                check(&all)?;
                attributes::update(tx, place, &changed).await?;
                attributes::insert(tx, place, &added).await?;
                touch(tx, place, log.at).await?;
                record_edits(tx, log, &edits(&before, &all)).await?;
                Ok::<_, Error>(all)
            }
            .scope_boxed()
        })
        .await
}

/// Deletes attributes. Names that do not exist are ignored.
#[boxed::future]
pub async fn delete(
    house: &House,
    caller: &Caller,
    object: &AttributeTarget,
    names: &AttributeSelection,
) -> Result<()> {
    access::package(&house.db, caller, object.scope(), Right::Publish).await?;
    let log = &entry(house, caller, "attributes.delete", object, "");
    house
        .db
        .write(|tx| {
            async move {
                let place = object.lock(tx, caller).await?;
                let before = attributes::list(tx, place.owner()).await?;
                if delete_named(tx, place.owner(), names).await? {
                    touch(tx, place, log.at).await?;
                }
                record_edits(tx, log, &edits(&before, &attributes::list(tx, place.owner()).await?)).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes the selected attributes and returns whether any existed.
async fn delete_named(tx: &mut Tx, owner: AttributeOwner, names: &AttributeSelection) -> Result<bool> {
    let AttributeSelection::Some(names) = names else { return Ok(attributes::delete_all(tx, owner).await?) };
    let mut has_removed = false;
    for name in names {
        has_removed |= attributes::delete(tx, owner, name).await?;
    }
    Ok(has_removed)
}

/// Returns the changes to the attributes, for the audit log.
fn edits(before: &[Attribute], after: &[Attribute]) -> Edits {
    let mut edits = Edits::default();
    let all = before.iter().chain(after.iter().filter(|attribute| find(before, attribute.name()).is_none()));
    for name in all.map(Attribute::name) {
        edits.record_texts(name, &shown(find(before, name)), &shown(find(after, name)));
    }
    edits
}

fn find<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name() == name)
}

fn shown(attribute: Option<&Attribute>) -> String {
    let value = |value: &Scalar| match value {
        Scalar::Text(text) => format!("{text:?}"),
        other => other.to_string(),
    };
    let list = |values: &[Scalar]| values.iter().map(value).collect::<Vec<_>>().join(", ");
    match attribute.map(Attribute::values) {
        None => "none".to_owned(),
        Some(None) => "null".to_owned(),
        Some(Some(values)) => format!("[{}]", list(values)),
    }
}

fn check(attributes: &[Attribute]) -> Result<()> {
    attribute::check_all(attributes).map_err(|reason| Error::invalid("attributes", reason))
}

/// Updates the time of the owner: attributes are part of their object, and a version is part of its package.
async fn touch(tx: &mut Tx, place: AttributeLocation, now: model::timestamp::Timestamp) -> Result<()> {
    match place {
        AttributeLocation::Package { id, .. } => Ok(packages::touch(tx, id, now).await?),
        AttributeLocation::Version { id, .. } => updates::change_version_by_id(tx, id, now).await,
    }
}

impl AttributeTarget {
    fn scope(&self) -> PackageScope<'_> {
        match self {
            AttributeTarget::Package(at) => at.into(),
            AttributeTarget::Version(at) => at.into(),
        }
    }

    async fn location(&self, db: &dyn Read, access: &PackageAccess) -> Result<AttributeLocation> {
        let package = &access.package;
        match self {
            AttributeTarget::Package(_) => Ok(AttributeLocation::Package { id: package.id, repo_id: package.repo_id }),
            AttributeTarget::Version(at) => {
                let version = access.version(db, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
                Ok(AttributeLocation::Version { id: version.id, package_id: package.id })
            }
        }
    }

    async fn lock(&self, tx: &mut Tx, caller: &Caller) -> Result<AttributeLocation> {
        let package = access::lock_package(tx, caller, self.scope(), Right::Publish).await?;
        self.location(tx, &package).await
    }
}
