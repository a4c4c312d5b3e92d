//! The page of a user or an organization: its repositories, and its details for signed-in visitors.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{names::SubjectName, subject::SubjectKind, timestamp::Timestamp};
use operations::{
    Error,
    accounts::{followers, orgs, users},
    catalogue::repos,
    usage::usage_thresholds::ThresholdOwner,
};
use web::{App, error::Result, path_names::PathNames};

use super::{
    repo_cards::{RepoCard, cards},
    repo_list::RepoQuery,
};
use crate::{
    accounts::gpg_key::GpgKey,
    address,
    band::{Band, SubjectPages},
    errors::allowed,
    layout::{Layout, render},
    pager::Pager,
    sizes,
    statistics::thresholds::{self, Threshold},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/subject.html")]
struct Page {
    layout: Layout,
    band: Band,
    name: String,
    facts: Option<Facts>,
    thresholds: Vec<Threshold>,
    repos: Vec<RepoCard>,
    pager: Pager,
    /// The beginning of the names to list.
    filter: String,
    /// The order of the list in URLs; empty for the usual one.
    sort: &'static str,
    /// The orders with their URLs, and whether the list is in this one.
    orders: Vec<(&'static str, String, bool)>,
    may_create: bool,
    /// The URL of its Atom feed.
    feed: String,
    /// Whether the visitor follows it, if the visitor may.
    is_followed: Option<bool>,
}

/// Details for signed-in visitors.
struct Facts {
    kind: &'static str,
    full_name: String,
    registered: Timestamp,
    followers: u64,
    size: String,
    /// Its signing key, for those who manage it.
    gpg_key: Option<GpgKey>,
    /// Related subjects, each with the word for the relation.
    others: Vec<(String, &'static str)>,
    /// The pages that the visitor may open.
    pages: SubjectPages,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (name, query) = (path.subject("subject")?, RepoQuery::parse(&path)?);
    let listed = query.find(&app, &visitor, &name).await?;
    let layout = visitor.layout(&app);
    let facts = facts(&app, &visitor, &name).await?;
    let pages = facts.as_ref().map(|facts| facts.pages.clone()).unwrap_or_default();
    let mut band = Band::of_subject(&name, pages).at("Repositories");
    band.lead = facts.as_ref().map(|facts| facts.full_name.clone()).unwrap_or_default();
    let page = Page {
        thresholds: thresholds::find(&app, &visitor, &ThresholdOwner::Org(name.clone())).await?,
        repos: cards(&app, &visitor, &listed.shown, name.as_str()).await?,
        may_create: visitor.may_change()
            && allowed(repos::check_create(app.house(), &visitor.caller, &name).await)?.is_some(),
        name: name.to_string(),
        feed: address::feed(&address::path([name.as_str()])),
        is_followed: if visitor.may_change() {
            allowed(followers::is_follower(app.house(), &visitor.caller, &name).await)?.flatten()
        } else {
            None
        },
        layout: layout.clone(),
        filter: listed.filter,
        sort: listed.sort,
        orders: listed.orders,
        pager: listed.pager,
        facts,
        band,
    };
    Ok(render(&layout, &page))
}

/// The details of a subject that the visitor may see; other visitors see only the repositories.
async fn facts(app: &App, visitor: &Visitor, name: &SubjectName) -> Result<Option<Facts>> {
    match users::show(app.house(), &visitor.caller, name).await {
        Ok(user) => Ok(Some(Facts {
            kind: "User",
            full_name: user.subject.full_name,
            registered: user.subject.registered,
            followers: user.followers_count,
            size: sizes::bytes(user.stored_bytes),
            gpg_key: None,
            pages: user_pages(app, visitor, name).await?,
            others: user.organizations.into_iter().map(|org| (org, "organization")).collect(),
        })),
        Err(Error::NotFound { .. }) => org(app, visitor, name).await.map(Some),
        Err(Error::Unauthenticated(_) | Error::Denied(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The pages of a user: all of them for oneself.
async fn user_pages(app: &App, visitor: &Visitor, name: &SubjectName) -> Result<SubjectPages> {
    let pages = SubjectPages::managed(app, visitor, SubjectKind::User, name).await?;
    Ok(if pages.is_own { pages } else { SubjectPages::default() })
}

async fn org(app: &App, visitor: &Visitor, name: &SubjectName) -> Result<Facts> {
    let org = orgs::show(app.house(), &visitor.caller, name).await?;
    let managed = SubjectPages::managed(app, visitor, SubjectKind::Org, name).await?;
    let pages = SubjectPages { is_member: org.members.is_some(), is_manager: org.teams.is_some(), ..managed };
    let members = org.members.unwrap_or_default().into_iter();
    Ok(Facts {
        kind: "Organization",
        full_name: org.subject.full_name,
        registered: org.subject.registered,
        followers: org.followers_count,
        size: sizes::bytes(org.stored_bytes),
        gpg_key: GpgKey::find(app, visitor, SubjectKind::Org, name).await?,
        pages,
        others: members.map(|member| (member.name, member.role.as_str())).collect(),
    })
}
