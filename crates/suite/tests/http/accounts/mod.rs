//! Users, organizations, keys, plans and limits.

pub(crate) mod api_keys;
pub(crate) mod device_codes;
pub(crate) mod followers;
mod invitations;
pub(crate) mod members;
pub(crate) mod orgs;
pub(crate) mod owners;
pub(crate) mod plans;
pub(crate) mod query_limits;
pub(crate) mod quota;
pub(crate) mod ratings;
pub(crate) mod registration;
mod requirements;
mod second_factors;
pub(crate) mod sso;
mod suspension;
pub(crate) mod tokens;
pub(crate) mod trusted_publishers;
pub(crate) mod users;
