//! A page that consists of a form.

use askama::Template;
use axum::response::Response;
use web::{
    App,
    error::{Failure, Result},
};

use super::field::{Field, FieldKind};
use crate::{
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

/// A page with a form.
#[derive(Template, Default)]
#[template(path = "form/form_page.html")]
pub(crate) struct FormPage {
    pub(crate) layout: Layout,
    /// The objects that contain the object of the form, with their URLs.
    pub(crate) breadcrumbs: Vec<(String, String)>,
    pub(crate) title: String,
    /// A sentence above the form.
    pub(crate) lead: String,
    /// Existing entries.
    pub(crate) rows: Vec<Row>,
    /// The URL that the form is submitted to.
    pub(crate) action: String,
    pub(crate) fields: Vec<Field>,
    /// The text of the button.
    pub(crate) button: &'static str,
    /// Whether the action cannot be undone.
    pub(crate) is_danger: bool,
    /// The result to copy.
    pub(crate) made: String,
}

/// An existing entry that can be edited and removed.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) detail: String,
    /// The page that edits it; empty if there is none.
    pub(crate) edit: String,
    /// The URL of the form that removes it.
    pub(crate) remove: String,
    /// The text of the button that removes it.
    pub(crate) button: &'static str,
}

impl FormPage {
    /// Shows the page.
    pub(crate) fn show(self, app: &App, visitor: &Visitor) -> Response {
        self.show_with(app, visitor, None)
    }

    /// Shows the page again with the visitor's input and the reason of the rejection.
    pub(crate) fn refused(self, app: &App, visitor: &Visitor, failure: Failure) -> Result<Response> {
        Ok(self.show_with(app, visitor, Some(Notice::from_failure(failure)?)))
    }

    fn show_with(self, app: &App, visitor: &Visitor, notice: Option<Notice>) -> Response {
        let layout = visitor.layout(app).with_notice(notice);
        render(&layout, &Self { layout: layout.clone(), ..self })
    }
}
