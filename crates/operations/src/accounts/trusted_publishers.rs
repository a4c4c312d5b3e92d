//! Trusted publishers: builds that get a short token for their identity, instead of a stored secret.

mod change;
mod mint;

use database::{
    ScopedFutureExt,
    accounts::{token_resources::ResourceIds, trusted_publishers as rows},
};
use model::{access::Action, id::PublisherId, trusted_publisher::TrustedPublisher};

use super::tokens::{TokenOwner, check, owner, resources};
use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
};

pub use change::NewPublisher;
pub(crate) use mint::delete_expired;
pub use mint::{LIFETIME_SECS, MintedToken, mint};

/// The maximum number of trusted publishers of an owner.
pub const PUBLISHERS: usize = 100;

/// Lists the trusted publishers of an owner, by name.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, of: &TokenOwner) -> Result<Vec<TrustedPublisher>> {
    let owner = owner(&house.db, caller, of, Action::RevokeTokens).await?;
    Ok(rows::list_of_owner(&house.db, owner.id).await?)
}

/// Adds a trusted publisher. It may do what a token of the owner may, so the same callers may add one.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, of: &TokenOwner, new: &NewPublisher) -> Result<TrustedPublisher> {
    let owner = &owner(&house.db, caller, of, Action::MakeTokens).await?;
    caller.check_unlimited()?;
    let publisher = &new.check(house, owner)?;
    let ids: ResourceIds = resources::find_one(&house.db, caller, &publisher.resource).await?;
    let log = &entry(house, caller, "trusted_publisher.create", target(of, publisher), change::summary(publisher));
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, owner).await?;
                check(tx, caller, owner, Action::MakeTokens).await?;
                if rows::list_of_owner(tx, owner.id).await?.len() >= PUBLISHERS {
                    let reason = format!("there are {PUBLISHERS} trusted publishers already; delete one first");
                    return Err(Error::invalid("name", reason));
                }
                match rows::insert(tx, publisher, ids).await {
                    Err(database::Error::Conflict) => {
                        let reason = format!("Trusted publisher '{}' already exists", publisher.name);
                        return Err(Error::Conflict(reason));
                    }
                    // What it is for was deleted in the meantime.
                    Err(database::Error::Missing) => return Err(resources::unknown(&publisher.resource.to_string())),
                    other => other?,
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(publisher.clone())
}

/// Deletes a trusted publisher. Tokens that its builds have are valid until they expire.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, of: &TokenOwner, id: PublisherId) -> Result<()> {
    let owner = &owner(&house.db, caller, of, Action::RevokeTokens).await?;
    let missing = || Error::NotFound { what: "Trusted publisher", name: id.name() };
    let all = rows::list_of_owner(&house.db, owner.id).await?;
    let publisher = all.into_iter().find(|one| one.id == id).ok_or_else(missing)?;
    let log = &entry(house, caller, "trusted_publisher.delete", target(of, &publisher), "");
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, owner).await?;
                check(tx, caller, owner, Action::RevokeTokens).await?;
                if !rows::delete(tx, owner.id, id).await? {
                    return Err(missing());
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

fn target(of: &TokenOwner, publisher: &TrustedPublisher) -> String {
    format!("{of}/{}", publisher.name)
}
