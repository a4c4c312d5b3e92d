//! Trusted publishers: builds that may publish in a subject, a repository or a package.

use model::{
    id::{PackageId, PublisherId, RepoId, SubjectId},
    names::{PackageName, RepoName, SubjectName},
    timestamp::Timestamp,
    token::Resource,
    trusted_publisher::{ClaimPattern, Provider, TrustedPublisher},
};

use crate::{
    Error, Read, Result, Tx,
    accounts::token_resources::ResourceIds,
    engine::{
        lines,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct PublisherRow in "t" {
        id: PublisherId, owner_id: SubjectId, name: String, provider: String, issuer: String, claims: String,
        created: i64, owner: String = "s.name", repo: Option<String> = "r.name", package: Option<String> = "p.name",
    }
}

row! {
    struct IdsRow { owner_id: SubjectId, repo_id: Option<RepoId>, package_id: Option<PackageId> }
}

impl TryFrom<PublisherRow> for TrustedPublisher {
    type Error = Error;

    fn try_from(row: PublisherRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("trusted publisher {} has a damaged row", row.id));
        let pair = |line: &String| {
            let (claim, pattern) = line.split_once('=')?;
            Some(ClaimPattern { claim: claim.to_owned(), pattern: pattern.to_owned() })
        };
        let claims: Option<Vec<ClaimPattern>> = lines::split(&row.claims).iter().map(pair).collect();
        let resource = Resource {
            subject: SubjectName::stored(&row.owner).map_err(|_| damaged())?,
            repo: row.repo.as_deref().map(RepoName::stored).transpose().map_err(|_| damaged())?,
            package: row.package.as_deref().map(PackageName::stored).transpose().map_err(|_| damaged())?,
        };
        Ok(Self {
            provider: Provider::parse(&row.provider).ok_or_else(damaged)?,
            claims: claims.ok_or_else(damaged)?,
            resource,
            id: row.id,
            owner_id: row.owner_id,
            name: row.name,
            issuer: row.issuer,
            created: Timestamp::from_millis(row.created),
        })
    }
}

/// Returns the publishers of an owner, by name.
pub async fn list_of_owner(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<TrustedPublisher>> {
    let rows: Vec<PublisherRow> = db
        .all(select!(
            PublisherRow,
            "FROM trusted_publishers t
             JOIN subjects s ON s.id = t.owner_id
             LEFT JOIN repos r ON r.id = t.repo_id
             LEFT JOIN packages p ON p.id = t.package_id
             WHERE t.owner_id = $1
             ORDER BY t.name",
            owner_id,
        ))
        .await?;
    rows.into_iter().map(TrustedPublisher::try_from).collect()
}

/// Returns whether a publisher names this issuer.
pub async fn has_issuer(db: &dyn Read, issuer: &str) -> Result<bool> {
    let statement = sql!("SELECT id FROM trusted_publishers WHERE issuer = $1 ORDER BY id LIMIT 1", issuer);
    let found: Option<PublisherId> = db.one(statement.looking_up()).await?;
    Ok(found.is_some())
}

/// Returns some of the publishers with this issuer and selector, oldest first, after one of them.
pub async fn list_selected(
    db: &dyn Read,
    issuer: &str,
    selector: &str,
    after: PublisherId,
    limit: i64,
) -> Result<Vec<TrustedPublisher>> {
    let rows: Vec<PublisherRow> = db
        .all(select!(
            PublisherRow,
            "FROM trusted_publishers t
             JOIN subjects s ON s.id = t.owner_id
             LEFT JOIN repos r ON r.id = t.repo_id
             LEFT JOIN packages p ON p.id = t.package_id
             WHERE t.issuer = $1 AND t.selector = $2 AND t.id > $3
             ORDER BY t.id
             LIMIT $4",
            issuer,
            selector,
            after,
            limit,
        ))
        .await?;
    rows.into_iter().map(TrustedPublisher::try_from).collect()
}

/// Returns the ids of what a publisher is for, if it still exists.
pub async fn find_ids(db: &dyn Read, id: PublisherId) -> Result<Option<ResourceIds>> {
    let row: Option<IdsRow> = db.one(select!(IdsRow, "FROM trusted_publishers WHERE id = $1", id).looking_up()).await?;
    let ids = |row: IdsRow| ResourceIds { subject_id: row.owner_id, repo_id: row.repo_id, package_id: row.package_id };
    Ok(row.map(ids))
}

/// Adds a publisher. A name that another one of the owner has is a conflict.
pub async fn insert(tx: &mut Tx, publisher: &TrustedPublisher, ids: ResourceIds) -> Result<()> {
    let line = |one: &ClaimPattern| format!("{}={}", one.claim, one.pattern);
    tx.run(insert!(trusted_publishers {
        id: publisher.id,
        owner_id: publisher.owner_id,
        repo_id: ids.repo_id,
        package_id: ids.package_id,
        name: &publisher.name,
        provider: publisher.provider.as_str(),
        issuer: &publisher.issuer,
        selector: publisher.selector(),
        claims: lines::join(&publisher.claims.iter().map(line).collect::<Vec<_>>()),
        created: publisher.created,
    }))
    .await?;
    Ok(())
}

/// Deletes a publisher of an owner; returns whether it existed.
pub async fn delete(tx: &mut Tx, owner_id: SubjectId, id: PublisherId) -> Result<bool> {
    let statement = sql!("DELETE FROM trusted_publishers WHERE id = $1 AND owner_id = $2", id, owner_id).long();
    Ok(tx.run(statement).await? > 0)
}
