//! Organizations on the home page: for users those they are members of, for strangers those with the most packages.

use model::overview::OrgOverview;
use operations::catalogue::org_overviews;
use web::{App, error::Result};

use crate::{address, sizes, visitor::Visitor};

/// The most organizations on the page.
const SHOWN: usize = 8;

/// An organization.
pub(crate) struct OrgCard {
    pub(crate) name: String,
    pub(crate) address: String,
    /// What it has that the visitor may see.
    pub(crate) contents: String,
}

/// The organizations for this visitor.
pub(crate) async fn find(app: &App, visitor: &Visitor) -> Result<Vec<OrgCard>> {
    let found = org_overviews::list(app.house(), &visitor.caller, SHOWN).await?;
    Ok(found.into_iter().map(card).collect())
}

fn card(org: OrgOverview) -> OrgCard {
    let repos = match org.repos {
        1 => "1 repository".to_owned(),
        repos => format!("{repos} repositories"),
    };
    OrgCard {
        contents: format!("{}, {repos}", sizes::counted(org.packages.unsigned_abs(), "package")),
        address: address::path([org.name.as_str()]),
        name: org.name,
    }
}
