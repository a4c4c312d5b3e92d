//! Entitlements: the rights of an owner's keys in its repositories, packages, versions and products.

mod change;
mod place;
mod search;

pub use change::{EntitlementChange, ListChange};
pub use place::{EntitlementAddress, ProductAddress};
pub use search::{EntitlementSearchScope, EntitlementTerms, FoundEntitlement, search};

use database::{
    Read, ScopedFutureExt,
    access::{entitlement_list, entitlement_terms, entitlements},
};
use model::{
    access::Right,
    entitlement::{Entitlement, EntitlementScope},
    page::PAGE_SIZE,
    plan::Plan,
};

use crate::{
    Caller, Error, House, Page, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

/// An entitlement, with its keys.
#[derive(Debug, Clone)]
pub struct EntitlementDetail {
    /// Its id in URLs.
    pub id: String,
    /// The right of the keys.
    pub right: Right,
    /// The names of the keys.
    pub access_keys: Vec<String>,
    /// The file or folder of the repository that it is limited to.
    pub path: Option<String>,
    /// Tags to find it by.
    pub tags: Vec<String>,
}

/// Lists the ids of the entitlements in a scope.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, at: &EntitlementAddress, start: u64) -> Result<Page<String>> {
    let level = at.find(&house.db, caller).await?.level;
    let total = entitlement_list::count(&house.db, level).await?.unsigned_abs();
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let ids = if start < total {
        entitlement_list::list(&house.db, level, bounded(start), bounded(PAGE_SIZE)).await?
    } else {
        Vec::new()
    };
    Ok(Page { items: ids.into_iter().map(name).collect(), start, total })
}

/// Returns an entitlement.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &EntitlementAddress, id: &str) -> Result<EntitlementDetail> {
    let level = at.find(&house.db, caller).await?.level;
    let found = find(&house.db, level, id).await?;
    detail(&house.db, found).await
}

/// Creates an entitlement.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &EntitlementAddress,
    mut change: EntitlementChange,
) -> Result<EntitlementDetail> {
    access::check_plan(at.find(&house.db, caller).await?.plan, Plan::Premium)?;
    change.check(at)?;
    let right = change.right.ok_or_else(|| Error::invalid("access", "it is required"))?;
    let (id, change) = (house.next_id(), &change);
    let log = &entry(house, caller, "entitlement.create", at, format!("{} {}", name(id), access_name(right)));
    house
        .db
        .write(|tx| {
            async move {
                let target = at.lock(tx, caller).await?;
                let path = change.path.clone().flatten();
                entitlements::insert(tx, &target.entitlement(id, right, path, log.at)).await?;
                change.set_terms(tx, id, target.owner_id, &mut Edits::default()).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    show(house, caller, at, &name(id)).await
}

/// Changes an entitlement and returns it.
#[boxed::future]
pub async fn edit(
    house: &House,
    caller: &Caller,
    at: &EntitlementAddress,
    id: &str,
    mut change: EntitlementChange,
) -> Result<EntitlementDetail> {
    access::check_plan(at.find(&house.db, caller).await?.plan, Plan::Premium)?;
    change.check(at)?;
    let (change, log) = (&change, &entry(house, caller, "entitlement.edit", at, id));
    house
        .db
        .write(|tx| {
            async move {
                let target = at.lock(tx, caller).await?;
                let mut entitlement = find(tx, target.level, id).await?;
                let mut edits = Edits::default();
                change.apply(&mut entitlement, &mut edits);
                entitlements::update(tx, &entitlement).await?;
                change.set_terms(tx, entitlement.id, target.owner_id, &mut edits).await?;
                record_edits(tx, log, &edits).await?;
                detail(tx, entitlement).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes an entitlement. No plan is needed.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &EntitlementAddress, id: &str) -> Result<()> {
    at.find(&house.db, caller).await?;
    let log = &entry(house, caller, "entitlement.delete", at, id);
    house
        .db
        .write(|tx| {
            async move {
                let target = at.lock(tx, caller).await?;
                let entitlement = find(tx, target.level, id).await?;
                entitlements::delete(tx, entitlement.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the entitlement with this id, if it is in this scope.
async fn find(db: &dyn Read, level: EntitlementScope, id: &str) -> Result<Entitlement> {
    let found = match parse(id) {
        Some(id) => entitlements::find(db, id).await?,
        None => None,
    };
    let found = found.filter(|found| found.level == level);
    found.ok_or_else(|| Error::NotFound { what: "Entitlement", name: id.to_owned() })
}

async fn detail(db: &dyn Read, found: Entitlement) -> Result<EntitlementDetail> {
    let keys = entitlement_terms::list_keys_of(db, &[found.id]).await?;
    let tags = entitlement_terms::list_tags_of(db, &[found.id]).await?;
    Ok(EntitlementDetail {
        id: name(found.id),
        right: found.right,
        access_keys: keys.into_values().flatten().collect(),
        path: found.path,
        tags: tags.into_values().flatten().collect(),
    })
}

/// Returns the contract's name of a key's right.
pub fn access_name(right: Right) -> &'static str {
    if right >= Right::Publish { "rw" } else { "r" }
}

/// Returns the right with this name in the contract.
pub fn parse_access(text: &str) -> Option<Right> {
    [Right::Read, Right::Publish].into_iter().find(|right| access_name(*right) == text)
}

/// Formats the id of an entitlement, always with the same length.
fn name(id: i64) -> String {
    format!("{id:016x}")
}

fn parse(text: &str) -> Option<i64> {
    i64::from_str_radix(text, 16).ok().filter(|id| name(*id) == text)
}
