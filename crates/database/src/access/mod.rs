//! Access control: rights, teams, access keys, entitlements, products and EULAs.

pub mod access_key_downloads;
pub mod access_key_transfers;
pub mod access_keys;
pub mod entitlement_list;
pub mod entitlement_search;
pub mod entitlement_terms;
pub mod entitlements;
pub mod eula_versions;
pub mod eulas;
pub mod grants;
pub mod key_rights;
pub mod key_sessions;
pub mod openings;
pub mod permissions;
pub mod product_packages;
pub mod products;
pub mod publishers;
pub mod restrictions;
pub mod signed_eulas;
pub mod teams;
