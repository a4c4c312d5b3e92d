//! The page of a version: its files with checksums and signatures, its release notes, commands to use it, and uploads.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use model::{
    address::VersionAddress,
    day::Day,
    file::{FileListState, ListedFile},
    statistics::DailyDownloads,
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
    usage::statistics::{self, Statistics, StatisticsQuery},
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
    package_parts::{SigningKey, signing_key},
    platforms,
    releases::{self, VersionLine, is_prerelease},
    verify,
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

/// The mark of versions that clients no longer choose.
const YANKED: &str = "yanked";

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
    /// Why it was yanked, if it was; the text may be empty.
    yanked: Option<String>,
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
    /// The number of lines of the list, where a signature is part of the line of its file.
    file_count: u64,
    /// The size of the files; if there are more pages, of those on this one.
    size: String,
    has_platforms: bool,
    has_signatures: bool,
    /// Commands that compare the files with their checksums and signatures; empty if the visitor cannot use them.
    verify: String,
    signing_key: Option<SigningKey>,
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
    /// Some other versions of the package, the newest first.
    others: Vec<VersionLine>,
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

/// What the page shows of a version.
struct Found {
    detail: VersionDetail,
    is_latest: bool,
    others: Vec<VersionLine>,
    notes: Option<Html>,
    attributes: Vec<Attribute>,
    image: Option<Image>,
    files: operations::Page<ListedFile>,
    signing_key: Option<SigningKey>,
    numbers: Option<Statistics<DailyDownloads>>,
    manage: Option<Manage>,
}

async fn find(app: &App, visitor: &Visitor, at: &VersionAddress, start: u64) -> Result<Found> {
    let (house, caller) = (app.house(), &visitor.caller);
    let detail = versions::show(house, caller, at).await?;
    let target = AttributeTarget::Version(at.clone());
    let notes_at = DocumentAddress::VersionNotes(at.clone());
    let wanted =
        StatisticsQuery { package: at.package.clone(), version: Some(at.version.clone()), from: None, to: None };
    // All at once: each of them waits for the database several times.
    let ((notes, manage), attributes, files, latest, numbers, others, image, signing_key) = tokio::try_join!(
        async {
            let notes = allowed(documents::show_html(house, caller, &notes_at).await)?;
            let manage = Manage::find(app, visitor, at, &detail, notes.is_some()).await?;
            Ok((notes, manage))
        },
        async { Ok(attributes::list(house, caller, &target, &AttributeSelection::All).await?) },
        async { Ok(files::list_of_version(house, caller, at, FileListState::Published, start).await?) },
        async { allowed(versions::show_latest(house, caller, &at.package).await) },
        async { allowed(statistics::list_by_day(house, caller, &wanted).await) },
        releases::others(app, at, &detail.package),
        image::find(app, visitor, at),
        signing_key(app, &detail.package.repo),
    )?;
    Ok(Found {
        is_latest: latest.is_some_and(|latest| latest.version.name == at.version),
        attributes: attributes.iter().map(shown_attribute).collect(),
        // A version that was never published has no downloads.
        numbers: numbers.filter(|_| detail.version.first_published.is_some()),
        detail,
        others,
        notes,
        image,
        files,
        signing_key,
        manage,
    })
}

