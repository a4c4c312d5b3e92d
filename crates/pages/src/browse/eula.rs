//! The page on which a key holder accepts a EULA: a plain form that needs no script.

use askama::Template;
use axum::{body::Body, extract::State, http::StatusCode, response::Response};
use operations::{
    access::agreements::{self, AgreementTerms},
    rendering::Html,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    form::Form,
    layout::{Layout, render},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/eula.html")]
struct Page {
    layout: Layout,
    product: String,
    version: String,
    text: Html,
    token: String,
    is_accepted: bool,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (at, version) = (path.product_address()?, path.version()?);
    let terms = agreements::show(app.house(), &visitor.caller, &at, &version).await?;
    Ok(page(&app, &visitor, terms, version.to_string()))
}

pub(crate) async fn accept(State(app): State<App>, visitor: Visitor, path: PathNames, body: Body) -> Result<Response> {
    visitor.caller.check_signed_in()?;
    let form = Form::read_agreement(body).await?;
    let (at, version) = (path.product_address()?, path.version()?);
    let token = match form.line("token")? {
        "" => return Err(Failure::new(StatusCode::BAD_REQUEST, "token: it is required")),
        token => token,
    };
    let terms = agreements::accept_shown(app.house(), &visitor.caller, &at, &version, token).await?;
    Ok(page(&app, &visitor, terms, version.to_string()))
}

fn page(app: &App, visitor: &Visitor, terms: AgreementTerms, version: String) -> Response {
    let layout = visitor.layout(app);
    let page = Page {
        product: terms.product,
        version,
        text: terms.html,
        token: terms.token,
        is_accepted: terms.is_accepted,
        layout: layout.clone(),
    };
    render(&layout, &page)
}
