//! A page with a form, and with what it is about.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use super::{
    fields::{Field, FieldKind},
    layout::{Layout, render},
    visitor::Visitor,
};
use crate::{
    App,
    error::{Failure, Result},
};

/// A page with a form.
#[derive(Template, Default)]
#[template(path = "form.html")]
pub(super) struct FormPage {
    pub(super) layout: Layout,
    /// The names above what the form is about, with their addresses.
    pub(super) breadcrumbs: Vec<(String, String)>,
    pub(super) title: String,
    /// What there is to know before.
    pub(super) lead: String,
    /// What is there already.
    pub(super) rows: Vec<Row>,
    /// Where the form goes.
    pub(super) action: String,
    pub(super) fields: Vec<Field>,
    /// What the button says.
    pub(super) button: &'static str,
    /// Whether it cannot be undone.
    pub(super) is_danger: bool,
    /// What went wrong.
    pub(super) problem: String,
    /// What came of it, to be copied.
    pub(super) made: String,
}

/// Something that is there already, and can be changed or taken away.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) detail: String,
    /// Where to change it; empty when it cannot be.
    pub(super) edit: String,
    /// Where the form goes that takes it away.
    pub(super) remove: String,
    /// What the button says for that.
    pub(super) button: &'static str,
}

impl FormPage {
    /// The page.
    pub(super) fn show(self, app: &App, visitor: &Visitor) -> Response {
        let layout = visitor.layout(app);
        render(&layout, &Self { layout: layout.clone(), ..self })
    }

    /// The page again, with what was put in and why it was refused. Failures of ours are none of the visitor's.
    pub(super) fn refused(self, app: &App, visitor: &Visitor, failure: Failure) -> Result<Response> {
        if !is_told(&failure) {
            return Err(failure);
        }
        let mut response = Self { problem: failure.message().to_owned(), ..self }.show(app, visitor);
        *response.status_mut() = failure.status();
        Ok(response)
    }
}

/// Whether a refusal is about what was put in.
pub(super) fn is_told(failure: &Failure) -> bool {
    failure.status().is_client_error() && failure.status() != StatusCode::UNAUTHORIZED
}
