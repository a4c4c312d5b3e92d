//! EULAs of products.

use axum::{Json, extract::State, http::StatusCode};
use model::{document::Syntax, names::EulaName};
use operations::access::eulas::{self, EulaAddress, EulaDetail};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

pub(crate) async fn list_eulas(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::EulaSummary>>> {
    let listed = eulas::list(app.house(), &caller, &path.product_address()?).await?;
    let summary = |EulaDetail { eula, versions }| api::EulaSummary {
        name: eula.name.to_string(),
        syntax: eula.document.syntax.as_str().to_owned(),
        default: eula.is_default,
        versions,
    };
    Ok(Json(listed.into_iter().map(summary).collect()))
}

pub(crate) async fn create_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(new, body): JsonParts<api::Named, api::EulaChange>,
) -> Result<(StatusCode, Json<api::Eula>)> {
    let eula = EulaName::parse_new(&new.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = EulaAddress { product: path.product_address()?, eula };
    let detail = eulas::create(app.house(), &caller, &at, change(body)?).await?;
    Ok((StatusCode::CREATED, Json(view(detail))))
}

pub(crate) async fn show_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Eula>> {
    Ok(Json(view(eulas::show(app.house(), &caller, &path.eula_address()?).await?)))
}

pub(crate) async fn edit_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::EulaChange>,
) -> Result<Json<api::Message>> {
    eulas::edit(app.house(), &caller, &path.eula_address()?, change(body)?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    eulas::delete(app.house(), &caller, &path.eula_address()?).await?;
    Ok(Json(api::Message::success()))
}

fn change(body: api::EulaChange) -> Result<eulas::EulaChange> {
    let unknown = |name: &str| {
        let name: String = name.chars().take(40).collect();
        Failure::bad_request(format!("syntax: '{name}' is not one of markdown, asciidoc, plain_text"))
    };
    let syntax = body.syntax.map(|name| Syntax::parse(&name).ok_or_else(|| unknown(&name))).transpose()?;
    Ok(eulas::EulaChange { syntax, content: body.content, is_default: body.default, versions: body.versions })
}

fn view(EulaDetail { eula, versions }: EulaDetail) -> api::Eula {
    api::Eula {
        name: eula.name.to_string(),
        syntax: eula.document.syntax.as_str().to_owned(),
        content: eula.document.content,
        default: eula.is_default,
        versions,
    }
}
