//! Products: packages of one owner that are sold together. For those who manage the owner.

use std::fmt;

use database::{
    Read, ScopedFutureExt, Tx, packages,
    products::{self, ListedProduct, Product, ProductProfile},
    repos,
    subjects::{self, Subject},
};
use model::{
    access::{Action, decide},
    names::{PackageName, ProductName, RepoName, SubjectName},
    plan::Plan,
    text,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    change::set,
};

/// The most packages of a product.
const PACKAGES: usize = 100;

/// The longest life of a signed address, in seconds.
const EXPIRY_SECS: i64 = 365 * 24 * 60 * 60;

/// `owner/product`.
#[derive(Debug, Clone)]
pub struct ProductAddress {
    /// The owner's name.
    pub owner: SubjectName,
    /// The product's name.
    pub product: ProductName,
}

/// What of a product is to change. What is absent stays.
#[derive(Debug, Clone, Default)]
pub struct ProductChange {
    /// Its name for people.
    pub display_name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Where to read more.
    pub website_url: Option<Option<String>>,
    /// Where the source is.
    pub vcs_url: Option<Option<String>>,
    /// Its packages, as `repo/package`.
    pub packages: Option<Vec<String>>,
    /// How many seconds a signed address of one of its files lives.
    pub sign_url_expiry: Option<Option<i64>>,
}

/// A product with its packages, as `repo/package`.
#[derive(Debug)]
pub struct ProductDetail {
    /// The product.
    pub product: Product,
    /// Its packages.
    pub packages: Vec<String>,
}

/// The products of a subject.
pub async fn list(house: &House, caller: &Caller, owner: &SubjectName) -> Result<Vec<ListedProduct>> {
    let owner = manager(&house.db, caller, owner).await?;
    Ok(products::list(&house.db, owner.id).await?)
}

/// A product.
pub async fn show(house: &House, caller: &Caller, at: &ProductAddress) -> Result<ProductDetail> {
    let product = managed(&house.db, caller, at).await?;
    let packages = products::list_packages(&house.db, product.id).await?;
    Ok(ProductDetail { product, packages })
}

/// Creates a product.
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
    change.apply(&mut profile);
    let log = &entry(house, caller, "product.create", at, "");
    let new = Product { id: house.next_id(), owner_id: owner.id, name: at.product.clone(), created: log.at, profile };
    let (new, change) = (&new, &change);
    house
        .db
        .write(|tx| {
            async move {
                hold_owner(tx, caller, owner).await?;
                match products::insert(tx, new).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("Product '{}' already exists", at.product)));
                    }
                    other => other?,
                }
                set_packages(tx, owner, new.id, change).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    show(house, caller, at).await
}

