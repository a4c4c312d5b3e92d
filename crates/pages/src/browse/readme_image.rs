//! Images of other sites that readmes show, from the server's own cache.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use operations::rendering::images::{self, CachedImage};
use web::{App, error::Result, path_names::PathNames};

/// How long browsers may cache an image.
const CACHE_POLICY: &str = "public, max-age=86400";

/// An SVG image may contain scripts and links to other sites. In an `img` element neither works, and this policy makes
/// sure of it where somebody opens the image by itself.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

pub(super) async fn show(State(app): State<App>, path: PathNames) -> Result<Response> {
    let parameter = |name: &str| Ok::<_, web::error::Failure>(path.query(name)?.unwrap_or_default());
    let image = images::show(app.house(), parameter("url")?, parameter("signature")?).await?;
    Ok(response(image))
}

fn response(image: CachedImage) -> Response {
    let (kind, size) = (image.kind, image.size);
    let mut response = Body::from_stream(image.into_pieces()).into_response();
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 4] = [
        (header::CONTENT_TYPE, kind.media_type()),
        (header::CACHE_CONTROL, CACHE_POLICY),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    response
}
