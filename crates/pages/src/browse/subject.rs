//! The page of a user or an organization: its repositories, and its details for signed-in visitors.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{names::SubjectName, repo::RepoListItem, subject::SubjectKind};
use operations::{
    Error,
    accounts::{orgs, users},
    catalogue::repos,
    usage::usage_thresholds::ThresholdOwner,
};
use web::{App, error::Result, path_names::PathNames};

use crate::{
    accounts::gpg_key::GpgKey,
    address,
    errors::allowed,
    layout::{Layout, render},
    pager::{Pager, page_of},
    sizes,
    statistics::thresholds::{self, Threshold},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/subject.html")]
struct Page {
    layout: Layout,
    name: String,
    facts: Option<Facts>,
    thresholds: Vec<Threshold>,
    repos: Vec<(String, String)>,
    pager: Pager,
    may_create: bool,
}

/// Details for signed-in visitors.
struct Facts {
    kind: &'static str,
    full_name: String,
    registered: String,
    followers: u64,
    size: String,
    /// Its signing key, for those who manage it.
    gpg_key: Option<GpgKey>,
    /// Related subjects, each with the word for the relation.
    others: Vec<(String, &'static str)>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (name, start) = (path.subject("subject")?, path.start_position()?);
    let listed = repos::list(app.house(), &visitor.caller, &name).await?;
    let link = |repo: RepoListItem| {
        let shown =
            if repo.owner == name.as_str() { repo.name.clone() } else { format!("{}/{}", repo.owner, repo.name) };
        (shown, address::path([repo.owner.as_str(), repo.name.as_str()]))
    };
    let shown = page_of(&listed, start);
    let pager = Pager::new(&address::path([name.as_str()]), &[], start, shown.len(), listed.len() as u64);
    let layout = visitor.layout(&app);
    let page = Page {
        facts: facts(&app, &visitor, &name).await?,
        thresholds: thresholds::find(&app, &visitor, &ThresholdOwner::Org(name.clone())).await?,
        repos: shown.into_iter().map(link).collect(),
        may_create: visitor.may_change()
            && allowed(repos::check_create(app.house(), &visitor.caller, &name).await)?.is_some(),
        pager,
        name: name.to_string(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

/// The details of a subject that the visitor may see; other visitors see only the repositories.
async fn facts(app: &App, visitor: &Visitor, name: &SubjectName) -> Result<Option<Facts>> {
    match users::show(app.house(), &visitor.caller, name).await {
        Ok(user) => Ok(Some(Facts {
            kind: "User",
            full_name: user.subject.full_name,
            registered: sizes::day(user.subject.registered),
            followers: user.followers_count,
            size: sizes::bytes(user.stored_bytes),
            gpg_key: None,
            others: user.organizations.into_iter().map(|org| (org, "organization")).collect(),
        })),
        Err(Error::NotFound { .. }) => org(app, visitor, name).await.map(Some),
        Err(Error::Unauthenticated(_) | Error::Denied(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn org(app: &App, visitor: &Visitor, name: &SubjectName) -> Result<Facts> {
    let org = orgs::show(app.house(), &visitor.caller, name).await?;
    let members = org.members.unwrap_or_default().into_iter();
    Ok(Facts {
        kind: "Organization",
        full_name: org.subject.full_name,
        registered: sizes::day(org.subject.registered),
        followers: org.followers_count,
        size: sizes::bytes(org.stored_bytes),
        gpg_key: GpgKey::find(app, visitor, SubjectKind::Org, name).await?,
        others: members.map(|member| (member.name, member.role.as_str())).collect(),
    })
}
