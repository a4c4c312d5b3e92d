//! The head of a page: where the object is, what it is, its states, and the tabs of its pages.

use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::SubjectName,
    plan::Plan,
    subject::SubjectKind,
};
use operations::{
    PackageAccess, RepoAccess,
    accounts::{
        subjects,
        tokens::{self, TokenOwner},
    },
};
use web::{App, error::Result};

use crate::{
    address,
    breadcrumbs::{self, Breadcrumb},
    errors::allowed,
    parts::{self, Markup},
    visitor::Visitor,
};

/// The head of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Band {
    /// The objects that contain this one.
    pub(crate) breadcrumbs: Vec<Breadcrumb>,
    /// The avatar or the tile of its format.
    pub(crate) picture: Option<Markup>,
    pub(crate) title: String,
    /// The version after the title, with its URL; the URL is empty on its own page.
    pub(crate) version: Option<(String, String)>,
    pub(crate) states: Vec<Markup>,
    /// A sentence about it.
    pub(crate) lead: String,
    pub(crate) tabs: Vec<Tab>,
}

/// A page of the object.
#[derive(Debug, Clone)]
pub(crate) struct Tab {
    pub(crate) icon: &'static str,
    pub(crate) name: &'static str,
    pub(crate) address: String,
    /// The number of things there.
    pub(crate) count: Option<u64>,
    pub(crate) is_current: bool,
}

impl Tab {
    pub(crate) fn new(icon: &'static str, name: &'static str, address: String) -> Self {
        Self { icon, name, address, count: None, is_current: false }
    }

    /// Whether it is a form, which needs a session.
    pub(crate) fn is_form(&self) -> bool {
        self.address.starts_with("/-/edit/")
    }

    /// Adds the number of things there.
    pub(crate) fn counting(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }
}

impl Band {
    /// A head without tabs.
    pub(crate) fn plain(breadcrumbs: Vec<Breadcrumb>, title: impl Into<String>) -> Self {
        Self { breadcrumbs, title: title.into(), ..Self::default() }
    }

    /// Marks the tab with this name as the one that is shown.
    pub(crate) fn at(mut self, current: &str) -> Self {
        self.tabs.iter_mut().for_each(|tab| tab.is_current = tab.name == current);
        self
    }

    /// The name of the owner, whose avatar is before the breadcrumbs; empty without one.
    pub(crate) fn owner(&self) -> &str {
        let is_subject = |(name, address): &&Breadcrumb| address.strip_prefix('/') == Some(name.as_str());
        self.breadcrumbs.first().filter(is_subject).map_or("", |(name, _)| name)
    }

    /// The head of a repository.
    pub(crate) fn of_repo(at: &RepoAddress, access: &RepoAccess) -> Self {
        let (repo, page) = (&access.repo, address::repo(at));
        let mut tabs = vec![
            Tab::new("box", "Packages", page.clone()).counting(repo.package_count.unsigned_abs()),
            Tab::new("folder", "Files", address::folder(at, "")),
        ];
        let pages = [
            (Right::Own, "chart", "Usage", "usage"),
            (Right::Own, "key", "Access", "entitlements"),
            (Right::Publish, "hook", "Webhooks", "webhooks"),
            (Right::Own, "sliders", "Settings", "edit/repo"),
        ];
        let allowed = pages.into_iter().filter(|(needed, ..)| access.right >= *needed);
        tabs.extend(allowed.map(|(_, icon, name, way)| Tab::new(icon, name, format!("/-/{way}{page}"))));
        Self {
            breadcrumbs: breadcrumbs::of_subject(&at.owner),
            picture: Some(parts::format(&repo.kind, "large")),
            title: at.repo.to_string(),
            states: vec![visibility(repo.profile.is_private), parts::state("", "", parts::format_title(&repo.kind))],
            lead: first_line(&repo.profile.description),
            tabs,
            ..Self::default()
        }
    }

    /// The head of a package.
    pub(crate) fn of_package(at: &PackageAddress, access: &PackageAccess) -> Self {
        let (repo, package, page) = (&access.repo.repo, &access.package, address::package(at));
        let is_own = repo.owner == at.repo.owner && repo.name == at.repo.repo;
        let has_numbers = package.profile.public_download_numbers || access.repo.right >= Right::Publish;
        let mut tabs = vec![
            Tab::new("book", "Overview", page.clone()),
            Tab::new("tag", "Versions", format!("{page}?tab=versions")),
            Tab::new("file", "Files", format!("{page}?tab=files")),
        ];
        if has_numbers && repo.plan >= Plan::Premium {
            tabs.push(Tab::new("chart", "Downloads", format!("/-/numbers{page}")));
        }
        let pages = [
            (Right::Own, "key", "Access", "entitlements"),
            (Right::Publish, "hook", "Webhooks", "webhooks"),
            (Right::Publish, "sliders", "Settings", "edit/package"),
        ];
        let allowed = pages.into_iter().filter(|(needed, ..)| is_own && access.repo.right >= *needed);
        tabs.extend(allowed.map(|(_, icon, name, way)| Tab::new(icon, name, format!("/-/{way}{page}"))));
        Self {
            breadcrumbs: breadcrumbs::of_repo(&at.repo),
            picture: Some(parts::format(&repo.kind, "large")),
            title: at.package.to_string(),
            states: vec![visibility(repo.profile.is_private)],
            lead: first_line(&package.profile.description),
            tabs,
            ..Self::default()
        }
    }

