//! The access keys of an account, and the form that creates one.

use askama::Template;
use axum::{extract::State, response::Response};
use model::names::AccessKeyName;
use operations::access::access_keys::{self, KeyAddress};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{account::Account, key_fields::KeyFields};
use crate::{
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/access_keys.html")]
struct Page {
    layout: Layout,
    owner: String,
    address: String,
    keys: Vec<(String, String)>,
    fields: KeyFields,
    is_new: bool,
    made: Option<Credentials>,
}

/// The credentials of a new key, shown only on this page.
pub(super) struct Credentials {
    pub(super) user_name: String,
    pub(super) password: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &Account::of(&path)?, Outcome::default()).await
}

/// Parts of the page that depend on a submitted form.
#[derive(Default)]
struct Outcome {
    notice: Option<Notice>,
    fields: KeyFields,
    made: Option<Credentials>,
}

async fn page(app: &App, visitor: &Visitor, account: &Account, outcome: Outcome) -> Result<Response> {
    let keys = access_keys::list(app.house(), &visitor.caller, account.kind, &account.name).await?;
    let Outcome { notice, fields, made } = outcome;
    let layout = visitor.layout(app).with_notice(notice);
    let keys = keys.into_iter().map(|key| {
        let address = account.page(["access_keys", &key]);
        (key, address)
    });
    let page = Page {
        owner: account.name.to_string(),
        address: account.page(["access_keys"]),
        keys: keys.collect(),
        is_new: true,
        layout: layout.clone(),
        fields,
        made,
    };
    Ok(render(&layout, &page))
}

/// Creates a key, and shows its password.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    let outcome = match new(&app, &visitor, &account, &form).await {
        Ok(made) => Outcome {
            notice: Some(Notice::success("The access key has been created.")),
            made: Some(made),
            ..Outcome::default()
        },
        Err(failure) => {
            Outcome { notice: Some(Notice::from_failure(failure)?), fields: KeyFields::of_form(&form)?, made: None }
        }
    };
    page(&app, &visitor, &account, outcome).await
}

async fn new(app: &App, visitor: &Visitor, account: &Account, form: &Form) -> Result<Credentials> {
    let wrong = |error| Failure::bad_request(format!("id: {error}"));
    let key = AccessKeyName::parse(form.trimmed("id")?).map_err(wrong)?;
    let at = KeyAddress { kind: account.kind, owner: account.name.clone(), key };
    let password = access_keys::create(app.house(), &visitor.caller, &at, &KeyFields::change(form)?).await?;
    Ok(credentials(&at, password.expose()))
}

pub(super) fn credentials(at: &KeyAddress, password: &str) -> Credentials {
    Credentials { user_name: format!("{}@{}", at.key, at.owner), password: password.to_owned() }
}
