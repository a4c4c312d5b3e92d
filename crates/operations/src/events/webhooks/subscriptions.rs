//! The webhooks of a package, looked up once a transaction.

use database::{
    Tx,
    events::webhooks::{self, Subscription},
};
use model::id::PackageId;
use tokio::sync::OnceCell;

use crate::Result;

/// What the webhooks of one package subscribe to. A transaction looks it up at its first event; the rows stay locked, so
/// the answer holds for the events that follow.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions(OnceCell<Vec<Subscription>>);

impl Subscriptions {
    pub(super) async fn of_package(&self, tx: &mut Tx, package_id: PackageId) -> Result<&[Subscription]> {
        let active = self.0.get_or_try_init(|| webhooks::lock_subscriptions(tx, package_id)).await?;
        Ok(active)
    }
}
