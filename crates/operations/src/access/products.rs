//! Products: packages of one owner that are sold together. For callers who manage the owner.

mod change;
mod packages;

pub use change::ProductChange;

use std::fmt;

use database::{
    Read, ScopedFutureExt, Tx,
    access::{product_packages, products},
    accounts::subjects,
};
use model::{
    access::Action,
    names::{ProductName, SubjectName},
    plan::Plan,
    product::{ListedProduct, Product, ProductProfile},
    subject::Subject,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

/// `owner/product`.
#[derive(Debug, Clone)]
pub struct ProductAddress {
    /// The owner's name.
    pub owner: SubjectName,
    /// The product's name.
    pub product: ProductName,
}

/// A product with its packages, as `repo/package`.
#[derive(Debug)]
pub struct ProductDetail {
    /// The product.
    pub product: Product,
    /// Its packages.
    pub packages: Vec<String>,
}

/// Lists the products of a subject.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, owner: &SubjectName) -> Result<Vec<ListedProduct>> {
    let owner = manager(&house.db, caller, owner).await?;
    Ok(products::list(&house.db, owner.id).await?)
}

/// Returns a product.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &ProductAddress) -> Result<ProductDetail> {
    let product = managed(&house.db, caller, at).await?;
    let packages = product_packages::list(&house.db, product.id).await?;
    Ok(ProductDetail { product, packages })
}

/// Creates a product.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &ProductAddress,
    change: ProductChange,
) -> Result<ProductDetail> {
    let owner = &manager(&house.db, caller, &at.owner).await?;
    access::check_plan(owner.plan, Plan::Enterprise)?;
    change.check()?;
    let mut profile = ProductProfile { display_name: at.product.to_string(), ..ProductProfile::default() };
    change.apply(&mut profile, &mut Edits::default());
    let log = &entry(house, caller, "product.create", at, "");
    let new = Product { id: house.next_id(), owner_id: owner.id, name: at.product.clone(), created: log.at, profile };
    let (new, change) = (&new, &change);
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                match products::insert(tx, new).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("Product '{}' already exists", at.product)));
                    }
                    other => other?,
                }
                packages::set(tx, owner, new.id, change).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    show(house, caller, at).await
}

/// Changes a product.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &ProductAddress, change: ProductChange) -> Result<()> {
    let owner = &manager(&house.db, caller, &at.owner).await?;
    access::check_plan(owner.plan, Plan::Enterprise)?;
    change.check()?;
    let (change, log) = (&change, &entry(house, caller, "product.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                let mut product = find(tx, owner, at).await?;
                let (mut edits, before) = (Edits::default(), product_packages::list(tx, product.id).await?);
                change.apply(&mut product.profile, &mut edits);
                products::update(tx, product.id, &product.profile).await?;
                packages::set(tx, owner, product.id, change).await?;
                let after = product_packages::list(tx, product.id).await?;
                edits.record("packages", &before, &after);
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a product, with its agreements and their signatures. No plan is needed.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &ProductAddress) -> Result<()> {
    let owner = &manager(&house.db, caller, &at.owner).await?;
    let log = &entry(house, caller, "product.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner).await?;
                let product = find(tx, owner, at).await?;
                products::delete(tx, product.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the owner of products, for a caller who manages it.
pub(crate) async fn manager(db: &dyn Read, caller: &Caller, owner: &SubjectName) -> Result<Subject> {
    caller.check_known_to(owner)?;
    let not_found = || Error::NotFound { what: "Subject", name: owner.to_string() };
    let subject = subjects::find(db, owner).await?.ok_or_else(not_found)?;
    access::check_account(db, caller, &subject, Action::EditProfile).await?;
    Ok(subject)
}

/// Returns a product, for a caller who manages its owner.
pub(crate) async fn managed(db: &dyn Read, caller: &Caller, at: &ProductAddress) -> Result<Product> {
    let owner = manager(db, caller, &at.owner).await?;
    find(db, &owner, at).await
}

/// Locks the owner and checks the right again, because the caller may have lost it in the meantime.
pub(crate) async fn lock_owner(tx: &mut Tx, caller: &Caller, owner: &Subject) -> Result<()> {
    let owner = access::lock(tx, owner).await?;
    access::check_account(tx, caller, &owner, Action::EditProfile).await
}

/// Returns the product with this name.
pub(crate) async fn find(db: &dyn Read, owner: &Subject, at: &ProductAddress) -> Result<Product> {
    products::find(db, owner.id, &at.product).await?.ok_or_else(|| not_found(at))
}

pub(crate) fn not_found(at: &ProductAddress) -> Error {
    Error::NotFound { what: "Product", name: at.product.to_string() }
}

impl fmt::Display for ProductAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.product)
    }
}
