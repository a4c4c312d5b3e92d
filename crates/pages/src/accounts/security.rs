//! How the visitor signs in: the second factor, and the sessions.

use askama::Template;
use axum::{extract::State, response::Response};
use model::subject::SubjectKind;
use operations::accounts::{
    second_factors::{self, Confirmation, Enrolment, Status},
    sessions::{self, SessionDetail},
};
use web::{App, error::Result};

use crate::{
    band::{Band, SubjectPages},
    form::{Form, Submitted, session_of},
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The URL of the page.
pub(super) const ADDRESS: &str = "/account/security";

#[derive(Template)]
#[template(path = "accounts/security.html")]
struct Page {
    layout: Layout,
    band: Band,
    status: Status,
    sessions: Vec<SessionDetail>,
    outcome: Outcome,
}

/// Parts of the page that are shown only once.
#[derive(Default)]
struct Outcome {
    notice: Option<Notice>,
    /// A secret that waits for its first code.
    enrolment: Option<Enrolment>,
    /// New recovery codes.
    codes: Vec<String>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    page(&app, &visitor, Outcome::default()).await
}

async fn page(app: &App, visitor: &Visitor, mut outcome: Outcome) -> Result<Response> {
    let name = visitor.user_name()?;
    let pages = SubjectPages::managed(app, visitor, SubjectKind::User, &name).await?;
    let layout = visitor.layout(app).with_notice(outcome.notice.take());
    let page = Page {
        band: Band::of_subject(&name, pages).at("Security"),
        status: second_factors::show(app.house(), &visitor.caller).await?,
        sessions: sessions::list(app.house(), &visitor.caller, &name, visitor.session.as_ref()).await?,
        layout: layout.clone(),
        outcome,
    };
    Ok(render(&layout, &page))
}

/// Generates a secret, and shows it with the form for its first code.
pub(super) async fn begin(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let begun = second_factors::begin(app.house(), &visitor.caller, form.line("secret")?, &host(&app)).await;
    let outcome = match begun {
        Ok(enrolment) => Outcome { enrolment: Some(enrolment), ..Outcome::default() },
        Err(error) => Outcome { notice: Some(Notice::from_failure(error.into())?), ..Outcome::default() },
    };
    page(&app, &visitor, outcome).await
}

/// Turns the second factor on, and shows the recovery codes.
pub(super) async fn confirm(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let (house, session) = (app.house(), session_of(&visitor)?);
    let outcome = match second_factors::confirm(house, &visitor.caller, form.line("code")?, session).await {
        Ok(codes) => of_codes("The second factor is on. Your other sessions have ended.", codes),
        Err(error) => Outcome {
            notice: Some(Notice::from_failure(error.into())?),
            enrolment: second_factors::pending(house, &visitor.caller, &host(&app)).await?,
            codes: Vec::new(),
        },
    };
    page(&app, &visitor, outcome).await
}

/// Replaces the recovery codes, and shows the new ones.
pub(super) async fn renew_codes(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let outcome = match second_factors::renew_codes(app.house(), &visitor.caller, confirmation(&form)?).await {
        Ok(codes) => of_codes("You have new recovery codes. The old ones no longer work.", codes),
        Err(error) => Outcome { notice: Some(Notice::from_failure(error.into())?), ..Outcome::default() },
    };
    page(&app, &visitor, outcome).await
}

/// Turns the second factor off.
pub(super) async fn disable(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match second_factors::disable(app.house(), &visitor.caller, confirmation(&form)?).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, ADDRESS, Notice::success("The second factor is off."))),
        Err(error) => {
            let notice = Some(Notice::from_failure(error.into())?);
            page(&app, &visitor, Outcome { notice, ..Outcome::default() }).await
        }
    }
}

/// Ends one session.
pub(super) async fn end_session(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    let name = visitor.user_name()?;
    match sessions::end(app.house(), &visitor.caller, &name, form.trimmed("session")?).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, ADDRESS, Notice::success("The session has ended."))),
        Err(error) => {
            let notice = Some(Notice::from_failure(error.into())?);
            page(&app, &visitor, Outcome { notice, ..Outcome::default() }).await
        }
    }
}

/// Ends all other sessions.
pub(super) async fn end_sessions(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    let name = visitor.user_name()?;
    sessions::end_all(app.house(), &visitor.caller, &name, Some(session_of(&visitor)?)).await?;
    Ok(notice::redirect(&app, &visitor, ADDRESS, Notice::success("All other sessions have ended.")))
}

fn of_codes(text: &str, codes: Vec<String>) -> Outcome {
    Outcome { notice: Some(Notice::success(text)), codes, enrolment: None }
}

fn confirmation(form: &Form) -> Result<Confirmation<'_>> {
    Ok(Confirmation { secret: form.line("secret")?, code: form.line("code")? })
}

/// The host that authenticator apps show beside the user name.
fn host(app: &App) -> String {
    let url = app.settings().public_url();
    let host = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    host.split(['/', ':']).next().unwrap_or_default().to_owned()
}
