//! The newest releases as Atom feeds, for programs that read news: of the server, of a subject, of a repository and of a
//! package.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use model::overview::{PackageFilter, ReleaseOverview};
use operations::catalogue::releases;
use web::{App, error::Result, path_names::PathNames};

use super::release_rows::{self, ReleaseRow};
use crate::{address, layout::render_plain, visitor::Visitor};

/// The most releases in a feed.
const RELEASES: i64 = 30;

#[derive(Template)]
#[template(path = "browse/feed.xml")]
struct Feed {
    /// The URL of this server, without a slash at its end.
    own: String,
    title: String,
    /// The path of the feed, and of its page.
    path: String,
    page: String,
    updated: String,
    releases: Vec<ReleaseRow>,
}

pub(crate) async fn of_site(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let found = releases::list(app.house(), &visitor.caller, PackageFilter::default(), RELEASES).await?;
    Ok(feed(&app, "Newest releases", "/-/explore.atom".to_owned(), "/-/explore".to_owned(), found))
}

pub(crate) async fn of_subject(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let name = path.subject("subject")?;
    let found = releases::list_of_subject(app.house(), &visitor.caller, &name, RELEASES).await?;
    let page = address::path([name.as_str()]);
    Ok(feed(&app, name.as_str(), address::feed(&page), page, found))
}

pub(crate) async fn of_repo(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    let found = releases::list_of_repo(app.house(), &visitor.caller, &at, RELEASES).await?;
    let page = address::repo(&at);
    Ok(feed(&app, &format!("{}/{}", at.owner, at.repo), address::feed(&page), page, found))
}

pub(crate) async fn of_package(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let found = releases::list_of_package(app.house(), &visitor.caller, &at, RELEASES).await?;
    let page = address::package(&at);
    let title = format!("{}/{}/{}", at.repo.owner, at.repo.repo, at.package);
    Ok(feed(&app, &title, address::feed(&page), page, found))
}

fn feed(app: &App, title: &str, path: String, page: String, found: Vec<ReleaseOverview>) -> Response {
    let mut releases = release_rows::rows(app, found);
    for release in &mut releases {
        for text in [&mut release.package, &mut release.version, &mut release.description] {
            text.retain(is_in_xml);
        }
    }
    let newest = releases.first().map_or_else(|| app.house().clock.now(), |release| release.published);
    let feed = Feed {
        own: app.settings().public_url().trim_end_matches('/').to_owned(),
        title: format!("{} - packhouse", title.replace(|c| !is_in_xml(c), "")),
        updated: newest.to_string(),
        path,
        page,
        releases,
    };
    let mut response = render_plain(&feed);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/atom+xml; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    response
}

/// Whether XML can have this character. Texts have no control characters, but these two would break the whole feed.
fn is_in_xml(c: char) -> bool {
    !matches!(c, '\u{fffe}' | '\u{ffff}')
}
