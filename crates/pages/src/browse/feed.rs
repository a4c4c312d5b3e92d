//! The newest releases as an Atom feed, for programs that read news.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use web::{App, error::Result};

use super::release_rows::{self, ReleaseRow};
use crate::{layout::render_plain, visitor::Visitor};

/// The most releases in a feed.
const RELEASES: i64 = 30;

#[derive(Template)]
#[template(path = "browse/feed.xml")]
struct Feed {
    /// The URL of this server, without a slash at its end.
    own: String,
    title: &'static str,
    /// The path of the feed, and of its page.
    path: &'static str,
    page: &'static str,
    updated: String,
    releases: Vec<ReleaseRow>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let releases = release_rows::find(&app, &visitor, RELEASES).await?;
    let newest = releases.first().map_or_else(|| app.house().clock.now(), |release| release.published);
    let feed = Feed {
        own: app.settings().public_url().trim_end_matches('/').to_owned(),
        title: "Newest releases - packhouse",
        path: "/-/explore.atom",
        page: "/-/explore",
        updated: newest.to_string(),
        releases,
    };
    let mut response = render_plain(&feed);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/atom+xml; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    Ok(response)
}
