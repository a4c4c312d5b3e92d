//! Registers webhooks.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{subjects, tokens},
    events::{webhook_deliveries, webhooks},
};
use model::{
    access::Right,
    address::PackageAddress,
    api_key::ApiKey,
    id::SubjectId,
    timestamp::Timestamp,
    webhook::{Method, Webhook},
    webhook_event::{WebhookEvent, WebhookEvents},
};
use zeroize::Zeroizing;

use crate::{
    Caller, Error, House, PackageAccess, Result, UserIdentity, access,
    audit::{entry, record_edits},
    change::Edits,
    events::webhooks::{expand, mac, secrets},
};

/// A webhook to register.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// The URL that receives events; `%r` and `%p` are replaced by the names of the repository and the package.
    pub url: String,
    /// The HTTP method; `post` if absent.
    pub method: Option<String>,
    /// The names of the events that it subscribes to; `release` if absent.
    pub events: Option<Vec<String>>,
}

/// The quota of webhooks of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookQuota {
    /// The total.
    pub limit: i64,
    /// The number left.
    pub remaining: i64,
}

/// The outcome of a registration. It contains a secret, so it cannot be printed.
#[derive(Clone)]
pub enum Registration {
    /// The webhook is registered.
    Done {
        /// The secret that callbacks are signed with.
        secret: Zeroizing<String>,
        /// The quota that is left.
        allowance: WebhookQuota,
    },
    /// The user's quota is used up.
    Full(WebhookQuota),
}

/// Registers a webhook of a package, for a user who may publish in it and has just presented this key. A URL that is
/// already registered is the same webhook: it gets the new method and this user, and is switched on again if it was
/// off.
#[boxed::future]
pub async fn register(
    house: &House,
    caller: &Caller,
    key: &ApiKey,
    at: &PackageAddress,
    new: NewWebhook,
) -> Result<Registration> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    let user = access::identity(caller)?;
    let (method, events) = (method(new.method.as_deref())?, &events(new.events.as_deref())?);
    let address = expand::check_given(house, at, &new.url)?;
    let detail = format!("{} {}", method.as_str(), expand::origin(&address));
    let (new, log) = (&new, &entry(house, caller, "webhook.register", at, detail));
    house
        .db
        .write(|tx| {
            async move {
                lock_user(tx, house, user, key).await?;
                let found = access::lock_package(tx, caller, at, Right::Publish).await?;
                let known = webhooks::find(tx, found.package.id, &new.url).await?;
                let (is_room, allowance) = find_quota(tx, house, user, known.as_ref()).await?;
                if !is_room {
                    return Ok(Registration::Full(allowance));
                }
                let is_new = known.is_none();
                let old_method = known.as_ref().map_or(method, |known| known.method);
                let before = known.map_or_else(|| blank(house, &found, new, log.at), Ok)?;
                let sealed_mac = secrets::seal_mac(house, before.id, key, found.package.name.as_str())?;
                let mut edits = Edits::default();
                edits.record_texts("method", old_method.as_str(), method.as_str());
                edits.record_texts("events", &before.events.to_string(), &events.to_string());
                let (user_id, events) = (user.id, events.clone());
                let hook = Webhook { user_id, method, events, sealed_mac, failure_count: 0, is_active: true, ..before };
                if is_new {
                    webhooks::insert(tx, &hook).await?;
                } else {
                    renew(tx, &hook, log.at).await?;
                }
                record_edits(tx, log, &edits).await?;
                let secret = mac::text(&secrets::open_secret(house, hook.id, &hook.sealed_secret)?);
                Ok(Registration::Done { secret, allowance })
            }
            .scope_boxed()
        })
        .await
}

fn method(name: Option<&str>) -> Result<Method> {
    let Some(name) = name else { return Ok(Method::default()) };
    let shown: String = name.chars().take(40).collect();
    Method::parse(name).ok_or_else(|| Error::invalid("method", format!("'{shown}' is not post, put or get")))
}

fn events(names: Option<&[String]>) -> Result<WebhookEvents> {
    let Some(names) = names else { return Ok(WebhookEvents::default()) };
    let unknown = |name: &str| {
        let shown: String = name.chars().take(40).collect();
        Error::invalid("events", format!("'{shown}' is not release, publish, upload or delete"))
    };
    let event = |name: &String| WebhookEvent::parse(name).ok_or_else(|| unknown(name));
    let events = names.iter().map(event).collect::<Result<Vec<_>>>()?;
    let none = || Error::invalid("events", "name at least one of release, publish, upload and delete");
    WebhookEvents::new(&events).ok_or_else(none)
}

/// Locks the user, so that webhooks are counted one after the other, and checks the key: if it was replaced, everything
/// computed from it would stay wrong.
async fn lock_user(tx: &mut Tx, house: &House, user: &UserIdentity, key: &ApiKey) -> Result<()> {
    subjects::lock(tx, user.id).await?;
    let hash = house.secrets.hash_key(key);
    let owner_id = if key.is_token() {
        tokens::find_by_hash(tx, &hash).await?.map(|(token, _)| token.owner_id)
    } else {
        subjects::find_by_key_hash(tx, &hash).await?.map(|owner| owner.id)
    };
    if owner_id == Some(user.id) { Ok(()) } else { Err(Error::wrong_credentials()) }
}

/// Returns whether the quota allows this webhook, and what is left with it.
async fn find_quota(
    db: &dyn Read,
    house: &House,
    user: &UserIdentity,
    known: Option<&Webhook>,
) -> Result<(bool, WebhookQuota)> {
    let limit = house.policy.webhooks_per_user;
    let is_own = known.is_some_and(|known| known.user_id == user.id);
    let count = webhooks::count_of_user(db, user.id).await? + i64::from(!is_own);
    Ok((is_own || count <= limit, WebhookQuota { limit, remaining: (limit - count).max(0) }))
}

/// Builds a new webhook, without a user yet.
fn blank(house: &House, found: &PackageAccess, new: &NewWebhook, now: Timestamp) -> Result<Webhook> {
    let id = house.next_id();
    Ok(Webhook {
        id,
        repo_id: found.repo.repo.id,
        package_id: found.package.id,
        user_id: SubjectId::NONE,
        url: new.url.clone(),
        method: Method::default(),
        events: WebhookEvents::default(),
        sealed_mac: String::new(),
        sealed_secret: secrets::seal_secret(house, id, &Zeroizing::new(house.entropy.bytes())[..])?,
        failure_count: 0,
        is_active: true,
        created: now,
    })
}

async fn renew(tx: &mut Tx, hook: &Webhook, now: Timestamp) -> Result<()> {
    webhooks::update(tx, hook).await?;
    Ok(webhook_deliveries::unpark(tx, hook.id, now).await?)
}
