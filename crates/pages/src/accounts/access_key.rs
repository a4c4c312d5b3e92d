//! An access key: its limits, its usage, a new password, its deletion.

use askama::Template;
use axum::{extract::State, response::Response};
use model::timestamp::Timestamp;
use operations::access::access_keys::{self, KeyAddress};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    access_keys::{Credentials, credentials, opened},
    account::Account,
    key_fields::KeyFields,
};
use crate::{
    band::Band,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/access_key.html")]
struct Page {
    layout: Layout,
    band: Band,
    address: String,
    user_name: String,
    created: Timestamp,
    downloads: i64,
    bytes: String,
    /// The time and the IP address of the last use.
    last_use: Option<(Timestamp, String)>,
    /// What it opens, with the URLs of the pages.
    opens: Vec<(String, String)>,
    fields: KeyFields,
    is_new: bool,
    made: Option<Credentials>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &at(&path)?, None, None).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    at: &KeyAddress,
    notice: Option<Notice>,
    made: Option<Credentials>,
) -> Result<Response> {
    let key = access_keys::show(app.house(), &visitor.caller, at).await?;
    let usage = access_keys::show_usage(app.house(), &visitor.caller, at).await?;
    let rights = access_keys::show_rights(app.house(), &visitor.caller, at).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: band(app, at, visitor).await?,
        address: home(at),
        user_name: format!("{}@{}", at.key, at.owner),
        created: key.created,
        downloads: usage.as_ref().map_or(0, |usage| usage.downloads),
        bytes: sizes::bytes(usage.as_ref().map_or(0, |usage| usage.bytes.unsigned_abs())),
        last_use: usage.map(|usage| (Timestamp::from_millis(usage.last_used), usage.last_address)),
        opens: rights.iter().map(|right| opened(&account(at), right)).collect(),
        fields: KeyFields::of(&key),
        is_new: false,
        layout: layout.clone(),
        made,
    };
    Ok(render(&layout, &page))
}

fn at(path: &PathNames) -> Result<KeyAddress> {
    let (kind, owner) = path.account()?;
    Ok(KeyAddress { kind, owner, key: path.access_key()? })
}

fn account(at: &KeyAddress) -> Account {
    Account { kind: at.kind, name: at.owner.clone() }
}

async fn band(app: &App, at: &KeyAddress, visitor: &Visitor) -> Result<Band> {
    let band = account(at).band(app, visitor).await?.at("Access keys");
    let owner = (band.title.clone(), format!("/{}", at.owner));
    let keys = ("Access keys".to_owned(), account(at).page(["access_keys"]));
    Ok(Band { breadcrumbs: vec![owner, keys], title: format!("{}@{}", at.key, at.owner), ..band })
}

fn home(at: &KeyAddress) -> String {
    account(at).page(["access_keys", at.key.as_str()])
}

/// Changes the limits, and the password if one is given.
pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    match change(&app, &visitor, &at, &form).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &home(&at), Notice::success("The limits have been saved."))),
        Err(failure) => page(&app, &visitor, &at, Some(Notice::from_failure(failure)?), None).await,
    }
}

async fn change(app: &App, visitor: &Visitor, at: &KeyAddress, form: &Form) -> Result<()> {
    access_keys::edit(app.house(), &visitor.caller, at, &KeyFields::change(form)?).await?;
    Ok(())
}

/// Creates a new password, and shows it.
pub(super) async fn renew_password(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    match access_keys::renew_password(app.house(), &visitor.caller, &at).await {
        Ok(password) => {
            let notice = Notice::success("The access key has a new password.");
            page(&app, &visitor, &at, Some(notice), Some(credentials(&at, password.expose()))).await
        }
        Err(error) => page(&app, &visitor, &at, Some(Notice::from_failure(error.into())?), None).await,
    }
}

/// Deletes the key.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    match access_keys::delete(app.house(), &visitor.caller, &at).await.map_err(Failure::from) {
        Ok(()) => {
            let notice = Notice::success(format!("The access key {} has been deleted.", at.key));
            Ok(notice::redirect(&app, &visitor, &account(&at).page(["access_keys"]), notice))
        }
        Err(failure) => page(&app, &visitor, &at, Some(Notice::from_failure(failure)?), None).await,
    }
}
