//! The organizations that a visitor may see, for lists.

use std::cmp::Reverse;

use database::catalogue::org_overviews as rows;
use model::overview::OrgOverview;

use crate::{Caller, House, Result, access};

/// The number of organizations among which those with the most packages are chosen.
const CONSIDERED: i64 = 50;

/// Lists the organizations with the most packages that the caller may see; for users, those they are members of.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, limit: usize) -> Result<Vec<OrgOverview>> {
    let reader = access::reader(caller);
    let mut found = match caller.user().filter(|user| !user.is_org) {
        Some(user) => rows::list_of_user(&house.db, user.id, reader).await?,
        None => rows::list(&house.db, reader, CONSIDERED).await?,
    };
    found.sort_by_key(|org| Reverse(org.packages));
    found.truncate(limit);
    Ok(found)
}
