//! `packhouse stream`: prints the events of an account as they happen.

use std::time::Duration;

use clap::Args;
use futures_util::TryStreamExt;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::encode,
    error::{Error, ExitKind, Result},
    output::{Output, print},
    session::Session,
};

/// The header with the position of a stream, in the response and in the request that continues it.
const RECONNECT: &str = "x-service-stream-reconnect-id";

/// Maximum length of a line.
const LINE_BYTES: usize = 1 << 20;

/// The pause before a broken stream is opened again.
const PAUSE: Duration = Duration::from_secs(2);

/// Follow the uploads, publishes, downloads and sign-ins of an account
#[derive(Debug, Args)]
pub struct StreamCommand {
    /// The user or the organization
    owner: String,
    /// Stop after this many events
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    /// Continue after this event
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

/// The position in a stream.
struct StreamCursor {
    /// The last received event.
    after: Option<String>,
    left: usize,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &StreamCommand) -> Result<()> {
    let session = connection.session()?;
    let mut cursor = StreamCursor { after: command.after.clone(), left: command.limit.unwrap_or(usize::MAX) };
    let mut has_worked = false;
    while cursor.left > 0 {
        match read_events(&session, &command.owner, &mut cursor, &mut has_worked).await {
            // Reconnects only if the stream has worked before.
            Err(error) if has_worked && matches!(error.kind, ExitKind::Unreachable | ExitKind::Busy) => {
                session.output.notice(&format!("{}; reconnecting", error.message));
                tokio::time::sleep(PAUSE).await;
            }
            other => other?,
        }
    }
    Ok(())
}

/// Prints events until the stream ends.
async fn read_events(session: &Session, owner: &str, cursor: &mut StreamCursor, has_worked: &mut bool) -> Result<()> {
    let mut request = session.client.api(Method::GET, &format!("/stream/{}", encode(owner)));
    if let Some(after) = &cursor.after {
        request = request.header(RECONNECT, after);
    }
    let answer = session.client.once(request).await?;
    *has_worked = true;
    let first = answer.headers().get(RECONNECT).and_then(|id| id.to_str().ok()).map(str::to_owned);
    cursor.after = cursor.after.take().or(first);
    let broken = |error: reqwest::Error| Error::new(ExitKind::Unreachable, format!("the stream broke off: {error}"));
    let mut body = answer.bytes_stream();
    let mut text = Vec::new();
    while cursor.left > 0 {
        let Some(piece) = body.try_next().await.map_err(broken)? else {
            return Err(Error::new(ExitKind::Unreachable, "the stream ended"));
        };
        text.extend_from_slice(&piece);
        while let Some(end) = text.iter().position(|byte| *byte == b'\n').filter(|_| cursor.left > 0) {
            let line: Vec<u8> = text.drain(..=end).collect();
            event(&session.output, &line, cursor);
        }
        if text.len() > LINE_BYTES {
            return Err(Error::new(ExitKind::Failed, "the stream contains a line that is too long"));
        }
    }
    Ok(())
}

/// Prints one event; empty lines only keep the connection alive.
fn event(output: &Output, line: &[u8], cursor: &mut StreamCursor) {
    let Ok(event) = serde_json::from_slice::<Value>(line) else { return };
    cursor.after = event["id"].as_str().map(str::to_owned).or(cursor.after.take());
    cursor.left -= 1;
    print(&if output.is_json { event.to_string() } else { to_text(&event) });
}

fn to_text(event: &Value) -> String {
    let word = |field: &str| event[field].as_str().unwrap_or("-");
    format!("{}  {:<13}  {}  {}  {}", word("time"), word("type"), word("path"), word("subject"), word("ip_address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_counted_and_remembered_and_empty_lines_are_not() {
        let output = Output { is_json: true, is_quiet: false };
        let mut cursor = StreamCursor { after: None, left: 2 };
        event(&output, b"\r\n", &mut cursor);
        assert_eq!((cursor.left, cursor.after.as_deref()), (2, None));
        event(&output, b"{\"type\":\"publish\",\"id\":\"7\"}\r\n", &mut cursor);
        assert_eq!((cursor.left, cursor.after.as_deref()), (1, Some("7")));
        event(&output, b"{\"type\":\"publish\"}\r\n", &mut cursor);
        assert_eq!((cursor.left, cursor.after.as_deref()), (0, Some("7")));
    }
}
