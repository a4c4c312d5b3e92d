//! Repositories that are deleted: they are hidden at once, and their rows are deleted later, some at a time.
//!
//! A hidden repository is private and belongs to a subject whose name no path can hold, so no look-up by name and no
//! grant finds it. What finds repositories in another way leaves those of this subject out: its id is 0, and conditions
//! for viewers who see everything end in `AND r.owner_id > 0`.

use model::{id::RepoId, repo::Repo, timestamp::Timestamp};

use crate::{
    Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{RowLock, insert, select, sql},
    },
};

/// The name of the owner of hidden repositories. No subject can have it.
const OWNER: &str = "*";

/// Sorts the owner behind the end of every range of names.
const AFTER_EVERY_RANGE: usize = 65;

row! {
    /// A hidden repository, with its former names.
    pub struct DeletedRepo in "d" {
        /// Its id.
        id: RepoId = "d.repo_id",
        /// The name of its owner, folded.
        folded_owner: String,
        /// Its name, folded.
        folded_repo: String,
        /// Its type.
        kind: String = "d.type",
        /// Versions that were first published before this time were closed.
        closed_before: i64,
    }
}

/// Hides a repository from everyone, and frees its name. Removes what others see of it: what is left takes as long as
/// it has files.
pub async fn hide(tx: &mut Tx, repo: &Repo, closed_before: Timestamp, now: Timestamp) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo.id));
    insert_owner(tx, now).await?;
    tx.run(insert!(deleted_repos {
        repo_id: repo.id,
        folded_owner: repo.owner.folded(),
        folded_repo: repo.name.folded(),
        type: &repo.kind,
        closed_before,
        deleted: now,
    }))
    .await?;
    let name = repo.id.to_string();
    tx.run(sql!(
        "UPDATE repos SET owner_id = 0, name = $2, folded_name = $2, type = '', is_private = TRUE, description = '',
             folded_description = '', labels = '', untagged_days = NULL, quota_bytes = NULL
         WHERE id = $1",
        repo.id,
        &name,
    ))
    .await?;
    delete_grants(tx, repo.id).await?;
    delete_uses(tx, repo.id).await
}

/// Adds the owner of hidden repositories, if it does not exist yet.
async fn insert_owner(tx: &mut Tx, now: Timestamp) -> Result<()> {
    let folded_name = char::MAX.to_string().repeat(AFTER_EVERY_RANGE);
    tx.run(insert!(
        subjects {
            id: 0_i64,
            kind: "org",
            name: OWNER,
            folded_name: &folded_name,
            full_name: "",
            plan: "free",
            is_site_admin: false,
            registered: now,
        },
        "ON CONFLICT (id) DO NOTHING",
    ))
    .await?;
    Ok(())
}

/// Deletes what others may do in a repository, and what is sent and measured for it.
async fn delete_grants(tx: &mut Tx, id: RepoId) -> Result<()> {
    tx.run(sql!("DELETE FROM team_permissions WHERE repo_id = $1", id).long()).await?;
    tx.run(sql!("DELETE FROM entitlements WHERE repo_id = $1", id).long()).await?;
    tx.run(sql!("DELETE FROM token_resources WHERE repo_id = $1", id).long()).await?;
    tx.run(sql!("DELETE FROM trusted_publishers WHERE repo_id = $1", id).long()).await?;
    tx.run(sql!("DELETE FROM webhooks WHERE repo_id = $1", id).long()).await?;
    tx.run(sql!("DELETE FROM usage_thresholds WHERE repo_id = $1", id).long()).await?;
    Ok(())
}

/// Deletes what others have made of the packages of a repository. People make these rows by hand, so they are few: they
/// are read, and not the packages, which may be very many.
async fn delete_uses(tx: &mut Tx, id: RepoId) -> Result<()> {
    tx.run(sql!("DELETE FROM links WHERE repo_id = $1", id).long()).await?;
    tx.run(
        sql!(
            "DELETE FROM links
             WHERE repo_id > 0
                 AND EXISTS (SELECT 1 FROM packages p WHERE p.id = links.package_id AND p.repo_id = $1)",
            id,
        )
        .long(),
    )
    .await?;
    tx.run(
        sql!(
            "DELETE FROM product_packages
             WHERE product_id > 0
                 AND EXISTS (SELECT 1 FROM packages p WHERE p.id = product_packages.package_id AND p.repo_id = $1)",
            id,
        )
        .long(),
    )
    .await?;
    tx.run(
        sql!(
            "DELETE FROM custom_license_uses
             WHERE owner_id > 0
                 AND EXISTS (SELECT 1 FROM packages p WHERE p.id = custom_license_uses.package_id AND p.repo_id = $1)",
            id,
        )
        .long(),
    )
    .await?;
    Ok(())
}

/// Locks a hidden repository until the transaction ends, and returns it; `None` if there is none that no other node
/// works on.
pub async fn lock_next(tx: &mut Tx) -> Result<Option<DeletedRepo>> {
    let next = select!(DeletedRepo, "FROM deleted_repos d WHERE d.repo_id > 0 ORDER BY d.repo_id LIMIT 1");
    tx.one(next.locking(RowLock::SkipLocked)).await
}

#[cfg(test)]
mod tests {
    use crate::testing::statement_source::Sources;

    #[test]
    fn viewers_who_see_everything_do_not_see_hidden_repositories() {
        let statements = Sources::read().statements();
        let shown: Vec<&str> =
            statements.iter().map(|found| &*found.sql).filter(|sql| sql.contains("r.is_private OR")).collect();
        assert!(shown.len() >= 10, "only {} statements found", shown.len());
        for sql in shown {
            assert!(sql.contains("AND r.owner_id > 0)"), "{sql}\nshows hidden repositories");
        }
    }
}
