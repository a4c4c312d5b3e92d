//! The profile page, where a user gets a new API key, changes the password, and sees the signing key.

use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use model::subject::SubjectKind;
use operations::{
    Error,
    accounts::{
        mails, requirements,
        sessions::{self, Token},
        sso,
        users::{self, Profile, UserChange},
    },
};
use web::{
    App,
    error::{Failure, Result},
};

use super::gpg_key::GpgKey;
use crate::{
    band::{Band, SubjectPages},
    cookies::Cookie,
    form::Submitted,
    layout::{Layout, render},
    notice::Notice,
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/own_account.html")]
struct Page {
    layout: Layout,
    band: Band,
    profile: Profile,
    stored: String,
    gpg_key: Option<GpgKey>,
    /// A new API key, shown only this once.
    api_key: String,
    api_url: String,
    /// Whether the server sends mail, so that the address can be confirmed.
    sends_mail: bool,
    /// The name of the provider of single sign-on, and whether the user signs in with it.
    provider: Option<(String, bool)>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    page(&app, &visitor, None, String::new()).await
}

/// Creates a new API key. Replacing the old key ends all sessions, so this visitor gets a new one.
pub(crate) async fn rotate_key(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    let key = users::rotate_key(app.house(), &visitor.caller, &visitor.user_name()?).await?;
    again(&app, visitor, Notice::success("You have a new API key."), key.expose().to_owned()).await
}

/// Changes the password for a visitor who knows the old one or the API key.
pub(crate) async fn change_password(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let (password, current) = (form.line("password")?, form.line("current")?);
    let done = if form.line("again")? == password {
        change(&app, &visitor, current, password).await
    } else {
        Err(Failure::bad_request("The two new passwords are not the same"))
    };
    match done {
        Ok(()) => again(&app, visitor, Notice::success("Your password has been changed."), String::new()).await,
        Err(failure) => page(&app, &visitor, Some(Notice::from_failure(failure)?), String::new()).await,
    }
}

/// Removes the password of a visitor, who signs in with the provider from now on. All sessions end, this one too.
pub(crate) async fn remove_password(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match requirements::remove_password(app.house(), &visitor.caller, form.line("current")?).await {
        Ok(()) => Ok(Redirect::to("/login").into_response()),
        Err(error) => page(&app, &visitor, Some(Notice::from_failure(error.into())?), String::new()).await,
    }
}

async fn change(app: &App, visitor: &Visitor, current: &str, password: &str) -> Result<()> {
    let confirmed = sessions::confirm(app.house(), &visitor.caller, current).await;
    confirmed.map_err(|error| match error {
        Error::Unauthenticated(_) => Error::Denied("The current password or API key is wrong".into()),
        other => other,
    })?;
    let change = UserChange { password: Some(password.to_owned()), ..UserChange::default() };
    Ok(users::edit(app.house(), &visitor.caller, &visitor.user_name()?, change).await?)
}

/// Shows the page in a new session, after the old one has ended.
async fn again(app: &App, visitor: Visitor, notice: Notice, api_key: String) -> Result<Response> {
    let session: Token = sessions::reopen(app.house(), &visitor.caller).await?;
    let cookie = Cookie::Session.set(app, session.expose());
    let mut response = page(app, &Visitor { session: Some(session), ..visitor }, Some(notice), api_key).await?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// The page, with a notice about a submitted form.
pub(crate) async fn page(app: &App, visitor: &Visitor, notice: Option<Notice>, api_key: String) -> Result<Response> {
    let name = visitor.user_name()?;
    let profile = users::show(app.house(), &visitor.caller, &name).await?;
    let pages = SubjectPages::managed(app, visitor, SubjectKind::User, &name).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: Band::of_subject(&name, pages).at("Account"),
        stored: sizes::bytes(profile.stored_bytes),
        gpg_key: GpgKey::find(app, visitor, SubjectKind::User, &name).await?,
        api_url: app.settings().api_url(),
        sends_mail: mails::is_on(app.house()),
        provider: provider(app, visitor).await?,
        layout: layout.clone(),
        profile,
        api_key,
    };
    Ok(render(&layout, &page))
}

async fn provider(app: &App, visitor: &Visitor) -> Result<Option<(String, bool)>> {
    let Some(config) = sso::config(app.house()) else { return Ok(None) };
    Ok(Some((config.label.clone(), sso::count_of_caller(app.house(), &visitor.caller).await? > 0)))
}
