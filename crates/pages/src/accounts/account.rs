//! The account that a page is about.

use model::{names::SubjectName, subject::SubjectKind};
use web::{App, error::Result, path_names::PathNames};

use crate::{
    address,
    band::{Band, SubjectPages},
    visitor::Visitor,
};

/// A user or an organization.
pub(super) struct Account {
    pub(super) kind: SubjectKind,
    pub(super) name: SubjectName,
}

impl Account {
    /// The account that the URL names.
    pub(super) fn of(path: &PathNames) -> Result<Self> {
        let (kind, name) = path.account()?;
        Ok(Self { kind, name })
    }

    /// The head of its pages.
    pub(super) async fn band(&self, app: &App, visitor: &Visitor) -> Result<Band> {
        let pages = SubjectPages::managed(app, visitor, self.kind, &self.name).await?;
        Ok(Band::of_subject(&self.name, pages))
    }

    /// The URL of one of its pages.
    pub(super) fn page<'s>(&'s self, rest: impl IntoIterator<Item = &'s str>) -> String {
        let accounts = if self.kind == SubjectKind::User { "users" } else { "orgs" };
        address::path(["-", accounts, self.name.as_str()].into_iter().chain(rest))
    }
}
