//! Webhooks of packages: the URLs that events are sent to. The secrets that authenticate callbacks arrive here sealed.

use model::{
    access::Viewer,
    id::{PackageId, RepoId, SubjectId},
    timestamp::Timestamp,
    webhook::{Method, Webhook, WebhookListItem, WebhookStatus},
    webhook_event::{WebhookEvent, WebhookEvents},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{RowLock, select, sql},
    },
};

row! {
    struct WebhookRow {
        id: i64, repo_id: RepoId, package_id: PackageId, user_id: SubjectId, url: String, method: String, events: String,
        sealed_mac: String, sealed_secret: String, failure_count: i64, is_active: bool, created: i64,
    }
}

impl TryFrom<WebhookRow> for Webhook {
    type Error = Error;

    fn try_from(row: WebhookRow) -> Result<Self> {
        Ok(Webhook {
            id: row.id,
            repo_id: row.repo_id,
            package_id: row.package_id,
            user_id: row.user_id,
            url: row.url,
            method: method(row.id, &row.method)?,
            events: WebhookEvents::parse(&row.events).ok_or_else(|| damaged(row.id))?,
            sealed_mac: row.sealed_mac,
            sealed_secret: row.sealed_secret,
            failure_count: row.failure_count,
            is_active: row.is_active,
            created: Timestamp::from_millis(row.created),
        })
    }
}

pub(crate) fn method(id: i64, name: &str) -> Result<Method> {
    Method::parse(name).ok_or_else(|| damaged(id))
}

fn damaged(id: i64) -> Error {
    Error::Broken(format!("webhook {id} has a damaged row"))
}

/// Returns the package's webhook with this URL, if any.
pub async fn find(db: &dyn Read, package_id: PackageId, url: &str) -> Result<Option<Webhook>> {
    let row: Option<WebhookRow> = db
        .one(sql!(
            "SELECT id, repo_id, package_id, user_id, url, method, events, sealed_mac, sealed_secret, failure_count,
                 is_active, created
             FROM webhooks
             WHERE package_id = $1 AND url = $2",
            package_id,
            url,
        ))
        .await?;
    row.map(Webhook::try_from).transpose()
}

/// Counts the webhooks that a user has registered.
pub async fn count_of_user(db: &dyn Read, user_id: SubjectId) -> Result<i64> {
    let count = db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM webhooks WHERE user_id = $1", user_id)).await?;
    Ok(count.unwrap_or_default())
}

/// Adds a webhook without a lease.
pub async fn insert(tx: &mut Tx, hook: &Webhook) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO webhooks (id, repo_id, package_id, user_id, url, method, events, sealed_mac, sealed_secret,
             failure_count, is_active, claim, claimed_until, created)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, $12)",
        hook.id,
        hook.repo_id,
        hook.package_id,
        hook.user_id,
        &hook.url,
        hook.method.as_str(),
        hook.events.to_string(),
        &hook.sealed_mac,
        &hook.sealed_secret,
        hook.failure_count,
        hook.is_active,
        hook.created,
    ))
    .await?;
    Ok(())
}

/// Updates the fields that a new registration changes; the secret and the pending deliveries stay.
pub async fn update(tx: &mut Tx, hook: &Webhook) -> Result<()> {
    tx.run(sql!(
        "UPDATE webhooks
         SET user_id = $2, method = $3, events = $4, sealed_mac = $5, failure_count = $6, is_active = $7
         WHERE id = $1",
        hook.id,
        hook.user_id,
        hook.method.as_str(),
        hook.events.to_string(),
        &hook.sealed_mac,
        hook.failure_count,
        hook.is_active,
    ))
    .await?;
    Ok(())
}

row! {
    /// An active webhook and the events that it subscribes to.
    pub struct Subscription {
        /// The id of the webhook.
        webhook_id: i64 = "id",
        /// The names of those events, separated by commas.
        events: String,
    }
}

impl Subscription {
    /// Returns whether the webhook subscribes to an event.
    pub fn includes(&self, event: WebhookEvent) -> bool {
        WebhookEvents::parse(&self.events).is_some_and(|events| events.as_slice().contains(&event))
    }
}

/// Returns what a package's active webhooks subscribe to, and protects them from deletion until the transaction ends.
pub async fn lock_subscriptions(tx: &mut Tx, package_id: PackageId) -> Result<Vec<Subscription>> {
    let active = select!(Subscription, "FROM webhooks WHERE package_id = $1 AND is_active ORDER BY id", package_id);
    tx.all(active.locking(RowLock::ForKeyShare)).await
}

