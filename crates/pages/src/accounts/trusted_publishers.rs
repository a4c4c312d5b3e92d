//! The trusted publishers of an account, and the form that adds one.

use axum::{extract::State, response::Response};
use model::{
    id::PublisherId,
    trusted_publisher::{Provider, TrustedPublisher},
};
use operations::accounts::{
    tokens::TokenOwner,
    trusted_publishers::{self, NewPublisher},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::account::Account;
use crate::{
    form::{Field, Form, FormPage, Row, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let account = Account::of(&path)?;
    let first = Form::with([("resource", account.name.to_string())]);
    Ok(page(&app, &visitor, &account, &first).await?.show(&app, &visitor))
}

/// Adds a trusted publisher.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    match new(&app, &visitor, &account, &form).await {
        Ok(()) => {
            let notice = Notice::success("The trusted publisher has been added.");
            Ok(notice::redirect(&app, &visitor, &account.page(["trusted_publishers"]), notice))
        }
        Err(failure) => page(&app, &visitor, &account, &form).await?.refused(&app, &visitor, failure),
    }
}

/// Deletes a trusted publisher.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let account = Account::of(&path)?;
    let id = PublisherId::parse(path.publisher()).unwrap_or(PublisherId::NONE);
    let notice = match trusted_publishers::delete(app.house(), &visitor.caller, &owner(&account), id).await {
        Ok(()) => Notice::success("The trusted publisher has been deleted."),
        Err(error) => Notice::from_failure(error.into())?,
    };
    Ok(notice::redirect(&app, &visitor, &account.page(["trusted_publishers"]), notice))
}

async fn new(app: &App, visitor: &Visitor, account: &Account, form: &Form) -> Result<()> {
    let pair = |line: String| {
        let (claim, value) = line.split_once('=').ok_or_else(|| Failure::bad_request("claims: write claim=value"))?;
        Ok((claim.trim().to_owned(), value.trim().to_owned()))
    };
    let claims: Result<Vec<(String, String)>> = form.lines("claims").into_iter().map(pair).collect();
    let new = NewPublisher {
        name: form.trimmed("name")?.to_owned(),
        provider: form.trimmed("provider")?.to_owned(),
        issuer: form.optional("issuer")?,
        claims: claims?,
        resource: form.trimmed("resource")?.to_owned(),
    };
    trusted_publishers::create(app.house(), &visitor.caller, &owner(account), &new).await?;
    Ok(())
}

async fn page(app: &App, visitor: &Visitor, account: &Account, form: &Form) -> Result<FormPage> {
    let found = trusted_publishers::list(app.house(), &visitor.caller, &owner(account)).await?;
    let text = |name: &str| form.text(name).to_owned();
    let providers = Provider::ALL.map(|provider| (provider.as_str(), title(provider)));
    Ok(FormPage {
        band: account.band(app, visitor).await?.at("Tokens"),
        title: format!("Trusted publishers of {}", account.name),
        lead: format!(
            "Builds of a trusted publisher get a token for 15 minutes, and need no stored secret. The audience of their \
             identity tokens is {}.",
            app.settings().public_url()
        ),
        rows_title: "Current publishers",
        rows: found.iter().map(|one| row(account, one)).collect(),
        action: account.page(["trusted_publishers"]),
        fields: vec![
            Field::line("name", "Name", &text("name")).required(),
            Field::titled_choice("provider", "Builds run on", providers, &text("provider")),
            Field::text("claims", "Claims", &text("claims"))
                .hint("One per line, such as repository=acme/tools or ref=refs/tags/*."),
            Field::line("resource", "May publish in", &text("resource"))
                .hint("The account, a repository or a package, for example acme/tools/cat."),
            Field::line("issuer", "Issuer", &text("issuer"))
                .hint("Only if it is not the service's own. Another service needs one."),
        ],
        back: account.page(["tokens"]),
        new_title: "New trusted publisher",
        button: "Add trusted publisher",
        ..FormPage::default()
    })
}

/// The name of a service for people.
fn title(provider: Provider) -> &'static str {
    match provider {
        Provider::GitHub => "GitHub Actions",
        Provider::GitLab => "GitLab CI/CD",
        Provider::Buildkite => "Buildkite",
        Provider::Generic => "Another service",
    }
}

fn row(account: &Account, publisher: &TrustedPublisher) -> Row {
    let claims = publisher.claims.iter().map(|one| format!("{}={}", one.claim, one.pattern)).collect::<Vec<_>>();
    Row {
        name: publisher.name.clone(),
        detail: format!("{}: {}, from {}", publisher.resource, claims.join(", "), publisher.issuer),
        edit: String::new(),
        remove: account.page(["trusted_publishers", &publisher.id.name(), "delete"]),
        button: "Delete",
        asks: "Builds that it matches can no longer publish.",
    }
}

fn owner(account: &Account) -> TokenOwner {
    TokenOwner { kind: account.kind, name: account.name.clone() }
}
