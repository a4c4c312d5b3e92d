//! Searches by a part of a name or a description.

use axum::{extract::State, response::Response};
use database::search::{Scope, Terms};
use model::{
    names::{InvalidName, RepoName, SubjectName},
    search_term::SearchTerm,
};
use operations::search;

use crate::{
    App, accounts,
    caller::{Asking, SignedIn},
    catalogue,
    error::{Failure, Result},
    paging,
    path_names::PathNames,
};

pub(crate) async fn search_repos(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = search::repos(app.house(), &caller, &terms(&path)?, path.start_position()?).await?;
    Ok(paging::respond(page, catalogue::repo_view))
}

pub(crate) async fn search_packages(
    State(app): State<App>,
    Asking(caller): Asking,
    path: PathNames,
) -> Result<Response> {
    let scope =
        Scope { owner: named(&path, "subject", SubjectName::parse)?, repo: named(&path, "repo", RepoName::parse)? };
    let page = search::packages(app.house(), &caller, &terms(&path)?, &scope, path.start_position()?).await?;
    Ok(paging::respond(page, catalogue::package_view))
}

pub(crate) async fn search_users(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let name = term(&path, "name")?;
    let page = search::users(app.house(), &caller, name.as_ref(), path.start_position()?).await?;
    Ok(paging::respond(page, accounts::user_view))
}

fn terms(path: &PathNames) -> Result<Terms> {
    Ok(Terms { name: term(path, "name")?, description: term(path, "desc")? })
}

fn term(path: &PathNames, field: &str) -> Result<Option<SearchTerm>> {
    let text = path.query(field)?.unwrap_or_default();
    SearchTerm::parse(text).map_err(|reason| Failure::bad_request(format!("{field}: {reason}")))
}

/// A name that is given exactly; an empty one is none.
fn named<T>(
    path: &PathNames,
    field: &str,
    parse: fn(&str) -> std::result::Result<T, InvalidName>,
) -> Result<Option<T>> {
    match path.query(field)? {
        None | Some("") => Ok(None),
        Some(text) => parse(text).map(Some).map_err(|error| Failure::bad_request(format!("{field}: {error}"))),
    }
}
