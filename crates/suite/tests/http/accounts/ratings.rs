//! Ratings of packages.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn a_rating_is_the_rounded_average_of_one_a_user() {
    let (house, ada) = house_with_cat().await;
    let (bob, eve) = (house.user("bob").await, house.user("eve").await);
    assert_eq!(rating_of_cat(&ada).await, (0, 0));
    rate(&bob, 5).await;
    assert_eq!(rating_of_cat(&ada).await, (5, 1));
    rate(&eve, 2).await;
    // 3.5 is rounded up.
    assert_eq!(rating_of_cat(&ada).await, (4, 2));
    rate(&bob, 1).await;
    assert_eq!(rating_of_cat(&ada).await, (2, 2));
    rate(&bob, 1).await;
    assert_eq!(rating_of_cat(&ada).await, (2, 2));
}

#[tokio::test]
async fn what_is_no_rating_is_refused_and_not_counted() {
    let (_house, ada) = house_with_cat().await;
    let bodies = [
        r#"{"rating": 0}"#,
        r#"{"rating": 6}"#,
        r#"{"rating": -1}"#,
        r#"{"rating": 3.5}"#,
        r#"{"rating": "5"}"#,
        r#"{"rating": null}"#,
        r#"{"rating": 99999999999999999999}"#,
        "{}",
        "[5]",
        "",
    ];
    let mut refusals = String::new();
    for body in bodies {
        let refused = ada.put("/packages/ada/tools/cat/rating").body(body).await.expect(400);
        refusals += &format!("{body} -> {}\n", refused.message());
    }
    insta::assert_snapshot!(refusals, @r#"
    {"rating": 0} -> rating: 0 is not a number from 1 to 5
    {"rating": 6} -> rating: 6 is not a number from 1 to 5
    {"rating": -1} -> rating: -1 is not a number from 1 to 5
    {"rating": 3.5} -> rating: invalid type: floating point `3.5`, expected i64
    {"rating": "5"} -> rating: invalid type: string "5", expected i64
    {"rating": null} -> rating: invalid type: null, expected i64
    {"rating": 99999999999999999999} -> rating: invalid type: floating point `1e+20`, expected i64
    {} -> missing field `rating`
    [5] -> The body must be a JSON object
     -> A JSON body is required
    "#);
    assert_eq!(rating_of_cat(&ada).await, (0, 0));
    let missing = ada.put("/packages/ada/tools/dog/rating").json(json!({"rating": 5})).await;
    missing.refuses(404, "Package 'dog' was not found");
}

#[tokio::test(flavor = "multi_thread")]
async fn sums_are_exact_when_many_rate_at_once() {
    let (house, ada) = house_with_cat().await;
    let mut fans = Vec::new();
    for number in 0..8 {
        fans.push(house.user(&format!("fan{number}")).await);
    }
    let rated = |fan: &Person, rating: i64| fan.put("/packages/ada/tools/cat/rating").json(json!({ "rating": rating }));
    let answers = together(fans.iter().flat_map(|fan| [1, 5, 3].map(|rating| rated(fan, rating)))).await;
    assert_eq!(statuses(&answers), [200; 24]);
    assert_eq!(rating_of_cat(&ada).await.1, 8);
    let answers = together(fans.iter().map(|fan| rated(fan, 2))).await;
    assert_eq!(statuses(&answers), [200; 8]);
    assert_eq!(rating_of_cat(&ada).await, (2, 8));
    house.admin().delete("/users/fan0").await.expect(200);
    assert_eq!(rating_of_cat(&ada).await, (2, 7));
}

async fn house_with_cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    (house, ada)
}

async fn rate(person: &Person, rating: i64) {
    let call = person.put("/packages/ada/tools/cat/rating").json(json!({ "rating": rating }));
    call.await.refuses(200, "success");
}

async fn rating_of_cat(person: &Person) -> (i64, i64) {
    let shown = person.get("/packages/ada/tools/cat").await.expect(200).json();
    let number = |field: &str| shown[field].as_i64().expect("a number");
    (number("rating"), number("rating_count"))
}
