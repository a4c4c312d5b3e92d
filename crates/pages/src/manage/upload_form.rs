//! Uploads of files by the form of a version page, for browsers without the script.

use axum::{body::Body, extract::State, http::HeaderMap, response::Response};
use model::{address::VersionAddress, file_path::FilePath};
use operations::{
    content::{self, ExpectedChecksums, UploadFlags},
    signing::{SecretText, SigningOptions},
};
use web::{
    App,
    error::{Failure, Result},
    multipart::Multipart,
    path_names::PathNames,
};

use super::upload::{check_version, target};
use crate::{
    address,
    browse::version::refused,
    form::{CHECKED, check_token, session_of},
    notice::{self, Notice, is_refusal},
    sizes,
    visitor::Visitor,
};

/// The most files of one form.
const FILES: u64 = 1_000;

/// Receives a form with files. Each file is stored separately, and rejected files are named.
pub(super) async fn upload_form(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let session = session_of(&visitor)?;
    let mut form = Multipart::new(&headers, body)?;
    // The token comes first, so that nothing is stored without it.
    let token = match form.next().await? {
        Some(part) if part.name == "form_token" => form.text().await?,
        _ => String::new(),
    };
    check_token(&app, session, &token)?;
    let at = check_version(&app, &visitor, &path).await?;
    let outcome = receive(&app, &visitor, &at, &mut form).await?;
    let stored = format!("{} stored.", sizes::counted(outcome.stored, "file"));
    match outcome.into_failure(&stored) {
        None => Ok(notice::redirect(&app, &visitor, &address::version(&at), Notice::success(stored))),
        Some(failure) => refused(&app, &visitor, &at, failure).await,
    }
}

/// The options in the fields before the files.
#[derive(Default)]
struct Options {
    folder: String,
    flags: UploadFlags,
    with: SigningOptions,
}

impl Options {
    fn set(&mut self, field: &str, value: String) {
        let is_checked = value == CHECKED;
        match field {
            "folder" => self.folder = value,
            "publish" => self.flags.publish = is_checked,
            "override" => self.flags.replace = is_checked,
            "explode" => self.flags.explode = is_checked,
            "passphrase" if !value.is_empty() => self.with.passphrase = Some(SecretText::presented(value)),
            _ => {}
        }
    }

    /// The path of a file.
    fn path(&self, name: &str) -> Result<FilePath> {
        let folder = self.folder.trim().trim_matches('/');
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        FilePath::parse_new(&path).map_err(Failure::bad_request)
    }
}

/// The outcome for the files of a form.
#[derive(Default)]
struct Outcome {
    stored: u64,
    refused: Vec<(String, Failure)>,
}

impl Outcome {
    /// All rejections as one failure.
    fn into_failure(self, stored: &str) -> Option<Failure> {
        let Some((_, first)) = self.refused.first() else {
            return (self.stored == 0).then(|| Failure::bad_request("Choose a file to upload"));
        };
        let reasons = self.refused.iter().map(|(name, failure)| format!("{name}: {}", failure.message()));
        Some(Failure::new(first.status(), format!("{stored} {}", reasons.collect::<Vec<_>>().join("; "))))
    }
}

async fn receive(app: &App, visitor: &Visitor, at: &VersionAddress, form: &mut Multipart) -> Result<Outcome> {
    let (mut options, mut outcome) = (Options::default(), Outcome::default());
    while let Some(part) = form.next().await? {
        match part.file_name {
            None => options.set(&part.name, form.text().await?),
            // A file field that was left empty.
            Some(name) if name.is_empty() => {}
            Some(_) if outcome.stored + outcome.refused.len() as u64 >= FILES => {
                return Err(Failure::bad_request(format!("The form contains more than {FILES} files")));
            }
            Some(name) => match store(app, visitor, at, &options, &name, form).await {
                Ok(()) => outcome.stored += 1,
                Err(failure) if is_refusal(&failure) => outcome.refused.push((name, failure)),
                Err(failure) => return Err(failure),
            },
        }
    }
    Ok(outcome)
}

async fn store(
    app: &App,
    visitor: &Visitor,
    at: &VersionAddress,
    options: &Options,
    name: &str,
    form: &mut Multipart,
) -> Result<()> {
    let target = target(at, options.path(name)?, options.flags);
    let expected = ExpectedChecksums::default();
    content::upload(app.house(), &visitor.caller, &target, &expected, &options.with, form.content()).await?;
    Ok(())
}
