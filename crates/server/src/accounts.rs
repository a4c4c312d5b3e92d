//! Users, organisations, members, keys, plans, followers and licences.

mod followers;
mod licenses;
mod orgs;
mod storage_quotas;
mod tokens;
mod users;

pub(crate) use followers::{follow_user, list_followers, unfollow_user};
pub(crate) use licenses::{create_license, delete_license, edit_license, list_licenses, list_oss_licenses};
pub(crate) use orgs::{create_org, delete_org, edit_org, remove_member, set_member, show_org};
pub(crate) use storage_quotas::{set_repo_quota, set_subject_quota, show_repo_quota, show_subject_quota};
pub(crate) use tokens::{create_token, edit_token, list_tokens, revoke_token, rotate_token, show_token};
pub(crate) use users::{create_user, delete_user, edit_user, rotate_key, set_plan, show_user, view as user_view};
