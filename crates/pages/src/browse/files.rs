//! The folders of a repository that the visitor may see.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use model::{address::RepoAddress, page::PAGE_SIZE, timestamp::Timestamp};
use operations::{
    Error,
    catalogue::repos,
    downloads::{self, FolderEntry, Resolved},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
    refusal::refuse_download,
};

use super::file_links::{download, link, way_to};
use crate::{
    address,
    band::Band,
    breadcrumbs,
    errors::allowed,
    layout::{Layout, render},
    natural,
    pager::{Pager, page_of},
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/files.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    repo: String,
    repo_address: String,
    /// The folders above this one and the folder itself, with their URLs.
    folders: Vec<(String, String)>,
    lines: Vec<Line>,
    pager: Pager,
    is_cut: bool,
}

struct Line {
    name: String,
    address: String,
    is_folder: bool,
    size: String,
    changed: Option<Timestamp>,
    is_staged: bool,
}

/// Shows a folder; for a file, redirects to the download surface.
pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    visitor.caller.check_may_download()?;
    let (at, start) = (path.repo_address()?, path.start_position()?);
    let file = if path.rest().is_empty() { None } else { Some(path.file_path()?) };
    let found = downloads::find(app.house(), &visitor.caller, &at, file.as_ref()).await;
    let found = match found {
        Err(Error::AgreementNeeded { owner, product, version }) => {
            return Ok(Redirect::to(&address::path(["eula", &*owner, &*product, &*version])).into_response());
        }
        other => other.map_err(|error| refusal(&app, error))?,
    };
    let folder = file.as_ref().map_or("", |file| file.as_str());
    let mut entries = match (found, &file) {
        (Resolved::Folder(entries), _) => entries,
        (Resolved::File(_), Some(file)) => {
            return Ok(Redirect::to(&way_to(&app, &visitor, &at, file).await?).into_response());
        }
        _ => return Ok(Redirect::to(&download(&app, &at, folder)).into_response()),
    };
    let repo = allowed(repos::show(app.house(), &visitor.caller, &at).await)?;
    // If the visitor may see only a part of the repository, it is private.
    let is_private = repo.as_ref().is_none_or(|access| access.repo.profile.is_private);
    let band = match &repo {
        Some(access) => Band::of_repo(&at, access).at("Files"),
        None => Band::plain(breadcrumbs::of_subject(&at.owner), at.repo.as_str()),
    };
    let by_name = |one: &FolderEntry, other: &FolderEntry| natural::compare(&one.name, &other.name);
    entries
        .entries
        .sort_by(|one, other| one.file.is_some().cmp(&other.file.is_some()).then_with(|| by_name(one, other)));
    let shown = page_of(&entries.entries, start);
    let total = entries.entries.len() as u64;
    let pager = Pager::new(&address::folder(&at, folder), &[], start, shown.len(), total);
    let layout = visitor.layout(&app);
    let page = Page {
        owner: at.owner.to_string(),
        repo: at.repo.to_string(),
        repo_address: address::repo(&at),
        folders: folders(&at, folder),
        lines: shown.iter().map(|entry| line(&app, &at, is_private, folder, entry)).collect(),
        is_cut: entries.is_cut && start + PAGE_SIZE >= total,
        layout: layout.clone(),
        band,
        pager,
    };
    Ok(render(&layout, &page))
}

/// Downloads ask for credentials if something may be hidden; a page says that nothing exists.
fn refusal(app: &App, error: Error) -> Failure {
    match error {
        Error::Unauthenticated(_) => Failure::nothing(),
        other => refuse_download(app, other),
    }
}

fn folders(at: &RepoAddress, folder: &str) -> Vec<(String, String)> {
    let mut above = String::new();
    let names = folder.split('/').filter(|name| !name.is_empty());
    names
        .map(|name| {
            above = format!("{above}/{name}");
            (name.to_owned(), address::folder(at, &above))
        })
        .collect()
}

fn line(app: &App, at: &RepoAddress, is_private: bool, folder: &str, entry: &FolderEntry) -> Line {
    let path = if folder.is_empty() { entry.name.clone() } else { format!("{folder}/{}", entry.name) };
    let Some(file) = &entry.file else {
        let address = address::folder(at, &path);
        return Line {
            name: entry.name.clone(),
            address,
            is_folder: true,
            size: String::new(),
            changed: None,
            is_staged: false,
        };
    };
    Line {
        name: entry.name.clone(),
        address: link(app, at, is_private, &path),
        is_folder: false,
        size: sizes::bytes(file.size.unsigned_abs()),
        changed: Some(file.changed),
        is_staged: !file.is_published,
    }
}
