//! Renames users and organizations.
//!
//! The content moves to the new name at once. The old name is retired like that of a deleted subject, and paths that
//! were published for good keep their tombstones there, so that nobody ever gets other bytes under an old address.

use database::{
    ScopedFutureExt,
    accounts::{retired_names, sessions, subjects},
    catalogue::repos,
};
use model::{access::Action, address::RepoAddress, names::SubjectName, subject::SubjectKind};

use crate::{
    Caller, Error, House, Result, access,
    accounts::subjects as accounts,
    audit::{entry, record},
    catalogue::tombstones,
    content,
    signing::SigningOptions,
};

/// Renames a user or an organization, for site administrators.
#[boxed::future]
pub async fn rename(house: &House, caller: &Caller, name: &SubjectName, to: &SubjectName) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let subject = &accounts::show(house, caller, name).await?;
    if to.is_reserved() {
        return Err(Error::Invalid { field: "name", reason: format!("'{to}' is reserved") });
    }
    if to == name {
        return Err(Error::Conflict(format!("Subject '{to}' already exists")));
    }
    let action = if subject.kind == SubjectKind::User { "user.rename" } else { "org.rename" };
    let log = &entry(house, caller, action, name, format!("name: {name} -> {to}"));
    house
        .db
        .write(|tx| {
            async move {
                let subject = access::lock(tx, subject).await?;
                let taken = || Error::Conflict(format!("Subject '{to}' already exists"));
                if subject.name != *name {
                    return Err(access::not_found(subject.kind, name));
                }
                // Only the subject that had a name before gets it again: its bytes are those of the tombstones.
                if retired_names::contains(tx, to).await? {
                    if retired_names::find_renamed(tx, to).await? != Some(subject.id) {
                        return Err(taken());
                    }
                    retired_names::delete(tx, to).await?;
                }
                tombstones::add_of_owner(tx, house, subject.id, log.at).await?;
                match subjects::update_name(tx, subject.id, to).await {
                    Err(database::Error::Conflict) => return Err(taken()),
                    other => other?,
                }
                if name.folded() != to.folded() {
                    retired_names::insert_former(tx, name, subject.id, log.at).await?;
                }
                sessions::delete_all(tx, subject.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    rebuild_indexes(house, caller, to).await
}

/// Rebuilds the indexes, some of which contain the name of the owner.
async fn rebuild_indexes(house: &House, caller: &Caller, owner: &SubjectName) -> Result<()> {
    let Some(subject) = subjects::find(&house.db, owner).await? else { return Ok(()) };
    for repo in repos::list_of_owner(&house.db, subject.id).await? {
        let at = RepoAddress { owner: owner.clone(), repo: repo.name.clone() };
        match content::rebuild_all(house, caller, &at, None, &SigningOptions::default()).await {
            // A generic repository has none.
            Ok(()) | Err(Error::Invalid { .. }) => {}
            Err(error) => tracing::warn!("rebuilding the indexes of {owner}/{} failed: {error}", repo.name),
        }
    }
    Ok(())
}
