//! The exchange of an identity token for a token that may publish for some minutes.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{
        spent_identity_tokens as spent, subjects,
        token_resources::{self, ResourceIds},
        tokens, trusted_publishers as rows,
    },
};
use model::{
    access::Scope,
    api_key::ApiKey,
    id::{PublisherId, TokenId},
    names::SubjectName,
    subject::Subject,
    timestamp::Timestamp,
    token::{Resource, Token, TokenTerms},
    trusted_publisher::{Build, TrustedPublisher, selectors_of},
};

use crate::{
    Caller, Error, House, Result, Via,
    audit::{entry, record},
    guesses::{self, Target},
    oidc::{Claims, Expected, SignedToken},
};

/// How long a token is good, in seconds.
pub const LIFETIME_SECS: i64 = 15 * 60;

/// The maximum number of wrong identity tokens from one address per minute.
const OF_ADDRESS: u64 = 60;

/// How many publishers are read at a time.
const READ: i64 = 200;

/// The maximum number of valid tokens that builds of one owner have.
const TOKENS: i64 = 200;

/// A token of a build.
#[derive(Debug)]
pub struct MintedToken {
    /// The user or organization that it belongs to.
    pub owner: SubjectName,
    /// The secret.
    pub secret: ApiKey,
    /// Where it may publish.
    pub resources: Vec<Resource>,
    /// When it expires.
    pub expiry: Timestamp,
}

/// Exchanges an identity token for the audience of this site. If publishers of several owners accept it, the one that
/// was added first decides, unless the caller names an owner.
#[boxed::future]
pub async fn mint(
    house: &House,
    caller: &Caller,
    audience: &str,
    identity: &str,
    of: Option<&SubjectName>,
) -> Result<MintedToken> {
    let address = match caller.via {
        Via::Network { address, .. } => Target::address("identity", address, OF_ADDRESS),
        Via::CommandLine | Via::Job => Target::name("identity", &caller.audit_address(), OF_ADDRESS),
    };
    let begun = guesses::begin(house, &[address]).await?.map_err(|too_many| too_many.refusal("identity tokens"))?;
    let minted = exchange(house, caller, audience, identity, of).await;
    // Only wrong tokens count.
    if !matches!(minted, Err(Error::Denied(_))) {
        guesses::end(house, begun.id).await?;
    }
    minted
}

async fn exchange(
    house: &House,
    caller: &Caller,
    audience: &str,
    identity: &str,
    of: Option<&SubjectName>,
) -> Result<MintedToken> {
    let invalid = |reason: &str| Error::Denied(format!("The identity token is not valid: {reason}"));
    let token = SignedToken::parse(identity).map_err(invalid)?;
    let issuer = token.issuer().map(str::to_owned).unwrap_or_default();
    // Only issuers that a publisher names are asked for their keys.
    if !rows::has_issuer(&house.db, &issuer).await? {
        return Err(nobody());
    }
    let hash = token.hash();
    let expected = Expected { issuer: &issuer, audience, now: house.clock.now() };
    let claims = house.providers.verify(house, token, &expected).await?;
    let owner = match of {
        Some(name) => subjects::find(&house.db, name).await?,
        None => match find_oldest(&house.db, &issuer, &claims).await? {
            Some(first) => subjects::find_by_id(&house.db, first.owner_id).await?,
            None => None,
        },
    };
    let owner = owner.ok_or_else(nobody)?;
    let mut publishers = rows::list_of_owner(&house.db, owner.id).await?;
    publishers.retain(|one| one.issuer == issuer && one.accepts(|name| claims.text(name)));
    publishers.sort_by_key(|one| one.id);
    if publishers.is_empty() {
        return Err(nobody());
    }
    save(house, caller, &owner, &publishers, &claims, &hash).await
}

