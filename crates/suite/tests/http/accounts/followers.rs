//! Following users, organizations and packages.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn followers_are_listed_by_name_and_counted() {
    let house = TestHouse::start().await;
    let (ada, bob, eve) = (house.user("ada").await, house.user("bob").await, house.user("eve").await);
    eve.put("/users/ada/follow").await.refuses(200, "success");
    bob.put("/users/ada/follow").await.refuses(200, "success");
    let listed = ada.get("/users/ada/followers").await.expect(200);
    assert_eq!(listed.text(), r#"[{"name":"bob"},{"name":"eve"}]"#);
    assert_eq!(range(&listed), ["2", "0", "1"]);
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["followers_count"], 2);
    assert_eq!(bob.get("/users/bob").await.expect(200).json()["followers_count"], 0);
}

#[tokio::test]
async fn following_twice_and_ending_it_twice_change_nothing_more() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    bob.put("/users/ada/follow").await.expect(200);
    bob.put("/users/ada/follow").await.refuses(200, "success");
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["followers_count"], 1);
    bob.delete("/users/ada/follow").await.refuses(200, "success");
    bob.delete("/users/ada/follow").await.refuses(200, "success");
    assert_eq!(ada.get("/users/ada/followers").await.expect(200).text(), "[]");
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["followers_count"], 0);
    let log = house.admin().get("/audit").await.expect(200).text();
    assert_eq!((log.matches("user.follow").count(), log.matches("user.unfollow").count()), (1, 1));
}

#[tokio::test]
async fn an_organization_is_followed_as_a_user_is() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    bob.put("/users/acme/follow").await.expect(200);
    assert_eq!(ada.get("/orgs/acme").await.expect(200).json()["followers_count"], 1);
    assert_eq!(ada.get("/users/acme/followers").await.expect(200).text(), r#"[{"name":"bob"}]"#);
}

#[tokio::test]
async fn followers_are_for_those_who_have_signed_in() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for (method, path) in [("GET", "followers"), ("PUT", "follow"), ("DELETE", "follow")] {
        let call = |person: Person, user: &str| {
            person.call(method.parse().expect("a method"), &format!("/users/{user}/{path}"))
        };
        call(house.anyone(), "ada").await.refuses(401, "This resource requires authentication");
        call(house.anyone(), "nobody").await.refuses(401, "This resource requires authentication");
        call(ada.clone(), "nobody").await.refuses(404, "User 'nobody' was not found");
    }
}

#[tokio::test]
async fn followers_come_fifty_a_page() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for number in 0..53 {
        house.user(&format!("fan{number:02}")).await.put("/users/ada/follow").await.expect(200);
    }
    let first = ada.get("/users/ada/followers").await.expect(200);
    assert_eq!((names(&first.json()).len(), range(&first)), (50, ["53", "0", "49"]));
    let second = ada.get("/users/ada/followers?start_pos=50").await.expect(200);
    assert_eq!((names(&second.json()), range(&second)), (vec!["fan50", "fan51", "fan52"], ["53", "50", "52"]));
    let past = ada.get("/users/ada/followers?start_pos=53").await.expect(200);
    assert_eq!((past.text().as_str(), range(&past)), ("[]", ["53", "", ""]));
    let far = ada.get("/users/ada/followers?start_pos=9007199254740992").await.expect(200);
    assert_eq!(far.text(), "[]");
    for bad in ["", "-1", "x", "1.5", "9007199254740993"] {
        let refused = ada.get(&format!("/users/ada/followers?start_pos={bad}")).await.expect(400);
        assert_eq!(refused.message(), format!("start_pos: '{bad}' is not a number from 0 to 9007199254740992"));
    }
}

