//! The page that makes an address by which anyone may download a file for a while.

use axum::{extract::State, response::Response};
use model::{
    address::{RepoAddress, VersionAddress},
    file_path::FilePath,
};
use operations::downloads::signed_urls::{self, NewSignedUrl, UrlLifetime};

use super::file;
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        address, breadcrumbs, fields::Field, form_page::FormPage, posted::Submitted, sent::Sent, visitor::Visitor,
    },
    path_names::PathNames,
    signed_urls::address as signed_address,
};

/// The units of a life, with their seconds.
const UNITS: [&str; 3] = ["minutes", "hours", "days"];
const SECONDS: [i64; 3] = [60, 60 * 60, 24 * 60 * 60];

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (at, file, version) = file::find(&app, &visitor, &path).await?;
    let sent = Sent::of([("valid_for", "24".to_owned()), ("unit", "hours".to_owned())]);
    Ok(form(&at, &file, &version, &sent).show(&app, &visitor))
}

/// The address is on the page that answers: nothing of it is kept, so there is nothing to come back to.
pub(super) async fn create(Submitted { app, visitor, path, form: sent }: Submitted<Sent>) -> Result<Response> {
    let (at, file, version) = file::find(&app, &visitor, &path).await?;
    let form = form(&at, &file, &version, &sent);
    match make(&app, &visitor, &at, &file, &sent).await {
        Ok(made) => Ok(FormPage { made, ..form }.show(&app, &visitor)),
        Err(failure) => form.refused(&app, &visitor, failure),
    }
}

async fn make(app: &App, visitor: &Visitor, at: &RepoAddress, file: &FilePath, sent: &Sent) -> Result<String> {
    let unit = UNITS.iter().position(|unit| *unit == sent.text("unit"));
    let unit = unit.ok_or_else(|| Failure::bad_request(format!("unit: it is not one of {}", UNITS.join(", "))))?;
    let seconds = sent.number("valid_for")?.map(|count| count.saturating_mul(SECONDS[unit]));
    let new = NewSignedUrl { life: seconds.map(UrlLifetime::Seconds), callback_id: sent.optional("callback_id") };
    let signature = signed_urls::create(app.house(), &visitor.caller, at, file, &new).await?;
    Ok(signed_address(app, at, file, &signature))
}

fn form(at: &RepoAddress, file: &FilePath, version: &VersionAddress, sent: &Sent) -> FormPage {
    FormPage {
        breadcrumbs: breadcrumbs::of_version(version),
        title: format!("Signed address of {}", file.file_name()),
        lead: "Whoever has the address can download the file until it expires, without signing in.".to_owned(),
        action: format!("/-/signed-url{}", address::file(at, file.as_str())),
        button: "Make an address",
        fields: vec![
            Field::line("valid_for", "Good for", sent.text("valid_for"))
                .hint("365 days at most. Leave it empty for what is usual here."),
            Field::choice("unit", "Unit", &UNITS, sent.text("unit")),
            Field::line("callback_id", "Name of the address", sent.text("callback_id"))
                .hint("It stands in the log of downloads. It can be left empty."),
        ],
        ..FormPage::default()
    }
}
