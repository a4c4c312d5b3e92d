//! Users, organisations, members, keys and plans.

mod orgs;
mod users;

pub(crate) use orgs::{create_org, delete_org, edit_org, remove_member, set_member, show_org};
pub(crate) use users::{create_user, delete_user, edit_user, rotate_key, set_plan, show_user};
