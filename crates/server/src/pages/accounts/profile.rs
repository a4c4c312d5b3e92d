//! Who a user says to be.

use axum::response::Response;
use model::email::Email;
use operations::accounts::users::{self, UserChange};

use crate::{
    App,
    error::{Failure, Result},
    pages::{
        account,
        forms::Form,
        posted::Submitted,
        said::{Said, back},
        visitor::Visitor,
    },
};

/// Changes the name and the e-mail address.
pub(super) async fn edit(Submitted { app, visitor, form, .. }: Submitted<Form>) -> Result<Response> {
    match Said::of(change(&app, &visitor, &form).await)? {
        None => Ok(back("/account")),
        Some(said) => account::page(&app, &visitor, said, String::new()).await,
    }
}

async fn change(app: &App, visitor: &Visitor, form: &Form) -> Result<()> {
    let change = UserChange {
        full_name: Some(form.field("full_name")?.to_owned()),
        email: Some(email(form)?),
        ..UserChange::default()
    };
    Ok(users::edit(app.house(), &visitor.caller, &visitor.user_name()?, change).await?)
}

/// The address of a form, where one is given.
pub(in crate::pages) fn email(form: &Form) -> Result<Option<Email>> {
    let wrong = |error| Failure::bad_request(format!("email: {error}"));
    form.given("email")?.map(|text| Email::parse(text).map_err(wrong)).transpose()
}
