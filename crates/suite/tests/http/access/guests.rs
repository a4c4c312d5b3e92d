//! Callers who own nothing but have grants, for the tables of rights.

use serde_json::json;
use suite::Person;

use crate::access::{
    acme::{Cast, set_member},
    grants::{entitle, new_key, new_team, permit},
};

/// The grants of guests in each repository: the permission or access, and the scope.
const GIVEN: [(&str, &str); 5] = [
    ("reader", "/repos/{}/permissions read"),
    ("publisher", "/repos/{}/permissions publish"),
    ("key r", "/repos/{} r"),
    ("key rw", "/repos/{} rw"),
    ("key package", "/packages/{}/cat r"),
];

/// Returns callers with grants of a subject: members of its teams, if it has teams, and its keys.
pub(crate) async fn guests(cast: &Cast, subject: &str) -> Vec<(&'static str, Person)> {
    let mut guests = Vec::new();
    for (name, _) in GIVEN {
        let plain = name.replace(' ', "-");
        if name.starts_with("key") {
            guests.push((name, new_key(&cast.house, subject, &plain).await));
        } else if subject == "acme" {
            let user = cast.house.user(&format!("{plain}-user")).await;
            set_member(&cast.owner, subject, user.name(), "member").await;
            new_team(&cast.owner, subject, &plain, &[user.name()]).await;
            guests.push((name, user));
        }
    }
    guests
}

/// Gives a guest its grants in a repository.
pub(crate) async fn give(cast: &Cast, guest: &str, repo: &str) {
    let Some((_, given)) = GIVEN.into_iter().find(|(name, _)| *name == guest) else { return };
    let (place, right) = given.split_once(' ').expect("a place and a right");
    match place.strip_suffix("/permissions") {
        Some(_) => permit(&cast.owner, repo, guest, right).await,
        None => {
            let body = json!({"access": right, "access_keys": [guest.replace(' ', "-")]});
            entitle(&cast.owner, &place.replace("{}", repo), body).await;
        }
    }
}
