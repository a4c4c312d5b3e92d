//! Checks that the credentials are valid.

use super::Finding;
use crate::{address::encode, client::Client};

pub(super) async fn check(client: &Client) -> Finding {
    let Some(login) = &client.login else {
        return Finding::skipped("login", "you are not signed in; run `packhouse login`");
    };
    match client.get::<api::User>(&format!("/users/{}", encode(&login.user))).await {
        Ok(user) => Finding::fine("login", format!("signed in as {}", user.name)),
        Err(error) => {
            let fix = error.hint.unwrap_or_else(|| "run `packhouse login` with a valid key".to_owned());
            Finding::problem("login", error.message, fix)
        }
    }
}