#[tokio::test]
async fn the_followers_of_a_package_are_counted() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let before = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    house.clock.advance(1_000);
    bob.put("/packages/ada/tools/cat/follow").await.refuses(200, "success");
    bob.put("/packages/ada/tools/cat/follow").await.refuses(200, "success");
    ada.put("/packages/ada/tools/cat/follow").await.expect(200);
    let after = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!(after["followers_count"], 2);
    assert_eq!(after["updated"], before["updated"], "nothing of the package itself has changed");
    bob.delete("/packages/ada/tools/cat/follow").await.refuses(200, "success");
    bob.delete("/packages/ada/tools/cat/follow").await.refuses(200, "success");
    assert_eq!(followers_of_cat(&ada).await, 1);
    bob.put("/packages/ada/tools/dog/follow").await.refuses(404, "Package 'dog' was not found");
}

#[tokio::test]
async fn a_hidden_package_is_followed_and_rated_like_one_that_does_not_exist() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_private_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    for (method, path) in [("PUT", "follow"), ("DELETE", "follow"), ("PUT", "rating")] {
        let call = async |person: &Person, owner: &str| {
            let path = format!("/packages/{owner}/tools/cat/{path}");
            person.call(method.parse().expect("a method"), &path).json(json!({"rating": 1})).await
        };
        let (hidden, missing) = (call(&bob, "ada").await, call(&bob, "bob").await);
        assert_eq!((hidden.status, hidden.body), (404, missing.body));
        call(&house.anyone(), "ada").await.refuses(401, "This resource requires authentication");
        call(&ada, "ada").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_counts_exactly_when_many_follow_it_at_once() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let mut fans = Vec::new();
    for number in 0..10 {
        fans.push(house.user(&format!("fan{number}")).await);
    }
    let follow = |fan: &Person| [(); 3].map(|()| fan.put("/packages/ada/tools/cat/follow"));
    let answers = together(fans.iter().flat_map(follow)).await;
    assert_eq!(statuses(&answers), [200; 30]);
    assert_eq!(followers_of_cat(&ada).await, 10);
    let leave = |fan: &Person| [(); 3].map(|()| fan.delete("/packages/ada/tools/cat/follow"));
    let answers = together(fans.iter().take(7).flat_map(leave)).await;
    assert_eq!(statuses(&answers), [200; 21]);
    assert_eq!(followers_of_cat(&ada).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn users_who_go_are_no_longer_counted() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let mut calls = Vec::new();
    for number in 0..10 {
        let fan = house.user(&format!("fan{number}")).await;
        fan.put("/users/ada/follow").await.expect(200);
        fan.put("/packages/ada/tools/cat/follow").await.expect(200);
        fan.put("/packages/ada/tools/cat/rating").json(json!({"rating": 1 + number % 5})).await.expect(200);
        calls.push(fan.put("/packages/ada/tools/cat/follow"));
        calls.push(fan.put("/packages/ada/tools/cat/rating").json(json!({"rating": 5})));
        calls.push(fan.delete(&format!("/users/fan{number}")));
    }
    let answers = together(calls).await;
    assert!(statuses(&answers).iter().all(|status| matches!(status, 200 | 401 | 404)), "{:?}", statuses(&answers));
    let cat = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&cat["followers_count"], &cat["rating"], &cat["rating_count"]), (&json!(0), &json!(0), &json!(0)));
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["followers_count"], 0);
}

#[tokio::test]
async fn a_profile_lists_the_own_repositories_that_the_reader_may_read() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for owner in ["ada", "acme"] {
        new_private_repo(&ada, &format!("{owner}/attic")).await;
        new_repo(&ada, &format!("{owner}/tools")).await;
    }
    for path in ["/users/ada", "/orgs/acme"] {
        assert_eq!(ada.get(path).await.expect(200).json()["repos"], json!(["attic", "tools"]));
        assert_eq!(house.admin().get(path).await.expect(200).json()["repos"], json!(["attic", "tools"]));
        assert_eq!(bob.get(path).await.expect(200).json()["repos"], json!(["tools"]));
    }
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|item| item["name"].as_str()).collect()
}

fn range(answer: &suite::Answer) -> [&str; 3] {
    ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(|name| answer.header(name))
}

async fn followers_of_cat(person: &Person) -> Value {
    person.get("/packages/ada/tools/cat").await.expect(200).json()["followers_count"].clone()
}
