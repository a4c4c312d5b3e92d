//! The packages of a repository: its own and the linked ones.

use model::{access::Viewer, id::RepoId, package::PackageListItem, page::PageRequest, prefix::NameRange};

use crate::{Read, Result, catalogue::package_positions, engine::statement::sql};

/// Up to this many names, walking costs no more than finding a nearer start.
const NEAR: i64 = 100;

/// Returns a page of the packages in a range, by name: the repository's own, merged with these linked ones.
pub async fn list(
    db: &dyn Read,
    repo_id: RepoId,
    range: &NameRange,
    linked: Vec<String>,
    window: PageRequest,
) -> Result<Vec<PackageListItem>> {
    // At most all linked packages precede the page, so the number of own packages before it may be smaller by that
    // many.
    let skipped = window.start.min(i64::try_from(linked.len()).unwrap_or(i64::MAX));
    let own = PageRequest { start: window.start - skipped, limit: window.limit.saturating_add(skipped) };
    let own = list_own(db, repo_id, range, own).await?;
    let own = own.into_iter().map(|name| PackageListItem { name, is_linked: false });
    let mut merged: Vec<PackageListItem> =
        own.chain(linked.into_iter().map(|name| PackageListItem { name, is_linked: true })).collect();
    merged.sort_by(|one, other| one.name.cmp(&other.name));
    let (skipped, limit) = (usize::try_from(skipped), usize::try_from(window.limit));
    Ok(merged.into_iter().skip(skipped.unwrap_or_default()).take(limit.unwrap_or_default()).collect())
}

/// Returns a page of the names of the repository's own packages in a range.
async fn list_own(db: &dyn Read, repo_id: RepoId, range: &NameRange, window: PageRequest) -> Result<Vec<String>> {
    let (first_name, skipped) = match window.start {
        near @ ..NEAR => (range.from.clone(), near),
        far => {
            let position = package_positions::count_before(db, repo_id, &range.from).await? + far;
            match package_positions::find_start(db, repo_id, position).await? {
                Some(start) => (start.first_name, position - start.position),
                None => return Ok(Vec::new()),
            }
        }
    };
    let page = sql!(
        "SELECT name
         FROM packages
         WHERE repo_id = $1 AND name >= $2 AND name < $3
         ORDER BY name
         LIMIT $4 OFFSET $5",
        repo_id,
        first_name,
        &range.to,
        window.limit,
        skipped,
    );
    // A page, and as many names before it, are read faster than they are handed to another thread.
    db.all(if window.limit <= NEAR { page.looking_up() } else { page }).await
}

/// Counts the repository's own packages in a range.
pub async fn count_own(db: &dyn Read, repo_id: RepoId, range: &NameRange) -> Result<i64> {
    let few = count_near(db, repo_id, range, NEAR.unsigned_abs()).await?;
    if few < NEAR {
        return Ok(few);
    }
    let before = package_positions::count_before(db, repo_id, &range.from).await?;
    let within = package_positions::count_before(db, repo_id, &range.to).await? - before;
    // A package may be deleted between the two counts.
    Ok(within.max(0))
}

/// Counts them up to this many.
pub async fn count_near(db: &dyn Read, repo_id: RepoId, range: &NameRange, most: u64) -> Result<i64> {
    let count = db
        .one(
            sql!(
                "SELECT CAST(COUNT(*) AS BIGINT)
                 FROM (SELECT 1 FROM packages WHERE repo_id = $1 AND name >= $2 AND name < $3 LIMIT $4) near",
                repo_id,
                &range.from,
                &range.to,
                most.cast_signed(),
            )
            .looking_up(),
        )
        .await?;
    Ok(count.unwrap_or_default())
}

/// Returns the names of the linked packages in a range that the viewer may see. Links are created by hand, so their
/// number is small.
pub async fn list_linked(db: &dyn Read, repo_id: RepoId, range: &NameRange, reader: Viewer) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT l.package_name
         FROM links l
         JOIN packages q ON q.id = l.package_id
         JOIN repos r ON r.id = q.repo_id
         WHERE l.repo_id = $1 AND l.package_name >= $2 AND l.package_name < $3
             AND (NOT r.is_private OR ($5 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $4))
         ORDER BY l.package_name",
        repo_id,
        &range.from,
        &range.to,
        reader.id,
        reader.sees_everything,
    ))
    .await
}
