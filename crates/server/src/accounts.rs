//! Users, organisations, members, keys and plans.

mod orgs;
mod users;

pub(crate) use orgs::{create_org, delete_org, edit_org, remove_member, set_member, show_org};
pub(crate) use users::{create_user, delete_user, edit_user, rotate_key, set_plan, show_user};

use crate::error::Failure;

/// The most bytes of a name for people.
const FULL_NAME_BYTES: usize = 200;

/// A name for people: printable and not too long.
fn full_name(text: Option<String>) -> Result<Option<String>, Failure> {
    match text {
        Some(text) if text.len() > FULL_NAME_BYTES => {
            Err(Failure::bad_request("full_name: it is longer than 200 bytes"))
        }
        Some(text) if text.chars().any(char::is_control) => {
            Err(Failure::bad_request("full_name: it holds a control character"))
        }
        text => Ok(text.map(|text| text.trim().to_owned())),
    }
}