async fn page(
    app: &App,
    visitor: &Visitor,
    at: &VersionAddress,
    start: u64,
    notice: Option<Notice>,
) -> Result<Response> {
    let found = find(app, visitor, at, start).await?;
    let Found { detail, is_latest, others, notes, attributes, image, files: list, signing_key, numbers, manage } =
        found;
    let (own_page, pager) = (address::package(&at.package), pager_of(at, start, &list));
    let (repo, package) = (&detail.package.repo.repo, &detail.package.package.profile);
    let profile = &detail.version.profile;
    let layout = visitor.layout(app).with_notice(notice);
    let (version, is_private) = (Some(at.version.as_str()), repo.profile.is_private);
    let paths = paths_for(visitor, &detail, &list.items);
    let files = version_files::lines(app, &at.package.repo, repo, &list.items);
    let has_signatures = files.iter().any(File::is_signed);
    // A signature is in the line of its file.
    let pager = Pager { numbers_pages: files.len() < list.items.len(), ..pager };
    let signing_key = signing_key.filter(|_| has_signatures);
    let page = Page {
        band: band(app, at, &detail, is_latest, has_signatures),
        owner: at.package.repo.owner.to_string(),
        repo: at.package.repo.repo.to_string(),
        package: at.package.package.to_string(),
        name: at.version.to_string(),
        commands: commands::of_package(app, visitor, &at.package, version, repo, &paths),
        commands_title: "Install",
        setup: if visitor.may_change() && is_private { address::setup(&own_page) } else { String::new() },
        has_platforms: files.iter().any(|file| !file.platform.is_empty()),
        has_only_staged: list.total == 0 && manage.as_ref().is_some_and(|manage| !manage.staged.is_empty()),
        verify: if is_private { String::new() } else { verify::commands(app, &files, signing_key.as_ref()) },
        total_files: list.total,
        file_count: if pager.is_needed() { list.total } else { files.len() as u64 },
        size: size_of(&list, &pager),
        licenses: [&package.licenses[..], &package.custom_licenses].concat().join(", "),
        created: detail.version.created,
        released: released_apart(&detail),
        published: detail.version.first_published,
        yanked: detail.marks.iter().find(|mark| mark.name == YANKED).map(|mark| mark.text.clone()),
        description: profile.description.clone(),
        labels: profile.labels.clone(),
        vcs_tag: profile.vcs_tag.clone().unwrap_or_default(),
        chart: numbers.as_ref().map(|numbers| Chart::new(numbers, Day::of(layout.now))),
        statistics_address: format!("/-/numbers{own_page}?version={}", address::query_value(at.version.as_str())),
        package_address: own_page,
        build: detail.build,
        layout: layout.clone(),
        is_private,
        has_signatures,
        signing_key,
        image,
        attributes,
        others,
        files,
        pager,
        notes,
        manage,
    };
    Ok(render(&layout, &page))
}

fn pager_of(at: &VersionAddress, start: u64, list: &operations::Page<ListedFile>) -> Pager {
    Pager::new(&address::version(at), &[], start, list.items.len(), list.total)
}

/// The size of the files, or their number if there are more pages.
fn size_of(list: &operations::Page<ListedFile>, pager: &Pager) -> String {
    let size: i64 = list.items.iter().map(|file| file.size).sum();
    if pager.is_needed() { sizes::counted(list.total, "file") } else { sizes::bytes(size.unsigned_abs()) }
}

/// The date of the release, if it is not the day when its first file was published.
fn released_apart(detail: &VersionDetail) -> Option<Timestamp> {
    let is_same = |released: &Timestamp| detail.version.first_published.map(Day::of) == Some(Day::of(*released));
    detail.version.profile.released.filter(|released| !is_same(released))
}

fn band(app: &App, at: &VersionAddress, detail: &VersionDetail, is_latest: bool, is_signed: bool) -> Band {
    let mut band = Band::of_version(at, &detail.package).at("Versions");
    if detail.version.is_draft {
        // Only publishers see it, also in a public repository.
        band.states.clear();
    }
    let states = [
        (is_latest && detail.version.published_files > 0, ("info", "check", "Latest")),
        (detail.version.is_draft, ("warn", "pen", "Draft")),
        (is_prerelease(app, &detail.package.repo.repo.kind, at.version.as_str()), ("trial", "flask", "Pre-release")),
        (detail.marks.iter().any(|mark| mark.name == YANKED), ("bad", "ban", "Yanked")),
        (is_signed, ("good", "shield", "Signed")),
    ];
    let shown = states.into_iter().filter(|(is_shown, _)| *is_shown);
    band.states.extend(shown.map(|(_, (kind, icon, word))| parts::state(kind, icon, word)));
    band
}
