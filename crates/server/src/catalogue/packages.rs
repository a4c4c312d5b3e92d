//! Packages.

use axum::{Json, extract::State, http::StatusCode};
use model::{address::PackageAddress, names::PackageName, package::PackageChange};
use operations::{
    catalogue::{
        attributes,
        packages::{self, PackageDetail},
    },
    content, run_to_end,
};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

use crate::catalogue::attributes::values;

pub(crate) async fn show_package(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::Package>> {
    let detail = packages::show(app.house(), &caller, &path.package_address()?).await?;
    Ok(Json(view_as_asked(&app, &path, detail).await?))
}

pub(crate) async fn create_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(named, body): JsonParts<api::Named, api::PackageChange>,
) -> Result<(StatusCode, Json<api::Package>)> {
    let package =
        PackageName::parse_new(&named.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = PackageAddress { repo: path.repo_address()?, package };
    let package = packages::create(app.house(), &caller, &at, change(body)?).await?;
    Ok((StatusCode::CREATED, Json(view(package))))
}

pub(crate) async fn edit_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::PackageChange>,
) -> Result<Json<api::Message>> {
    packages::edit(app.house(), &caller, &path.package_address()?, change(body)?).await?;
    Ok(Json(api::Message::success()))
}

/// Deletes a package. Runs to the end even if the client disconnects: one with very many files takes a while.
pub(crate) async fn delete_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    let at = path.package_address()?;
    run_to_end(async move { content::delete_package(app.house(), &caller, &at).await }).await?;
    Ok(Json(api::Message::success()))
}

fn change(body: api::PackageChange) -> Result<PackageChange> {
    let notes = match (body.github_release_notes, body.github_release_notes_file) {
        (Some(one), Some(other)) if one != other => {
            let reason = "github_release_notes: it differs from github_release_notes_file, which is the same value";
            return Err(Failure::bad_request(reason));
        }
        (one, other) => one.or(other),
    };
    let are_numbers_public = match (body.public_download_numbers, body.public_stats) {
        (Some(one), Some(other)) if one != other => {
            let reason =
                "public_stats: it differs from public_download_numbers, which is the same value; send one of them";
            return Err(Failure::bad_request(reason));
        }
        (one, other) => one.or(other),
    };
    Ok(PackageChange {
        description: body.desc,
        labels: body.labels,
        licenses: body.licenses,
        custom_licenses: body.custom_licenses,
        website_url: body.website_url,
        issue_tracker_url: body.issue_tracker_url,
        vcs_url: body.vcs_url,
        github_repo: body.github_repo,
        github_release_notes_file: notes,
        public_download_numbers: are_numbers_public,
    })
}

/// A package, with the values of its attributes if the request asks for them.
pub(crate) async fn view_as_asked(app: &App, path: &PathNames, detail: PackageDetail) -> Result<api::Package> {
    let view = views_as_asked(app, path, vec![detail]).await?.pop();
    Ok(view.expect("each package has a view"))
}

/// Packages, with the values of their attributes if the request asks for them.
pub(super) async fn views_as_asked(
    app: &App,
    path: &PathNames,
    found: Vec<PackageDetail>,
) -> Result<Vec<api::Package>> {
    if !path.flag("attribute_values")? {
        return Ok(found.into_iter().map(view).collect());
    }
    let attributes = attributes::of_packages(app.house(), &found).await?;
    let views = found.into_iter().zip(attributes);
    Ok(views.map(|(detail, given)| api::Package { attributes: Some(values(&given)), ..view(detail) }).collect())
}

/// The details of a package as JSON.
pub(crate) fn view(detail: PackageDetail) -> api::Package {
    let is_publisher = detail.access.repo.is_publisher();
    let (repo, package) = (detail.access.repo.repo, detail.access.package);
    let profile = package.profile;
    let publisher = is_publisher.then(|| api::PublisherFields {
        github_repo: profile.github_repo,
        github_release_notes: profile.github_release_notes_file.clone(),
        github_release_notes_file: profile.github_release_notes_file,
        public_download_numbers: profile.public_download_numbers,
        public_stats: profile.public_download_numbers,
    });
    api::Package {
        name: package.name.to_string(),
        repo: repo.name.to_string(),
        owner: repo.owner.to_string(),
        desc: profile.description,
        labels: profile.labels,
        attribute_names: detail.attribute_names,
        licenses: profile.licenses,
        custom_licenses: profile.custom_licenses,
        rating: rating(package.rating_sum, package.rating_count),
        rating_count: package.rating_count,
        followers_count: package.followers_count,
        created: package.created.to_string(),
        updated: package.updated.to_string(),
        website_url: profile.website_url,
        issue_tracker_url: profile.issue_tracker_url,
        vcs_url: profile.vcs_url,
        publisher,
        linked_to_repos: detail.linked_to_repos,
        versions: detail.versions,
        latest_version: detail.latest_version,
        tags: detail.tags.into_iter().collect(),
        attributes: None,
    }
}

/// The average rating, rounded to the nearest integer; 0 without ratings.
fn rating(sum: i64, count: i64) -> i64 {
    if count == 0 { 0 } else { (2 * sum + count) / (2 * count) }
}
