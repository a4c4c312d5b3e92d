//! Sending callbacks for as long as a node runs.

use std::{sync::Arc, time::Duration};

use database::events::webhook_deliveries::LeasedDelivery;
use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::{
    House,
    events::webhooks::deliver::{AT_ONCE, claim, deliver},
    ticks,
};

/// How often a node looks for what is due: a release is told well within a second.
const EVERY: Duration = Duration::from_millis(250);

/// An event, and its place among those that are on their way.
type Work = (LeasedDelivery, OwnedSemaphorePermit);

/// Sends what is due until it is dropped. What is on its way then is sent again by whoever runs next.
pub(crate) async fn run_dispatcher(house: &House) {
    // As many as there are places, so that nothing that is claimed has to wait.
    let (sender, receiver) = mpsc::channel(AT_ONCE);
    tokio::join!(claim_always(house, sender), send_always(house, receiver));
}

async fn send_always(house: &House, mut receiver: mpsc::Receiver<Work>) {
    let mut sending = FuturesUnordered::new();
    loop {
        tokio::select! {
            Some(work) = receiver.recv() => sending.push(send(house, work)),
            Some(()) = sending.next() => {}
            else => return,
        }
    }
}

async fn send(house: &House, (claimed, place): Work) {
    if let Err(error) = deliver(house, &claimed).await {
        tracing::warn!("a callback could not be written down and will be sent again: {error}");
    }
    drop(place);
}

async fn claim_always(house: &House, sender: mpsc::Sender<Work>) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut ticks = ticks::every(EVERY);
    loop {
        ticks.tick().await;
        while claim_some(house, &places, &sender).await {}
    }
}

/// Claims as much as there is room for; says whether there may be more.
async fn claim_some(house: &House, places: &Arc<Semaphore>, sender: &mpsc::Sender<Work>) -> bool {
    let claimed = match places.available_permits() {
        0 => return false,
        free => claim(house, free).await,
    };
    match claimed {
        Ok(claimed) => {
            let is_some = !claimed.is_empty();
            for claimed in claimed {
                // Only this loop takes places, so each has one, and room on its way.
                let Ok(place) = places.clone().try_acquire_owned() else { return false };
                drop(sender.try_send((claimed, place)));
            }
            is_some
        }
        Err(error) => {
            tracing::warn!("callbacks could not be claimed: {error}");
            false
        }
    }
}
