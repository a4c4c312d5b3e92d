//! Rights to add, change and remove members.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::access::acme::{Cast, role_of};

/// The attempts of an actor: the name of the row, the affected user (empty: oneself), and the new role (empty: none).
const ACTS: [(&str, &str, &str); 13] = [
    ("add a member", "nora", "member"),
    ("add an admin", "nora", "admin"),
    ("add an owner", "nora", "owner"),
    ("promote a member", "mary", "admin"),
    ("make an owner", "mary", "owner"),
    ("demote an admin", "anna", "member"),
    ("demote an owner", "otto", "member"),
    ("remove a member", "mary", ""),
    ("remove an admin", "anna", ""),
    ("remove an owner", "otto", ""),
    ("remove nobody", "nora", ""),
    ("make oneself owner", "", "owner"),
    ("leave", "", ""),
];

#[tokio::test]
async fn each_role_has_its_rights_over_each_other() {
    let cast = Cast::start().await;
    let columns: String = cast.actors().into_iter().map(|(role, _)| format!("{role:14}")).collect();
    let mut table = format!("{:19}{}\n", "by", columns.trim_end());
    for (row, (act, user, role)) in ACTS.into_iter().enumerate() {
        table += &format!("{act:19}");
        for (column, (_, actor)) in cast.actors().into_iter().enumerate() {
            let org = format!("acme-{row}-{column}");
            cast.org(&org).await;
            let user = if user.is_empty() { actor.name() } else { user };
            let status = act_on(actor, &org, user, role).await.status;
            table += &format!("{:14}", format!("{status} {}", role_of(&cast.house, &org, user).await));
        }
        table = format!("{}\n", table.trim_end());
    }
    // The status, and the user's role in the organization afterwards.
    insta::assert_snapshot!(table, @r#"
    by                 owner         admin         member        stranger      site admin
    add a member       200 member    200 member    403 -         403 -         200 member
    add an admin       200 admin     200 admin     403 -         403 -         200 admin
    add an owner       200 owner     403 -         403 -         403 -         200 owner
    promote a member   200 admin     200 admin     403 member    403 member    200 admin
    make an owner      200 owner     403 member    403 member    403 member    200 owner
    demote an admin    200 member    200 member    403 admin     403 admin     200 member
    demote an owner    200 member    403 owner     403 owner     403 owner     200 member
    remove a member    200 -         200 -         403 member    403 member    200 -
    remove an admin    200 -         200 -         403 admin     403 admin     200 -
    remove an owner    200 -         403 owner     403 owner     403 owner     200 -
    remove nobody      404 -         404 -         403 -         403 -         404 -
    make oneself owner 200 owner     403 admin     403 member    403 -         200 owner
    leave              200 -         200 -         200 -         403 -         404 -
    "#);
}

async fn act_on(actor: &Person, org: &str, user: &str, role: &str) -> Answer {
    let path = format!("/orgs/{org}/members/{user}");
    match role {
        "" => actor.delete(&path).await,
        role => actor.put(&path).json(json!({ "type": role })).await,
    }
}

#[tokio::test]
async fn refusals_say_what_is_wrong() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let put =
        |user: &str, role: &str| cast.owner.put(&format!("/orgs/acme/members/{user}")).json(json!({ "type": role }));
    put("nora", "king").await.refuses(400, "type: 'king' is not one of owner, admin, member");
    put("nora", "Owner").await.refuses(400, "type: 'Owner' is not one of owner, admin, member");
    put("nobody", "member").await.refuses(404, "User 'nobody' was not found");
    put("acme", "member").await.refuses(404, "User 'acme' was not found");
    let untyped = cast.owner.put("/orgs/acme/members/nora").json(json!({})).await;
    assert!(untyped.expect(400).message().contains("type"));
    cast.owner.put("/orgs/acme/members/nora").await.refuses(400, "A JSON body is required");
    cast.owner.delete("/orgs/acme/members/nora").await.refuses(404, "Member 'nora' was not found");
    cast.owner.delete("/orgs/nowhere/members/nora").await.refuses(404, "Organization 'nowhere' was not found");
    cast.stranger.delete("/orgs/acme/members/mary").await.refuses(403, "You may not do this");
    let anyone = cast.house.anyone();
    anyone.delete("/orgs/acme/members/mary").await.refuses(401, "This resource requires authentication");
    anyone.put("/orgs/acme/members/nora").json(json!({"type": "member"})).await.expect(401);
}

#[tokio::test]
async fn setting_the_same_role_again_is_fine() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let again = cast.owner.put("/orgs/acme/members/mike").json(json!({"type": "member"})).await;
    again.refuses(200, "success");
    assert_eq!(role_of(&cast.house, "acme", "mike").await, "member");
}

#[tokio::test]
async fn who_has_left_sees_no_members_any_more() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.member.delete("/orgs/acme/members/mike").await.refuses(200, "success");
    assert!(cast.member.get("/orgs/acme").await.expect(200).json()["members"].is_null());
    cast.member.delete("/orgs/acme/members/mike").await.refuses(403, "You may not do this");
}

#[tokio::test]
async fn an_organization_cannot_be_a_member() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.post("/orgs").json(json!({"name": "umbra"})).await.expect(201);
    let added = ada.put("/orgs/acme/members/umbra").json(json!({"type": "member"})).await;
    added.refuses(404, "User 'umbra' was not found");
}
