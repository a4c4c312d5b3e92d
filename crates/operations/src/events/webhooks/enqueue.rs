//! Enqueues the deliveries of an event.

use database::{
    Tx,
    events::{
        webhook_attempts::{self, Attempt},
        webhook_deliveries::{self, Delivery},
    },
};
use model::{event::EventKind, id::PackageId, webhook_event::WebhookEvent};

use crate::{
    Caller, House, Result,
    events::{
        EventScope, NewEvent,
        webhooks::{
            event_payload::EventPayload,
            history::RETAINED,
            payload::Payload,
            release_payload::{self, ReleasePayload},
            subscriptions::Subscriptions,
        },
    },
};

/// Deliveries of a webhook that may be pending before events other than releases are dropped.
const PENDING_DELIVERIES: i64 = 1_000;

/// The entry in the history for dropped events.
const DROPPED: &str = "too many deliveries of a webhook are pending; events are dropped until there is room";

/// Enqueues an event for each active webhook of its package that subscribes to it, in the transaction that records it.
/// Versions and files deleted together with their package have no webhooks left.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    house: &House,
    caller: &Caller,
    event: &NewEvent<'_>,
    subscriptions: &Subscriptions,
) -> Result<()> {
    let (Some(kind), EventScope::Version(package, version) | EventScope::Files(package, version, _)) =
        (offered(event.kind), event.scope)
    else {
        return Ok(());
    };
    let subscriptions = subscriptions.of_package(tx, package.id).await?;
    let hooks: Vec<i64> = subscriptions.iter().filter(|hook| hook.includes(kind)).map(|hook| hook.webhook_id).collect();
    if hooks.is_empty() {
        return Ok(());
    }
    let payloads = if kind == WebhookEvent::Release {
        let notes = release_payload::notes(tx, version).await?;
        vec![Payload::Release(ReleasePayload::new(package, version, event.at, notes)).to_text()?]
    } else {
        let payload = |path| Payload::Event(EventPayload::new(kind, event, path, caller)).to_text();
        event.scope.paths().into_iter().map(payload).collect::<Result<_>>()?
    };
    let queue = Queue { house, event, kind, package_id: package.id };
    for webhook_id in hooks {
        queue.add(tx, webhook_id, &payloads).await?;
    }
    Ok(())
}

/// Returns the event that webhooks can subscribe to, if this is one.
fn offered(kind: EventKind) -> Option<WebhookEvent> {
    match kind {
        EventKind::Release => Some(WebhookEvent::Release),
        EventKind::Publish => Some(WebhookEvent::Publish),
        EventKind::Upload => Some(WebhookEvent::Upload),
        EventKind::Delete => Some(WebhookEvent::Delete),
        EventKind::Download | EventKind::LoginSuccess | EventKind::LoginFailure | EventKind::UsageThreshold => None,
    }
}

struct Queue<'q> {
    house: &'q House,
    event: &'q NewEvent<'q>,
    kind: WebhookEvent,
    package_id: PackageId,
}

impl Queue<'_> {
    /// Adds deliveries up to the limit. Releases are always added.
    async fn add(&self, tx: &mut Tx, webhook_id: i64, payloads: &[String]) -> Result<()> {
        let room = match self.kind {
            WebhookEvent::Release => payloads.len(),
            WebhookEvent::Publish | WebhookEvent::Upload | WebhookEvent::Delete => {
                let pending = webhook_deliveries::count_pending(tx, webhook_id, PENDING_DELIVERIES).await?;
                usize::try_from(PENDING_DELIVERIES - pending).unwrap_or_default()
            }
        };
        for payload in payloads.iter().take(room) {
            let delivery = Delivery {
                id: self.house.next_id(),
                webhook_id,
                event: self.kind,
                version: self.event.scope.version().to_owned(),
                payload: payload.clone(),
                due: self.event.at,
            };
            webhook_deliveries::insert(tx, &delivery).await?;
        }
        if payloads.len() > room { self.record_dropped(tx).await } else { Ok(()) }
    }

    /// Records in the history that events are dropped, unless that is its newest entry.
    async fn record_dropped(&self, tx: &mut Tx) -> Result<()> {
        let newest = webhook_attempts::list(tx, self.package_id, 1).await?;
        if newest.first().is_some_and(|newest| newest.error.as_deref() == Some(DROPPED)) {
            return Ok(());
        }
        let dropped = Attempt {
            id: self.house.next_id(),
            package_id: self.package_id,
            delivery_id: self.house.next_id(),
            version: self.event.scope.version().to_owned(),
            status: None,
            duration_ms: 0,
            error: Some(DROPPED.to_owned()),
            at: self.event.at,
        };
        Ok(webhook_attempts::insert(tx, &dropped, RETAINED).await?)
    }
}
