//! An access key: its limits, what was done with it, a new password, its end.

use askama::Template;
use axum::{extract::State, response::Response};
use model::timestamp::Timestamp;
use operations::access::access_keys::{self, KeyAddress};

use super::{
    access_keys::{Credentials, credentials},
    account::Account,
    key_fields::KeyFields,
};
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        forms::Form,
        layout::Layout,
        posted::Submitted,
        said::{Said, back, render_said},
        sizes,
        visitor::Visitor,
    },
    path_names::PathNames,
};

#[derive(Template)]
#[template(path = "access_key.html")]
struct Page {
    layout: Layout,
    said: Said,
    owner: String,
    keys_address: String,
    address: String,
    user_name: String,
    created: String,
    downloads: i64,
    bytes: String,
    /// When it was last used, and from where.
    last_use: Option<(String, String)>,
    fields: KeyFields,
    is_new: bool,
    made: Option<Credentials>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &at(&path)?, Said::on(&path)?, None).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    at: &KeyAddress,
    said: Said,
    made: Option<Credentials>,
) -> Result<Response> {
    let key = access_keys::show(app.house(), &visitor.caller, at).await?;
    let usage = access_keys::show_usage(app.house(), &visitor.caller, at).await?;
    let (layout, status) = (visitor.layout(app), said.status);
    let page = Page {
        owner: at.owner.to_string(),
        keys_address: account(at).page(["access_keys"]),
        address: home(at),
        user_name: format!("{}@{}", at.key, at.owner),
        created: sizes::day(key.created),
        downloads: usage.as_ref().map_or(0, |usage| usage.downloads),
        bytes: sizes::bytes(usage.as_ref().map_or(0, |usage| usage.bytes.unsigned_abs())),
        last_use: usage.map(|usage| (Timestamp::from_millis(usage.last_used).to_string(), usage.last_address)),
        fields: KeyFields::of(&key),
        is_new: false,
        layout: layout.clone(),
        said,
        made,
    };
    Ok(render_said(status, &layout, &page))
}

fn at(path: &PathNames) -> Result<KeyAddress> {
    let (kind, owner) = path.account()?;
    Ok(KeyAddress { kind, owner, key: path.access_key()? })
}

fn account(at: &KeyAddress) -> Account {
    Account { kind: at.kind, name: at.owner.clone() }
}

fn home(at: &KeyAddress) -> String {
    account(at).page(["access_keys", at.key.as_str()])
}

/// Changes the limits, and the password when one is given.
pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let at = at(&path)?;
    match Said::of(change(&app, &visitor, &at, &form).await)? {
        None => Ok(back(&home(&at))),
        Some(said) => page(&app, &visitor, &at, said, None).await,
    }
}

async fn change(app: &App, visitor: &Visitor, at: &KeyAddress, form: &Form) -> Result<()> {
    access_keys::edit(app.house(), &visitor.caller, at, &KeyFields::change(form)?).await?;
    Ok(())
}

/// Gives it a new password, and shows that.
pub(super) async fn renew_password(Submitted { app, visitor, path, .. }: Submitted<Form>) -> Result<Response> {
    let at = at(&path)?;
    match access_keys::renew_password(app.house(), &visitor.caller, &at).await {
        Ok(password) => {
            let (said, made) = (Said::done("The key has a new password."), credentials(&at, password.expose()));
            page(&app, &visitor, &at, said, Some(made)).await
        }
        Err(error) => page(&app, &visitor, &at, Said::refusal(error.into())?, None).await,
    }
}

/// Deletes it.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted<Form>) -> Result<Response> {
    let at = at(&path)?;
    match Said::of(access_keys::delete(app.house(), &visitor.caller, &at).await.map_err(Failure::from))? {
        None => Ok(back(&account(&at).page(["access_keys"]))),
        Some(said) => page(&app, &visitor, &at, said, None).await,
    }
}
