//! Forms that create a package, and change one.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    names::PackageName,
};
use operations::catalogue::{packages, repos};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::package_fields::{change, profile_fields, stored};
use crate::{
    address, breadcrumbs,
    form::{Field, Form, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The form for a new package of a repository.
pub(super) async fn show_new(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    repos::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(new_form(&at, &Form::default()).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.repo_address()?;
    repos::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    match store(&app, &visitor, &at, &form).await {
        Ok(at) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::package(&at),
            Notice::success("The package has been created."),
        )),
        Err(failure) => new_form(&at, &form).refused(&app, &visitor, failure),
    }
}

async fn store(app: &App, visitor: &Visitor, repo: &RepoAddress, form: &Form) -> Result<PackageAddress> {
    let package = PackageName::parse_new(form.trimmed("name")?);
    let package = package.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = PackageAddress { repo: repo.clone(), package };
    packages::create(app.house(), &visitor.caller, &at, change(form)?).await?;
    Ok(at)
}

/// The form for the fields that may change.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let package = packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?.package;
    Ok(edit_form(&at, &stored(&package.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    let edited = async { Ok::<_, Failure>(packages::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::package(&at),
            Notice::success("The package has been changed."),
        )),
        Err(failure) => edit_form(&at, &form).refused(&app, &visitor, failure),
    }
}

fn new_form(at: &RepoAddress, form: &Form) -> FormPage {
    let name = Field::line("name", "Name", form.text("name")).hint("You cannot change it later.").required();
    FormPage {
        breadcrumbs: breadcrumbs::of_repo(at),
        title: "New package".to_owned(),
        action: address::path(["-", "new", "package", at.owner.as_str(), at.repo.as_str()]),
        button: "Create package",
        fields: [vec![name], profile_fields(form)].concat(),
        ..FormPage::default()
    }
}

fn edit_form(at: &PackageAddress, form: &Form) -> FormPage {
    FormPage {
        breadcrumbs: breadcrumbs::of_package(at),
        title: format!("Edit {}", at.package),
        action: format!("/-/edit/package{}", address::package(at)),
        button: "Save",
        fields: profile_fields(form),
        ..FormPage::default()
    }
}
