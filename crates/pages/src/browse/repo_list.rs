//! The repositories of a subject, as the URL asks for them: those whose names begin with a text, in an order.

use std::cmp::Reverse;

use model::{names::SubjectName, overview::RepoOverview};
use operations::catalogue::{overviews, repo_activity};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    address::{self, query_value},
    pager::{Pager, page_of},
    visitor::Visitor,
};

/// The orders with their names in URLs and for people.
const ORDERS: [(RepoOrder, &str, &str); 3] = [
    (RepoOrder::Name, "name", "Name"),
    (RepoOrder::Updated, "updated", "Updated"),
    (RepoOrder::Packages, "packages", "Packages"),
];

/// With more repositories than this, the page offers an order and a filter.
const FEW: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RepoOrder {
    Name,
    Updated,
    Packages,
}

/// The wanted repositories.
pub(super) struct RepoQuery {
    /// The beginning of the names.
    filter: String,
    order: RepoOrder,
    start: u64,
}

/// The repositories of a page.
pub(super) struct RepoPage {
    pub(super) shown: Vec<RepoOverview>,
    pub(super) pager: Pager,
    pub(super) filter: String,
    /// The name of the order in URLs; empty for the usual one.
    pub(super) sort: &'static str,
    /// The orders with their URLs, and whether the list is in this one; empty if there is little to sort.
    pub(super) orders: Vec<(&'static str, String, bool)>,
}

impl RepoQuery {
    /// What the URL asks for.
    pub(super) fn parse(path: &PathNames) -> Result<Self> {
        let sort = path.query("sort")?.filter(|sort| !sort.is_empty()).unwrap_or("name");
        let known = ORDERS.into_iter().find(|(_, name, _)| *name == sort);
        let (order, ..) =
            known.ok_or_else(|| Failure::bad_request("sort: it is not one of name, updated, packages"))?;
        let filter = path.query("start_name")?.unwrap_or_default().to_owned();
        Ok(Self { filter, order, start: path.start_position()? })
    }

    /// The repositories that the visitor may see.
    pub(super) async fn find(self, app: &App, visitor: &Visitor, subject: &SubjectName) -> Result<RepoPage> {
        let mut listed = overviews::list_repos(app.house(), &visitor.caller, subject).await?;
        let is_long = listed.len() > FEW;
        listed.retain(|repo| repo.name.starts_with(&self.filter));
        match self.order {
            RepoOrder::Name => {}
            RepoOrder::Packages => listed.sort_by_key(|repo| Reverse(repo.package_count)),
            RepoOrder::Updated => {
                let updated = repo_activity::list_updates(app.house(), &visitor.caller, &listed).await?;
                listed.sort_by_key(|repo| Reverse(updated.get(&repo.id).map(|at| at.millis())));
            }
        }
        let (own, shown) = (address::path([subject.as_str()]), page_of(&listed, self.start));
        let sort = if self.order == RepoOrder::Name { "" } else { self.name() };
        let parameters = [("start_name", self.filter.as_str()), ("sort", sort)];
        Ok(RepoPage {
            pager: Pager::new(&own, &parameters, self.start, shown.len(), listed.len() as u64),
            orders: if is_long { self.orders(&own) } else { Vec::new() },
            shown,
            sort,
            filter: self.filter,
        })
    }

    fn name(&self) -> &'static str {
        ORDERS.into_iter().find(|(order, ..)| *order == self.order).map_or("", |(_, name, _)| name)
    }

    fn orders(&self, own: &str) -> Vec<(&'static str, String, bool)> {
        let filter =
            if self.filter.is_empty() { String::new() } else { format!("start_name={}&", query_value(&self.filter)) };
        let link = |(order, name, title)| (title, format!("{own}?{filter}sort={name}"), order == self.order);
        ORDERS.into_iter().map(link).collect()
    }
}