    /// The head of a version.
    pub(crate) fn of_version(at: &VersionAddress, access: &PackageAccess) -> Self {
        Self {
            breadcrumbs: breadcrumbs::of_package(&at.package),
            version: Some((at.version.to_string(), String::new())),
            lead: String::new(),
            ..Self::of_package(&at.package, access)
        }
    }

    /// The head of a user or an organization.
    pub(crate) fn of_subject(name: &SubjectName, subject: SubjectPages) -> Self {
        let page = |rest: &str| format!("/-/{}/{name}{rest}", subject.accounts());
        let mut tabs = vec![Tab::new("box", "Repositories", address::path([name.as_str()]))];
        if subject.is_org && subject.is_member {
            tabs.push(Tab::new("people", "Members", page("")));
        }
        if subject.is_owner {
            tabs.push(Tab::new("terminal", "Tokens", page("/tokens")));
        }
        if subject.is_manager {
            tabs.push(Tab::new("key", "Access keys", page("/access_keys")));
            tabs.push(Tab::new("shield", "Signing key", page("/gpg_key")));
            tabs.push(Tab::new("box", "Products", format!("/-/products/{name}")));
            tabs.push(Tab::new("scales", "Licences", page("/licenses")));
            tabs.push(Tab::new("chart", "Usage", format!("/-/usage/{name}")));
        }
        if subject.is_own {
            tabs.push(Tab::new("lock", "Security", "/account/security".to_owned()));
            tabs.push(Tab::new("person", "Account", "/account".to_owned()));
        }
        let picture = if subject.is_org { "large" } else { "large person" };
        Self {
            picture: Some(parts::avatar(name.as_str(), picture)),
            title: name.to_string(),
            lead: subject.full_name,
            tabs: if tabs.len() > 1 { tabs } else { Vec::new() },
            ..Self::default()
        }
    }
}

impl Band {
    /// The head of the pages for site administrators.
    pub(crate) fn of_site() -> Self {
        Self {
            title: "Administration".to_owned(),
            tabs: vec![
                Tab::new("server", "Overview", "/-/admin".to_owned()),
                Tab::new("people", "Users and organizations", "/-/admin/users".to_owned()),
                Tab::new("clock", "Audit log", "/-/admin/audit".to_owned()),
                Tab::new("sliders", "Settings", "/-/admin/settings".to_owned()),
            ],
            ..Self::default()
        }
    }
}

/// The pages of a subject that a visitor may open.
#[derive(Debug, Clone, Default)]
pub(crate) struct SubjectPages {
    /// The full name of the subject.
    pub(crate) full_name: String,
    pub(crate) is_org: bool,
    pub(crate) is_member: bool,
    pub(crate) is_manager: bool,
    /// Whether the visitor sees its tokens.
    pub(crate) is_owner: bool,
    /// Whether it is the visitor.
    pub(crate) is_own: bool,
}

impl SubjectPages {
    /// The pages of a subject that the visitor manages.
    pub(crate) async fn managed(app: &App, visitor: &Visitor, kind: SubjectKind, name: &SubjectName) -> Result<Self> {
        let is_own = visitor.caller.user().is_some_and(|own| own.name == *name);
        let owner = TokenOwner { kind, name: name.clone() };
        let is_owner = tokens::may_list(app.house(), &visitor.caller, &owner).await?;
        let full_name =
            allowed(subjects::show_full_name(app.house(), &visitor.caller, kind, name).await)?.unwrap_or_default();
        Ok(Self { full_name, is_org: kind == SubjectKind::Org, is_member: true, is_manager: true, is_owner, is_own })
    }

    fn accounts(&self) -> &'static str {
        if self.is_org { "orgs" } else { "users" }
    }
}

/// The state of a repository: private or public.
pub(crate) fn visibility(is_private: bool) -> Markup {
    let state = if is_private { parts::state("", "lock", "Private") } else { parts::state("", "globe", "Public") };
    let id = if is_private { "private" } else { "public" };
    Markup(state.0.replacen("<span", &format!("<span id=\"{id}\""), 1))
}

/// The first line of a text, for places with room for one.
pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
