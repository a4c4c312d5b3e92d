//! Forms for readmes and release notes. An empty text deletes the document.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    document::{Document, SavedDocument, Syntax},
};
use operations::{
    Error, PackageAccess,
    catalogue::{
        documents::{self, DocumentAddress},
        packages, versions,
    },
    rendering,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::settings_nav;
use crate::{
    address,
    band::Band,
    errors::allowed,
    form::{Field, Form, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The formats of texts, each with its name for people.
pub(super) const SYNTAXES: [(&str, &str); 3] =
    [("markdown", "Markdown"), ("asciidoc", "AsciiDoc"), ("plain_text", "Plain text")];

pub(super) async fn show_readme(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    show(&app, &visitor, DocumentAddress::Readme(path.package_address()?)).await
}

pub(super) async fn set_readme(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    set(&app, &visitor, DocumentAddress::Readme(path.package_address()?), &form).await
}

pub(super) async fn show_notes(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    show(&app, &visitor, notes(&path)?).await
}

pub(super) async fn set_notes(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    set(&app, &visitor, notes(&path)?, &form).await
}

/// The release notes of the route's version, or of its package.
fn notes(path: &PathNames) -> Result<DocumentAddress> {
    Ok(if path.has("version") {
        DocumentAddress::VersionNotes(path.version_address()?)
    } else {
        DocumentAddress::PackageNotes(path.package_address()?)
    })
}

async fn show(app: &App, visitor: &Visitor, at: DocumentAddress) -> Result<Response> {
    let access = check(app, visitor, &at).await?;
    let found = allowed(documents::show(app.house(), &visitor.caller, &at).await)?;
    let document =
        found.map(|saved| saved.document).unwrap_or(Document { syntax: Syntax::Markdown, content: String::new() });
    let form = Form::with([("syntax", document.syntax.as_str().to_owned()), ("content", document.content)]);
    Ok(form_page(&at, &access, &form).show(app, visitor))
}

async fn set(app: &App, visitor: &Visitor, at: DocumentAddress, form: &Form) -> Result<Response> {
    let access = check(app, visitor, &at).await?;
    if form.is_checked("preview") {
        let document = Document { syntax: syntax(form)?, content: form.text("content").to_owned() };
        let preview = Some(rendering::preview(app.house(), &document).await);
        return Ok(FormPage { preview, ..form_page(&at, &access, form) }.show(app, visitor));
    }
    match store(app, visitor, &at, form).await {
        Ok(()) => Ok(notice::redirect(app, visitor, &page_of(&at), Notice::success("The text has been saved."))),
        Err(failure) => form_page(&at, &access, form).refused(app, visitor, failure),
    }
}

/// Checks that the visitor may change the text.
async fn check(app: &App, visitor: &Visitor, at: &DocumentAddress) -> Result<PackageAccess> {
    let (house, caller) = (app.house(), &visitor.caller);
    Ok(match at {
        DocumentAddress::Readme(at) | DocumentAddress::PackageNotes(at) => {
            packages::show_for(house, caller, at, Right::Publish).await?
        }
        DocumentAddress::VersionNotes(at) => versions::show_for(house, caller, at, Right::Publish).await?.package,
    })
}

async fn store(app: &App, visitor: &Visitor, at: &DocumentAddress, form: &Form) -> Result<()> {
    let content = form.text("content").to_owned();
    if content.trim().is_empty() {
        return match documents::delete(app.house(), &visitor.caller, at).await {
            // The document did not exist, so the result is the same.
            Err(Error::NotFound { .. }) => Ok(()),
            other => Ok(other?),
        };
    }
    let document = Document { syntax: syntax(form)?, content };
    Ok(documents::set(app.house(), &visitor.caller, at, SavedDocument { document, is_wrapped: false }).await?)
}

fn syntax(form: &Form) -> Result<Syntax> {
    let unknown =
        || Failure::bad_request(format!("syntax: it is not one of {}", SYNTAXES.map(|(name, _)| name).join(", ")));
    Syntax::parse(form.text("syntax")).ok_or_else(unknown)
}

fn page_of(at: &DocumentAddress) -> String {
    match at {
        DocumentAddress::Readme(at) | DocumentAddress::PackageNotes(at) => address::package(at),
        DocumentAddress::VersionNotes(at) => address::version(at),
    }
}

fn form_page(at: &DocumentAddress, access: &PackageAccess, form: &Form) -> FormPage {
    let (title, noun) = match at {
        DocumentAddress::Readme(_) => ("Readme", "readme"),
        DocumentAddress::PackageNotes(_) | DocumentAddress::VersionNotes(_) => ("Release notes", "notes"),
    };
    let (band, nav) = match at {
        DocumentAddress::Readme(at) | DocumentAddress::PackageNotes(at) => {
            (Band::of_package(at, access).at("Settings"), settings_nav::of_package(at, title))
        }
        DocumentAddress::VersionNotes(at) => {
            (Band::of_version(at, access).at("Versions"), settings_nav::of_version(at, title))
        }
    };
    FormPage {
        band,
        nav,
        back: page_of(at),
        title: title.to_owned(),
        action: format!("/-/edit/{noun}{}", page_of(at)),
        button: "Save",
        has_preview: true,
        fields: vec![
            Field::titled_choice("syntax", "Format", SYNTAXES, form.text("syntax")),
            Field::document("content", "Text", form.text("content")).hint("Leave it empty to remove the text."),
        ],
        ..FormPage::default()
    }
}
