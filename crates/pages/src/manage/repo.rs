//! Forms that create a repository, and change one.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::RepoAddress,
    names::{RepoName, SubjectName},
    repo_type::DEFAULT_REPO_TYPE,
};
use operations::{
    House, RepoAccess,
    catalogue::repos::{self, RepoChange},
    indexes,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    repo_fields::{change, change_of, profile_fields, stored, type_fields},
    settings_nav,
};
use crate::{
    address,
    band::Band,
    breadcrumbs,
    form::{Field, Form, FormPage, Submitted},
    notice::{self, Notice},
    parts,
    visitor::Visitor,
};

/// The form for a new repository of a subject.
pub(super) async fn show_new(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let owner = path.subject("subject")?;
    repos::check_create(app.house(), &visitor.caller, &owner).await?;
    let form = Form::with([("type", DEFAULT_REPO_TYPE.to_owned())]);
    Ok(new_form(app.house(), &owner, &form).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let owner = path.subject("subject")?;
    repos::check_create(app.house(), &visitor.caller, &owner).await?;
    match store(&app, &visitor, &owner, &form).await {
        Ok(at) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::repo(&at),
            Notice::success("The repository has been created."),
        )),
        Err(failure) => new_form(app.house(), &owner, &form).refused(&app, &visitor, failure),
    }
}

async fn store(app: &App, visitor: &Visitor, owner: &SubjectName, form: &Form) -> Result<RepoAddress> {
    let repo =
        RepoName::parse(form.trimmed("name")?).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let kind = form.optional("type")?.unwrap_or_else(|| DEFAULT_REPO_TYPE.to_owned());
    let at = RepoAddress { owner: owner.clone(), repo };
    // The fields of some types are asked for after the repository exists and its type is known.
    let change = RepoChange {
        default_debian_distribution: None,
        default_debian_component: None,
        default_debian_architecture: None,
        yum_metadata_depth: None,
        debian_valid_days: None,
        debian_contents: None,
        native_staged: None,
        untagged_days: None,
        ..change(form)?
    };
    repos::create(app.house(), &visitor.caller, &at, &kind, change).await?;
    Ok(at)
}

/// The form for the fields that may change.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    let access = repos::show_for(app.house(), &visitor.caller, &at, Right::Own).await?;
    Ok(edit_form(app.house(), &at, &access, &stored(&access.repo.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.repo_address()?;
    let access = repos::show_for(app.house(), &visitor.caller, &at, Right::Own).await?;
    let edited = async {
        let change = change_of(app.house(), &access.repo, &form)?;
        Ok::<_, Failure>(indexes::edit_repo(app.house(), &visitor.caller, &at, change).await?)
    };
    match edited.await {
        Ok(()) => Ok(notice::redirect(
            &app,
            &visitor,
            &address::repo(&at),
            Notice::success("The repository has been changed."),
        )),
        Err(failure) => edit_form(app.house(), &at, &access, &form).refused(&app, &visitor, failure),
    }
}

fn new_form(house: &House, owner: &SubjectName, form: &Form) -> FormPage {
    let types = house.repo_types().into_iter().map(|kind| (kind, parts::format_title(kind)));
    let mut fields = vec![
        Field::line("name", "Name", form.text("name"))
            .hint("Letters, digits, dots, dashes and underscores. You cannot change it later.")
            .required(),
        Field::titled_choice("type", "Type", types, form.text("type")).hint("You cannot change it later."),
    ];
    fields.extend(profile_fields(form));
    FormPage {
        breadcrumbs: breadcrumbs::of_subject(owner),
        title: format!("New repository of {owner}"),
        action: address::path(["-", "new", "repo", owner.as_str()]),
        button: "Create repository",
        fields,
        ..FormPage::default()
    }
}

fn edit_form(house: &House, at: &RepoAddress, access: &RepoAccess, form: &Form) -> FormPage {
    let mut fields = profile_fields(form);
    fields.extend(type_fields(house, &access.repo, form));
    FormPage {
        band: Band::of_repo(at, access).at("Settings"),
        nav: settings_nav::of_repo(at, "General"),
        back: address::repo(at),
        title: "General".to_owned(),
        action: address::path(["-", "edit", "repo", at.owner.as_str(), at.repo.as_str()]),
        button: "Save",
        fields,
        ..FormPage::default()
    }
}
