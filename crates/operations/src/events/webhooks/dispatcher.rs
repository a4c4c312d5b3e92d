//! Sends callbacks as long as a node runs.

use std::{sync::Arc, time::Duration};

use database::events::webhook_deliveries::LeasedDelivery;
use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::{
    House, Result,
    events::webhooks::deliver::{AT_ONCE, deliver, lease},
    runner::{Observe, Reporter},
    ticks,
};

/// The name of this loop among the jobs.
pub(crate) const DISPATCHER: &str = "webhooks";

/// The interval at which a node looks for due deliveries: a release is sent well within a second.
pub(crate) const DISPATCH_EVERY: Duration = Duration::from_millis(250);

/// A delivery, and its permit among those being sent.
type Work = (LeasedDelivery, OwnedSemaphorePermit);

/// Sends due deliveries until it is dropped. Deliveries being sent at that time are sent again by another node or after
/// a restart.
pub(crate) async fn run_dispatcher(house: &House, observe: &Observe<'_>) {
    let reporter = &Reporter::new(DISPATCHER, observe);
    // The capacity equals the number of permits, so that no leased delivery has to wait.
    let (sender, receiver) = mpsc::channel(AT_ONCE);
    tokio::join!(lease_always(house, sender, reporter), send_always(house, receiver, reporter));
}

async fn send_always(house: &House, mut receiver: mpsc::Receiver<Work>, reporter: &Reporter<'_>) {
    let mut sending = FuturesUnordered::new();
    loop {
        tokio::select! {
            Some(work) = receiver.recv() => sending.push(send(house, work, reporter)),
            Some(()) = sending.next() => {}
            else => return,
        }
    }
}

/// Sends one delivery. If its outcome cannot be recorded, it is sent again when its lease ends.
async fn send(house: &House, (leased, place): Work, reporter: &Reporter<'_>) {
    reporter.watch_part(deliver(house, &leased)).await;
    drop(place);
}

async fn lease_always(house: &House, sender: mpsc::Sender<Work>, reporter: &Reporter<'_>) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut ticks = ticks::every(DISPATCH_EVERY);
    loop {
        ticks.tick().await;
        let leasing = async {
            while lease_some(house, &places, &sender).await? {}
            Ok(())
        };
        reporter.watch(leasing).await;
    }
}

/// Leases as many deliveries as can be sent now; returns whether more may be due.
async fn lease_some(house: &House, places: &Arc<Semaphore>, sender: &mpsc::Sender<Work>) -> Result<bool> {
    let leased = match places.available_permits() {
        0 => return Ok(false),
        free => lease(house, free).await?,
    };
    let is_some = !leased.is_empty();
    for leased in leased {
        // Only this loop takes permits, so each delivery gets one, and room in the channel.
        let Ok(place) = places.clone().try_acquire_owned() else { return Ok(false) };
        drop(sender.try_send((leased, place)));
    }
    Ok(is_some)
}
