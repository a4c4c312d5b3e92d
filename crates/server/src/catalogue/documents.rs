//! Readmes of packages, and release notes of packages and versions.

use axum::{Json, extract::State};
use model::document::{Document, SavedDocument, Syntax};
use operations::{
    Caller,
    catalogue::documents::{self, DocumentAddress},
};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

/// Defines the three calls of one text; only the URL differs.
macro_rules! calls {
    ($show:ident, $set:ident, $delete:ident, $address:expr) => {
        pub(crate) async fn $show(
            State(app): State<App>,
            RequestCaller(caller): RequestCaller,
            path: PathNames,
        ) -> Result<Json<api::ShownDocument>> {
            show(app, caller, $address(&path)?).await
        }

        pub(crate) async fn $set(
            State(app): State<App>,
            SignedIn(caller): SignedIn,
            path: PathNames,
            JsonBody(body): JsonBody<api::SentDocument>,
        ) -> Result<Json<api::SetDocument>> {
            set(app, caller, $address(&path)?, body).await
        }

        pub(crate) async fn $delete(
            State(app): State<App>,
            SignedIn(caller): SignedIn,
            path: PathNames,
        ) -> Result<Json<api::Message>> {
            documents::delete(app.house(), &caller, &$address(&path)?).await?;
            Ok(Json(api::Message::success()))
        }
    };
}

calls!(show_readme, set_readme, delete_readme, readme);
calls!(show_package_notes, set_package_notes, delete_package_notes, package_notes);
calls!(show_version_notes, set_version_notes, delete_version_notes, version_notes);

fn readme(path: &PathNames) -> Result<DocumentAddress> {
    path.package_address().map(DocumentAddress::Readme)
}

fn package_notes(path: &PathNames) -> Result<DocumentAddress> {
    path.package_address().map(DocumentAddress::PackageNotes)
}

fn version_notes(path: &PathNames) -> Result<DocumentAddress> {
    path.version_address().map(DocumentAddress::VersionNotes)
}

async fn show(app: App, caller: Caller, at: DocumentAddress) -> Result<Json<api::ShownDocument>> {
    let SavedDocument { document, is_wrapped } = documents::show(app.house(), &caller, &at).await?;
    let document = api::Document { syntax: document.syntax.as_str().to_owned(), content: document.content };
    Ok(Json(api::ShownDocument { bintray: is_wrapped.then(|| document.clone()), document }))
}

async fn set(app: App, caller: Caller, at: DocumentAddress, body: api::SentDocument) -> Result<Json<api::SetDocument>> {
    let api::SentDocument { document: sent, is_wrapped } = body;
    let name: String = sent.syntax.chars().take(40).collect();
    let unknown = || Failure::bad_request(format!("syntax: '{name}' is not one of markdown, asciidoc, plain_text"));
    let syntax = Syntax::parse(&sent.syntax).ok_or_else(unknown)?;
    let bintray =
        is_wrapped.then(|| api::Document { syntax: syntax.as_str().to_owned(), content: sent.content.clone() });
    let document = Document { syntax, content: sent.content };
    documents::set(app.house(), &caller, &at, SavedDocument { document, is_wrapped }).await?;
    Ok(Json(api::SetDocument { message: api::Message::success(), bintray }))
}
