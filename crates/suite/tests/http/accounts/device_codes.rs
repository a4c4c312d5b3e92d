//! Sign-ins of devices.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::pages::orgs::browser_of;

async fn begin(house: &TestHouse) -> Value {
    let body = json!({"client": "laptop <b>", "scope": "read"});
    house.anyone().post("/device_codes").json(body).await.expect(201).json()
}

async fn poll(house: &TestHouse, code: &Value) -> Value {
    house.clock.advance(5_000);
    let body = json!({"device_code": code["device_code"]});
    house.anyone().post("/device_codes/token").json(body).await.expect(200).json()
}

async fn answer(house: &TestHouse, person: &Person, code: &str, answer: &str) -> Answer {
    let browser = browser_of(house, person).await;
    let page = browser.open("/-/device").await.expect(200);
    let question = browser.send(&page, "/-/device", &[("code", code)]).await;
    if question.status != 200 {
        return question;
    }
    let text = question.text();
    assert!(text.contains("laptop &#60;b&#62;") && text.contains("with the scope &#39;read&#39;"), "{text}");
    browser.send(&question, "/-/device/decide", &[("answer", answer)]).await
}

#[tokio::test]
async fn a_device_gets_a_token_of_the_person_who_allows_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let code = begin(&house).await;
    assert_eq!(code["verification_url"], format!("http://{}/-/device", house.address));
    assert_eq!(poll(&house, &code).await["status"], "pending");
    let body = json!({"device_code": code["device_code"]});
    let soon = house.anyone().post("/device_codes/token").json(body).await.expect(200).json();
    assert_eq!(soon["status"], "slow_down");
    let typed = code["user_code"].as_str().expect("a code").to_lowercase().replace('-', " ");
    answer(&house, &ada, &typed, "allow").await.expect(303);
    // It is decided once.
    answer(&house, &ada, &typed, "refuse").await.expect(400);
    let given = poll(&house, &code).await;
    assert_eq!((&given["status"], &given["user"]), (&json!("allowed"), &json!("ada")));
    let device = house.person("ada", given["token"].as_str().expect("a token"));
    let seen = device.get("/token").await.expect(200).json();
    assert_eq!(seen["scopes"], json!(["read"]));
    let log = house.admin().get("/audit").await.expect(200).text();
    assert!(log.contains("device.allow") && log.contains("token.create"), "{log}");
    assert_eq!(poll(&house, &code).await["status"], "expired");
    assert_eq!(ada.get("/users/ada/tokens").await.expect(200).json().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_device_is_refused_or_waits_in_vain() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let code = begin(&house).await;
    let typed = code["user_code"].as_str().expect("a code");
    answer(&house, &ada, typed, "refuse").await.expect(303);
    assert_eq!(poll(&house, &code).await["status"], "denied");
    let late = begin(&house).await;
    house.clock.advance(10 * 60 * 1_000);
    assert_eq!(poll(&house, &late).await["status"], "expired");
    answer(&house, &ada, late["user_code"].as_str().expect("a code"), "allow").await.expect(400);
    operations::jobs::run_once(house.app().house(), "expired_identities").await.expect("it runs");
    let unknown = house.anyone().post("/device_codes/token").json(json!({"device_code": "x"})).await.expect(200).json();
    assert_eq!(unknown, json!({"status": "expired"}));
}

#[tokio::test]
async fn codes_cannot_be_guessed_or_made_in_masses() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let browser = browser_of(&house, &ada).await;
    let page = browser.open("/-/device").await.expect(200);
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(browser.send(&page, "/-/device", &[("code", "BCDF-GHJK")]).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 2, "{statuses:?}");
    let mut limited = 0;
    for _ in 0..22 {
        limited += u32::from(house.anyone().post("/device_codes").json(json!({})).await.status == 429);
    }
    assert_eq!(limited, 2);
    house.anyone().post("/device_codes").json(json!({"scope": "all"})).await.expect(400);
    house.browser().open("/-/device").await.expect(303);
}
