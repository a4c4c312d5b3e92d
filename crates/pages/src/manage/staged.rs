//! Staged files of a version: publish and discard them, and sign published ones.

use axum::response::Response;
use model::{access::Right, address::VersionAddress};
use operations::{
    catalogue::versions,
    content, oci,
    signing::{SecretText, SigningOptions},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    address,
    browse::version::refused,
    errors::allowed,
    form::{Form, Submitted},
    notice::{self, Notice},
    sizes,
    visitor::Visitor,
};

pub(super) async fn publish(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let published = oci::publish(app.house(), &visitor.caller, &at, &with(&form)).await;
    let published = published.map(|(files, _)| format!("Published: {}.", sizes::counted(files, "file")));
    answer(&app, &visitor, &at, published.map_err(Failure::from)).await
}

pub(super) async fn discard(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let discarded = oci::discard(app.house(), &visitor.caller, &at).await;
    let discarded = discarded.map(|files| format!("Discarded: {}.", sizes::counted(files, "file")));
    answer(&app, &visitor, &at, discarded.map_err(Failure::from)).await
}

pub(super) async fn sign(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let signed = content::sign_version(app.house(), &visitor.caller, &at, &with(&form)).await;
    let signed = signed.map(|()| "The version has been signed.".to_owned());
    answer(&app, &visitor, &at, signed.map_err(Failure::from)).await
}

/// The version, for those who may publish in it. The tag of a pushed image has no version before it is published.
async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<VersionAddress> {
    let at = path.version_address()?;
    if !is_waiting(app, visitor, &at).await? {
        versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    }
    Ok(at)
}

async fn is_waiting(app: &App, visitor: &Visitor, at: &VersionAddress) -> Result<bool> {
    let (repo, package) = (&at.package.repo, Some(&at.package.package));
    let found = allowed(oci::list_waiting(app.house(), &visitor.caller, repo, package).await)?;
    Ok(found.into_iter().flatten().any(|tag| tag.tag == at.version.as_str()))
}

fn with(form: &Form) -> SigningOptions {
    let passphrase = Some(form.text("passphrase")).filter(|text| !text.is_empty());
    SigningOptions {
        passphrase: passphrase.map(|text| SecretText::presented(text.to_owned())),
        ..SigningOptions::default()
    }
}

/// Redirects to the version with a notice, or to its repository if it is gone; or shows it with the reason of the
/// rejection.
async fn answer(app: &App, visitor: &Visitor, at: &VersionAddress, done: Result<String>) -> Result<Response> {
    match done {
        Ok(text) => {
            let found = allowed(versions::show(app.house(), &visitor.caller, at).await)?;
            let page = found.map_or_else(|| address::repo(&at.package.repo), |_| address::version(at));
            Ok(notice::redirect(app, visitor, &page, Notice::success(text)))
        }
        Err(failure) => refused(app, visitor, at, failure).await,
    }
}
