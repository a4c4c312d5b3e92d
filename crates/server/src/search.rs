//! Searches by part of a name or a description.

use axum::{extract::State, response::Response};
use model::{
    names::{RepoName, SubjectName},
    search::{SearchScope, SearchTerms},
    search_term::SearchTerm,
    search_words::SearchWords,
    timestamp::Timestamp,
    wildcard::Wildcard,
};
use operations::search::{self, FileTerms};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    paging,
    path_names::PathNames,
};

use crate::{accounts, catalogue, content};

pub(crate) async fn search_repos(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = search::repos(app.house(), &caller, &terms(&path)?, path.start_position()?).await?;
    Ok(paging::respond(page, |access| catalogue::repo_view(app.house(), access)))
}

pub(crate) async fn search_packages(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let plain = |text: &str| Ok::<_, String>(text.to_owned());
    let scope = SearchScope {
        format: given(&path, "format", plain)?,
        license: given(&path, "license", plain)?,
        label: term(&path, "label")?,
        ..scope(&path)?
    };
    let page = search::packages(app.house(), &caller, &terms(&path)?, &scope, path.start_position()?).await?;
    Ok(paging::respond(page, catalogue::package_view))
}

pub(crate) async fn search_files(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let pattern = Wildcard::parse(path.query("name")?.unwrap_or_default());
    let terms = FileTerms {
        name: pattern.map_err(|reason| Failure::bad_request(format!("name: {reason}")))?,
        sha1: given(&path, "sha1", |text| text.parse().map_err(|_| not_sha1(text)))?,
        scope: scope(&path)?,
        created_after: given(&path, "created_after", Timestamp::parse)?,
    };
    let page = search::files(app.house(), &caller, terms, path.start_position()?).await?;
    Ok(paging::respond(page, content::file_view))
}

fn not_sha1(text: &str) -> String {
    format!("'{}' is not 40 hexadecimal digits", text.chars().take(60).collect::<String>())
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

fn terms(path: &PathNames) -> Result<SearchTerms> {
    let words = SearchWords::parse(path.query("q")?.unwrap_or_default());
    let words = words.map_err(|reason| Failure::bad_request(format!("q: {reason}")))?;
    Ok(SearchTerms { name: term(path, "name")?, description: term(path, "desc")?, words, ..SearchTerms::default() })
}

fn term(path: &PathNames, field: &str) -> Result<Option<SearchTerm>> {
    let text = path.query(field)?.unwrap_or_default();
    SearchTerm::parse(text).map_err(|reason| Failure::bad_request(format!("{field}: {reason}")))
}

fn scope(path: &PathNames) -> Result<SearchScope> {
    let (owner, repo) = (given(path, "subject", SubjectName::parse)?, given(path, "repo", RepoName::parse)?);
    Ok(SearchScope { owner, repo, ..SearchScope::default() })
}

/// Parses a parameter; an empty one counts as absent.
fn given<T, E: std::fmt::Display>(
    path: &PathNames,
    field: &str,
    parse: impl Fn(&str) -> std::result::Result<T, E>,
) -> Result<Option<T>> {
    match path.query(field)? {
        None | Some("") => Ok(None),
        Some(text) => parse(text).map(Some).map_err(|error| Failure::bad_request(format!("{field}: {error}"))),
    }
}
