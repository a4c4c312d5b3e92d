//! Making users.

use axum::response::Response;
use model::{names::SubjectName, plan::Plan};
use operations::accounts::users::{self, NewUser};

use super::users::{Told, page};
use crate::{
    App,
    error::{Failure, Result},
    pages::{accounts::email, forms::Form, posted::Submitted, said::Said, visitor::Visitor},
};

/// What the form holds, as texts. A password is not shown again.
#[derive(Default)]
pub(super) struct NewFields {
    pub(super) name: String,
    pub(super) full_name: String,
    pub(super) email: String,
}

/// Makes a user, and shows the API key.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let told = match new(&app, &visitor, &form).await {
        Ok(made) => Told { said: Said::done("The user is made."), made: Some(made), ..Told::default() },
        Err(failure) => Told { said: Said::refusal(failure)?, fields: sent(&form)?, made: None },
    };
    page(&app, &visitor, &path, told).await
}

async fn new(app: &App, visitor: &Visitor, form: &Form) -> Result<(String, String)> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let new = NewUser {
        name: SubjectName::parse(form.field("name")?.trim()).map_err(wrong)?,
        full_name: form.field("full_name")?.to_owned(),
        email: email(form)?,
        password: Some(form.field("password")?.to_owned()).filter(|text| !text.is_empty()),
        plan: Some(plan(form)?),
    };
    let (profile, key) = users::create(app.house(), &visitor.caller, new).await?;
    Ok((profile.subject.name.to_string(), key.expose().to_owned()))
}

fn sent(form: &Form) -> Result<NewFields> {
    let field = |name: &str| form.field(name).map(str::to_owned);
    Ok(NewFields { name: field("name")?, full_name: field("full_name")?, email: field("email")? })
}

/// The plan that a form names.
pub(super) fn plan(form: &Form) -> Result<Plan> {
    let text = form.field("plan")?;
    let unknown = || Failure::bad_request(format!("plan: '{text}' is not one of free, premium, enterprise"));
    Plan::parse(text).ok_or_else(unknown)
}
