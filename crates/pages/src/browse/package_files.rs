//! The published files of all versions of a package, those of the newest version first.

use askama::Template;
use axum::response::Response;
use model::address::PackageAddress;
use operations::catalogue::{
    files,
    packages::{self, PackageDetail},
};
use web::{App, error::Result};

use super::{
    package::band,
    version_files::{self, File},
};
use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    pager::Pager,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/package_files.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    repo: String,
    name: String,
    files: Vec<File>,
    has_signatures: bool,
    /// The URL of the tab of versions.
    versions: String,
    pager: Pager,
}

/// Shows the files from a position on.
pub(super) async fn show(app: &App, visitor: &Visitor, at: &PackageAddress, start: u64) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let detail = packages::show(house, caller, at).await?;
    let found = files::list_by_version(house, caller, at, start).await?;
    let page = page(app, visitor, at, &detail, found, start);
    Ok(render(&page.layout, &page))
}

fn page(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    detail: &PackageDetail,
    found: operations::Page<model::file::ListedFile>,
    start: u64,
) -> Page {
    let own = address::package(at);
    let files = version_files::lines(app, &at.repo, &detail.access.repo.repo, &found.items);
    // A signature is in the line of its file.
    let numbers_pages = files.len() < found.items.len();
    let pager = Pager::new(&own, &[("tab", "files")], start, found.items.len(), found.total);
    Page {
        layout: visitor.layout(app),
        band: band(at, detail, "Files"),
        owner: at.repo.owner.to_string(),
        repo: at.repo.repo.to_string(),
        name: at.package.to_string(),
        has_signatures: files.iter().any(File::is_signed),
        versions: format!("{own}?tab=versions"),
        pager: Pager { numbers_pages, ..pager },
        files,
    }
}
