//! A page of a repository's packages, as the URL asks for it: from a position, with a filter, in an order.

use model::{address::RepoAddress, overview::PackageOverview, package_order::PackageCursor, page::PAGE_SIZE};
use operations::{
    RepoAccess,
    catalogue::{overviews, package_list},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::package_lines::Sort;
use crate::{address, pager::Pager, visitor::Visitor};

/// The wanted page.
pub(crate) struct PackageQuery {
    /// The beginning of the names.
    pub(crate) filter: String,
    pub(crate) sort: Sort,
    start: u64,
    /// The position that the page follows, in another order than by name.
    after: Option<PackageCursor>,
}

impl PackageQuery {
    /// What the URL asks for.
    pub(crate) fn parse(path: &PathNames) -> Result<Self> {
        let sort = Sort::parse(path.query("sort")?.unwrap_or_default())?;
        let unknown = || Failure::bad_request("after: it is not a position in this list");
        let after = match (path.query("after")?, sort.order()) {
            (Some(text), Some(order)) => Some(PackageCursor::parse(order, text).ok_or_else(unknown)?),
            (Some(_), None) => return Err(unknown()),
            (None, _) => None,
        };
        Ok(Self {
            filter: path.query("start_name")?.unwrap_or_default().to_owned(),
            start: path.start_position()?,
            sort,
            after,
        })
    }

    /// The packages of the page, and where the other pages are.
    pub(crate) async fn find(
        &self,
        app: &App,
        visitor: &Visitor,
        at: &RepoAddress,
        access: &RepoAccess,
    ) -> Result<(Vec<PackageOverview>, Pager)> {
        let (house, caller) = (app.house(), &visitor.caller);
        let named = |start| package_list::list(house, caller, at, &self.filter, start);
        let (start, named) = match self.sort.order() {
            None => (self.start, named(self.start).await?),
            Some(order) => {
                let after = self.after.as_ref();
                let ordered = package_list::list_ordered(house, caller, access, &self.filter, order, after);
                // At the same time: both wait for the database, and most lists that are sorted are long.
                let (named, page) = tokio::try_join!(named(0), ordered)?;
                if named.total > PAGE_SIZE {
                    let pager = self.ordered_pager(&address::repo(at), page.items.len(), named.total, page.next);
                    return Ok((overviews::list_ordered_packages(house, access, &page.items).await?, pager));
                }
                (0, named)
            }
        };
        let parameters = [("start_name", self.filter.as_str()), ("sort", self.sort.name())];
        let pager = Pager::new(&address::repo(at), &parameters, start, named.items.len(), named.total);
        Ok((overviews::list_packages(house, access, &named.items).await?, pager))
    }

    /// The pager of a list whose pages follow one another: it leads to the next page and to the first one. The start
    /// position in the URL only numbers the packages.
    fn ordered_pager(&self, own: &str, shown: usize, total: u64, next: Option<PackageCursor>) -> Pager {
        let start = if self.after.is_some() { self.start.min(total.saturating_sub(shown as u64)) } else { 0 };
        let text = next.map(|next| next.to_text()).unwrap_or_default();
        let parameters = [("start_name", self.filter.as_str()), ("sort", self.sort.name()), ("after", text.as_str())];
        let mut pager = Pager::new(own, &parameters, start, shown, total);
        if text.is_empty() {
            pager.after.clear();
        }
        if self.after.is_some() {
            pager.before = Pager::new(own, &parameters[..2], PAGE_SIZE, 1, total).before;
            pager.leads_to_first = true;
        }
        pager
    }
}
