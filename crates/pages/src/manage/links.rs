//! The page that links a package into other repositories, and removes the links.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    file_path::FilePath,
    names::{RepoName, SubjectName},
};
use operations::{
    PackageAccess,
    catalogue::{links, packages, repos},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::settings_nav;
use crate::{
    address,
    band::Band,
    errors::allowed,
    form::{Field, Form, FormPage, Row, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Shows the form to signed-in visitors who may read the package.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let found = find(&app, &visitor, &path).await?;
    Ok(form_page(found, &Form::default()).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let found = find(&app, &visitor, &path).await?;
    match store(&app, &visitor, &found.at, &form).await {
        Ok(repo) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::repo(&repo),
            Notice::success(format!("{} is now linked here.", found.at.package)),
        )),
        Err(failure) => form_page(found, &form).refused(&app, &visitor, failure),
    }
}

/// Removes the link to a package from a repository.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let (repo, source) = (path.repo_address()?, path.source_address()?);
    links::delete(app.house(), &visitor.caller, &repo, &source).await?;
    Ok(notice::redirect(
        &app,
        &visitor,
        &address::repo(&repo),
        Notice::success(format!("{} is no longer linked here.", source.package)),
    ))
}

/// A package that can be linked.
struct Linkable {
    at: PackageAddress,
    access: PackageAccess,
    /// The repositories that the visitor may write to.
    own: Vec<String>,
    /// The repositories that link it, and from which the visitor may remove it.
    linked: Vec<String>,
}

async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<Linkable> {
    let (house, caller) = (app.house(), &visitor.caller);
    let (user, at) = (visitor.user_name()?, path.package_address()?);
    let detail = packages::show(house, caller, &at).await?;
    let (access, shown) = (detail.access, detail.linked_to_repos);
    let own = repos::list(house, caller, &user).await?;
    let own: Vec<String> = own.into_iter().map(|repo| format!("{}/{}", repo.owner, repo.name)).collect();
    let mut linked = Vec::new();
    for repo in shown.into_iter().filter(|repo| own.contains(repo)) {
        if allowed(repos::show_for(house, caller, &repo_address(&repo)?, Right::Own).await)?.is_some() {
            linked.push(repo);
        }
    }
    Ok(Linkable { at, access, own, linked })
}

async fn store(app: &App, visitor: &Visitor, source: &PackageAddress, form: &Form) -> Result<RepoAddress> {
    let repo = repo_address(form.trimmed("repo")?)?;
    let prefix = form.trimmed("path_prefix")?.trim_end_matches('/');
    let prefix = Some(prefix).filter(|prefix| !prefix.is_empty()).map(FilePath::parse).transpose();
    let prefix = prefix.map_err(|error| Failure::bad_request(format!("path_prefix: {error}")))?;
    links::create(app.house(), &visitor.caller, &repo, source, prefix).await?;
    Ok(repo)
}

fn repo_address(text: &str) -> Result<RepoAddress> {
    let invalid = || Failure::bad_request("repo: it is not of the form subject/repository");
    let (owner, repo) = text.split_once('/').ok_or_else(invalid)?;
    let (owner, repo) = (SubjectName::parse(owner), RepoName::parse(repo));
    Ok(RepoAddress { owner: owner.map_err(|_| invalid())?, repo: repo.map_err(|_| invalid())? })
}

fn form_page(found: Linkable, form: &Form) -> FormPage {
    let Linkable { at, access, own, linked } = found;
    let row = |linked: String| {
        let remove = address::unlink(&repo_address(&linked).ok()?, &at);
        Some(Row { name: linked, remove, button: "Unlink", ..Row::default() })
    };
    // Visitors who may not change the package have no other forms about it.
    let nav = if access.repo.is_publisher() { settings_nav::of_package(&at, "Links") } else { Vec::new() };
    FormPage {
        band: Band::of_package(&at, &access).at("Settings"),
        nav,
        back: address::package(&at),
        title: format!("Link {}", at.package),
        lead: "A linked package also appears in another repository, and people can download it from there.".to_owned(),
        action: format!("/-/link{}", address::package(&at)),
        rows_title: "Repositories that it is linked into",
        rows: linked.into_iter().filter_map(row).collect(),
        button: "Link",
        fields: vec![
            Field::line("repo", "Target repository", form.text("repo"))
                .hint("As subject/repository; you must own it.")
                .suggest(own)
                .required(),
            Field::line("path_prefix", "Folder", form.text("path_prefix"))
                .hint("Shows only files in this folder. Empty for all files."),
        ],
        ..FormPage::default()
    }
}