/// Changes a product.
pub async fn edit(house: &House, caller: &Caller, at: &ProductAddress, change: ProductChange) -> Result<()> {
    let owner = &manager(&house.db, caller, &at.owner).await?;
    access::check_plan(owner.plan, Plan::Enterprise)?;
    change.check()?;
    let (change, log) = (&change, &entry(house, caller, "product.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                hold_owner(tx, caller, owner).await?;
                let mut product = find(tx, owner, at).await?;
                change.apply(&mut product.profile);
                products::update(tx, product.id, &product.profile).await?;
                set_packages(tx, owner, product.id, change).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a product, with its agreements and who has signed them. Needs no plan.
pub async fn delete(house: &House, caller: &Caller, at: &ProductAddress) -> Result<()> {
    let owner = &manager(&house.db, caller, &at.owner).await?;
    let log = &entry(house, caller, "product.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                hold_owner(tx, caller, owner).await?;
                let product = find(tx, owner, at).await?;
                products::delete(tx, product.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// The owner of products, for a caller who manages it.
pub(crate) async fn manager(db: &impl Read, caller: &Caller, owner: &SubjectName) -> Result<Subject> {
    caller.check_signed_in()?;
    let not_found = || Error::NotFound { what: "Subject", name: owner.to_string() };
    let subject = subjects::find(db, owner).await?.ok_or_else(not_found)?;
    access::enforce(decide(Action::EditProfile, access::standing(db, caller, &subject).await?))?;
    Ok(subject)
}

/// A product, for a caller who manages its owner.
pub(crate) async fn managed(db: &impl Read, caller: &Caller, at: &ProductAddress) -> Result<Product> {
    let owner = manager(db, caller, &at.owner).await?;
    find(db, &owner, at).await
}

/// Holds the owner, and asks again for the right: the caller may have lost it meanwhile.
pub(crate) async fn hold_owner(tx: &mut Tx, caller: &Caller, owner: &Subject) -> Result<()> {
    let owner = access::hold(tx, owner).await?;
    access::enforce(decide(Action::EditProfile, access::standing(tx, caller, &owner).await?))
}

/// The product of this name.
pub(crate) async fn find(db: &impl Read, owner: &Subject, at: &ProductAddress) -> Result<Product> {
    products::find(db, owner.id, &at.product).await?.ok_or_else(|| not_found(at))
}

pub(crate) fn not_found(at: &ProductAddress) -> Error {
    Error::NotFound { what: "Product", name: at.product.to_string() }
}

async fn set_packages(tx: &mut Tx, owner: &Subject, product_id: i64, change: &ProductChange) -> Result<()> {
    let Some(names) = &change.packages else { return Ok(()) };
    let mut ids = Vec::new();
    for name in names {
        let id = package_id(tx, owner, name).await?.ok_or_else(|| unknown_package(name))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    match products::set_packages(tx, product_id, &ids).await {
        // Deleted while it was being added.
        Err(database::Error::Missing) => Err(Error::invalid("packages", "one of them does not exist any more")),
        other => Ok(other?),
    }
}

/// The key of the package `repo/package` of the owner. One that is linked in belongs to somebody else.
async fn package_id(tx: &Tx, owner: &Subject, name: &str) -> Result<Option<i64>> {
    let Some((repo, package)) = name.split_once('/') else { return Ok(None) };
    let (Ok(repo), Ok(package)) = (RepoName::parse(repo), PackageName::parse(package)) else { return Ok(None) };
    let Some(found) = repos::find(tx, &owner.name, &repo, None).await? else { return Ok(None) };
    Ok(packages::find(tx, found.repo.id, &package).await?.map(|package| package.id))
}

fn unknown_package(name: &str) -> Error {
    let name: String = name.chars().take(220).collect();
    Error::invalid("packages", format!("Package '{name}' does not exist"))
}

impl ProductChange {
    fn check(&self) -> Result<()> {
        let invalid = |field| move |reason| Error::invalid(field, reason);
        text::check_full_name(self.display_name.as_deref().unwrap_or_default()).map_err(invalid("display_name"))?;
        text::check_text(self.description.as_deref().unwrap_or_default()).map_err(invalid("desc"))?;
        for (field, url) in [("website_url", &self.website_url), ("vcs_url", &self.vcs_url)] {
            text::check_line(url.iter().flatten().next().map_or("", String::as_str)).map_err(invalid(field))?;
        }
        if self.packages.as_ref().is_some_and(|packages| packages.len() > PACKAGES) {
            return Err(Error::invalid("packages", format!("there are more than {PACKAGES}")));
        }
        if self.sign_url_expiry.flatten().is_some_and(|seconds| !(1..=EXPIRY_SECS).contains(&seconds)) {
            let reason = format!("it must be a number of seconds from 1 to {EXPIRY_SECS}");
            return Err(Error::invalid("sign_url_expiry", reason));
        }
        Ok(())
    }

    fn apply(&self, profile: &mut ProductProfile) {
        set(&mut profile.display_name, &self.display_name);
        set(&mut profile.description, &self.description);
        set(&mut profile.website_url, &self.website_url);
        set(&mut profile.vcs_url, &self.vcs_url);
        set(&mut profile.sign_url_expiry, &self.sign_url_expiry);
    }
}

impl fmt::Display for ProductAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.product)
    }
}
