//! The profile page: where a user gets a new API key, changes the password, and sees the key that signs.

use askama::Template;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use database::subjects::Kind;
use operations::{
    Error,
    sessions::{self, Token},
    users::{self, Profile, UserChange},
};

use super::{
    cookies::Cookie,
    forms::Form,
    gpg_key::GpgKey,
    shell::{Shell, render},
    sizes,
    visitor::Visitor,
};
use crate::{
    App,
    error::{Failure, Result},
};

#[derive(Template)]
#[template(path = "account.html")]
struct Page {
    shell: Shell,
    profile: Profile,
    registered: String,
    stored: String,
    gpg_key: Option<GpgKey>,
    said: Said,
    api_url: String,
}

/// What the page says about what was just done.
#[derive(Default)]
struct Said {
    /// A new API key, shown this once.
    api_key: String,
    done: &'static str,
    problem: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    page(&app, &visitor, Said::default()).await
}

/// Makes a new API key. All sessions are over with the old one, so this one begins anew.
pub(super) async fn rotate_key(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    Form::read_of(&app, &visitor, &headers, body).await?;
    let key = users::rotate_key(app.house(), &visitor.caller, &visitor.user_name()?).await?;
    let said = Said { api_key: key.expose().to_owned(), done: "You have a new API key.", ..Said::default() };
    again(&app, visitor, said).await
}

/// Changes the password, for whoever knows the old one or the API key.
pub(super) async fn change_password(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let (form, _) = Form::read_of(&app, &visitor, &headers, body).await?;
    let (password, current) = (form.field("password")?, form.field("current")?);
    let refused = match form.field("again")? == password {
        false => Some(Failure::new(StatusCode::BAD_REQUEST, "The two new passwords are not the same")),
        true => change(&app, &visitor, current, password).await.err(),
    };
    match refused {
        None => again(&app, visitor, Said { done: "Your password has been changed.", ..Said::default() }).await,
        Some(failure) if failure.status().is_client_error() => {
            let said = Said { problem: failure.message().to_owned(), ..Said::default() };
            let mut response = page(&app, &visitor, said).await?;
            *response.status_mut() = failure.status();
            Ok(response)
        }
        Some(failure) => Err(failure),
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

/// The page in a new session, after the old one has ended.
async fn again(app: &App, visitor: Visitor, said: Said) -> Result<Response> {
    let session: Token = sessions::reopen(app.house(), &visitor.caller).await?;
    let cookie = Cookie::Session.set(app, &session);
    let mut response = page(app, &Visitor { session: Some(session), ..visitor }, said).await?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

async fn page(app: &App, visitor: &Visitor, said: Said) -> Result<Response> {
    let name = visitor.user_name()?;
    let profile = users::show(app.house(), &visitor.caller, &name).await?;
    let shell = visitor.shell(app);
    let page = Page {
        registered: sizes::day(profile.subject.registered),
        stored: sizes::bytes(profile.stored_bytes),
        gpg_key: GpgKey::find(app, visitor, Kind::User, &name).await?,
        api_url: app.settings().api_url(),
        shell: shell.clone(),
        profile,
        said,
    };
    Ok(render(&shell, &page))
}
