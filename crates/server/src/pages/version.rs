//! The page of a version: its files with what proves them, its release notes, and how to use it.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use database::file_list::{ListedFile, Shown};
use model::{
    address::{RepoAddress, VersionAddress},
    timestamp::Timestamp,
};
use operations::{
    attributes::{self, Names, Object},
    documents::{self, DocumentAddress},
    files, versions,
};

use super::{
    address,
    attributes::{Attribute, shown_attribute},
    commands::{self, Command},
    errors::allowed,
    file_links::link,
    prose::{self, Prose},
    shell::{Shell, render},
    sizes,
    steps::Steps,
    visitor::Visitor,
};
use crate::{App, error::Result, path_names::PathNames};

#[derive(Template)]
#[template(path = "version.html")]
struct Page {
    shell: Shell,
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
    steps: Steps,
    notes: Option<Prose>,
    commands: Vec<Command>,
}

struct File {
    path: String,
    address: String,
    size: String,
    sha1: String,
    sha256: String,
    /// The address of its signature, when it has one.
    signature: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    if path.is_latest() {
        let at = path.package_address()?;
        let version = versions::show_latest(house, caller, &at).await?.version.name;
        return Ok(Redirect::to(&address::version(&VersionAddress { package: at, version })).into_response());
    }
    let (at, start) = (path.version_address()?, path.start_position()?);
    let detail = versions::show(house, caller, &at).await?;
    let notes = allowed(documents::show(house, caller, &DocumentAddress::VersionNotes(at.clone())).await)?;
    let notes = match notes {
        Some(document) => Some(prose::render(document).await?),
        None => None,
    };
    let attributes = attributes::list(house, caller, &Object::Version(at.clone()), &Names::All).await?;
    let list = files::list_of_version(house, caller, &at, Shown::Published, start).await?;
    let steps = Steps::new(&address::version(&at), &[], start, list.items.len(), list.total);
    let paths: Vec<String> = list.items.iter().map(|file| file.path.to_string()).collect();
    let (repo, version) = (&detail.package.repo.repo, detail.version);
    let shell = visitor.shell(&app);
    let page = Page {
        owner: at.package.repo.owner.to_string(),
        repo: at.package.repo.repo.to_string(),
        repo_address: address::repo(&at.package.repo),
        package: at.package.package.to_string(),
        package_address: address::package(&at.package),
        name: at.version.to_string(),
        is_private: repo.profile.is_private,
        commands: commands::of_version(&app, &at, repo, &paths),
        files: lines(&app, &at.package.repo, repo.profile.is_private, &list.items),
        created: sizes::day(version.created),
        released: day_of(version.profile.released),
        published: day_of(version.first_published),
        description: version.profile.description,
        labels: version.profile.labels,
        vcs_tag: version.profile.vcs_tag.unwrap_or_default(),
        attributes: attributes.iter().map(shown_attribute).collect(),
        shell: shell.clone(),
        steps,
        notes,
    };
    Ok(render(&shell, &page))
}

/// The files, each with its signature; that is a file of its own only where what it signs is not on the same page.
fn lines(app: &App, at: &RepoAddress, is_private: bool, files: &[ListedFile]) -> Vec<File> {
    let is_here = |path: &str| files.iter().any(|file| file.path.as_str() == path);
    let address = |path: &str| link(app, at, is_private, path);
    let is_own = |file: &&ListedFile| !file.path.as_str().strip_suffix(".asc").is_some_and(is_here);
    let line = |file: &ListedFile| {
        let signature = format!("{}.asc", file.path);
        File {
            address: address(file.path.as_str()),
            signature: if is_here(&signature) { address(&signature) } else { String::new() },
            size: sizes::bytes(file.size.unsigned_abs()),
            sha1: file.sha1.clone(),
            sha256: file.sha256.clone(),
            path: file.path.to_string(),
        }
    };
    files.iter().filter(is_own).map(line).collect()
}

fn day_of(at: Option<Timestamp>) -> String {
    at.map(sizes::day).unwrap_or_default()
}
