//! Users, organizations, sign-in, followers and ratings.

pub mod api_keys;
pub mod daily_queries;
pub mod followers;
pub mod members;
pub mod ratings;
pub mod retired_names;
pub mod sessions;
pub mod sign_in_guesses;
pub mod storage_quotas;
pub mod subjects;
pub mod token_resources;
pub mod tokens;
