//! Checks whether something in front of the server stops large uploads. Sends only the head of one.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use reqwest::{Body, Method, header};

use super::Finding;
use crate::{client::Client, output::size};

/// Maximum time until the response to the head.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn check(client: &Client, bytes: u64) -> Finding {
    // The server rejects this path before it reads any content.
    let owner = client.login.as_ref().map_or("nobody", |login| login.user.as_str());
    let path = format!("/content/{}/packhouse-doctor-asks/x/0/x", crate::address::encode(owner));
    let request = client.api(Method::PUT, &path).header(header::CONTENT_LENGTH, bytes);
    let request = request.header(header::EXPECT, "100-continue");
    let request = request.body(Body::wrap_stream(stream::pending::<std::io::Result<Bytes>>()));
    let Ok(answer) = tokio::time::timeout(PATIENCE, client.answer(request)).await else {
        return Finding::problem(
            "uploads",
            "something in front of the server buffers whole uploads before it forwards them",
            "nginx: `proxy_request_buffering off;`",
        );
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Finding::problem("uploads", error.message, "check the log of the proxy"),
    };
    let status = answer.status().as_u16();
    let message = answer.json::<api::Message>().await.ok().map(|body| body.message);
    match (status, message) {
        (413, Some(message)) => Finding::problem("uploads", message, "raise the upload limit of the server"),
        (413, None) => Finding::problem(
            "uploads",
            format!("something in front of the server rejects uploads of {}", size(bytes)),
            "nginx: `client_max_body_size 0;`; Apache: `LimitRequestBody 0`",
        ),
        (_, Some(_)) => Finding::fine("uploads", format!("{} passes", size(bytes))),
        (status, None) => Finding::problem(
            "uploads",
            format!("something in front of the server answers {status}"),
            "let PUT requests below /api pass to the server",
        ),
    }
}
