//! Single sign-on: people sign in with the provider that the operator has chosen.
//!
//! A sign-in begins and ends in the same browser. All that has to be remembered between the two is in a cookie that only
//! this server can make: the state, the nonce and the code verifier are derived from the secret in it.

mod groups;
mod new_user;
mod request;
mod state;

use database::{
    ScopedFutureExt, Tx,
    accounts::{identities, requirements, subjects},
};
use model::{id::SubjectId, subject::Subject};

use super::{
    requirements::update_after_loss,
    sessions::{self, Token},
};
use crate::{
    Caller, Error, House, Result, Via, access,
    audit::{entry, record},
    guesses::{self, Target},
    oidc::{Claims, Expected, OidcConfig, SignedToken},
};

pub use request::Returned;
pub use state::Started;

/// The maximum number of wrong codes from one address per minute.
const OF_ADDRESS: u64 = 30;

/// The path on this site that the provider sends people back to.
pub const CALLBACK: &str = "/login/sso/callback";

/// A person who has signed in.
#[derive(Debug)]
pub struct SignedInPerson {
    /// The new session.
    pub session: Token,
    /// The page that the person wanted.
    pub next: String,
}

/// Returns the provider, if the operator has chosen one.
pub fn config(house: &House) -> Option<&OidcConfig> {
    house.policy.oidc.as_ref()
}

/// Returns whether people may sign in with a password or an API key.
pub fn allows_passwords(house: &House) -> bool {
    config(house).is_none_or(|config| config.allows_passwords)
}

/// Begins a sign-in: returns the provider's page to go to, and the cookie for the way back. A user who is signed in and
/// asks for it gets the identity in addition; only a form of this site may ask for that.
#[boxed::future]
pub async fn begin(house: &House, site: &str, linking: Option<&Caller>, next: &str) -> Result<Started> {
    let config = chosen(house)?;
    let metadata = house.providers.metadata(house, &config.issuer).await?;
    let user_id = linking.map(|caller| access::identity(caller).map(|user| user.id)).transpose()?;
    let started = state::State::new(house, next, user_id);
    let page = metadata.authorization_endpoint.ok_or_else(|| incomplete("authorization_endpoint"))?;
    Ok(Started { url: request::authorization(house, config, &page, site, &started), cookie: started.cookie(house) })
}

/// Ends a sign-in: checks what the provider sends, and opens a session. The browser's previous session ends.
#[boxed::future]
pub async fn finish(
    house: &House,
    site: &str,
    caller: &Caller,
    returned: &Returned<'_>,
    before: Option<&Token>,
) -> Result<SignedInPerson> {
    let config = chosen(house)?;
    let state = state::State::read(house, returned.cookie).ok_or_else(state::out_of_date)?;
    let metadata = house.providers.metadata(house, &config.issuer).await?;
    returned.check(house, config, &metadata, &state)?;
    let attempt = limit(house, caller).await?;
    let answer = request::exchange(house, config, &metadata, site, returned, &state).await?;
    guesses::end(house, attempt).await?;
    let token = SignedToken::parse(&answer.id_token).map_err(refused)?;
    let (issuer, audience) = (config.issuer.as_str(), config.client_id.as_str());
    let expected = Expected { issuer, audience, now: house.clock.now() };
    let claims = house.providers.verify(house, token, &expected).await?;
    if !claims.text("nonce").is_some_and(|nonce| house.secrets.is_same(nonce.as_bytes(), state.nonce(house).as_bytes()))
    {
        return Err(refused("it is not from this sign-in"));
    }
    let claims = request::complete(house, config, &metadata, &answer, claims).await?;
    let session = open(house, caller, &claims, &state, before).await?;
    Ok(SignedInPerson { session, next: state.next })
}

/// Limits wrong codes, so that nobody makes this server ask the provider all the time.
async fn limit(house: &House, caller: &Caller) -> Result<i64> {
    let target = match caller.via {
        Via::Network { address, .. } => Target::address("sso", address, OF_ADDRESS),
        Via::CommandLine | Via::Job => Target::name("sso", &caller.audit_address(), OF_ADDRESS),
    };
    Ok(guesses::begin(house, &[target]).await?.map_err(|too_many| too_many.refusal("sign-ins"))?.id)
}

async fn open(
    house: &House,
    caller: &Caller,
    claims: &Claims,
    state: &state::State,
    before: Option<&Token>,
) -> Result<Token> {
    let (config, subject) = (chosen(house)?, claims.subject());
    let known = identities::find_user_id(&house.db, &config.issuer, &subject).await?;
    let user_id = match (known, state.user_id) {
        (Some(user_id), Some(wanted)) if user_id != wanted => {
            return Err(Error::Conflict("Another user has this identity already".into()));
        }
        (Some(user_id), _) => user_id,
        (None, Some(user_id)) => {
            link(house, caller, user_id, &subject).await?;
            user_id
        }
        (None, None) => new_user::create(house, caller, config, claims).await?,
    };
    groups::apply(house, caller, config, user_id, &claims.texts(&config.groups_claim)).await?;
    sessions::open_verified(house, caller, user_id, before).await
}

/// Gives a user who is signed in an identity. The browser must still have the session that the sign-in began in.
async fn link(house: &House, caller: &Caller, user_id: SubjectId, subject: &str) -> Result<()> {
    let user = access::identity(caller).ok().filter(|user| user.id == user_id).ok_or_else(state::out_of_date)?;
    let (config, log) = (chosen(house)?, &entry(house, caller, "identity.create", &user.name, subject));
    house
        .db
        .write(|tx| {
            async move {
                subjects::lock(tx, user_id).await?.ok_or_else(state::out_of_date)?;
                insert(tx, &config.issuer, subject, user_id, log.at).await?;
                requirements::update_waiting_of_user(tx, user_id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

async fn insert(
    tx: &mut Tx,
    issuer: &str,
    subject: &str,
    user_id: SubjectId,
    now: model::timestamp::Timestamp,
) -> Result<()> {
    match identities::insert(tx, issuer, subject, user_id, now).await {
        Err(database::Error::Conflict) => Err(Error::Conflict("Another user has this identity already".into())),
        other => Ok(other?),
    }
}

/// Returns how many identities the caller has.
#[boxed::future]
pub async fn count_of_caller(house: &House, caller: &Caller) -> Result<usize> {
    Ok(identities::list_of_user(&house.db, access::identity(caller)?.id).await?.len())
}

/// Removes the identities of the caller, who then signs in with a password or an API key.
#[boxed::future]
pub async fn unlink(house: &House, caller: &Caller) -> Result<()> {
    let user = access::identity(caller)?;
    if !allows_passwords(house) {
        return Err(Error::Conflict("Single sign-on is the only way to sign in here".into()));
    }
    let (user_id, log) = (user.id, &entry(house, caller, "identity.delete", &user.name, ""));
    house
        .db
        .write(|tx| {
            async move {
                let user: Subject = subjects::lock(tx, user_id).await?.ok_or_else(state::out_of_date)?;
                if identities::delete_of_user(tx, user_id).await? == 0 {
                    return Ok(());
                }
                update_after_loss(tx, &user).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

fn chosen(house: &House) -> Result<&OidcConfig> {
    config(house).ok_or_else(|| Error::NotFound { what: "Path", name: String::new() })
}

fn incomplete(what: &str) -> Error {
    Error::ProviderUnavailable(format!("the provider's metadata has no `{what}`"))
}

/// The error for an answer of the provider that does not fit.
fn refused(reason: &str) -> Error {
    Error::Denied(format!("The provider's answer is not valid: {reason}"))
}
