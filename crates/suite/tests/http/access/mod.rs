//! Access keys, teams, entitlements, products, EULAs and restrictions.

pub(crate) mod access_key_downloads;
pub(crate) mod access_key_use;
pub(crate) mod access_keys;
pub(crate) mod acme;
pub(crate) mod catalogue_rights;
pub(crate) mod content_rights;
pub(crate) mod download_access;
pub(crate) mod entitlement_search;
pub(crate) mod entitlements;
pub(crate) mod eula_versions;
pub(crate) mod eulas;
pub(crate) mod existence_checks;
pub(crate) mod grants;
pub(crate) mod guests;
pub(crate) mod key_reads;
pub(crate) mod key_writes;
pub(crate) mod permissions;
pub(crate) mod products;
pub(crate) mod restricted;
pub(crate) mod restricted_downloads;
pub(crate) mod restrictions;
pub(crate) mod teams;
pub(crate) mod unrelated_grants;
