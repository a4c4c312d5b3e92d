//! The profile of a user.

use axum::response::Response;
use model::email::Email;
use operations::accounts::users::{self, UserChange};
use web::{
    App,
    error::{Failure, Result},
};

use crate::{
    accounts::own_account,
    form::{Form, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Changes the name and the e-mail address.
pub(super) async fn edit(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match change(&app, &visitor, &form).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, "/account", Notice::success("Your profile has been saved."))),
        Err(failure) => own_account::page(&app, &visitor, Some(Notice::from_failure(failure)?), String::new()).await,
    }
}

async fn change(app: &App, visitor: &Visitor, form: &Form) -> Result<()> {
    let change = UserChange {
        full_name: Some(form.line("full_name")?.to_owned()),
        email: Some(email(form)?),
        ..UserChange::default()
    };
    Ok(users::edit(app.house(), &visitor.caller, &visitor.user_name()?, change).await?)
}

/// The e-mail address of a form, if one is given.
pub(crate) fn email(form: &Form) -> Result<Option<Email>> {
    let wrong = |error| Failure::bad_request(format!("email: {error}"));
    form.optional("email")?.map(|text| Email::parse(&text).map_err(wrong)).transpose()
}
