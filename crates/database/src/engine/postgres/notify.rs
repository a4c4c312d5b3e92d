//! Receives invalidations from other nodes through PostgreSQL's notifications, and makes a node that changes something
//! wait until all others have received them.
//!
//! While a node uses cached answers, its listening session holds the listener lock in shared mode. A node that has
//! changed something sends a notification and then takes the listener lock exclusively: it gets it when every node has
//! received the notification and released its share. A session that ends releases its share automatically, so
//! PostgreSQL always knows which nodes must be waited for.
//!
//! A sender also holds a second lock, the sender lock, in shared mode, and a node needs that one exclusively to take a
//! share of the listener lock. So all shares that a sender waits for are older than its notification.
//!
//! Changes that take nothing away are sent without these locks.

use std::{future::poll_fn, sync::Arc, time::Duration};

use tokio::sync::Notify;
use tokio_postgres::{AsyncMessage, Client};

use crate::{
    Error, Result,
    engine::{
        epochs::Epochs,
        invalidation::Invalidation,
        postgres::{Connection, Postgres},
    },
};

/// The interval at which a silent connection is checked, and the time limit for its answer.
const ASK_EVERY: Duration = Duration::from_millis(400);

/// The time limit for taking a share of the listener lock: a sender may be waiting for a node that hangs.
const SHARE_WITHIN: Duration = Duration::from_secs(3);

/// Starts sending: takes a share of the sender lock.
const SPEAK: &str = "SET LOCAL lock_timeout = 1000; SELECT pg_advisory_lock_shared(7226420);";

/// Waits until all nodes have received the notification. After a second, no older cached answer is in use any more.
/// Then the sessions are terminated that hold a share and have been silent for longer than a live listener ever is. All
/// of this runs in the database, because the sender may hang meanwhile, too.
const AWAIT_ALL: &str = "SET LOCAL lock_timeout = 1000;
 DO $$ BEGIN
   PERFORM pg_advisory_xact_lock(7226419);
 EXCEPTION WHEN lock_not_available THEN
   PERFORM pg_terminate_backend(share.pid)
   FROM pg_locks AS share
   JOIN pg_stat_activity AS session ON session.pid = share.pid
   WHERE share.locktype = 'advisory' AND share.objid = 7226419 AND share.granted
   AND share.database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND session.state_change < clock_timestamp() - INTERVAL '900 milliseconds';
 END $$;
 SELECT pg_advisory_unlock_shared(7226420)";

/// Takes a share of the listener lock while nobody is sending.
const SHARE: &str = "SELECT pg_advisory_lock(7226420); SELECT pg_advisory_lock_shared(7226419);
 SELECT pg_advisory_unlock(7226420)";

/// Releases the share of the listener lock.
const LET_GO: &str = "SELECT pg_advisory_unlock_shared(7226419);";

/// Notifies the other nodes, and waits until they have received it if `is_awaited`. This is separate from the
/// transaction that made the change: PostgreSQL commits transactions that notify one at a time, and this one need not
/// wait for the disk.
///
/// If a node misses the notification, its cached answers expire after a second.
pub(crate) async fn notify(postgres: &Postgres, changes: &[Invalidation], is_awaited: bool) {
    let news = news_of(changes);
    let told = async {
        let mut connection = postgres.connect().await?;
        if is_awaited { send_and_wait(&mut connection, &news).await } else { connection.batch(&news).await }
    };
    if let Err(error) = told.await {
        tracing::warn!("notifying other nodes of a change failed: {error}");
    }
}

fn news_of(changes: &[Invalidation]) -> String {
    let mut news = "BEGIN; SET LOCAL synchronous_commit = off;".to_owned();
    for change in changes {
        news.push_str(&format!("SELECT pg_notify('packhouse_changes', '{}');", change.to_text()));
    }
    news.push_str("COMMIT;");
    news
}

async fn send_and_wait(connection: &mut Connection, news: &str) -> Result<()> {
    let Err(error) = connection.batch(&format!("{SPEAK}{news}{AWAIT_ALL}")).await else { return Ok(()) };
    tracing::warn!("waiting for other nodes failed: {error}");
    let said = connection.batch(news).await;
    // Do not reuse a connection that may still hold a share.
    connection.discard();
    said
}

/// Listens for notifications and never returns. While it cannot receive any, no cached answer is used.
pub(crate) async fn listen(postgres: &Postgres, changes: &Epochs) {
    loop {
        let heard = hear(postgres, changes).await;
        changes.set_awaited(false);
        if let Err(error) = heard {
            tracing::warn!("listening for changes of other nodes failed: {error}");
        }
        changes.invalidate(Invalidation::Everything);
        tokio::time::sleep(ASK_EVERY / 2).await;
    }
}

/// Listens until the connection breaks.
async fn hear(postgres: &Postgres, changes: &Epochs) -> Result<()> {
    let news = Arc::new(Notify::new());
    let ear = Ear { changes: changes.clone(), news: news.clone() };
    let client = postgres.connect_apart(move |message| ear.hear(&message));
    let client = client.await?;
    client.batch_execute("LISTEN packhouse_changes").await?;
    // Earlier changes are unknown.
    changes.invalidate(Invalidation::Everything);
    share(&client, SHARE).await?;
    let again = format!("{LET_GO}{SHARE}");
    loop {
        // All notifications sent before PostgreSQL granted the share have arrived before its answer.
        changes.set_awaited(true);
        tokio::select! {
            () = news.notified() => {}
            () = falls_silent(&client) => return Ok(()),
        }
        changes.set_awaited(false);
        share(&client, &again).await?;
    }
}

/// Receives the messages of a connection and lives as long as it.
struct Ear {
    changes: Epochs,
    news: Arc<Notify>,
}

impl Ear {
    fn hear(&self, message: &AsyncMessage) {
        if let AsyncMessage::Notification(note) = message {
            let change = Invalidation::from_text(note.payload());
            self.changes.invalidate(change);
            if change.is_awaited() {
                self.news.notify_one();
            }
        }
    }
}

impl Drop for Ear {
    /// The session's share ends with it, so no sender waits for this node any more.
    fn drop(&mut self) {
        self.changes.set_awaited(false);
        self.news.notify_one();
    }
}

async fn share(client: &Client, how: &str) -> Result<()> {
    let shared = tokio::time::timeout(SHARE_WITHIN, client.batch_execute(how)).await;
    Ok(shared.map_err(|_| Error::Unavailable("the lock of the listeners timed out".into()))??)
}

/// Waits until the connection stops answering.
async fn falls_silent(client: &Client) {
    while matches!(tokio::time::timeout(ASK_EVERY, client.batch_execute("")).await, Ok(Ok(()))) {
        tokio::time::sleep(ASK_EVERY).await;
    }
}

/// Drives a connection and passes its asynchronous messages on.
pub(crate) async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, hand_on: impl Fn(AsyncMessage) + Send)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        hand_on(message);
    }
}
