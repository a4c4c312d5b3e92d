//! Users, organizations, their sign-in and quotas.

pub(crate) mod authentication;
pub(crate) mod failures;
pub(crate) mod query_cache;
pub(crate) mod token_uses;
pub(crate) mod user_cache;

pub mod device_codes;
pub mod email_addresses;
pub mod followers;
pub mod invitations;
pub mod key_sessions;
pub mod mails;
pub mod members;
pub mod openings;
pub mod orgs;
pub mod plans;
pub mod query_limits;
pub mod ratings;
pub mod requirements;
pub mod second_factors;
pub mod sessions;
pub mod sso;
pub mod storage_quotas;
pub mod subjects;
pub mod suspension;
pub mod tokens;
pub mod trusted_publishers;
pub mod users;
