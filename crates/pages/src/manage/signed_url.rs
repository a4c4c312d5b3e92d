//! The page that creates a signed URL, by which anyone may download a file for a limited time.

use axum::{extract::State, response::Response};
use model::{
    address::{RepoAddress, VersionAddress},
    file_path::FilePath,
};
use operations::downloads::signed_urls::{self, NewSignedUrl, UrlLifetime};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
    signed_url,
};

use super::file;
use crate::{
    address, breadcrumbs,
    form::{Field, Form, FormPage, Submitted},
    visitor::Visitor,
};

/// The units of the lifetime, with their seconds.
const UNITS: [&str; 3] = ["minutes", "hours", "days"];
const SECONDS: [i64; 3] = [60, 60 * 60, 24 * 60 * 60];

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (at, file, version) = file::find(&app, &visitor, &path).await?;
    let form = Form::with([("valid_for", "24".to_owned()), ("unit", "hours".to_owned())]);
    Ok(form_page(&at, &file, &version, &form).show(&app, &visitor))
}

/// Creates a signed URL and shows it on the response page: the URL is not stored, so a redirect could not show it.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (at, file, version) = file::find(&app, &visitor, &path).await?;
    let page = form_page(&at, &file, &version, &form);
    match make(&app, &visitor, &at, &file, &form).await {
        Ok(made) => Ok(FormPage { made, ..page }.show(&app, &visitor)),
        Err(failure) => page.refused(&app, &visitor, failure),
    }
}

async fn make(app: &App, visitor: &Visitor, at: &RepoAddress, file: &FilePath, form: &Form) -> Result<String> {
    let unit = UNITS.iter().position(|unit| *unit == form.text("unit"));
    let unit = unit.ok_or_else(|| Failure::bad_request(format!("unit: it is not one of {}", UNITS.join(", "))))?;
    let seconds = form.number("valid_for")?.map(|count| count.saturating_mul(SECONDS[unit]));
    let new = NewSignedUrl { life: seconds.map(UrlLifetime::Seconds), callback_id: form.optional("callback_id")? };
    let signature = signed_urls::create(app.house(), &visitor.caller, at, file, &new).await?;
    Ok(signed_url::full(app, at, file, &signature))
}

fn form_page(at: &RepoAddress, file: &FilePath, version: &VersionAddress, form: &Form) -> FormPage {
    FormPage {
        breadcrumbs: breadcrumbs::of_version(version),
        title: format!("Signed URL of {}", file.file_name()),
        lead: "Anyone with the signed URL can download the file until it expires, without signing in.".to_owned(),
        action: format!("/-/signed-url{}", address::file(at, file.as_str())),
        button: "Create a signed URL",
        fields: vec![
            Field::line("valid_for", "Valid for", form.text("valid_for"))
                .hint("At most 365 days. Empty for the default of this server."),
            Field::choice("unit", "Unit", UNITS, form.text("unit")),
            Field::line("callback_id", "Label", form.text("callback_id"))
                .hint("Optional. It appears in the download log."),
        ],
        ..FormPage::default()
    }
}
