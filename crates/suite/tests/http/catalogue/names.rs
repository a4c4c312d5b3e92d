//! Names in paths.

use serde_json::json;
use suite::TestHouse;

#[tokio::test]
async fn names_are_compared_exactly() {
    let house = TestHouse::start().await;
    let ada = house.user("Ada").await;
    ada.get("/users/Ada").await.expect(200);
    ada.get("/users/ada").await.refuses(404, "User 'ada' was not found");
    ada.get("/users/ADA").await.refuses(404, "User 'ADA' was not found");
    house.person("ada", ada.key()).get("/users/Ada").await.expect(401);
}

#[tokio::test]
async fn a_name_may_hold_what_the_pattern_allows() {
    let house = TestHouse::start().await;
    for name in ["0", "a", "A.b_c-D", "9..", &"x".repeat(100)] {
        let person = house.user(name).await;
        assert_eq!(person.get(&format!("/users/{name}")).await.expect(200).json()["name"], *name);
    }
}

#[tokio::test]
async fn a_name_that_nothing_can_have_is_told_so() {
    let house = TestHouse::start().await;
    let mut refusals = String::new();
    for name in ["_a", "-a", "a%20b", "a%2Fb", "%C3%A9", "a@b", "a:b", &"x".repeat(101)] {
        let answer = house.admin().get(&format!("/users/{name}")).await.expect(400);
        refusals += &format!("{}\n", answer.message().replace(&"x".repeat(101), "(long)"));
    }
    insta::assert_snapshot!(refusals, @r#"
    subject name '_a' is not valid: it must begin with a letter or a digit
    subject name '-a' is not valid: it must begin with a letter or a digit
    subject name 'a b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    subject name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    subject name 'é' is not valid: it must begin with a letter or a digit
    subject name 'a@b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    subject name 'a:b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    subject name '(long)' is not valid: it is longer than 100 characters
    "#);
}

#[tokio::test]
async fn one_resource_has_many_spellings() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let plain = ada.get("/users/ada").await.expect(200).text();
    for spelled in ["/users//ada", "/users/ada/", "/users/%61da", "/v1/users/ada", "/users;x=1/ada;y=2", "/users/ada?x"]
    {
        assert_eq!(ada.get(spelled).await.expect(200).text(), plain, "{spelled}");
    }
}

#[tokio::test]
async fn a_long_name_for_people_may_be_in_any_language() {
    let house = TestHouse::start().await;
    let name = "Ада Лавлейс 爱达 🧮";
    let created = house.admin().post("/users").json(json!({"name": "ada", "full_name": name})).await.expect(201);
    assert_eq!(created.json()["full_name"], name);
    assert_eq!(house.admin().get("/users/ada").await.expect(200).json()["full_name"], name);
}
