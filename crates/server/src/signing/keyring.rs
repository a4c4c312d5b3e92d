//! The public keys that sign the indexes of an owner's repositories.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use operations::{
    indexes::{self, IndexBytes},
    signing::{self, Keyring},
};
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::keys::{owner, text};

pub(crate) async fn show_keyring(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let is_binary = match path.query("format")? {
        None | Some("armored") => false,
        Some("binary") => true,
        Some(_) => return Err(Failure::bad_request("format: it is `armored` or `binary`")),
    };
    let keys = signing::keyring(app.house(), &caller, &owner(&path)?).await?;
    if is_binary { binary(&keys) } else { Ok(text(keys.to_armored()?)) }
}

pub(crate) async fn show_binary_keyring(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    binary(&signing::keyring(app.house(), &caller, &owner(&path)?).await?)
}

pub(crate) async fn show_key_file(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let owner = owner(&path)?;
    let key = indexes::rsa_key(app.house(), &caller, &owner.name, path.key_file()).await?;
    let bytes = match &key.bytes {
        IndexBytes::Memory(bytes) => bytes.clone(),
        // A key is small, so it is in memory.
        IndexBytes::Mapped(_) => return Err(Failure::nothing()),
    };
    Ok(text(String::from_utf8_lossy(&bytes).into_owned()))
}

fn binary(keys: &Keyring) -> Result<Response> {
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], keys.to_bytes()?).into_response())
}
