//! The custom licences of a user or an organization: lists, creates, changes and deletes them.

use axum::{extract::State, response::Response};
use model::{
    license::CustomLicense,
    names::{LicenseName, SubjectName},
    subject::SubjectKind,
};
use operations::{
    Error,
    catalogue::licenses::{self, LicenseAddress, LicenseChange},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    address,
    band::{Band, SubjectPages},
    form::{Field, Form, FormPage, Row, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The account that the URL names, and the page of its licences.
fn account(path: &PathNames) -> Result<(SubjectKind, SubjectName, String)> {
    let (kind, owner) = path.account()?;
    let accounts = if kind == SubjectKind::User { "users" } else { "orgs" };
    let page = address::path(["-", accounts, owner.as_str(), "licenses"]);
    Ok((kind, owner, page))
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let form = Form::with([("name", path.query("name")?.unwrap_or_default().to_owned())]);
    Ok(list_form(&app, &visitor, &path, &form).await?.show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (kind, owner, page) = account(&path)?;
    let created = async {
        let license = LicenseName::parse_new(form.trimmed("name")?);
        let license = license.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
        let at = LicenseAddress { kind, owner: owner.clone(), license };
        licenses::create(app.house(), &visitor.caller, &at, change(&form)?).await?;
        Ok::<_, Failure>(())
    };
    match created.await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &page, Notice::success("The licence has been created."))),
        Err(failure) => list_form(&app, &visitor, &path, &form).await?.refused(&app, &visitor, failure),
    }
}

pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let found = find(&app, &visitor, &path).await?;
    let form = Form::with([("desc", found.description), ("url", found.url)]);
    Ok(edit_form(&app, &visitor, &path, &form).await?.show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (kind, owner, page) = account(&path)?;
    let at = LicenseAddress { kind, owner, license: path.license()? };
    let edited = async { Ok::<_, Failure>(licenses::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &page, Notice::success("The licence has been changed."))),
        Err(failure) => edit_form(&app, &visitor, &path, &form).await?.refused(&app, &visitor, failure),
    }
}

pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let (kind, owner, page) = account(&path)?;
    let at = LicenseAddress { kind, owner, license: path.license()? };
    match licenses::delete(app.house(), &visitor.caller, &at).await.map_err(Failure::from) {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &page, Notice::success("The licence has been deleted."))),
        Err(failure) => list_form(&app, &visitor, &path, &Form::default()).await?.refused(&app, &visitor, failure),
    }
}

async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<CustomLicense> {
    let ((kind, owner, _), license) = (account(path)?, path.license()?);
    let listed = licenses::list(app.house(), &visitor.caller, kind, &owner).await?;
    let not_found = || Error::NotFound { what: "Licence", name: license.to_string() };
    Ok(listed.into_iter().find(|found| found.name == license.as_str()).ok_or_else(not_found)?)
}

fn change(form: &Form) -> Result<LicenseChange> {
    Ok(LicenseChange {
        description: Some(form.trimmed("desc")?.to_owned()),
        url: Some(form.trimmed("url")?.to_owned()),
    })
}

fn fields(form: &Form) -> Vec<Field> {
    vec![Field::line("desc", "Full name", form.text("desc")), Field::line("url", "URL of the text", form.text("url"))]
}

async fn band(app: &App, visitor: &Visitor, kind: SubjectKind, owner: &SubjectName) -> Result<Band> {
    Ok(Band::of_subject(owner, SubjectPages::managed(app, visitor, kind, owner).await?).at("Licences"))
}

async fn list_form(app: &App, visitor: &Visitor, path: &PathNames, form: &Form) -> Result<FormPage> {
    let (kind, owner, page) = account(path)?;
    let listed = licenses::list(app.house(), &visitor.caller, kind, &owner).await?;
    let row = |license: CustomLicense| {
        let own = format!("{page}{}", address::path([license.name.as_str()]));
        Row {
            detail: [license.description, license.url]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(", "),
            remove: format!("{own}/delete"),
            button: "Delete",
            asks: "Packages can no longer name it. A licence that a package names cannot be deleted.",
            name: license.name,
            edit: own,
        }
    };
    let mut all = vec![Field::line("name", "Name", form.text("name")).required().hint("You cannot change it later.")];
    all.extend(fields(form));
    Ok(FormPage {
        band: band(app, visitor, kind, &owner).await?,
        title: "Licences".to_owned(),
        lead: "Licences besides the usual ones. Packages of this owner can name them.".to_owned(),
        back: address::path([owner.as_str()]),
        rows_title: "Custom licences",
        rows: listed.into_iter().map(row).collect(),
        new_title: "New licence",
        button: "Create licence",
        action: page,
        fields: all,
        ..FormPage::default()
    })
}

async fn edit_form(app: &App, visitor: &Visitor, path: &PathNames, form: &Form) -> Result<FormPage> {
    let ((kind, owner, page), license) = (account(path)?, path.license()?);
    Ok(FormPage {
        band: band(app, visitor, kind, &owner).await?,
        title: license.to_string(),
        action: format!("{page}{}", address::path([license.as_str()])),
        back: page,
        button: "Save",
        fields: fields(form),
        ..FormPage::default()
    })
}