/// Returns the webhooks that a user has registered: their ids and the names of their packages.
pub async fn list_of_user(db: &dyn Read, user_id: SubjectId) -> Result<Vec<(i64, String)>> {
    db.all(sql!(
        "SELECT w.id, p.name
         FROM webhooks w
         JOIN packages p ON p.id = w.package_id
         WHERE w.user_id = $1
         ORDER BY w.id",
        user_id,
    ))
    .await
}

row! {
    /// The sealed secrets of a webhook.
    pub struct Sealed {
        /// The id of the webhook.
        id: i64,
        /// The MAC of the package's name, made with the user's API key.
        mac: String,
        /// The secret that signs callbacks.
        secret: String,
    }
}

/// Returns the sealed secrets of some webhooks, by id.
pub async fn list_sealed(db: &dyn Read, after_id: i64, limit: i64) -> Result<Vec<Sealed>> {
    db.all(sql!(
        "SELECT id, sealed_mac, sealed_secret FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2",
        after_id,
        limit,
    ))
    .await
}

/// Replaces the sealed secrets of a webhook.
pub async fn update_sealed(tx: &mut Tx, sealed: &Sealed) -> Result<()> {
    tx.run(sql!(
        "UPDATE webhooks SET sealed_mac = $2, sealed_secret = $3 WHERE id = $1",
        sealed.id,
        &sealed.mac,
        &sealed.secret,
    ))
    .await?;
    Ok(())
}

/// Replaces the MAC of the package's name after a change of the API key.
pub async fn update_mac(tx: &mut Tx, id: i64, sealed_mac: &str) -> Result<()> {
    tx.run(sql!("UPDATE webhooks SET sealed_mac = $2 WHERE id = $1", id, sealed_mac)).await?;
    Ok(())
}

row! {
    struct WebhookListRow => WebhookListItem {
        package: String, url: String, method: String, failure_count: i64, is_active: bool, events: String,
    }
}

/// Returns the webhooks in a repository.
pub async fn list_of_repo(db: &dyn Read, repo_id: RepoId) -> Result<Vec<WebhookListItem>> {
    db.all(sql!(
        "SELECT p.name, w.url, w.method, w.failure_count, w.is_active, w.events
         FROM webhooks w
         JOIN packages p ON p.id = w.package_id
         WHERE w.repo_id = $1
         ORDER BY p.name, w.url",
        repo_id,
    ))
    .await
}

/// Returns the webhooks in a subject's repositories in which the viewer may publish.
pub async fn list_of_owner(db: &dyn Read, owner_id: SubjectId, reader: Viewer) -> Result<Vec<WebhookListItem>> {
    db.all(sql!(
        "SELECT p.name, w.url, w.method, w.failure_count, w.is_active, w.events
         FROM repos r
         JOIN webhooks w ON w.repo_id = r.id
         JOIN packages p ON p.id = w.package_id
         WHERE r.owner_id = $1
             AND ($3 OR EXISTS (SELECT 1 FROM repo_grants g
                 WHERE g.repo_id = r.id AND g.grantee_id = $2 AND g.granted >= 2))
         ORDER BY r.name, p.name, w.url",
        owner_id,
        reader.id,
        reader.sees_everything,
    ))
    .await
}

row! {
    struct WebhookStatusRow => WebhookStatus {
        failure_count: i64, is_active: bool,
    }
}

/// Counts a failed callback, and deactivates the webhook when `limit` in a row have failed. `None` if it was inactive
/// before, or was deleted.
pub async fn fail(tx: &mut Tx, id: i64, limit: i64) -> Result<Option<WebhookStatus>> {
    tx.one(sql!(
        "UPDATE webhooks SET failure_count = failure_count + 1, is_active = failure_count + 1 < $2
         WHERE id = $1 AND is_active
         RETURNING failure_count, is_active",
        id,
        limit,
    ))
    .await
}

/// Resets the count of failures after a success. An inactive webhook stays inactive.
pub async fn succeed(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("UPDATE webhooks SET failure_count = 0 WHERE id = $1 AND is_active", id)).await?;
    Ok(())
}

/// Deletes a package's webhooks with their deliveries; returns the number of webhooks.
pub async fn delete_all(tx: &mut Tx, package_id: PackageId) -> Result<u64> {
    tx.run(sql!("DELETE FROM webhooks WHERE package_id = $1", package_id).long()).await
}
