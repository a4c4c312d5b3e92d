//! All files of a package or a version in one response. A long list is written in parts as the client reads it, so it
//! takes no more memory than a short one.

use std::io;

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use model::file::ListedFile;
use operations::{Page, catalogue::files::WholeList};
use web::{App, error::Result, paging};

use super::files::view;

/// Answers with the list as JSON.
pub(super) async fn respond(app: App, mut list: WholeList) -> Result<Response> {
    let first = list.next(app.house()).await?;
    if list.is_over() {
        let total = first.len() as u64;
        return Ok(paging::respond(Page { items: first, start: 0, total }, view));
    }
    let total = list.total;
    let parts = Parts { app, list, next: Some(first), is_begun: false };
    let mut response = Body::from_stream(stream::try_unfold(parts, Parts::next)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    paging::set_range_headers(headers, 0, total, total);
    Ok(response)
}

/// The rest of a response. If reading the list fails, the connection is cut, so that clients never take a part for the
/// whole.
struct Parts {
    app: App,
    list: WholeList,
    /// Files that were read and not written yet; `None` when the list has ended.
    next: Option<Vec<ListedFile>>,
    is_begun: bool,
}

impl Parts {
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        let Some(files) = self.next.take() else { return Ok(None) };
        let mut text = Vec::new();
        for file in files {
            text.push(if self.is_begun { b',' } else { b'[' });
            self.is_begun = true;
            serde_json::to_writer(&mut text, &view(file))?;
        }
        if self.list.is_over() {
            text.push(b']');
        } else {
            self.next = Some(self.read().await?);
        }
        Ok(Some((text.into(), self)))
    }

    async fn read(&mut self) -> io::Result<Vec<ListedFile>> {
        self.list.next(self.app.house()).await.map_err(|error| {
            tracing::warn!("listing files failed: {error}");
            io::Error::other("reading the list failed")
        })
    }
}
