//! Signs existing files.

use axum::{Json, extract::State, http::HeaderMap};
use model::{
    address::{PackageAddress, VersionAddress},
    names::{PackageName, VersionName},
};
use operations::{Error, content};
use web::{
    App, caller::SignedIn, error::Result, json::OptionalJsonBody, path_names::PathNames, signing_options::of_body,
};

/// Signs a version if the path names an existing one, else the file at that path.
pub(crate) async fn sign(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody<api::Signing>,
) -> Result<Json<api::Message>> {
    let (house, with) = (app.house(), of_body(&headers, Some(&path), body)?);
    let (repo, file) = (path.repo_address()?, path.file_path()?);
    let file = content::sign_file(house, &caller, &repo, &file, &with);
    match version_address(&path)? {
        None => file.await?,
        Some(version) => match content::sign_version(house, &caller, &version, &with).await {
            Err(missing @ Error::NotFound { what: "Package" | "Version", .. }) => match file.await {
                Err(Error::NotFound { what: "File", .. }) => Err(missing)?,
                other => other?,
            },
            other => other?,
        },
    }
    Ok(Json(api::Message::success()))
}

/// Parses `:package/versions/:version`, which the router takes for the path of a file.
fn version_address(path: &PathNames) -> Result<Option<VersionAddress>> {
    let repo = path.repo_address()?;
    Ok(match path.rest().as_slice() {
        [package, versions, version] if versions == "versions" => {
            let names = PackageName::parse(package).ok().zip(VersionName::parse(version).ok());
            names.map(|(package, version)| VersionAddress { package: PackageAddress { repo, package }, version })
        }
        _ => None,
    })
}
