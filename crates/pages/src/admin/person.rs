//! What site administrators do to a user: suspension, password, second factor, sessions, and the name.

use axum::response::Response;
use model::names::SubjectName;
use operations::{
    accounts::{
        second_factors, sessions, subjects,
        suspension::{self, Suspension},
    },
    maintenance::rename,
};
use web::{
    App,
    error::{Failure, Result},
};

use super::subject::{Shown, home, page};
use crate::{
    form::{Form, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Suspends a user.
pub(super) async fn suspend(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = suspension::set(app.house(), &visitor.caller, &name, Suspension::Suspended).await;
    answer(&app, &visitor, &name, done, "The user is suspended.").await
}

/// Ends a suspension.
pub(super) async fn unsuspend(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = suspension::set(app.house(), &visitor.caller, &name, Suspension::Active).await;
    answer(&app, &visitor, &name, done, "The suspension has ended.").await
}

/// Gives a user a new password, and shows it.
pub(super) async fn reset_password(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    match suspension::reset_password(app.house(), &visitor.caller, &name).await {
        Ok(password) => {
            let notice = Notice::success("The password has been reset. All sessions have ended.");
            page(&app, &visitor, &name, Some(notice), Shown { password, ..Shown::default() }).await
        }
        Err(error) => refuse(&app, &visitor, &name, error.into()).await,
    }
}

/// Turns off the second factor of a user.
pub(super) async fn reset_second_factor(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = second_factors::reset(app.house(), &visitor.caller, &name).await;
    answer(&app, &visitor, &name, done, "The second factor is off. All sessions have ended.").await
}

/// Ends the sessions of a user.
pub(super) async fn end_sessions(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = async {
        // Loaded first: only site administrators see the page.
        subjects::show(app.house(), &visitor.caller, &name).await?;
        sessions::end_all(app.house(), &visitor.caller, &name, visitor.session.as_ref()).await
    };
    answer(&app, &visitor, &name, done.await, "All sessions of the user have ended.").await
}

/// Renames a user or an organization.
pub(super) async fn rename(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    match change_name(&app, &visitor, &name, &form).await {
        Ok(to) => Ok(notice::redirect(&app, &visitor, &home(&to), Notice::success(format!("{name} is {to} now.")))),
        Err(failure) => refuse(&app, &visitor, &name, failure).await,
    }
}

async fn change_name(app: &App, visitor: &Visitor, name: &SubjectName, form: &Form) -> Result<SubjectName> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let to = SubjectName::parse(form.trimmed("name")?).map_err(wrong)?;
    rename::rename(app.house(), &visitor.caller, name, &to).await?;
    Ok(to)
}

async fn answer(
    app: &App,
    visitor: &Visitor,
    name: &SubjectName,
    done: operations::Result<()>,
    text: &str,
) -> Result<Response> {
    match done {
        Ok(()) => Ok(notice::redirect(app, visitor, &home(name), Notice::success(text))),
        Err(error) => refuse(app, visitor, name, error.into()).await,
    }
}

async fn refuse(app: &App, visitor: &Visitor, name: &SubjectName, failure: Failure) -> Result<Response> {
    page(app, visitor, name, Some(Notice::from_failure(failure)?), Shown::default()).await
}