/// Returns the publisher that was added first of those that accept verified claims. It reads all that the claims select,
/// some at a time: with a limit, many publishers of one account could hide those of another.
async fn find_oldest(db: &dyn Read, issuer: &str, claims: &Claims) -> Result<Option<TrustedPublisher>> {
    let mut oldest: Option<TrustedPublisher> = None;
    for selector in selectors_of(|name| claims.text(name)) {
        let mut after = PublisherId::NONE;
        loop {
            let page = rows::list_selected(db, issuer, &selector, after, READ).await?;
            let Some(last) = page.last().map(|one| one.id) else { break };
            if let Some(found) = page.into_iter().find(|one| one.accepts(|name| claims.text(name))) {
                oldest = oldest.filter(|one| one.id < found.id).or(Some(found));
                break;
            }
            after = last;
        }
    }
    Ok(oldest)
}

async fn save(
    house: &House,
    caller: &Caller,
    owner: &Subject,
    publishers: &[TrustedPublisher],
    claims: &Claims,
    hash: &str,
) -> Result<MintedToken> {
    let secret = ApiKey::token_from_random(house.entropy.bytes());
    let secret_hash = &house.secrets.hash_key(&secret);
    let (id, now) = (TokenId::new(house.next_id()), house.clock.now());
    let resources: Vec<Resource> = publishers.iter().map(|one| one.resource.clone()).collect();
    let expiry = Timestamp::from_millis(now.millis() + 1_000 * LIFETIME_SECS);
    let build = build(publishers, claims);
    let log = &entry(house, caller, "token.mint", format!("{}/{}", owner.name, build.publisher), build.summary());
    let terms = TokenTerms {
        name: format!("{} {}", build.publisher, id.name()),
        scopes: vec![Scope::Publish],
        resources: Some(resources.clone()),
        expiry: Some(expiry),
        cidrs: Vec::new(),
    };
    let token = &Token { id, owner_id: owner.id, created: now, terms, last_use: None, build: Some(build) };
    house
        .db
        .write(|tx| {
            async move {
                subjects::lock(tx, owner.id).await?.ok_or_else(nobody)?;
                spend(tx, hash, claims.last_valid()).await?;
                if tokens::count_of_builds(tx, owner.id, now).await? >= TOKENS {
                    return Err(too_many());
                }
                let ids = find_ids(tx, publishers).await?;
                tokens::insert(tx, token, secret_hash).await?;
                token_resources::replace(tx, token.id, &ids).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(MintedToken { owner: owner.name.clone(), secret, resources, expiry })
}

/// Records that an identity token is used up.
async fn spend(tx: &mut Tx, hash: &str, expiry: Timestamp) -> Result<()> {
    match spent::insert(tx, hash, expiry).await {
        Err(database::Error::Conflict) => Err(Error::Denied("The identity token was used before".into())),
        other => Ok(other?),
    }
}

/// The ids of what the publishers are for. One that was deleted in the meantime gives nothing.
async fn find_ids(db: &dyn Read, publishers: &[TrustedPublisher]) -> Result<Vec<ResourceIds>> {
    let mut found = Vec::new();
    for publisher in publishers {
        found.extend(rows::find_ids(db, publisher.id).await?);
    }
    if found.is_empty() { Err(nobody()) } else { Ok(found) }
}

fn build(publishers: &[TrustedPublisher], claims: &Claims) -> Build {
    let Some(first) = publishers.first() else { return Build::new("", "", []) };
    let compared = first.claims.iter().map(|one| one.claim.as_str());
    let mut names = vec!["sub"];
    for name in first.provider.shown().iter().copied().chain(compared) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let shown = names.into_iter().filter_map(|name| Some((name.to_owned(), claims.text(name)?)));
    Build::new(&first.name, &first.issuer, shown)
}

/// The same error if no publisher names the issuer and if none accepts the claims.
fn nobody() -> Error {
    Error::Denied("No trusted publisher accepts this identity token".into())
}

fn too_many() -> Error {
    let message = format!("There are {TOKENS} valid tokens of builds already; try again later");
    Error::LimitReached { message, retry_after_secs: 60, limit: TOKENS.unsigned_abs() }
}

/// Deletes what has expired: tokens of builds, and what is remembered of identity tokens.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let now = house.clock.now();
    house
        .db
        .write(|tx| {
            async move {
                spent::delete_expired(tx, now).await?;
                tokens::delete_of_builds(tx, now).await
            }
            .scope_boxed()
        })
        .await
        .map_err(|error: database::Error| Error::from(error))
}
