//! What a page says about what was just done there.

use askama::Template;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};

use super::layout::{Layout, render};
use crate::{
    error::{Failure, Result},
    path_names::PathNames,
};

/// What a page says above all else.
pub(super) struct Said {
    /// What went well.
    pub(super) done: &'static str,
    /// What did not.
    pub(super) problem: String,
    /// The status of the answer that says so.
    pub(super) status: StatusCode,
}

impl Default for Said {
    fn default() -> Self {
        Self { done: "", problem: String::new(), status: StatusCode::OK }
    }
}

impl Said {
    /// That something went well.
    pub(super) fn done(what: &'static str) -> Self {
        Self { done: what, ..Self::default() }
    }

    /// What a page says to somebody who comes back to it after a change.
    pub(super) fn on(path: &PathNames) -> Result<Self> {
        Ok(if path.query("done")? == Some("1") { Self::done("Saved.") } else { Self::default() })
    }

    /// What was wrong with what somebody sent; `None` when nothing was. What is wrong with the server is no page's matter,
    /// and whoever has to sign in is asked to.
    pub(super) fn of(done: Result<()>) -> Result<Option<Self>> {
        match done {
            Ok(()) => Ok(None),
            Err(failure) => Self::refusal(failure).map(Some),
        }
    }

    /// The same for what has failed.
    pub(super) fn refusal(failure: Failure) -> Result<Self> {
        match failure.status() {
            status if status.is_client_error() && status != StatusCode::UNAUTHORIZED => {
                Ok(Self { done: "", problem: failure.message().to_owned(), status })
            }
            _ => Err(failure),
        }
    }
}

/// Back to a page on which something was changed, so that loading it again changes nothing.
pub(super) fn back(to: &str) -> Response {
    Redirect::to(&format!("{to}?done=1")).into_response()
}

/// A page that has said something, as an answer.
pub(super) fn render_said(status: StatusCode, layout: &Layout, page: &impl Template) -> Response {
    let mut response = render(layout, page);
    *response.status_mut() = status;
    response
}
