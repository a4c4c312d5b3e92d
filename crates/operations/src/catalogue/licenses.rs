//! Custom licenses of users and organizations.

use std::fmt;

use database::{ScopedFutureExt, Tx, catalogue::custom_licenses};
use model::{
    access::Action,
    id::{PackageId, SubjectId},
    license::CustomLicense,
    names::{LicenseName, SubjectName},
    subject::{Subject, SubjectKind},
    text,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

/// The maximum number of its owner's licenses that a package refers to.
const USES: usize = 100;

/// `owner/license`.
#[derive(Debug, Clone)]
pub struct LicenseAddress {
    /// The kind of the owner.
    pub kind: SubjectKind,
    /// The owner's name.
    pub owner: SubjectName,
    /// The license's name.
    pub license: LicenseName,
}

/// Changes to a license. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct LicenseChange {
    /// A short description.
    pub description: Option<String>,
    /// The URL of its text.
    pub url: Option<String>,
}

/// Lists the licenses of a user or an organization, for any signed-in caller.
#[boxed::future]
pub async fn list(
    house: &House,
    caller: &Caller,
    kind: SubjectKind,
    owner: &SubjectName,
) -> Result<Vec<CustomLicense>> {
    let owner = access::account(&house.db, caller, kind, owner, Action::SeeProfile).await?;
    Ok(custom_licenses::list(&house.db, owner.id).await?)
}

/// Creates a license.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &LicenseAddress,
    change: LicenseChange,
) -> Result<CustomLicense> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    change.check()?;
    let license = CustomLicense {
        name: at.license.to_string(),
        description: change.description.unwrap_or_default(),
        url: change.url.unwrap_or_default(),
    };
    let (new, log) = (&license, &entry(house, caller, "license.create", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                match custom_licenses::insert(tx, owner.id, new).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("License '{}' already exists", new.name)));
                    }
                    other => other?,
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(license)
}

/// Changes a license.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &LicenseAddress, change: LicenseChange) -> Result<()> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    change.check()?;
    let (change, log) = (&change, &entry(house, caller, "license.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                let license = custom_licenses::find(tx, owner.id, &at.license).await?;
                let mut license = license.ok_or_else(|| not_found(at))?;
                let mut edits = Edits::default();
                edits.set("description", &mut license.description, &change.description);
                edits.set("url", &mut license.url, &change.url);
                custom_licenses::update(tx, owner.id, &license).await?;
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a license that no package refers to.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &LicenseAddress) -> Result<()> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    let log = &entry(house, caller, "license.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                match custom_licenses::delete(tx, owner.id, &at.license).await {
                    Err(database::Error::Missing) => {
                        return Err(Error::Conflict(format!("License '{}' is used by a package", at.license)));
                    }
                    Ok(false) => return Err(not_found(at)),
                    other => other?,
                };
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Sets the licenses of its owner that a package refers to. They must exist, and cannot be deleted as long as a package
/// refers to them.
pub(crate) async fn set_uses(tx: &mut Tx, owner_id: SubjectId, package_id: PackageId, names: &[String]) -> Result<()> {
    if names.len() > USES {
        return Err(Error::invalid("custom_licenses", "there are more than 100"));
    }
    custom_licenses::delete_uses(tx, package_id).await?;
    for name in names {
        let name = LicenseName::parse(name).map_err(|error| Error::invalid("custom_licenses", error))?;
        match custom_licenses::insert_use(tx, owner_id, &name, package_id).await {
            Err(database::Error::Missing) => {
                return Err(Error::Unknown { what: "License", name: name.to_string() });
            }
            other => other?,
        }
    }
    Ok(())
}

/// Locks the owner and checks the right again, because the caller may have lost it in the meantime.
async fn lock_owner(tx: &mut Tx, caller: &Caller, owner: &Subject) -> Result<()> {
    let owner = access::lock(tx, owner).await?;
    access::check_account(tx, caller, &owner, Action::EditProfile).await
}

fn not_found(at: &LicenseAddress) -> Error {
    Error::NotFound { what: "License", name: at.license.to_string() }
}

impl LicenseChange {
    fn check(&self) -> Result<()> {
        let invalid = |field| move |reason| Error::invalid(field, reason);
        text::check_text(self.description.as_deref().unwrap_or_default()).map_err(invalid("description"))?;
        text::check_line(self.url.as_deref().unwrap_or_default()).map_err(invalid("url"))
    }
}

impl fmt::Display for LicenseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.license)
    }
}
