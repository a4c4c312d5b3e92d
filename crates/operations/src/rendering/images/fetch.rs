//! Fetches an image from another server, within limits of time, size and redirects.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Method, Request, Url, header};

use super::{IMAGE_BYTES, ImageKind};
use crate::outbound::{OutboundClient, Problem};

/// The time limit for the image with all redirects.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of redirects. The address of each is checked like that of the first.
const REDIRECTS: usize = 3;

/// The media types that are asked for.
const ACCEPT: &str = "image/png, image/jpeg, image/gif, image/webp, image/avif, image/svg+xml";

/// Fetches the image at this URL.
pub(super) async fn fetch(client: &OutboundClient, url: &str) -> Result<(ImageKind, Bytes), Problem> {
    let fetched = tokio::time::timeout(TIMEOUT, follow(client, url));
    let content = fetched.await.map_err(|_| Problem::TimedOut)??;
    if content.len() > IMAGE_BYTES {
        return Err(Problem::Broken(format!("the image has more than {IMAGE_BYTES} bytes")));
    }
    let kind = ImageKind::of(&content).ok_or_else(|| Problem::Broken("it is not an image".into()))?;
    Ok((kind, content))
}

async fn follow(client: &OutboundClient, url: &str) -> Result<Bytes, Problem> {
    let mut url = client.check(url).map_err(Problem::Refused)?;
    for _ in 0..=REDIRECTS {
        let mut request = Request::new(Method::GET, url.clone());
        request.headers_mut().insert(header::ACCEPT, header::HeaderValue::from_static(ACCEPT));
        let reply = client.send(request).await?;
        match (reply.status, reply.location) {
            (200, _) => return Ok(reply.body),
            (301 | 302 | 303 | 307 | 308, Some(location)) => url = next(client, &url, &location)?,
            (status, _) => return Err(Problem::Broken(format!("the server answers with status {status}"))),
        }
    }
    Err(Problem::Broken("it is redirected too often".into()))
}

fn next(client: &OutboundClient, from: &Url, location: &str) -> Result<Url, Problem> {
    let url = from.join(location).map_err(|error| Problem::Broken(error.to_string()))?;
    client.check(url.as_str()).map_err(Problem::Refused)
}
