//! Users, organizations, their sign-in and quotas.

pub(crate) mod authentication;
pub(crate) mod failures;
pub(crate) mod query_cache;
pub(crate) mod token_uses;
pub(crate) mod user_cache;

pub mod followers;
pub mod members;
pub mod orgs;
pub mod plans;
pub mod query_limits;
pub mod ratings;
pub mod sessions;
pub mod storage_quotas;
pub mod subjects;
pub mod tokens;
pub mod users;
