//! Users, organizations, sign-in, followers and ratings.

pub mod api_keys;
pub mod daily_queries;
pub mod device_codes;
pub mod expiry_warnings;
pub mod followers;
pub mod identities;
pub mod invitations;
pub mod mails;
pub mod members;
pub mod ratings;
pub mod requirements;
pub mod retired_names;
pub mod second_factors;
pub mod sessions;
pub mod sign_in_guesses;
pub mod sign_in_places;
pub mod spent_identity_tokens;
pub mod storage_quotas;
pub mod subjects;
pub mod token_resources;
pub mod tokens;
pub mod trusted_publishers;
