//! EULAs that must be accepted before a download, and who has accepted them.

use axum::{Json, extract::State, response::Response};
use model::{eula::ListedSignature, names::VersionName, timestamp::Timestamp};
use operations::access::agreements;
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    paging,
    path_names::PathNames,
};

pub(crate) async fn accept_eula(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::EulaAcceptance>,
) -> Result<Json<api::Message>> {
    let version =
        VersionName::parse(&body.version).map_err(|error| Failure::bad_request(format!("version: {error}")))?;
    agreements::accept(app.house(), &caller, &path.eula_address()?, &version).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn list_signed_eulas(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = agreements::list(app.house(), &caller, &path.product_address()?, path.start_position()?).await?;
    Ok(paging::respond(page, |signed: ListedSignature| api::SignedEula {
        eula: signed.eula,
        version: signed.version,
        username: signed.key_name,
        accepted: Timestamp::from_millis(signed.at).to_string(),
        address: signed.address,
    }))
}

pub(crate) async fn show_file_eula(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::FileEula>> {
    let found = agreements::find_of_file(app.house(), &caller, &path.repo_address()?, &path.file_path()?).await?;
    let (holding, eula) = found;
    Ok(Json(api::FileEula {
        name: eula.name.to_string(),
        product: holding.product,
        version: holding.version,
        syntax: eula.document.syntax.as_str().to_owned(),
        content: eula.document.content,
    }))
}
