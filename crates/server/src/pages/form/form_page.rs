//! A page with a form, and with what it is about.

use askama::Template;
use axum::response::Response;

use super::field::{Field, FieldKind};
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        layout::{Layout, render},
        notice::Notice,
        visitor::Visitor,
    },
};

/// A page with a form.
#[derive(Template, Default)]
#[template(path = "form.html")]
pub(in crate::pages) struct FormPage {
    pub(in crate::pages) layout: Layout,
    /// The names above what the form is about, with their addresses.
    pub(in crate::pages) breadcrumbs: Vec<(String, String)>,
    pub(in crate::pages) title: String,
    /// What there is to know before.
    pub(in crate::pages) lead: String,
    /// What is there already.
    pub(in crate::pages) rows: Vec<Row>,
    /// Where the form goes.
    pub(in crate::pages) action: String,
    pub(in crate::pages) fields: Vec<Field>,
    /// What the button says.
    pub(in crate::pages) button: &'static str,
    /// Whether it cannot be undone.
    pub(in crate::pages) is_danger: bool,
    /// What came of it, to be copied.
    pub(in crate::pages) made: String,
}

/// Something that is there already, and can be changed or taken away.
#[derive(Debug, Default)]
pub(in crate::pages) struct Row {
    pub(in crate::pages) name: String,
    pub(in crate::pages) detail: String,
    /// Where to change it; empty when it cannot be.
    pub(in crate::pages) edit: String,
    /// Where the form goes that takes it away.
    pub(in crate::pages) remove: String,
    /// What the button says for that.
    pub(in crate::pages) button: &'static str,
}

impl FormPage {
    /// The page.
    pub(in crate::pages) fn show(self, app: &App, visitor: &Visitor) -> Response {
        self.show_with(app, visitor, None)
    }

    /// The page again with the visitor's input, and why it was refused.
    pub(in crate::pages) fn refused(self, app: &App, visitor: &Visitor, failure: Failure) -> Result<Response> {
        Ok(self.show_with(app, visitor, Some(Notice::from_failure(failure)?)))
    }

    fn show_with(self, app: &App, visitor: &Visitor, notice: Option<Notice>) -> Response {
        let layout = visitor.layout(app).with_notice(notice);
        render(&layout, &Self { layout: layout.clone(), ..self })
    }
}
