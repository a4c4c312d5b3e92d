//! Reads the body of a publish. Nothing is read before the caller's right is known.

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
};
use model::address::RepoAddress;
use operations::{
    Caller,
    format::{self, NativeAnswer, NativeCall},
    native::NativeUpload,
};
use web::{
    App,
    error::{Failure, Result},
};

use super::cut::{self, Limited, TEXT_BYTES};

/// Reads a body and publishes what it contains, or makes the changes that it asks for.
pub(super) async fn take(
    app: &App,
    caller: &Caller,
    at: &RepoAddress,
    call: &NativeCall<'_>,
    kind: format::Body,
    headers: &HeaderMap,
    body: Body,
) -> Result<NativeAnswer> {
    let kind = match kind {
        format::Body::FormOrFile if is_form(headers) => format::Body::Multipart,
        format::Body::FormOrFile => format::Body::Raw,
        other => other,
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let mut upload = NativeUpload::begin(app.house(), caller, at, announced).await?;
    let max_bytes = max_bytes(kind, app.house().policy.upload_bytes);
    if announced.is_some_and(|announced| announced > max_bytes) {
        return Err(too_large(max_bytes));
    }
    let limited = Limited::new(max_bytes);
    let body = limited.wrap(body);
    let cut = match kind {
        format::Body::Text(max_bytes) => cut::text(&mut upload, body, max_bytes).await,
        format::Body::Raw | format::Body::FormOrFile => cut::raw(&mut upload, body).await,
        format::Body::Multipart => cut::multipart(&mut upload, headers, body).await,
        format::Body::Framed => cut::framed(&mut upload, body).await,
        format::Body::NpmDocument => cut::npm_document(&mut upload, body).await,
    };
    if limited.is_over() {
        return Err(too_large(max_bytes));
    }
    cut?;
    let sha1 = headers.get("x-checksum-sha1").and_then(|value| value.to_str().ok());
    if let Some(sha1) = sha1.filter(|_| kind == format::Body::Raw) {
        upload.check_sha1(sha1)?;
    }
    Ok(upload.finish(call).await?)
}

/// The most bytes of a body: of its file, and of everything around it.
fn max_bytes(kind: format::Body, upload_bytes: u64) -> u64 {
    let text_bytes = TEXT_BYTES as u64;
    match kind {
        format::Body::Text(max_bytes) => max_bytes as u64,
        format::Body::Raw | format::Body::FormOrFile => upload_bytes,
        // The heads of the parts take as much as their texts.
        format::Body::Multipart | format::Body::Framed => upload_bytes.saturating_add(2 * text_bytes),
        format::Body::NpmDocument => (upload_bytes / 3).saturating_mul(4).saturating_add(text_bytes + 4),
    }
}

/// Whether the body is a form.
fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("multipart/"))
}

fn too_large(max_bytes: u64) -> Failure {
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("The body is larger than {max_bytes} bytes, which is the limit"),
    )
}
