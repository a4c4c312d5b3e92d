//! The page on which a person allows a device to sign in.

use axum::{extract::State, response::Response};
use operations::accounts::device_codes::{self, DeviceRequest};
use web::{App, error::Result};

use crate::{
    form::{Field, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Asks for the code. It is not taken from the address: people must see it on their own device.
pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    visitor.user_name()?;
    Ok(ask("").show(&app, &visitor))
}

/// Shows what the code is for, and asks whether it is allowed.
pub(super) async fn confirm(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let code = form.trimmed("code")?.to_owned();
    match device_codes::find(app.house(), &visitor.caller, &code).await {
        Ok(found) => Ok(question(&visitor, &code, &found)?.show(&app, &visitor)),
        Err(error) => ask(&code).refused(&app, &visitor, error.into()),
    }
}

/// Allows the device, or refuses it.
pub(super) async fn decide(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let (code, is_allowed) = (form.trimmed("code")?, form.trimmed("answer")? == "allow");
    match device_codes::decide(app.house(), &visitor.caller, code, is_allowed).await {
        Ok(()) if is_allowed => {
            let notice = Notice::success("The device is signed in. You can close this page.");
            Ok(notice::redirect(&app, &visitor, "/account", notice))
        }
        Ok(()) => Ok(notice::redirect(&app, &visitor, "/account", Notice::success("The device has been refused."))),
        Err(error) => ask(code).refused(&app, &visitor, error.into()),
    }
}

fn ask(code: &str) -> FormPage {
    FormPage {
        title: "Sign in a device".to_owned(),
        lead: "Enter the code that the program shows, but only if you started the program yourself.".to_owned(),
        action: "/-/device".to_owned(),
        fields: vec![Field::line("code", "Code", code).required()],
        back: "/account".to_owned(),
        button: "Continue",
        ..FormPage::default()
    }
}

fn question(visitor: &Visitor, code: &str, found: &DeviceRequest) -> Result<FormPage> {
    let lead = format!(
        "'{}' at {} gets a token of {} with the scope '{}', for 90 days.",
        found.client,
        found.address,
        visitor.user_name()?,
        found.scope
    );
    Ok(FormPage {
        title: "Allow this device to sign in as you?".to_owned(),
        lead,
        action: "/-/device/decide".to_owned(),
        fields: vec![Field::titled_choice("answer", "Answer", [("allow", "Allow"), ("refuse", "Refuse")], "allow")],
        hidden: vec![("code".to_owned(), code.to_owned())],
        back: "/account".to_owned(),
        button: "Answer",
        ..FormPage::default()
    })
}
