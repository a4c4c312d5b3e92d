//! Tokens of users and organizations, identified by the keyed hash of their secret. The secret itself is not stored.

use ipnet::IpNet;
use model::{
    access::Scope,
    id::{SubjectId, TokenId},
    timestamp::Timestamp,
    token::{Token, TokenTerms, TokenUse},
    trusted_publisher::Build,
};

use crate::{
    Error, Read, Result, Tx,
    accounts::token_resources,
    engine::{
        invalidation::Invalidation,
        lines,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct TokenRow in "t" {
        id: TokenId, owner_id: SubjectId, name: String, scopes: String, is_limited: bool, expiry: Option<i64>,
        cidrs: String, created: i64, used: Option<i64>, used_from: Option<String>, used_by: Option<String>,
        build: Option<String>,
    }
}

impl TryFrom<TokenRow> for Token {
    type Error = Error;

    fn try_from(row: TokenRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("token {} has a damaged row", row.id));
        let scopes: Option<Vec<Scope>> = lines::split(&row.scopes).iter().map(|scope| Scope::parse(scope)).collect();
        let cidrs: Option<Vec<IpNet>> = lines::split(&row.cidrs).iter().map(|network| network.parse().ok()).collect();
        let terms = TokenTerms {
            scopes: scopes.filter(|scopes| !scopes.is_empty()).ok_or_else(damaged)?,
            cidrs: cidrs.ok_or_else(damaged)?,
            name: row.name,
            resources: row.is_limited.then(Vec::new),
            expiry: row.expiry.map(Timestamp::from_millis),
        };
        let last_use = row.used.map(|at| TokenUse {
            at: Timestamp::from_millis(at),
            address: row.used_from.unwrap_or_default(),
            agent: row.used_by,
        });
        let created = Timestamp::from_millis(row.created);
        let build = row.build.as_deref().map(|text| Build::from_text(text).ok_or_else(damaged)).transpose()?;
        Ok(Token { id: row.id, owner_id: row.owner_id, created, terms, last_use, build })
    }
}

/// Returns the token whose secret has this hash, and until when that secret is valid if it was replaced.
pub async fn find_by_hash(db: &dyn Read, hash: &str) -> Result<Option<(Token, Option<Timestamp>)>> {
    let statement = sql!("SELECT token_id, until FROM token_hashes WHERE hash = $1", hash).looking_up();
    let found: Option<(TokenId, Option<i64>)> = db.one(statement).await?;
    let Some((id, until)) = found else { return Ok(None) };
    Ok(find_by_id(db, id).await?.map(|token| (token, until.map(Timestamp::from_millis))))
}

/// Returns the token with this id.
pub async fn find_by_id(db: &dyn Read, id: TokenId) -> Result<Option<Token>> {
    let row: Option<TokenRow> = db.one(select!(TokenRow, "FROM tokens t WHERE t.id = $1", id).looking_up()).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(token_resources::add(db, vec![row.try_into()?]).await?.pop())
}

/// Returns a token of an owner, with as many steps for a token of somebody else as for one that does not exist.
pub async fn find_of_owner(db: &dyn Read, owner_id: SubjectId, id: TokenId) -> Result<Option<Token>> {
    let statement = select!(TokenRow, "FROM tokens t WHERE t.id = $1 AND t.owner_id = $2", id, owner_id);
    let row: Option<TokenRow> = db.one(statement.looking_up()).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(token_resources::add(db, vec![row.try_into()?]).await?.pop())
}

/// Returns the hashes of a token's secrets, and until when each is valid.
pub async fn list_hashes(db: &dyn Read, id: TokenId) -> Result<Vec<(String, Option<i64>)>> {
    db.all(sql!("SELECT hash, until FROM token_hashes WHERE token_id = $1", id).looking_up()).await
}

