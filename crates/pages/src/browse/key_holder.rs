//! The pages of key holders: signing in with an access key, and what it opens.

use askama::Template;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use model::{access::Scope, api_key::ApiKey, timestamp::Timestamp};
use operations::{
    Error, PresentedCredentials,
    accounts::{
        key_sessions,
        openings::{self, Openings},
        sessions::{self, Token},
    },
};
use web::{
    App, Client,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::opened::{Opened, OpenedFolder, TermsLine, folders, opened, repos, terms};
use crate::{
    accounts::sign_in::inside,
    address,
    band::Band,
    cookies::Cookie,
    form::Form,
    layout::{Layout, render},
    notice::Notice,
    parts,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/key_sign_in.html")]
struct SignInPage {
    layout: Layout,
    form_token: String,
    next: String,
    name: String,
}

#[derive(Template)]
#[template(path = "browse/key_holder.html")]
struct Page {
    layout: Layout,
    band: Band,
    name: String,
    owner: String,
    expiry: Option<Timestamp>,
    downloads: String,
    last_used: Option<Timestamp>,
    terms: Vec<TermsLine>,
    packages: Vec<Opened>,
    folders: Vec<OpenedFolder>,
    repos: Vec<Opened>,
    command: String,
}

/// Shows what the key opens, or asks for the key.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
) -> Result<Response> {
    if visitor.caller.key().is_none() {
        let next = inside(path.query("next")?.unwrap_or_default());
        let token = Cookie::Form.token(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
        return Ok(form(&app, &visitor, &token, (next, ""), None));
    }
    let found = openings::list(app.house(), &visitor.caller).await?;
    let layout = visitor.layout(&app);
    let name = visitor.caller.name().unwrap_or_default();
    let owner = visitor.caller.key().map(|key| key.owner.name.to_string()).unwrap_or_default();
    let mut band = Band::plain(Vec::new(), name.clone());
    band.picture = Some(parts::avatar(&owner, "large"));
    band.lead = format!("An access key of {owner}: what it opens, and how to get it");
    let used = found.usage.as_ref().map_or(0, |usage| usage.downloads);
    let page = Page {
        downloads: match found.key.terms.max_downloads {
            Some(most) => format!("{used} of {most}"),
            None => used.to_string(),
        },
        expiry: found.key.terms.expiry,
        last_used: found.usage.as_ref().map(|usage| Timestamp::from_millis(usage.last_used)),
        terms: terms(&found),
        packages: opened(&app, &found),
        folders: folders(&found),
        repos: repos(&found),
        command: command(&app, &name, &found),
        layout: layout.clone(),
        band,
        name,
        owner,
    };
    Ok(render(&layout, &page))
}

/// The command that downloads a file with the key, from the first repository that it opens.
fn command(app: &App, name: &str, found: &Openings) -> String {
    let part = found.parts.first().map(|part| address::path([part.owner.as_str(), &part.repo]));
    let repo = found.repos.first().map(|repo| address::path([repo.owner.as_str(), &repo.name]));
    let place = part.or(repo).unwrap_or_else(|| "/OWNER/REPOSITORY".to_owned());
    format!("curl -fLO -u {name} {}{place}/FILE", app.settings().download_url())
}

fn form(app: &App, visitor: &Visitor, token: &Token, (next, name): (&str, &str), notice: Option<Notice>) -> Response {
    let layout = visitor.layout(app).with_notice(notice);
    let page = SignInPage {
        form_token: sessions::form_token(app.house(), token),
        next: next.to_owned(),
        name: name.to_owned(),
        layout: layout.clone(),
    };
    let mut response = render(&layout, &page);
    response.headers_mut().append(header::SET_COOKIE, Cookie::Form.set(app, token.expose()));
    response
}

/// Signs in with an access key, and redirects to the page that the visitor wanted.
pub(crate) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    request: Request,
) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
    // The sign-in page made the form for this browser, even if it has a session by now.
    let visitor = Visitor { session: None, key_session: None, notice: None, ..visitor };
    let submitted = Form::read(&app, &visitor, &headers, body).await?;
    if !visitor.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let (name, secret) = (submitted.trimmed("name")?, submitted.line("secret")?);
    let next = inside(submitted.line("next")?);
    let presented = PresentedCredentials {
        name: Some(name),
        password: &ApiKey::presented(secret),
        address: client.address,
        is_shared: client.is_shared,
        agent: visitor.caller.agent.as_deref(),
        request_id: &visitor.caller.request_id,
        scope: Scope::Read,
    };
    match key_sessions::open(app.house(), &visitor.caller, presented).await {
        Ok(session) => Ok(signed_in(&app, &session, if next == "/" { "/-/key" } else { next })),
        Err(error @ (Error::Unauthenticated(_) | Error::Denied(_) | Error::LimitReached { .. })) => {
            let failure = Failure::from(error);
            let token = Cookie::Form.token(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
            Ok(form(&app, &visitor, &token, (next, name), Some(Notice::problem(&failure))))
        }
        Err(error) => Err(error.into()),
    }
}

fn signed_in(app: &App, session: &Token, next: &str) -> Response {
    let mut response = Redirect::to(next).into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, Cookie::Key.set(app, session.expose()));
    headers.append(header::SET_COOKIE, Cookie::Form.clear(app));
    response
}

/// Signs out.
pub(crate) async fn close(State(app): State<App>, visitor: Visitor, body: Body) -> Result<Response> {
    let submitted = Form::read_agreement(body).await?;
    let mut response = Redirect::to("/").into_response();
    let Some(session) = &visitor.key_session else { return Ok(response) };
    if !sessions::is_form_token(app.house(), session, submitted.text("form_token")) {
        return Err(Failure::new(StatusCode::FORBIDDEN, "The form is too old; open the page again"));
    }
    key_sessions::close(app.house(), &visitor.caller, session).await?;
    response.headers_mut().append(header::SET_COOKIE, Cookie::Key.clear(&app));
    Ok(response)
}
