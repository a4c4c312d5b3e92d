//! Searches entitlements by key or tag.

use std::fmt::Display;

use axum::{extract::State, response::Response};
use model::names::{AccessKeyName, PackageName, RepoName, SubjectName, VersionName};
use operations::access::entitlements::{self, EntitlementSearchScope, EntitlementTerms, FoundEntitlement};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    paging,
    path_names::PathNames,
};

pub(crate) async fn search_entitlements(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let given = |name| Ok::<_, Failure>(path.query(name)?.filter(|text| !text.is_empty()));
    let key = given("access_key")?.map(AccessKeyName::parse).transpose();
    let terms = EntitlementTerms {
        access_key: key.map_err(|error| Failure::bad_request(format!("access_key: {error}")))?,
        tag: given("tag")?.map(str::to_owned),
        scope: scope(given("scope")?.unwrap_or_default())?,
    };
    let page = entitlements::search(app.house(), &caller, terms, path.start_position()?).await?;
    Ok(paging::respond(page, view))
}

/// Parses `subject[/repo[/package[/version]]]`.
fn scope(text: &str) -> Result<EntitlementSearchScope> {
    let mut parts = text.split('/');
    let scope = EntitlementSearchScope {
        owner: named(Some(parts.next().unwrap_or_default()), SubjectName::parse)?
            .ok_or_else(|| Failure::bad_request("scope: it is required"))?,
        repo: named(parts.next(), RepoName::parse)?,
        package: named(parts.next(), PackageName::parse)?,
        version: named(parts.next(), VersionName::parse)?,
    };
    match parts.next() {
        None => Ok(scope),
        Some(_) => Err(Failure::bad_request("scope: it is not subject[/repo[/package[/version]]]")),
    }
}

fn named<T, E: Display>(part: Option<&str>, parse: impl Fn(&str) -> std::result::Result<T, E>) -> Result<Option<T>> {
    part.map(parse).transpose().map_err(|error| Failure::bad_request(format!("scope: {error}")))
}

fn view(found: FoundEntitlement) -> api::FoundEntitlement {
    let detail = found.detail;
    api::FoundEntitlement {
        id: detail.id,
        access: entitlements::access_name(detail.right).to_owned(),
        access_keys: detail.access_keys,
        path: detail.path,
        tags: detail.tags,
        subject: found.owner.to_string(),
        repo: found.repo,
        package: found.package,
        version: found.version,
        product: found.product,
    }
}
