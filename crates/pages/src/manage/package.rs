//! Forms that create a package, and change one.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    names::PackageName,
};
use operations::{
    PackageAccess,
    catalogue::{packages, repos},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    license_offers,
    package_fields::{change, profile_fields, stored},
    settings_nav,
};
use crate::{
    address,
    band::Band,
    breadcrumbs,
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
    let form = license_offers::take(&app, &visitor, &at.owner, form).await?;
    match store(&app, &visitor, &at, &form).await {
        Ok(at) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::package(&at),
            Notice::success("The package has been created."),
        )),
        Err(failure) => offering(new_form(&at, &form), &form, &failure).refused(&app, &visitor, failure),
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
    let access = packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(edit_form(&at, &access, &stored(&access.package.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    let access = packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    let form = license_offers::take(&app, &visitor, &access.repo.repo.owner, form).await?;
    let edited = async { Ok::<_, Failure>(packages::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::package(&at),
            Notice::success("The package has been changed."),
        )),
        Err(failure) => offering(edit_form(&at, &access, &form), &form, &failure).refused(&app, &visitor, failure),
    }
}

/// The form with what it offers about refused licences.
fn offering(mut page: FormPage, form: &Form, failure: &Failure) -> FormPage {
    license_offers::add(&mut page.fields, form, failure.message());
    page
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

fn edit_form(at: &PackageAddress, access: &PackageAccess, form: &Form) -> FormPage {
    FormPage {
        band: Band::of_package(at, access).at("Settings"),
        nav: settings_nav::of_package(at, "General"),
        back: address::package(at),
        title: "General".to_owned(),
        action: format!("/-/edit/package{}", address::package(at)),
        button: "Save",
        fields: profile_fields(form),
        ..FormPage::default()
    }
}
