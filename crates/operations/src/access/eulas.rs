//! Agreements of products, for callers who manage the product's owner.

mod change;

pub use change::EulaChange;

use std::fmt;

use database::{
    Read, ScopedFutureExt, Tx,
    access::{eula_versions, eulas},
    catalogue::renderings::{self, RenderedText, Rendering},
};
use model::{
    document::Document,
    eula::Eula,
    names::{EulaName, VersionName},
    plan::Plan,
    product::Product,
};

use crate::{
    Caller, Error, House, Result,
    access::{
        self,
        products::{self, ProductAddress},
    },
    audit::{entry, record, record_edits},
    change::Edits,
    rendering,
};

/// The maximum number of agreements of a product.
const EULAS: usize = 100;

/// `owner/product/eula`.
#[derive(Debug, Clone)]
pub struct EulaAddress {
    /// The product.
    pub product: ProductAddress,
    /// The agreement's name.
    pub eula: EulaName,
}

/// An agreement with the versions it names.
#[derive(Debug)]
pub struct EulaDetail {
    /// The agreement.
    pub eula: Eula,
    /// The versions, in alphabetical order.
    pub versions: Vec<String>,
}

/// Lists the agreements of a product.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, at: &ProductAddress) -> Result<Vec<EulaDetail>> {
    let product = products::managed(&house.db, caller, at).await?;
    detailed(&house.db, eulas::list(&house.db, product.id).await?).await
}

/// Returns an agreement.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &EulaAddress) -> Result<EulaDetail> {
    let product = products::managed(&house.db, caller, &at.product).await?;
    let eula = find(&house.db, &product, at).await?;
    detailed(&house.db, vec![eula]).await?.pop().ok_or_else(|| not_found(at))
}

/// Creates an agreement.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, at: &EulaAddress, change: EulaChange) -> Result<EulaDetail> {
    let owner = &products::manager(&house.db, caller, &at.product.owner).await?;
    access::check_plan(owner.plan, Plan::Enterprise)?;
    let versions = &change.check()?.unwrap_or_default();
    let missing = |field| move || Error::invalid(field, "it is required");
    let syntax = change.syntax.ok_or_else(missing("syntax"))?;
    let document = &Document { syntax, content: change.content.clone().ok_or_else(missing("content"))? };
    let is_default = change.is_default.unwrap_or_default();
    let made = &rendering::render(house, document).await;
    let (id, log) = (house.next_id(), &entry(house, caller, "eula.create", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                products::lock_owner(tx, caller, owner).await?;
                let product_id = products::find(tx, owner, &at.product).await?.id;
                if eulas::list(tx, product_id).await?.len() >= EULAS {
                    return Err(Error::Conflict(format!("Product '{}' has {EULAS} EULAs", at.product.product)));
                }
                let (name, document) = (at.eula.clone(), document.clone());
                let eula = Eula { id, product_id, name, document, is_default, updated: log.at };
                match eulas::insert(tx, &eula).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("EULA '{}' already exists", at.eula)));
                    }
                    other => other?,
                }
                store_html(tx, &eula, made).await?;
                set_versions(tx, &eula, versions).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    show(house, caller, at).await
}

/// Changes an agreement. Keys that have accepted a different text have to accept the new one.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &EulaAddress, change: EulaChange) -> Result<()> {
    let owner = &products::manager(&house.db, caller, &at.product.owner).await?;
    access::check_plan(owner.plan, Plan::Enterprise)?;
    let versions = &change.check()?;
    let (change, log) = (&change, &entry(house, caller, "eula.edit", at, ""));
    let product = products::find(&house.db, owner, &at.product).await?;
    let mut eula = find(&house.db, &product, at).await?;
    change.apply(&mut eula, &mut Edits::default());
    // If another request changes it in the meantime, this rendering belongs to a different text and is not stored.
    let made = &rendering::render(house, &eula.document).await;
    house
        .db
        .write(|tx| {
            async move {
                products::lock_owner(tx, caller, owner).await?;
                let product = products::find(tx, owner, &at.product).await?;
                let mut eula = find(tx, &product, at).await?;
                let mut edits = Edits::default();
                change.apply(&mut eula, &mut edits);
                eula.updated = log.at;
                eulas::update(tx, &eula).await?;
                store_html(tx, &eula, made).await?;
                if let Some(versions) = versions {
                    let before = eula_versions::list(tx, &[eula.id]).await?.remove(&eula.id).unwrap_or_default();
                    set_versions(tx, &eula, versions).await?;
                    let after = eula_versions::list(tx, &[eula.id]).await?.remove(&eula.id).unwrap_or_default();
                    edits.record("versions", &before, &after);
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes an agreement: it no longer binds its versions. No plan is needed.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &EulaAddress) -> Result<()> {
    let owner = &products::manager(&house.db, caller, &at.product.owner).await?;
    let log = &entry(house, caller, "eula.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                products::lock_owner(tx, caller, owner).await?;
                let product = products::find(tx, owner, &at.product).await?;
                let eula = find(tx, &product, at).await?;
                eulas::delete(tx, &eula).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the agreement with this name.
pub(crate) async fn find(db: &dyn Read, product: &Product, at: &EulaAddress) -> Result<Eula> {
    eulas::find(db, product.id, &at.eula).await?.ok_or_else(|| not_found(at))
}

pub(crate) fn not_found(at: &EulaAddress) -> Error {
    Error::NotFound { what: "EULA", name: at.eula.to_string() }
}

async fn detailed(db: &dyn Read, eulas: Vec<Eula>) -> Result<Vec<EulaDetail>> {
    let ids: Vec<i64> = eulas.iter().map(|eula| eula.id).collect();
    let mut versions = eula_versions::list(db, &ids).await?;
    let with_versions = |eula: Eula| EulaDetail { versions: versions.remove(&eula.id).unwrap_or_default(), eula };
    Ok(eulas.into_iter().map(with_versions).collect())
}

async fn store_html(tx: &mut Tx, eula: &Eula, made: &Option<Rendering>) -> Result<()> {
    match made {
        Some(made) => Ok(renderings::set(tx, RenderedText::Eula(eula.id), &eula.document, made).await?),
        None => Ok(()),
    }
}

async fn set_versions(tx: &mut Tx, eula: &Eula, versions: &[VersionName]) -> Result<()> {
    for version in versions {
        if let Some(other) = eula_versions::find_other(tx, eula, version).await? {
            return Err(Error::Conflict(format!("Version '{version}' has the EULA '{other}' already")));
        }
    }
    Ok(eula_versions::set(tx, eula, versions).await?)
}

impl fmt::Display for EulaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.product, self.eula)
    }
}
