//! Webhooks and their deliveries.

use api::*;

use crate::{
    endpoints::{Endpoints, delete, get, post},
    events::webhooks::*,
};

pub(super) fn webhooks(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/webhooks/{subject}", "List the webhooks of a subject").lists::<Webhook>(200), list_webhooks)
        .add(
            get("/webhooks/{subject}/{repo}", "List the webhooks of a repository").lists::<Webhook>(200),
            list_repo_webhooks,
        )
        .add(
            post("/webhooks/{subject}/{repo}/{package}", "Register a webhook of a package")
                .takes::<NewWebhook>()
                .answers::<CreatedWebhook>(201),
            register_webhook,
        )
        .add(
            post("/webhooks/{subject}/{repo}/{package}/{version}", "Send a test callback")
                .takes::<WebhookTest>()
                .answers::<WebhookOutcome>(200),
            test_webhook,
        )
        .add(
            delete("/webhooks/{subject}/{repo}/{package}", "Delete the webhooks of a package").answers::<Message>(200),
            delete_webhooks,
        )
        .add(
            // A version may have this name, too.
            get("/webhooks/{subject}/{repo}/{package}/deliveries", "List the last callbacks of a package")
                .routed("/webhooks/{subject}/{repo}/{package}/{version}")
                .lists::<Delivery>(200),
            list_deliveries,
        )
        .add(
            post("/webhooks/{subject}/{repo}/{package}/replay/{event}", "Send a delivery again")
                .answers::<Message>(200),
            replay_event,
        )
}
