//! The form that creates a user.

use axum::response::Response;
use model::{names::SubjectName, plan::Plan};
use operations::accounts::users::{self, NewUser};
use web::{
    App,
    error::{Failure, Result},
};

use super::users::{Outcome, page};
use crate::{
    accounts::email,
    form::{Form, Submitted},
    notice::Notice,
    visitor::Visitor,
};

/// The fields of the form, without the password.
#[derive(Default)]
pub(super) struct NewFields {
    pub(super) name: String,
    pub(super) full_name: String,
    pub(super) email: String,
}

/// Creates a user, and shows the API key.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let outcome = match new(&app, &visitor, &form).await {
        Ok(made) => Outcome {
            notice: Some(Notice::success("The user has been created.")),
            made: Some(made),
            ..Outcome::default()
        },
        Err(failure) => {
            Outcome { notice: Some(Notice::from_failure(failure)?), fields: NewFields::of(&form)?, made: None }
        }
    };
    page(&app, &visitor, &path, outcome).await
}

async fn new(app: &App, visitor: &Visitor, form: &Form) -> Result<(String, String)> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let new = NewUser {
        name: SubjectName::parse(form.trimmed("name")?).map_err(wrong)?,
        full_name: form.line("full_name")?.to_owned(),
        email: email(form)?,
        password: Some(form.line("password")?.to_owned()).filter(|text| !text.is_empty()),
        plan: Some(plan(form)?),
    };
    let (profile, key) = users::create(app.house(), &visitor.caller, new).await?;
    Ok((profile.subject.name.to_string(), key.expose().to_owned()))
}

impl NewFields {
    fn of(form: &Form) -> Result<Self> {
        let field = |name: &str| form.line(name).map(str::to_owned);
        Ok(Self { name: field("name")?, full_name: field("full_name")?, email: field("email")? })
    }
}

/// The plan that a form names.
pub(super) fn plan(form: &Form) -> Result<Plan> {
    let text = form.line("plan")?;
    let unknown = || Failure::bad_request(format!("plan: '{text}' is not one of free, premium, enterprise"));
    Plan::parse(text).ok_or_else(unknown)
}
