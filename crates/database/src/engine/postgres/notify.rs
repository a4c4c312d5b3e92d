//! What other nodes change, as PostgreSQL tells it, and how a node that changes something knows that all have heard.
//!
//! While a node uses kept answers, its listening session shares the lock of those who hear. Whoever has changed something
//! says so and then takes that lock alone: it gets it when every node has heard the news and let go of its share. A
//! session that ends lets go by itself, so PostgreSQL knows at all times who has to hear.
//!
//! Whoever says something shares a second lock meanwhile, and a node needs that one alone to take a share of the first. So
//! all shares that are waited for are older than the news.

use std::{future::poll_fn, sync::Arc, time::Duration};

use tokio::sync::Notify;
use tokio_postgres::{AsyncMessage, Client};

use crate::{
    Error, Result,
    engine::{
        epochs::{Epochs, Invalidation},
        postgres::{Connection, Postgres},
    },
};

/// How often a silent connection is asked whether it still hears, and how long its answer may take.
const ASK_EVERY: Duration = Duration::from_millis(400);

/// How long a share may take: somebody who says something may wait for a node that hangs.
const SHARE_WITHIN: Duration = Duration::from_secs(3);

/// Begins to say something: a share of the lock of those who speak.
const SPEAK: &str = "SET LOCAL lock_timeout = 1000; SELECT pg_advisory_lock_shared(7226420);";

/// Waits until all have heard. After a second there is no kept answer any more that was made before; then the sessions are
/// ended that have a share and have not said a word for longer than those do that still hear. All of it happens at the
/// database: whoever speaks may hang meanwhile, too.
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

/// Takes a share of the lock of those who hear, while nobody speaks.
const SHARE: &str = "SELECT pg_advisory_lock(7226420); SELECT pg_advisory_lock_shared(7226419);
 SELECT pg_advisory_unlock(7226420)";

/// Lets go of it.
const LET_GO: &str = "SELECT pg_advisory_unlock_shared(7226419);";

/// Tells the other nodes, and waits until they have heard. Apart from the transaction that changed something: PostgreSQL
/// lets transactions that tell something commit one at a time, and this one need not wait for the disk.
///
/// A node that is not told finds out by itself: kept answers are looked up anew after a second.
pub(crate) async fn tell(postgres: &Postgres, changes: &[Invalidation]) {
    let mut news = "BEGIN; SET LOCAL synchronous_commit = off;".to_owned();
    for change in changes {
        news.push_str(&format!("SELECT pg_notify('packhouse_changes', '{}');", change.to_text()));
    }
    news.push_str("COMMIT;");
    let told = async { say(&mut postgres.connect().await?, &news).await };
    if let Err(error) = told.await {
        tracing::warn!("other nodes were not told of a change: {error}");
    }
}

async fn say(connection: &mut Connection, news: &str) -> Result<()> {
    let Err(error) = connection.batch(&format!("{SPEAK}{news}{AWAIT_ALL}")).await else { return Ok(()) };
    tracing::warn!("other nodes could not be waited for: {error}");
    let said = connection.batch(news).await;
    // Nobody gets a connection that may still have a share.
    connection.discard();
    said
}

/// Listens for as long as it runs. While nothing can be heard, no kept answer is used.
pub(crate) async fn listen(postgres: &Postgres, changes: &Epochs) {
    loop {
        let heard = hear(postgres, changes).await;
        changes.set_awaited(false);
        if let Err(error) = heard {
            tracing::warn!("changes of other nodes are not heard: {error}");
        }
        changes.note(Invalidation::Everything);
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
    // What happened before is not known.
    changes.note(Invalidation::Everything);
    share(&client, SHARE).await?;
    let again = format!("{LET_GO}{SHARE}");
    loop {
        // All that was said before PostgreSQL gave the share was heard before its answer.
        changes.set_awaited(true);
        tokio::select! {
            () = news.notified() => {}
            () = falls_silent(&client) => return Ok(()),
        }
        changes.set_awaited(false);
        share(&client, &again).await?;
    }
}

/// Lives as long as the connection.
struct Ear {
    changes: Epochs,
    news: Arc<Notify>,
}

impl Ear {
    fn hear(&self, message: &AsyncMessage) {
        if let AsyncMessage::Notification(note) = message {
            self.changes.note(Invalidation::from_text(note.payload()));
            self.news.notify_one();
        }
    }
}

impl Drop for Ear {
    /// With the session its share is gone: nobody waits any more.
    fn drop(&mut self) {
        self.changes.set_awaited(false);
        self.news.notify_one();
    }
}

async fn share(client: &Client, how: &str) -> Result<()> {
    let shared = tokio::time::timeout(SHARE_WITHIN, client.batch_execute(how)).await;
    Ok(shared.map_err(|_| Error::Unavailable("the lock of those who hear is not answered".into()))??)
}

/// Waits until the connection no longer answers.
async fn falls_silent(client: &Client) {
    while matches!(tokio::time::timeout(ASK_EVERY, client.batch_execute("")).await, Ok(Ok(()))) {
        tokio::time::sleep(ASK_EVERY).await;
    }
}

/// Drives a connection, and hands on what it says by itself.
pub(crate) async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, hand_on: impl Fn(AsyncMessage) + Send)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        hand_on(message);
    }
}
