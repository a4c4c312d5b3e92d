//! The tokens of an account, and the form that creates one.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::Scope,
    id::TokenId,
    subject::SubjectKind,
    timestamp::Timestamp,
    token::{Resource, Token},
};
use operations::accounts::tokens::{self, TokenChange, TokenOwner};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::account::Account;
use crate::{
    band::Band,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

/// A day, the overlap after a rotation on the page.
const OVERLAP_SECS: i64 = 24 * 60 * 60;

/// The scopes with what they allow.
const SCOPES: [(Scope, &str); 4] = [
    (Scope::Read, "See and download"),
    (Scope::Publish, "And upload and publish"),
    (Scope::Manage, "And manage repositories, packages, webhooks and access keys"),
    (Scope::Admin, "Everything you may do"),
];

#[derive(Template)]
#[template(path = "accounts/tokens.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    is_org: bool,
    address: String,
    publishers: String,
    tokens: Vec<TokenLine>,
    scopes: [(Scope, &'static str); 4],
    fields: TokenFields,
    /// The name and the secret of a new token, shown only on this page.
    made: Option<(String, String)>,
}

/// A token in the list.
struct TokenLine {
    name: String,
    address: String,
    scopes: String,
    resources: String,
    expiry: Option<Timestamp>,
    is_expired: bool,
    last_use: Option<(Timestamp, String, String)>,
}

/// The fields of the form, as texts.
#[derive(Default)]
struct TokenFields {
    name: String,
    scope: String,
    resources: String,
    expiry: String,
    cidrs: String,
}

impl TokenLine {
    fn new(account: &Account, token: Token, now: Timestamp) -> Self {
        let words =
            |resources: &Vec<Resource>| resources.iter().map(Resource::to_string).collect::<Vec<_>>().join(", ");
        let resources = token.terms.resources.as_ref().map_or_else(|| "Everywhere".to_owned(), words);
        Self {
            address: account.page(["tokens", &token.id.name()]),
            scopes: token.terms.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", "),
            resources: if resources.is_empty() { "Nowhere: its resources were deleted".to_owned() } else { resources },
            expiry: token.terms.expiry,
            is_expired: token.terms.expiry.is_some_and(|expiry| expiry <= now),
            last_use: token.last_use.map(|last| (last.at, last.address, last.agent.unwrap_or_default())),
            name: token.terms.name,
        }
    }
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &Account::of(&path)?, None, TokenFields::default(), None).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    account: &Account,
    notice: Option<Notice>,
    fields: TokenFields,
    made: Option<(String, String)>,
) -> Result<Response> {
    let tokens = tokens::list(app.house(), &visitor.caller, &owner(account)).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: account.band(app, visitor).await?.at("Tokens"),
        owner: account.name.to_string(),
        is_org: account.kind == SubjectKind::Org,
        address: account.page(["tokens"]),
        publishers: account.page(["trusted_publishers"]),
        tokens: tokens.into_iter().map(|token| TokenLine::new(account, token, layout.now)).collect(),
        scopes: SCOPES,
        layout: layout.clone(),
        fields,
        made,
    };
    Ok(render(&layout, &page))
}

/// Creates a token, and shows its secret.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    match new(&app, &visitor, &account, &form).await {
        Ok(made) => {
            let notice = Notice::success("The token has been created.");
            page(&app, &visitor, &account, Some(notice), TokenFields::default(), Some(made)).await
        }
        Err(failure) => {
            let (notice, fields) = (Notice::from_failure(failure)?, TokenFields::of(&form)?);
            page(&app, &visitor, &account, Some(notice), fields, None).await
        }
    }
}

async fn new(app: &App, visitor: &Visitor, account: &Account, form: &Form) -> Result<(String, String)> {
    let expiry = form.moment("expiry")?;
    let resources = form.lines("resources");
    let change = TokenChange {
        name: Some(form.trimmed("name")?.to_owned()),
        scopes: Some(vec![form.trimmed("scope")?.to_owned()]),
        resources: Some(Some(resources).filter(|list| !list.is_empty())),
        expiry: Some(expiry.map(Timestamp::millis)),
        cidrs: Some(form.lines("cidrs")),
    };
    let (token, secret) = tokens::create(app.house(), &visitor.caller, &owner(account), &change).await?;
    Ok((token.terms.name, secret.expose().to_owned()))
}

/// Gives a token a new secret, and shows it. The old one stays valid for a day if the form asks for it.
pub(super) async fn rotate(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (account, id) = (Account::of(&path)?, id(&path)?);
    let overlap_secs = if form.is_checked("overlap") { OVERLAP_SECS } else { 0 };
    match tokens::rotate(app.house(), &visitor.caller, &owner(&account), id, overlap_secs).await {
        Ok((token, secret)) => {
            let made = (token.terms.name, secret.expose().to_owned());
            let notice = Notice::success("The token has a new secret.");
            page(&app, &visitor, &account, Some(notice), TokenFields::default(), Some(made)).await
        }
        Err(error) => {
            let notice = Notice::from_failure(error.into())?;
            page(&app, &visitor, &account, Some(notice), TokenFields::default(), None).await
        }
    }
}

/// Revokes a token.
pub(super) async fn revoke(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let (account, id) = (Account::of(&path)?, id(&path)?);
    match tokens::revoke(app.house(), &visitor.caller, &owner(&account), id).await {
        Ok(()) => {
            let notice = Notice::success("The token has been revoked.");
            Ok(notice::redirect(&app, &visitor, &account.page(["tokens"]), notice))
        }
        Err(error) => {
            let notice = Notice::from_failure(error.into())?;
            page(&app, &visitor, &account, Some(notice), TokenFields::default(), None).await
        }
    }
}

fn owner(account: &Account) -> TokenOwner {
    TokenOwner { kind: account.kind, name: account.name.clone() }
}

fn id(path: &PathNames) -> Result<TokenId> {
    TokenId::parse(path.token()).ok_or_else(Failure::nothing)
}

impl TokenFields {
    fn of(form: &Form) -> Result<Self> {
        let field = |name: &str| form.line(name).map(str::to_owned);
        Ok(Self {
            name: field("name")?,
            scope: field("scope")?,
            resources: form.text("resources").to_owned(),
            expiry: field("expiry")?,
            cidrs: form.text("cidrs").to_owned(),
        })
    }
}
