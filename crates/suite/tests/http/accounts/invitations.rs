//! Invitations to organizations.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    accounts::tokens::token,
    pages::orgs::{browser_of, done, refused},
};

const INVALID: &str = "The invitation is not valid, or it has expired or was used before";

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// A house where ada owns acme, and bea is an admin of it.
async fn start() -> (TestHouse, Person, Person) {
    let house = TestHouse::start().await;
    let (ada, bea) = (house.user("ada").await, house.user("bea").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.put("/orgs/acme/members/bea").json(json!({"type": "admin"})).await.expect(200);
    (house, ada, bea)
}

/// Invites somebody, and returns the invitation and the secret of its link.
async fn invite(person: &Person, email: &str, role: &str) -> (Value, String) {
    let made =
        person.post("/orgs/acme/invitations").json(json!({"email": email, "type": role})).await.expect(201).json();
    let secret = made["url"].as_str().and_then(|url| url.split_once("/-/invitation?token=")).expect("a link").1;
    let secret = secret.to_owned();
    (made, secret)
}

async fn accept(person: &Person, secret: &str) -> suite::Answer {
    person.post("/invitations/accept").json(json!({"token": secret})).await
}

#[tokio::test]
async fn an_invitation_makes_one_member() {
    let (house, ada, _) = start().await;
    let (carl, dora) = (house.user("carl").await, house.user("dora").await);
    let (made, secret) = invite(&ada, "Carl@example.org", "admin").await;
    assert_eq!((&made["email"], &made["type"]), (&json!("carl@example.org"), &json!("admin")));
    let listed = ada.get("/orgs/acme/invitations").await.expect(200).json();
    assert_eq!(
        (&listed[0]["id"], &listed[0]["url"], &listed[0]["inviter"]),
        (&made["id"], &Value::Null, &json!("ada"))
    );
    house.anyone().post("/invitations/accept").json(json!({"token": secret})).await.expect(401);
    let robot = token(&house, &carl, "robot", "admin", Value::Null).await;
    accept(&robot, &secret).await.refuses(403, "A token may not accept an invitation");
    accept(&ada, &secret).await.refuses(409, "You are a member of 'acme' already");
    accept(&carl, &secret).await.expect(200);
    for person in [&carl, &dora] {
        accept(person, &secret).await.refuses(403, INVALID);
    }
    assert_eq!(ada.get("/orgs/acme/invitations").await.expect(200).json(), json!([]));
    let members = ada.get("/orgs/acme").await.expect(200).json()["members"].clone();
    assert!(members.as_array().expect("a list").contains(&json!({"name": "carl", "type": "admin"})), "{members}");
    let log = house.admin().get("/audit").await.expect(200).text();
    for entry in ["invitation.create", "invitation.accept", "type: admin; invited by ada"] {
        assert!(log.contains(entry), "{log}");
    }
    assert!(!log.contains(&secret));
}

#[tokio::test]
async fn only_one_of_many_at_once_is_let_in() {
    let (house, ada, _) = start().await;
    let (carl, dora) = (house.user("carl").await, house.user("dora").await);
    let (_, secret) = invite(&ada, "team@example.org", "member").await;
    let (one, two) = tokio::join!(accept(&carl, &secret), accept(&dora, &secret));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403]);
}

#[tokio::test]
async fn invitations_expire_and_are_revoked() {
    let (house, ada, bea) = start().await;
    let carl = house.user("carl").await;
    let (made, secret) = invite(&bea, "carl@example.org", "member").await;
    let path = format!("/orgs/acme/invitations/{}", made["id"].as_str().expect("an id"));
    carl.delete(&path).await.refuses(403, "You may not do this");
    ada.delete(&path).await.expect(200);
    ada.delete(&path).await.expect(404);
    ada.delete("/orgs/acme/invitations/1").await.expect(404);
    accept(&carl, &secret).await.refuses(403, INVALID);
    // A new invitation ends the one before.
    let (_, old) = invite(&bea, "carl@example.org", "member").await;
    let (_, new) = invite(&bea, "CARL@example.org", "member").await;
    assert_eq!(ada.get("/orgs/acme/invitations").await.expect(200).json().as_array().map(Vec::len), Some(1));
    accept(&carl, &old).await.refuses(403, INVALID);
    house.clock.advance(7 * DAY - 1_000);
    operations::jobs::run_once(house.app().house(), "expired_identities").await.expect("it runs");
    assert_eq!(ada.get("/orgs/acme/invitations").await.expect(200).json().as_array().map(Vec::len), Some(1));
    house.clock.advance(1_000);
    accept(&carl, &new).await.refuses(403, INVALID);
    for guess in ["", "x", &"0".repeat(64)] {
        accept(&carl, guess).await.refuses(403, INVALID);
    }
}

