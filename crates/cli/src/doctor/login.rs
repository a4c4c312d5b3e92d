//! Whether the credentials are good.

use super::Finding;
use crate::{address::encode, client::Client};

pub(super) async fn check(client: &Client) -> Finding {
    let Some(login) = &client.login else {
        return Finding::skipped("login", "you are not signed in; `packhouse login` changes that");
    };
    match client.get::<api::User>(&format!("/users/{}", encode(&login.user))).await {
        Ok(user) => Finding::fine("login", format!("you are {}", user.name)),
        Err(error) => {
            let fix = error.hint.unwrap_or_else(|| "`packhouse login` with a key that works".to_owned());
            Finding::problem("login", error.message, fix)
        }
    }
}
