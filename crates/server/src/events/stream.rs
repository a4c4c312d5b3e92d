//! The event stream of a subject: one line of JSON per event, until the client disconnects.
//!
//! The client's reading pulls the next lines, so a slow client costs no memory beyond the lines in flight.

use std::time::Duration;

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream as streams;
use operations::events::stream::{self, StreamCursor, StreamEvent, Subscription};
use tokio::{runtime::Handle, time::Instant};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    path_names::PathNames,
};

/// The cursor in the stream, in requests and in responses.
const RECONNECT_ID: HeaderName = HeaderName::from_static("x-service-stream-reconnect-id");

/// How often an idle stream looks for new events.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The end of a line; as a line of its own it keeps the connection alive.
const END: &str = "\r\n";

pub(crate) async fn follow(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
) -> Result<Response> {
    let (subject, from) = (path.subject("subject")?, reconnect_id(&headers)?);
    let following = stream::open(app.house(), &caller, &subject, from).await?;
    let id = following.position().to_string();
    let lines = Lines { app, following, spoken: Instant::now() };
    let body = Body::from_stream(streams::unfold(lines, Lines::next));
    // Proxies that buffer whole responses would never forward this one.
    let unbuffered = (HeaderName::from_static("x-accel-buffering"), "no".to_owned());
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (RECONNECT_ID, id),
        unbuffered,
    ];
    Ok((headers, body).into_response())
}

fn reconnect_id(headers: &HeaderMap) -> Result<Option<StreamCursor>> {
    let mut values = headers.get_all(RECONNECT_ID).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|_| values.next().is_none()).unwrap_or_default();
    let parsed = text.parse().map(Some);
    parsed.map_err(|error: stream::InvalidPosition| Failure::bad_request(format!("{RECONNECT_ID}: {error}")))
}

/// The lines of one connection.
struct Lines {
    app: App,
    following: Subscription,
    /// The time of the last write.
    spoken: Instant,
}

impl Lines {
    /// Waits for the next lines. Ends when the server stops, when the caller loses access, and when the database fails:
    /// then the client reconnects.
    async fn next(mut self) -> Option<(operations::Result<Bytes>, Self)> {
        let silence = Duration::from_secs(self.app.settings().limits.stream_keep_alive_secs);
        loop {
            if self.app.draining().has_begun() {
                return None;
            }
            let told = match self.following.next(self.app.house()).await {
                Ok(told) => told?,
                Err(error) => {
                    tracing::warn!("event stream failed: {error}");
                    return None;
                }
            };
            if !told.is_empty() || self.spoken.elapsed() >= silence {
                self.spoken = Instant::now();
                let text = if told.is_empty() { END.to_owned() } else { self.write(told) };
                return Some((Ok(text.into()), self));
            }
            tokio::time::sleep(LOOK_EVERY.min(silence)).await;
        }
    }

    fn write(&self, told: Vec<StreamEvent>) -> String {
        let line = |told| serde_json::to_string(&self.view(told)).expect("texts are JSON") + END;
        told.into_iter().map(line).collect()
    }

    fn view(&self, told: StreamEvent) -> api::StreamEvent {
        api::StreamEvent {
            id: told.position.to_string(),
            kind: told.kind.to_owned(),
            path: told.path,
            subject: self.following.subject().to_string(),
            user: told.user,
            time: told.at.to_string(),
            ip_address: told.address,
            user_agent: told.agent,
            threshold: told.threshold,
        }
    }
}

impl Drop for Lines {
    /// Releases the connection's slot. If that fails, the slot is free when its lease expires.
    fn drop(&mut self) {
        let (app, id) = (self.app.clone(), self.following.connection_id());
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = stream::close(app.house(), id).await {
                    tracing::warn!("releasing a connection to the event stream failed: {error}");
                }
            });
        }
    }
}
