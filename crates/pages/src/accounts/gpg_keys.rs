//! The signing key of an account: store, generate, replace and delete it.

use askama::Template;
use axum::{extract::State, response::Response};
use operations::signing::{self, KeyOwner, SecretText};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::account::Account;
use crate::{
    accounts::gpg_key::GpgKey,
    band::Band,
    form::Submitted,
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/gpg_keys.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    address: String,
    gpg_key: Option<GpgKey>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &Account::of(&path)?, None).await
}

/// The page, for those who manage the account.
async fn page(app: &App, visitor: &Visitor, account: &Account, notice: Option<Notice>) -> Result<Response> {
    // A missing key is no reason to hide the page; a visitor without access is.
    match signing::show(app.house(), &visitor.caller, &owner(account)).await {
        Err(operations::Error::NotFound { what: "GPG key of", .. }) | Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: account.band(app, visitor).await?.at("Signing key"),
        owner: account.name.to_string(),
        address: home(account),
        gpg_key: GpgKey::find(app, visitor, account.kind, &account.name).await?,
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

fn home(account: &Account) -> String {
    account.page(["gpg_key"])
}

fn owner(account: &Account) -> KeyOwner {
    KeyOwner { kind: account.kind, name: account.name.clone() }
}

/// Stores a private key, and replaces the previous one.
pub(super) async fn store(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    let secret = |text: &str| SecretText::presented(text.to_owned());
    let passphrase = Some(form.line("passphrase")?).filter(|text| !text.is_empty()).map(secret);
    let key = secret(form.text("private_key"));
    let done = signing::import(app.house(), &visitor.caller, &owner(&account), key, passphrase).await;
    finish(&app, &visitor, &account, done.map(|_| "The key has been stored.")).await
}

/// Generates a key, and replaces the previous one.
pub(super) async fn generate(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    let done = signing::generate(app.house(), &visitor.caller, &owner(&account)).await;
    finish(&app, &visitor, &account, done.map(|_| "The server has generated a key.")).await
}

/// Deletes the key.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    let done = signing::delete(app.house(), &visitor.caller, &owner(&account)).await;
    finish(&app, &visitor, &account, done.map(|()| "The key has been removed.")).await
}

async fn finish(
    app: &App,
    visitor: &Visitor,
    account: &Account,
    done: operations::Result<&'static str>,
) -> Result<Response> {
    match done.map_err(Failure::from) {
        Ok(text) => Ok(notice::redirect(app, visitor, &home(account), Notice::success(text))),
        Err(failure) => page(app, visitor, account, Some(Notice::from_failure(failure)?)).await,
    }
}
