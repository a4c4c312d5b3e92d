//! The resources of tokens: subjects, repositories and packages by their ids, so that another one with the name of a
//! deleted one is not taken for it.

use std::collections::HashMap;

use model::{
    id::{PackageId, RepoId, SubjectId, TokenId},
    names::{PackageName, RepoName, SubjectName},
    token::{Resource, Token},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

/// A resource by its ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceIds {
    /// The id of the subject.
    pub subject_id: SubjectId,
    /// The id of the repository.
    pub repo_id: Option<RepoId>,
    /// The id of the package.
    pub package_id: Option<PackageId>,
}

row! {
    struct ResourceRow in "x" {
        token_id: TokenId, subject: String = "s.name", repo: Option<String> = "r.name",
        package: Option<String> = "p.name",
    }
}

impl TryFrom<ResourceRow> for Resource {
    type Error = Error;

    fn try_from(row: ResourceRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("token {} has a damaged resource", row.token_id));
        Ok(Resource {
            subject: SubjectName::parse(&row.subject).map_err(damaged)?,
            repo: row.repo.as_deref().map(RepoName::parse).transpose().map_err(damaged)?,
            package: row.package.as_deref().map(PackageName::parse).transpose().map_err(damaged)?,
        })
    }
}

/// Adds their resources to the tokens that are limited to some.
pub(crate) async fn add(db: &dyn Read, mut tokens: Vec<Token>) -> Result<Vec<Token>> {
    let limited = tokens.iter().filter(|token| token.terms.resources.is_some()).map(|token| token.id);
    let limited: Vec<TokenId> = limited.collect();
    if limited.is_empty() {
        return Ok(tokens);
    }
    let statement = select!(
        ResourceRow,
        "FROM token_resources x
         JOIN subjects s ON s.id = x.subject_id
         LEFT JOIN repos r ON r.id = x.repo_id
         LEFT JOIN packages p ON p.id = x.package_id
         WHERE x.token_id IN ($keys)
         ORDER BY s.name, r.name, p.name",
    );
    let mut found: HashMap<TokenId, Vec<Resource>> = HashMap::new();
    for row in keys::all::<ResourceRow>(db, statement, &limited).await? {
        found.entry(row.token_id).or_default().push(row.try_into()?);
    }
    for token in &mut tokens {
        if let Some(resources) = &mut token.terms.resources {
            *resources = found.remove(&token.id).unwrap_or_default();
        }
    }
    Ok(tokens)
}

/// Replaces the resources of a token.
pub async fn replace(tx: &mut Tx, token_id: TokenId, resources: &[ResourceIds]) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM token_resources WHERE token_id = $1", token_id).long()).await?;
    for ResourceIds { subject_id, repo_id, package_id } in resources.iter().copied() {
        tx.run(insert!(token_resources { token_id, subject_id, repo_id, package_id })).await?;
    }
    Ok(())
}
