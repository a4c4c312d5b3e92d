//! The page of a version: its files with checksums and signatures, its release notes, commands to use it, and uploads.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use model::{address::VersionAddress, file::FileListState, timestamp::Timestamp};
use operations::{
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        documents::{self, DocumentAddress},
        files, versions,
    },
    rendering::Html,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    attributes::{Attribute, shown_attribute},
    commands::{self, Command},
    version_files::{self, File},
    version_manage::Manage,
};
use crate::{
    address,
    errors::allowed,
    layout::{Layout, render},
    notice::Notice,
    pager::Pager,
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/version.html")]
struct Page {
    layout: Layout,
    owner: String,
    repo: String,
    repo_address: String,
    package: String,
    package_address: String,
    name: String,
    is_private: bool,
    description: String,
    labels: Vec<String>,
    vcs_tag: String,
    created: String,
    released: String,
    published: String,
    attributes: Vec<Attribute>,
    files: Vec<File>,
    pager: Pager,
    notes: Option<Html>,
    commands: Vec<Command>,
    manage: Option<Manage>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    if path.is_latest() {
        let at = path.package_address()?;
        let version = versions::show_latest(house, caller, &at).await?.version.name;
        return Ok(Redirect::to(&address::version(&VersionAddress { package: at, version })).into_response());
    }
    page(&app, &visitor, &path.version_address()?, path.start_position()?, None).await
}

/// Shows the page after a form on it was rejected, with the reason.
pub(crate) async fn refused(app: &App, visitor: &Visitor, at: &VersionAddress, failure: Failure) -> Result<Response> {
    page(app, visitor, at, 0, Some(Notice::from_failure(failure)?)).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    at: &VersionAddress,
    start: u64,
    notice: Option<Notice>,
) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let detail = versions::show(house, caller, at).await?;
    let notes = allowed(documents::show_html(house, caller, &DocumentAddress::VersionNotes(at.clone())).await)?;
    let attributes =
        attributes::list(house, caller, &AttributeTarget::Version(at.clone()), &AttributeSelection::All).await?;
    let list = files::list_of_version(house, caller, at, FileListState::Published, start).await?;
    let pager = Pager::new(&address::version(at), &[], start, list.items.len(), list.total);
    let paths: Vec<String> = list.items.iter().map(|file| file.path.to_string()).collect();
    let manage = Manage::find(app, visitor, at, &detail).await?;
    let (repo, version) = (&detail.package.repo.repo, detail.version);
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        owner: at.package.repo.owner.to_string(),
        repo: at.package.repo.repo.to_string(),
        repo_address: address::repo(&at.package.repo),
        package: at.package.package.to_string(),
        package_address: address::package(&at.package),
        name: at.version.to_string(),
        is_private: repo.profile.is_private,
        commands: commands::of_package(app, visitor, &at.package, Some(at.version.as_str()), repo, &paths),
        files: version_files::lines(app, &at.package.repo, repo.profile.is_private, &list.items),
        created: sizes::day(version.created),
        released: day_of(version.profile.released),
        published: day_of(version.first_published),
        description: version.profile.description,
        labels: version.profile.labels,
        vcs_tag: version.profile.vcs_tag.unwrap_or_default(),
        attributes: attributes.iter().map(shown_attribute).collect(),
        layout: layout.clone(),
        pager,
        notes,
        manage,
    };
    Ok(render(&layout, &page))
}

fn day_of(at: Option<Timestamp>) -> String {
    at.map(sizes::day).unwrap_or_default()
}
