//! Forms that create a package, and change one.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    names::PackageName,
};
use operations::catalogue::{packages, repos};

use super::package_fields::{change, profile_fields, stored};
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        address, breadcrumbs, fields::Field, flash, form_page::FormPage, posted::Submitted, sent::Sent,
        visitor::Visitor,
    },
    path_names::PathNames,
};

/// The form for a new package of a repository.
pub(super) async fn show_new(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    repos::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(new_form(&at, &Sent::default()).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form: sent }: Submitted<Sent>) -> Result<Response> {
    let at = path.repo_address()?;
    repos::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    match store(&app, &visitor, &at, &sent).await {
        Ok(at) => Ok(flash::go(&app, &address::package(&at), "The package has been created.")),
        Err(failure) => new_form(&at, &sent).refused(&app, &visitor, failure),
    }
}

async fn store(app: &App, visitor: &Visitor, repo: &RepoAddress, sent: &Sent) -> Result<PackageAddress> {
    let package = PackageName::parse_new(sent.line("name"));
    let package = package.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = PackageAddress { repo: repo.clone(), package };
    packages::create(app.house(), &visitor.caller, &at, change(sent)).await?;
    Ok(at)
}

/// The form for what may change.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let package = packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?.package;
    Ok(edit_form(&at, &stored(&package.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form: sent }: Submitted<Sent>) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    match packages::edit(app.house(), &visitor.caller, &at, change(&sent)).await {
        Ok(()) => Ok(flash::go(&app, &address::package(&at), "The package has been changed.")),
        Err(error) => edit_form(&at, &sent).refused(&app, &visitor, error.into()),
    }
}

fn new_form(at: &RepoAddress, sent: &Sent) -> FormPage {
    let name = Field::line("name", "Name", sent.text("name")).hint("It stays for good.").required();
    FormPage {
        breadcrumbs: breadcrumbs::of_repo(at),
        title: "New package".to_owned(),
        action: address::path(["-", "new", "package", at.owner.as_str(), at.repo.as_str()]),
        button: "Create the package",
        fields: [vec![name], profile_fields(sent)].concat(),
        ..FormPage::default()
    }
}

fn edit_form(at: &PackageAddress, sent: &Sent) -> FormPage {
    FormPage {
        breadcrumbs: breadcrumbs::of_package(at),
        title: format!("Edit {}", at.package),
        action: format!("/-/edit/package{}", address::package(at)),
        button: "Save",
        fields: profile_fields(sent),
        ..FormPage::default()
    }
}
