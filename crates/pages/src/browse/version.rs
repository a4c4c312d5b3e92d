//! The page of a version: its files with checksums and signatures, its release notes, commands to use it, and uploads.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use model::{
    address::VersionAddress,
    file::{FileListState, ListedFile},
    timestamp::Timestamp,
    trusted_publisher::Build,
};
use operations::{
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        documents::{self, DocumentAddress},
        files, versions,
        versions::VersionDetail,
    },
    rendering::Html,
    usage::statistics::{self, StatisticsQuery},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    attributes::{Attribute, shown_attribute},
    commands::{self, Command},
    image::{self, Image},
    platforms,
    releases::is_prerelease,
    version_files::{self, File},
    version_manage::Manage,
};
use crate::{
    address,
    band::Band,
    errors::allowed,
    layout::{Layout, render},
    notice::Notice,
    pager::Pager,
    parts, sizes,
    statistics::chart::Chart,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/version.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    repo: String,
    package: String,
    package_address: String,
    name: String,
    is_private: bool,
    description: String,
    labels: Vec<String>,
    vcs_tag: String,
    /// The build that published it, if a trusted publisher did.
    build: Option<Build>,
    created: Timestamp,
    released: Option<Timestamp>,
    published: Option<Timestamp>,
    licenses: String,
    attributes: Vec<Attribute>,
    /// The image, if the version is one.
    image: Option<Image>,
    files: Vec<File>,
    total_files: u64,
    /// The size of the files; if there are more pages, of those on this one.
    size: String,
    has_signatures: bool,
    /// Whether all its files wait to be published, and the visitor sees them.
    has_only_staged: bool,
    pager: Pager,
    notes: Option<Html>,
    chart: Option<Chart>,
    statistics_address: String,
    commands: Vec<Command>,
    commands_title: &'static str,
    /// The URL of the page that fills a new token into the commands; empty if the visitor cannot have one.
    setup: String,
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

/// The paths of the files, where that for the visitor's platform comes first.
fn paths_for(visitor: &Visitor, detail: &VersionDetail, files: &[ListedFile]) -> Vec<String> {
    let mut paths: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
    // Clients of other formats choose the file themselves.
    if detail.package.repo.repo.kind == "generic" {
        platforms::choose(&mut paths, "", "", visitor.caller.agent.as_deref().unwrap_or_default());
    }
    paths
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
    let paths = paths_for(visitor, &detail, &list.items);
    let manage = Manage::find(app, visitor, at, &detail).await?;
    let latest = allowed(versions::show_latest(house, caller, &at.package).await)?;
    let is_latest = latest.is_some_and(|latest| latest.version.name == at.version);
    let wanted =
        StatisticsQuery { package: at.package.clone(), version: Some(at.version.clone()), from: None, to: None };
    let numbers = allowed(statistics::list_by_day(house, caller, &wanted).await)?;
    let size: i64 = list.items.iter().map(|file| file.size).sum();
    let layout = visitor.layout(app).with_notice(notice);
    let repo = &detail.package.repo.repo;
    let files = version_files::lines(app, &at.package.repo, repo.profile.is_private, &list.items);
    let needs_token = visitor.may_change() && repo.profile.is_private;
    // A version that was never published has no downloads.
    let numbers = numbers.filter(|_| detail.version.first_published.is_some());
    let page = Page {
        image: image::find(app, visitor, at).await?,
        band: band(app, at, &detail, is_latest, files.iter().any(File::is_signed)),
        owner: at.package.repo.owner.to_string(),
        repo: at.package.repo.repo.to_string(),
        package: at.package.package.to_string(),
        package_address: address::package(&at.package),
        name: at.version.to_string(),
        is_private: repo.profile.is_private,
        commands: commands::of_package(app, visitor, &at.package, Some(at.version.as_str()), repo, &paths),
        commands_title: "Install",
        setup: if needs_token { address::setup(&address::package(&at.package)) } else { String::new() },
        has_signatures: files.iter().any(File::is_signed),
        has_only_staged: list.total == 0 && manage.as_ref().is_some_and(|manage| !manage.staged.is_empty()),
        total_files: list.total,
        size: if pager.is_needed() { sizes::counted(list.total, "file") } else { sizes::bytes(size.unsigned_abs()) },
        licenses: [&detail.package.package.profile.licenses[..], &detail.package.package.profile.custom_licenses]
            .concat()
            .join(", "),
        created: detail.version.created,
        released: detail.version.profile.released,
        published: detail.version.first_published,
        description: detail.version.profile.description,
        labels: detail.version.profile.labels,
        vcs_tag: detail.version.profile.vcs_tag.unwrap_or_default(),
        build: detail.build,
        attributes: attributes.iter().map(shown_attribute).collect(),
        chart: numbers.as_ref().map(Chart::new),
        statistics_address: format!(
            "/-/numbers{}?version={}",
            address::package(&at.package),
            address::query_value(at.version.as_str())
        ),
        layout: layout.clone(),
        files,
        pager,
        notes,
        manage,
    };
    Ok(render(&layout, &page))
}

fn band(app: &App, at: &VersionAddress, detail: &VersionDetail, is_latest: bool, is_signed: bool) -> Band {
    let mut band = Band::of_version(at, &detail.package).at("Versions");
    let states = [
        (is_latest && detail.version.published_files > 0, ("info", "check", "Latest")),
        (detail.version.is_draft, ("warn", "pen", "Draft")),
        (is_prerelease(app, &detail.package.repo.repo.kind, at.version.as_str()), ("trial", "flask", "Pre-release")),
        (is_signed, ("good", "shield", "Signed")),
    ];
    let shown = states.into_iter().filter(|(is_shown, _)| *is_shown);
    band.states.extend(shown.map(|(_, (kind, icon, word))| parts::state(kind, icon, word)));
    band
}
