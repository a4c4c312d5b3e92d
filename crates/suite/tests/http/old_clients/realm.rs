//! Clients that choose credentials by the realm.

use suite::TestHouse;

/// Returns the challenge at a path of each surface.
async fn challenges(house: &TestHouse) -> Vec<String> {
    let mut asked = Vec::new();
    for path in ["/users/admin", "//dl/nobody/nothing/x", "//eula/nobody/none/1.0"] {
        asked.push(house.anyone().get(path).await.expect(401).header("www-authenticate").to_owned());
    }
    let wrong = house.person("admin", "wrong").get("/licenses/oss_licenses").await.expect(401);
    asked.push(wrong.header("www-authenticate").to_owned());
    asked
}

#[tokio::test]
async fn the_realm_is_that_of_the_program() {
    let house = TestHouse::start().await;
    for asked in challenges(&house).await {
        assert_eq!(asked, r#"Basic realm="packhouse", charset="UTF-8""#);
    }
}

#[tokio::test]
async fn the_operator_may_choose_the_realm_that_clients_know() {
    let house = TestHouse::start_with(&[("auth_realm", r#"Artifact "API" Realm"#)]).await;
    for asked in challenges(&house).await {
        assert_eq!(asked, r#"Basic realm="Artifact \"API\" Realm", charset="UTF-8""#);
    }
}