#[tokio::test]
async fn nobody_invites_to_more_than_they_may() {
    let (house, ada, bea) = start().await;
    let (carl, owner) = (house.user("carl").await, json!({"email": "carl@example.org", "type": "owner"}));
    let path = "/orgs/acme/invitations";
    bea.post(path).json(owner.clone()).await.refuses(403, "You may not do this");
    for person in [&carl, &house.anyone()] {
        let answer = person.post(path).json(owner.clone()).await;
        assert!(matches!(answer.status, 401 | 403), "{}", answer.status);
        let answer = person.get(path).await;
        assert!(matches!(answer.status, 401 | 403), "{}", answer.status);
    }
    for wrong in [json!({"email": "carl", "type": "member"}), json!({"email": "carl@example.org", "type": "king"})] {
        ada.post(path).json(wrong).await.expect(400);
    }
    // What an admin has made is good for nothing once the admin is none.
    let (_, secret) = invite(&bea, "carl@example.org", "member").await;
    ada.put("/orgs/acme/members/bea").json(json!({"type": "member"})).await.expect(200);
    accept(&carl, &secret).await.refuses(403, INVALID);
    ada.put("/orgs/acme/members/bea").json(json!({"type": "admin"})).await.expect(200);
    accept(&carl, &secret).await.expect(200);
}

#[tokio::test]
async fn the_number_of_invitations_is_limited_in_a_week() {
    let (house, ada, _) = start().await;
    for number in 0..100 {
        let (made, _) = invite(&ada, &format!("x{number}@example.org"), "member").await;
        // Those that are revoked count, too.
        ada.delete(&format!("/orgs/acme/invitations/{}", made["id"].as_str().expect("an id"))).await.expect(200);
    }
    let body = json!({"email": "y@example.org", "type": "member"});
    ada.post("/orgs/acme/invitations").json(body.clone()).await.expect(429);
    // Another organization does not help.
    ada.post("/orgs").json(json!({"name": "other"})).await.expect(201);
    ada.post("/orgs/other/invitations").json(body.clone()).await.expect(429);
    house.clock.advance(7 * DAY);
    ada.post("/orgs/acme/invitations").json(body).await.expect(201);
}

#[tokio::test]
async fn people_are_invited_and_accept_on_pages() {
    let (house, ada, _) = start().await;
    let carl = house.user("carl").await;
    let (browser, page) = (browser_of(&house, &ada).await, "/-/orgs/acme");
    let shown = browser.open(page).await.expect(200);
    let fields = [("email", "carl@example.org"), ("role", "member")];
    let shown = browser.send(&shown, "/-/orgs/acme/invitations", &fields).await.expect(200).text();
    let link = shown.split_once("id=\"invitation-link\"").expect("the link").1;
    let secret = link.split_once("/-/invitation?token=").expect("a token").1.split('<').next().expect("its end");
    assert_eq!(
        refused(&browser, page, "/-/orgs/acme/invitations", &[("email", "no"), ("role", "member")]).await.0,
        400
    );
    assert!(!browser.open(page).await.expect(200).text().contains(secret));

    let address = format!("/-/invitation?token={secret}");
    let login = house.browser().open(&address).await.expect(303).header("location").to_owned();
    assert!(login.starts_with("/login?next=/-/invitation"), "{login}");
    let guest = browser_of(&house, &carl).await;
    let asked = guest.open(&address).await.expect(200);
    assert!(asked.text().contains("ada invites you to acme as member"), "{}", asked.text());
    // Opening the link has changed nothing.
    assert_eq!(ada.get("/orgs/acme/invitations").await.expect(200).json().as_array().map(Vec::len), Some(1));
    assert_eq!(guest.send(&asked, "/-/invitation", &[]).await.expect(303).header("location"), "/-/orgs/acme");
    guest.open("/-/orgs/acme").await.expect(200);
    guest.open(&address).await.expect(403);
    let (made, _) = invite(&ada, "dora@example.org", "member").await;
    let revoke = format!("/-/orgs/acme/invitations/{}/revoke", made["id"].as_str().expect("an id"));
    assert_eq!(done(&browser, page, &revoke, &[]).await, page);
    assert_eq!(ada.get("/orgs/acme/invitations").await.expect(200).json(), json!([]));
}
