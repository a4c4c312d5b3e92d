//! Users, organisations, members, keys, plans, followers and licences.

mod device_codes;
mod followers;
mod invitations;
mod licenses;
mod orgs;
mod sign_in;
mod storage_quotas;
mod tokens;
mod trusted_publishers;
mod users;

pub(crate) use device_codes::{create_device_code, poll_device_code};
pub(crate) use followers::{follow_user, list_followers, unfollow_user};
pub(crate) use invitations::{accept_invitation, create_invitation, list_invitations, revoke_invitation};
pub(crate) use licenses::{create_license, delete_license, edit_license, list_licenses, list_oss_licenses};
pub(crate) use orgs::{create_org, delete_org, edit_org, remove_member, set_member, show_org};
pub(crate) use sign_in::{
    end_session, end_sessions, list_sessions, list_subjects, rename_subject, reset_password, reset_second_factor,
    show_second_factor, suspend_user, unsuspend_user,
};
pub(crate) use storage_quotas::{set_repo_quota, set_subject_quota, show_repo_quota, show_subject_quota};
pub(crate) use tokens::{create_token, edit_token, list_tokens, revoke_token, rotate_token, show_token};
pub(crate) use trusted_publishers::{
    create_publisher, delete_publisher, list_publishers, mint_for_pypi, mint_token, show_audience,
};
pub(crate) use users::{create_user, delete_user, edit_user, rotate_key, set_plan, show_user, view as user_view};
