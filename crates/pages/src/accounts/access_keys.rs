//! The access keys of an account, and the form that creates one.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    names::AccessKeyName,
    overview::{KeyOverview, KeyRight},
    timestamp::Timestamp,
};
use operations::access::access_keys::{self, KeyAddress};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{account::Account, key_fields::KeyFields};
use crate::{
    address,
    band::Band,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::Notice,
    sizes,
    visitor::Visitor,
};

/// The most keys on the page.
const KEYS: usize = 200;

/// The most rights of a key on the page.
const RIGHTS: usize = 3;

/// Two weeks.
const SOON_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

#[derive(Template)]
#[template(path = "accounts/access_keys.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    address: String,
    keys: Vec<KeyLine>,
    /// Whether there are more keys.
    is_cut: bool,
    fields: KeyFields,
    is_new: bool,
    made: Option<Credentials>,
}

/// A key in the list.
struct KeyLine {
    name: String,
    address: String,
    /// Some of what it opens, with the URLs of the pages.
    opens: Vec<(String, String)>,
    /// Whether it opens more.
    opens_more: bool,
    expiry: Option<Timestamp>,
    is_expired: bool,
    /// Whether it expires within two weeks.
    expires_soon: bool,
    last_used: Option<Timestamp>,
    /// The number of downloads, and the number that is allowed.
    downloads: String,
}

impl KeyLine {
    fn new(account: &Account, (key, rights): (KeyOverview, Vec<KeyRight>), now: Timestamp) -> Self {
        let count = sizes::number(key.downloads.unwrap_or_default());
        Self {
            address: account.page(["access_keys", &key.name]),
            opens: rights.iter().take(RIGHTS).map(|right| opened(account, right)).collect(),
            opens_more: rights.len() > RIGHTS,
            is_expired: key.expiry.is_some_and(|expiry| expiry <= now.millis()),
            expires_soon: key.expiry.is_some_and(|expiry| expiry <= now.millis() + SOON_MS),
            expiry: key.expiry.map(Timestamp::from_millis),
            last_used: key.last_used.map(Timestamp::from_millis),
            downloads: key.max_downloads.map_or(count.clone(), |most| format!("{count} of {}", sizes::number(most))),
            name: key.name,
        }
    }
}

/// Something that a key opens, and the URL of the page where its owner changes that.
pub(super) fn opened(account: &Account, right: &KeyRight) -> (String, String) {
    if let Some(product) = &right.product {
        return (product.clone(), address::path(["-", "products", account.name.as_str(), product]));
    }
    let owner = right.owner.as_deref().unwrap_or_default();
    let names = [&right.repo, &right.package, &right.version, &right.path];
    let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    let page = right.repo.iter().chain(&right.package).map(String::as_str);
    (names.join("/"), address::path(["-", "entitlements", owner].into_iter().chain(page)))
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
    let most = i64::try_from(KEYS + 1).unwrap_or(i64::MAX);
    let keys = access_keys::list_overviews(app.house(), &visitor.caller, account.kind, &account.name, most).await?;
    let Outcome { notice, fields, made } = outcome;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: account.band(app, visitor).await?.at("Access keys"),
        owner: account.name.to_string(),
        address: account.page(["access_keys"]),
        is_cut: keys.len() > KEYS,
        keys: keys.into_iter().take(KEYS).map(|key| KeyLine::new(account, key, layout.now)).collect(),
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
