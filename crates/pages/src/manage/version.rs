//! Forms that create a version, and change one.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    names::VersionName,
    version::VersionProfile,
};
use operations::{
    PackageAccess,
    catalogue::{
        packages,
        versions::{self, VersionChange},
    },
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::settings_nav;
use crate::{
    address,
    band::Band,
    breadcrumbs,
    form::{Field, Form, FormPage, Submitted, checked, picked},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The form for a new version of a package.
pub(super) async fn show_new(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(new_form(&at, &Form::default()).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    match store(&app, &visitor, &at, &form).await {
        Ok(at) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::version(&at),
            Notice::success("The version has been created. Upload its files now."),
        )),
        Err(failure) => new_form(&at, &form).refused(&app, &visitor, failure),
    }
}

async fn store(app: &App, visitor: &Visitor, package: &PackageAddress, form: &Form) -> Result<VersionAddress> {
    let version = VersionName::parse_new(form.trimmed("name")?);
    let version = version.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = VersionAddress { package: package.clone(), version };
    versions::create(app.house(), &visitor.caller, &at, change(form)?).await?;
    Ok(at)
}

/// The form for the fields that may change.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.version_address()?;
    let detail = versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(edit_form(&at, &detail.package, &stored(&detail.version.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.version_address()?;
    let access = versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?.package;
    let edited = async { Ok::<_, Failure>(versions::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::version(&at),
            Notice::success("The version has been changed."),
        )),
        Err(failure) => edit_form(&at, &access, &form).refused(&app, &visitor, failure),
    }
}

fn change(form: &Form) -> Result<VersionChange> {
    Ok(VersionChange {
        description: Some(form.text("desc").to_owned()),
        labels: Some(form.lines("labels")),
        vcs_tag: Some(form.optional("vcs_tag")?),
        github_use_tag_release_notes: Some(form.is_checked("github_use_tag_release_notes")),
        // The form has no field for it.
        github_release_notes_file: None,
        released: Some(form.moment("released")?),
    })
}

fn stored(profile: &VersionProfile) -> Form {
    Form::with([
        ("desc", profile.description.clone()),
        ("labels", profile.labels.join("\n")),
        ("vcs_tag", profile.vcs_tag.clone().unwrap_or_default()),
        ("github_use_tag_release_notes", checked(profile.github_use_tag_release_notes)),
        ("released", picked(profile.released)),
    ])
}

fn new_form(at: &PackageAddress, form: &Form) -> FormPage {
    let name = Field::line("name", "Name", form.text("name"))
        .hint("For example 1.0.0. You cannot change it later.")
        .required();
    FormPage {
        breadcrumbs: breadcrumbs::of_package(at),
        title: format!("New version of {}", at.package),
        action: format!("/-/new/version{}", address::package(at)),
        button: "Create version",
        fields: [vec![name], profile_fields(form)].concat(),
        ..FormPage::default()
    }
}

fn edit_form(at: &VersionAddress, access: &PackageAccess, form: &Form) -> FormPage {
    FormPage {
        band: Band::of_version(at, access).at("Versions"),
        nav: settings_nav::of_version(at, "General"),
        back: address::version(at),
        title: "General".to_owned(),
        action: format!("/-/edit/version{}", address::version(at)),
        button: "Save",
        fields: profile_fields(form),
        ..FormPage::default()
    }
}

fn profile_fields(form: &Form) -> Vec<Field> {
    vec![
        Field::text("desc", "What is new", form.text("desc")),
        Field::list("labels", "Labels", form.text("labels")),
        Field::moment("released", "Released", form.text("released")).hint("If it is empty, the first publish sets it."),
        Field::line("vcs_tag", "Tag in version control", form.text("vcs_tag")),
        Field::check(
            "github_use_tag_release_notes",
            "Use the release notes of this tag",
            form.is_checked("github_use_tag_release_notes"),
        ),
    ]
}
