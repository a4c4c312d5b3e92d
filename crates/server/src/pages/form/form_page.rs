//! A page that consists of a form.

use askama::Template;
use axum::response::Response;
use web::{
    App,
    error::{Failure, Result},
};

use super::field::{Field, FieldKind};
use crate::pages::{
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

/// A page with a form.
#[derive(Template, Default)]
#[template(path = "form.html")]
pub(in crate::pages) struct FormPage {
    pub(in crate::pages) layout: Layout,
    /// The objects that contain the object of the form, with their URLs.
    pub(in crate::pages) breadcrumbs: Vec<(String, String)>,
    pub(in crate::pages) title: String,
    /// A sentence above the form.
    pub(in crate::pages) lead: String,
    /// Existing entries.
    pub(in crate::pages) rows: Vec<Row>,
    /// The URL that the form is submitted to.
    pub(in crate::pages) action: String,
    pub(in crate::pages) fields: Vec<Field>,
    /// The text of the button.
    pub(in crate::pages) button: &'static str,
    /// Whether the action cannot be undone.
    pub(in crate::pages) is_danger: bool,
    /// The result to copy.
    pub(in crate::pages) made: String,
}

/// An existing entry that can be edited and removed.
#[derive(Debug, Default)]
pub(in crate::pages) struct Row {
    pub(in crate::pages) name: String,
    pub(in crate::pages) detail: String,
    /// The page that edits it; empty if there is none.
    pub(in crate::pages) edit: String,
    /// The URL of the form that removes it.
    pub(in crate::pages) remove: String,
    /// The text of the button that removes it.
    pub(in crate::pages) button: &'static str,
}

impl FormPage {
    /// Shows the page.
    pub(in crate::pages) fn show(self, app: &App, visitor: &Visitor) -> Response {
        self.show_with(app, visitor, None)
    }

    /// Shows the page again with the visitor's input and the reason of the rejection.
    pub(in crate::pages) fn refused(self, app: &App, visitor: &Visitor, failure: Failure) -> Result<Response> {
        Ok(self.show_with(app, visitor, Some(Notice::from_failure(failure)?)))
    }

    fn show_with(self, app: &App, visitor: &Visitor, notice: Option<Notice>) -> Response {
        let layout = visitor.layout(app).with_notice(notice);
        render(&layout, &Self { layout: layout.clone(), ..self })
    }
}
