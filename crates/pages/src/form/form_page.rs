//! A page that consists of a form.

use askama::Template;
use axum::response::Response;
use operations::rendering::Html;
use web::{
    App,
    error::{Failure, Result},
};

use super::field::{Field, FieldKind};
use crate::{
    band::{Band, Tab},
    layout::{Layout, render},
    notice::Notice,
    parts::capitalized,
    visitor::Visitor,
};

/// A page with a form.
#[derive(Template, Default)]
#[template(path = "form/form_page.html")]
pub(crate) struct FormPage {
    pub(crate) layout: Layout,
    /// The head of the object of the form; if it is empty, the page has its own, with the title.
    pub(crate) band: Band,
    /// The objects that contain the object of the form, with their URLs.
    pub(crate) breadcrumbs: Vec<(String, String)>,
    pub(crate) title: String,
    /// The title, if the head has another one.
    pub(crate) heading: String,
    /// Other forms about the same object.
    pub(crate) nav: Vec<Tab>,
    /// A sentence above the form.
    pub(crate) lead: String,
    /// What the existing entries are.
    pub(crate) rows_title: &'static str,
    /// Existing entries.
    pub(crate) rows: Vec<Row>,
    /// The URL that the form is submitted to.
    pub(crate) action: String,
    pub(crate) fields: Vec<Field>,
    /// Values that are submitted without a visible field.
    pub(crate) hidden: Vec<(String, String)>,
    /// The page that the visitor returns to without submitting; empty without one.
    pub(crate) back: String,
    /// What the form makes, as its heading below existing entries.
    pub(crate) new_title: &'static str,
    /// The text of the button.
    pub(crate) button: &'static str,
    /// Whether the action cannot be undone.
    pub(crate) is_danger: bool,
    /// The result to copy.
    pub(crate) made: String,
    /// Whether the form has a button that shows what its text will look like.
    pub(crate) has_preview: bool,
    /// What the text looks like.
    pub(crate) preview: Option<Html>,
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
    /// What stops working when it is removed; empty if that needs no question.
    pub(crate) asks: &'static str,
}

impl FormPage {
    /// Shows the page.
    pub(crate) fn show(self, app: &App, visitor: &Visitor) -> Response {
        self.show_with(app, visitor, None)
    }

    /// Shows the page again with the visitor's input and the reason of the rejection.
    pub(crate) fn refused(mut self, app: &App, visitor: &Visitor, failure: Failure) -> Result<Response> {
        let mut notice = Notice::from_failure(failure)?;
        mark(&mut self.fields, &notice.text);
        if let Some(field) = self.fields.iter().find(|field| !field.error.is_empty()) {
            notice.text = format!("{}: {}", field.name, field.error);
        }
        Ok(self.show_with(app, visitor, Some(notice)))
    }

    fn show_with(self, app: &App, visitor: &Visitor, notice: Option<Notice>) -> Response {
        let layout = visitor.layout(app).with_notice(notice);
        let (band, heading) = if self.band.title.is_empty() {
            (Band::plain(self.breadcrumbs.clone(), &self.title), String::new())
        } else {
            (self.band.clone(), self.title.clone())
        };
        let above = || band.breadcrumbs.last().map(|(_, address)| address.clone()).unwrap_or_default();
        let back = if self.back.is_empty() { above() } else { self.back.clone() };
        render(&layout, &Self { layout: layout.clone(), band, heading, back, ..self })
    }
}

/// Shows the reason of a rejection beside the field that it names.
fn mark(fields: &mut [Field], text: &str) {
    let Some((name, reason)) = text.split_once(": ") else { return };
    if let Some(field) = fields.iter_mut().find(|field| field.name == name) {
        field.error = capitalized(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_shown_beside_its_field() {
        let mut fields = vec![Field::line("name", "Name", "a b"), Field::line("desc", "Description", "")];
        mark(&mut fields, "name: it contains a blank");
        assert_eq!(fields.iter().map(|field| field.error.as_str()).collect::<Vec<_>>(), ["It contains a blank", ""]);
        mark(&mut fields, "desc is too long");
        assert_eq!(fields[1].error, "");
    }
}
