//! What other nodes change, as PostgreSQL tells it.

use std::{future::poll_fn, time::Duration};

use tokio_postgres::{AsyncMessage, Client};

use crate::{
    Result,
    changes::{Change, Changes},
    postgres::Postgres,
};

/// How often a silent connection is asked whether it still hears, and how long its answer may take.
const ASK_EVERY: Duration = Duration::from_millis(400);

/// Tells the other nodes. Apart from the transaction that changed something: PostgreSQL lets transactions that tell
/// something commit one at a time, and this one need not wait for the disk.
///
/// A node that is not told finds out by itself: kept answers are looked up anew after a second.
pub(crate) async fn tell(postgres: &Postgres, changes: &[Change]) {
    let mut batch = "BEGIN; SET LOCAL synchronous_commit = off;".to_owned();
    for change in changes {
        batch.push_str(&format!("SELECT pg_notify('packhouse_changes', '{}');", change.to_text()));
    }
    batch.push_str("COMMIT");
    let told = async { postgres.connect().await?.batch(&batch).await };
    if let Err(error) = told.await {
        tracing::warn!("other nodes were not told of a change: {error}");
    }
}

/// Listens for as long as it runs. While nothing can be heard, no kept answer lives longer than one attempt.
pub(crate) async fn listen(postgres: &Postgres, changes: &Changes) {
    loop {
        if let Err(error) = hear(postgres, changes).await {
            tracing::warn!("changes of other nodes are not heard: {error}");
        }
        changes.note(Change::Everything);
        tokio::time::sleep(ASK_EVERY / 2).await;
    }
}

/// Listens until the connection breaks.
async fn hear(postgres: &Postgres, changes: &Changes) -> Result<()> {
    let heard = changes.clone();
    let client = postgres.connect_apart(move |message| {
        if let AsyncMessage::Notification(note) = message {
            heard.note(Change::from_text(note.payload()));
        }
    });
    let client = client.await?;
    client.batch_execute("LISTEN packhouse_changes").await?;
    // What happened before is not known.
    changes.note(Change::Everything);
    while still_hears(&client).await {
        tokio::time::sleep(ASK_EVERY).await;
    }
    Ok(())
}

async fn still_hears(client: &Client) -> bool {
    matches!(tokio::time::timeout(ASK_EVERY, client.batch_execute("")).await, Ok(Ok(())))
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