/// Returns the tokens of an owner, by name, without those of builds.
pub async fn list_of_owner(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<Token>> {
    let rows: Vec<TokenRow> = db
        .all(select!(TokenRow, "FROM tokens t WHERE t.owner_id = $1 AND t.build IS NULL ORDER BY t.name", owner_id))
        .await?;
    let tokens: Result<Vec<Token>> = rows.into_iter().map(Token::try_from).collect();
    token_resources::add(db, tokens?).await
}

/// Counts the tokens of an owner, without those of builds.
pub async fn count_of_owner(db: &dyn Read, owner_id: SubjectId) -> Result<i64> {
    let count = db
        .one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM tokens WHERE owner_id = $1 AND build IS NULL", owner_id))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Counts the tokens of an owner that were made for builds and are still valid.
pub async fn count_of_builds(db: &dyn Read, owner_id: SubjectId, now: Timestamp) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM tokens
             WHERE owner_id = $1 AND build IS NOT NULL AND expiry > $2",
            owner_id,
            now,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Deletes the tokens of builds that have expired before a time.
pub async fn delete_of_builds(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM tokens WHERE build IS NOT NULL AND expiry <= $1", before).long()).await?;
    Ok(())
}

/// Adds a token, without its resources. A name that another token of the owner has is a conflict.
pub async fn insert(tx: &mut Tx, token: &Token, hash: &str) -> Result<()> {
    let terms = &token.terms;
    tx.run(insert!(tokens {
        id: token.id,
        owner_id: token.owner_id,
        name: &terms.name,
        scopes: scope_lines(terms),
        cap: terms.scope().highest_right().number(),
        is_limited: terms.resources.is_some(),
        expiry: terms.expiry,
        cidrs: network_lines(terms),
        created: token.created,
        build: token.build.as_ref().map(Build::to_text),
    }))
    .await?;
    insert_hash(tx, token.id, hash).await
}

/// Changes the terms of a token, without its resources. A name that another token of the owner has is a conflict.
pub async fn update_terms(tx: &mut Tx, id: TokenId, terms: &TokenTerms) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!(
        "UPDATE tokens
         SET name = $2, scopes = $3, cap = $4, is_limited = $5, expiry = $6, cidrs = $7
         WHERE id = $1",
        id,
        &terms.name,
        scope_lines(terms),
        terms.scope().highest_right().number(),
        terms.resources.is_some(),
        terms.expiry,
        network_lines(terms),
    ))
    .await?;
    Ok(())
}

/// Gives a token a new secret. The one before it is valid until this time, and older ones no longer are.
pub async fn replace_secret(tx: &mut Tx, id: TokenId, hash: &str, until: Option<Timestamp>) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM token_hashes WHERE token_id = $1 AND until IS NOT NULL", id).long()).await?;
    match until {
        Some(until) => tx.run(sql!("UPDATE token_hashes SET until = $2 WHERE token_id = $1", id, until)).await?,
        None => tx.run(sql!("DELETE FROM token_hashes WHERE token_id = $1", id).long()).await?,
    };
    insert_hash(tx, id, hash).await
}

/// Deletes a token: it is valid no longer.
pub async fn delete(tx: &mut Tx, id: TokenId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM tokens WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Records a use, unless a later one is recorded. An unknown client leaves the one before it.
pub async fn record_use(tx: &mut Tx, id: TokenId, last: &TokenUse) -> Result<()> {
    tx.run(sql!(
        "UPDATE tokens
         SET used = $2, used_from = $3, used_by = COALESCE($4, used_by)
         WHERE id = $1 AND (used IS NULL OR used <= $2)",
        id,
        last.at,
        &last.address,
        last.agent.as_deref(),
    ))
    .await?;
    Ok(())
}

async fn insert_hash(tx: &mut Tx, id: TokenId, hash: &str) -> Result<()> {
    tx.run(insert!(token_hashes { hash, token_id: id })).await?;
    Ok(())
}

fn scope_lines(terms: &TokenTerms) -> String {
    lines::join(&terms.scopes.iter().map(|scope| scope.as_str().to_owned()).collect::<Vec<_>>())
}

fn network_lines(terms: &TokenTerms) -> String {
    lines::join(&terms.cidrs.iter().map(IpNet::to_string).collect::<Vec<_>>())
}
