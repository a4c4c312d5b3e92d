//! Versions of packages.

use axum::{Json, extract::State, http::StatusCode};
use model::{address::VersionAddress, names::VersionName, timestamp::Timestamp, trusted_publisher::Build};
use operations::{
    Caller,
    catalogue::{
        attributes,
        versions::{self, VersionDetail},
    },
    content, native, run_to_end,
};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

use crate::catalogue::attributes::values;

pub(crate) async fn show_version(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::Version>> {
    let detail = if path.is_latest() {
        versions::show_latest(app.house(), &caller, &path.package_address()?).await?
    } else {
        versions::show(app.house(), &caller, &path.version_address()?).await?
    };
    Ok(Json(view_as_asked(&app, &path, detail).await?))
}

pub(crate) async fn create_version(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(named, body): JsonParts<api::Named, api::VersionChange>,
) -> Result<(StatusCode, Json<api::Version>)> {
    let version =
        VersionName::parse_new(&named.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = VersionAddress { package: path.package_address()?, version };
    let marks = marks(&body);
    let mut detail = versions::create(app.house(), &caller, &at, change(body)?).await?;
    if !marks.is_empty() {
        set_marks(&app, &caller, &at, marks).await?;
        detail = versions::show(app.house(), &caller, &at).await?;
    }
    Ok((StatusCode::CREATED, Json(view(detail))))
}

pub(crate) async fn edit_version(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::VersionChange>,
) -> Result<Json<api::Message>> {
    let (at, marks) = (path.version_address()?, marks(&body));
    versions::edit(app.house(), &caller, &at, change(body)?).await?;
    set_marks(&app, &caller, &at, marks).await?;
    Ok(Json(api::Message::success()))
}

/// Deletes a version. Runs to the end even if the client disconnects: one with very many files takes a while.
pub(crate) async fn delete_version(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    let at = path.version_address()?;
    run_to_end(async move { content::delete_version(app.house(), &caller, &at).await }).await?;
    Ok(Json(api::Message::success()))
}

/// The marks that a body sets, with their texts, or takes away.
fn marks(body: &api::VersionChange) -> Vec<(&'static str, Option<String>)> {
    let sent = [("yanked", &body.yanked), ("deprecated", &body.deprecated)];
    let text = |mark: &Option<api::Mark>| mark.clone().and_then(api::Mark::into_text);
    sent.into_iter().filter_map(|(name, mark)| Some((name, text(mark.as_ref()?)))).collect()
}

async fn set_marks(
    app: &App,
    caller: &Caller,
    at: &VersionAddress,
    marks: Vec<(&'static str, Option<String>)>,
) -> Result<()> {
    for (name, text) in marks {
        native::set_mark(app.house(), caller, at, name, text).await?;
    }
    Ok(())
}

fn change(body: api::VersionChange) -> Result<versions::VersionChange> {
    let moment =
        |text: String| Timestamp::parse(&text).map_err(|error| Failure::bad_request(format!("released: {error}")));
    // Clients that cannot leave the field out send an empty one.
    let given = body.released.filter(|released| released.as_deref() != Some(""));
    Ok(versions::VersionChange {
        description: body.desc,
        labels: body.labels.or(body.lables),
        vcs_tag: body.vcs_tag,
        github_use_tag_release_notes: body.github_use_tag_release_notes,
        github_release_notes_file: body.github_release_notes_file,
        released: given.map(|released| released.map(moment).transpose()).transpose()?,
    })
}

/// A version, with the values of its attributes if the request asks for them.
pub(crate) async fn view_as_asked(app: &App, path: &PathNames, detail: VersionDetail) -> Result<api::Version> {
    let view = views_as_asked(app, path, vec![detail]).await?.pop();
    Ok(view.expect("each version has a view"))
}

/// Versions, with the values of their attributes if the request asks for them.
pub(super) async fn views_as_asked(
    app: &App,
    path: &PathNames,
    found: Vec<VersionDetail>,
) -> Result<Vec<api::Version>> {
    if !path.flag("attribute_values")? {
        return Ok(found.into_iter().map(view).collect());
    }
    let attributes = attributes::of_versions(app.house(), &found).await?;
    let views = found.into_iter().zip(attributes);
    Ok(views.map(|(detail, given)| api::Version { attributes: Some(values(&given)), ..view(detail) }).collect())
}

fn view(detail: VersionDetail) -> api::Version {
    let (repo, package, version) = (detail.package.repo.repo, detail.package.package, detail.version);
    let profile = version.profile;
    let mark = |name: &str| detail.marks.iter().find(|mark| mark.name == name).map(|mark| api::Mark::new(&mark.text));
    let (yanked, deprecated, unlisted) = (mark("yanked"), mark("deprecated"), mark("unlisted"));
    api::Version {
        name: version.name.to_string(),
        desc: profile.description,
        package: package.name.to_string(),
        repo: repo.name.to_string(),
        owner: repo.owner.to_string(),
        lables: profile.labels.clone(),
        labels: profile.labels,
        attribute_names: detail.attribute_names,
        created: version.created.to_string(),
        updated: version.updated.to_string(),
        released: profile.released.map(|released| released.to_string()),
        ordinal: version.ordinal,
        published: version.published_files > 0,
        vcs_tag: profile.vcs_tag,
        github_use_tag_release_notes: profile.github_use_tag_release_notes,
        github_release_notes_file: profile.github_release_notes_file,
        yanked,
        deprecated,
        unlisted,
        published_by: detail.build.map(build),
        attributes: None,
    }
}

fn build(build: Build) -> api::Build {
    api::Build { publisher: build.publisher, issuer: build.issuer, claims: build.claims.into_iter().collect() }
}
