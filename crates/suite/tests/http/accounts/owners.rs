//! An organization always has an owner.

use serde_json::json;
use suite::{Call, Person, TestHouse};

use crate::{
    access::acme::{owners_of, set_member},
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn the_last_owner_is_neither_removed_nor_demoted() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for caller in [ada, house.admin()] {
        let refusal = "Organization 'acme' must keep an owner";
        caller.delete("/orgs/acme/members/ada").await.refuses(409, refusal);
        caller.put("/orgs/acme/members/ada").json(json!({"type": "admin"})).await.refuses(409, refusal);
        caller.put("/orgs/acme/members/ada").json(json!({"type": "owner"})).await.refuses(200, "success");
    }
    assert_eq!(owners_of(&house, "acme").await, ["ada"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_owners_who_remove_each_other_at_once_leave_one() {
    two_owners(|ada, bob, org| {
        [ada.delete(&format!("/orgs/{org}/members/bob")), bob.delete(&format!("/orgs/{org}/members/ada"))]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_owners_who_demote_each_other_at_once_leave_one() {
    let demote = |by: &Person, org: &str, user: &str| {
        by.put(&format!("/orgs/{org}/members/{user}")).json(json!({"type": "member"}))
    };
    two_owners(|ada, bob, org| [demote(ada, org, "bob"), demote(bob, org, "ada")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_owners_who_leave_at_once_leave_one() {
    two_owners(|ada, bob, org| {
        [ada.delete(&format!("/orgs/{org}/members/ada")), bob.delete(&format!("/orgs/{org}/members/bob"))]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_owner_who_leaves_while_the_other_is_removed_leaves_one() {
    two_owners(|ada, bob, org| {
        [ada.delete(&format!("/orgs/{org}/members/ada")), ada.delete(&format!("/orgs/{org}/members/{}", bob.name()))]
    })
    .await;
}

/// Creates twenty organizations with two owners each, and sends two parallel calls that would leave none.
async fn two_owners(calls: impl Fn(&Person, &Person, &str) -> [Call; 2]) {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    for round in 0..20 {
        let org = format!("acme{round}");
        ada.post("/orgs").json(json!({ "name": org })).await.expect(201);
        set_member(&ada, &org, "bob", "owner").await;
        let answers = together(calls(&ada, &bob, &org)).await;
        // The other call fails: the caller is now the last owner, or no longer an owner.
        assert!(matches!(*statuses(&answers), [200, 403 | 409]), "round {round}: {:?}", statuses(&answers));
        assert_eq!(owners_of(&house, &org).await.len(), 1, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_owners_who_delete_their_accounts_at_once_leave_one() {
    let house = TestHouse::start().await;
    for round in 0..20 {
        let (ada, bob) = (house.user(&format!("ada{round}")).await, house.user(&format!("bob{round}")).await);
        let org = format!("acme{round}");
        ada.post("/orgs").json(json!({ "name": org })).await.expect(201);
        set_member(&ada, &org, bob.name(), "owner").await;
        let delete = |person: &Person| person.delete(&format!("/users/{}", person.name()));
        let answers = together([delete(&ada), delete(&bob)]).await;
        assert_eq!(statuses(&answers), [200, 409], "round {round}");
        assert_eq!(owners_of(&house, &org).await.len(), 1, "round {round}");
    }
}
