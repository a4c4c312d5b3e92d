//! Access for people other than the owner: teams and their permissions, access keys and their entitlements, download
//! restrictions, and EULAs.

mod access_keys;
mod agreements;
pub(crate) mod audit_log;
mod entitlement_search;
mod entitlements;
mod eulas;
mod permissions;
mod products;
mod restrictions;
mod teams;

pub(crate) use access_keys::{
    create_access_key, delete_access_key, edit_access_key, list_access_keys, renew_password, show_access_key,
    show_access_key_usage,
};
pub(crate) use agreements::*;
pub(crate) use entitlement_search::search_entitlements;
pub(crate) use entitlements::{
    create_entitlement, delete_entitlement, edit_entitlement, list_entitlements, show_entitlement,
};
pub(crate) use eulas::*;
pub(crate) use permissions::{delete_permission, list_permissions, set_permission, show_permission};
pub(crate) use products::*;
pub(crate) use restrictions::*;
pub(crate) use teams::{create_team, delete_team, edit_team, list_teams, show_team};
