//! Confirms the e-mail address of the visitor.

use axum::{extract::State, response::Response};
use operations::accounts::email_addresses;
use web::{App, error::Result, path_names::PathNames};

use crate::{
    accounts::own_account,
    form::{FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Asks whether the address is the visitor's. Opening a link changes nothing: programs that look at mail open links.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    visitor.user_name()?;
    let token = path.query("token")?.unwrap_or_default().to_owned();
    let page = FormPage {
        title: "Confirm your e-mail address".to_owned(),
        lead: "Messages about your account go there from now on.".to_owned(),
        action: "/account/email".to_owned(),
        hidden: vec![("token".to_owned(), token)],
        back: "/account".to_owned(),
        button: "Confirm the address",
        ..FormPage::default()
    };
    Ok(page.show(&app, &visitor))
}

/// Confirms it.
pub(super) async fn verify(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match email_addresses::verify(app.house(), &visitor.caller, form.line("token")?).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, "/account", Notice::success("Your address is confirmed."))),
        Err(error) => own_account::page(&app, &visitor, Some(Notice::from_failure(error.into())?), String::new()).await,
    }
}

/// Sends the link again.
pub(super) async fn request(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    match email_addresses::request(app.house(), &visitor.caller).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, "/account", Notice::success("The message is on its way."))),
        Err(error) => own_account::page(&app, &visitor, Some(Notice::from_failure(error.into())?), String::new()).await,
    }
}
