//! Who may do what without owning it: teams and their permissions, what access keys are given, and from where downloads
//! are let in.

mod entitlement_search;
mod entitlements;
mod permissions;
mod restrictions;
mod teams;

pub(crate) use entitlement_search::search_entitlements;
pub(crate) use entitlements::{
    create_entitlement, delete_entitlement, edit_entitlement, list_entitlements, show_entitlement,
};
pub(crate) use permissions::{delete_permission, list_permissions, set_permission, show_permission};
pub(crate) use restrictions::*;
pub(crate) use teams::{create_team, delete_team, edit_team, list_teams, show_team};
