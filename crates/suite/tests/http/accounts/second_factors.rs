//! The second factor: enrolment, signing in with it, and organizations that require it.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha1::Sha1;
use suite::{Answer, Browser, TestHouse};

use super::requirements::{PASSWORD, Readers, organization, user_with_password};

const STEP: i64 = 30_000;

/// Returns the text of the element with this id.
fn text_of(page: &Answer, id: &str) -> String {
    let text = page.text();
    let rest = text.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {text}")).1;
    let rest = rest.split_once('>').expect("the tag ends").1;
    rest.split('<').next().unwrap_or_default().trim().to_owned()
}

/// Computes the code of an app that has this secret.
fn code(house: &TestHouse, secret: &str) -> String {
    let letters = secret.bytes().filter(u8::is_ascii_alphanumeric);
    let value = |letter: u8| u64::from(if letter.is_ascii_uppercase() { letter - b'A' } else { letter - b'2' + 26 });
    let (mut bits, mut count, mut key) = (0_u64, 0, Vec::new());
    for letter in letters {
        (bits, count) = (bits << 5 | value(letter), count + 5);
        if count >= 8 {
            count -= 8;
            key.push(u8::try_from(bits >> count & 255).expect("a byte"));
        }
    }
    let step = house.clock.now().millis() / STEP;
    let hash = Hmac::<Sha1>::new_from_slice(&key).expect("a key").chain_update(step.to_be_bytes()).finalize();
    let hash: [u8; 20] = hash.into_bytes().into();
    let at = usize::from(hash[19] & 15);
    let number = u32::from_be_bytes([hash[at] & 127, hash[at + 1], hash[at + 2], hash[at + 3]]);
    format!("{:06}", number % 1_000_000)
}

struct Enrolled {
    browser: Browser,
    secret: String,
    codes: Vec<String>,
}

/// Turns the second factor on through the pages.
async fn enrol(house: &TestHouse, name: &str) -> Enrolled {
    let browser = house.browser();
    browser.sign_in(name, PASSWORD).await.expect(303);
    let page = browser.open("/account/security").await.expect(200);
    let page = browser.send(&page, "/account/second_factor", &[("secret", PASSWORD)]).await.expect(200);
    let secret = text_of(&page, "totp-secret");
    assert!(page.text().contains("<svg class=\"qr\""), "{}", page.text());
    let code = code(house, &secret);
    let page = browser.send(&page, "/account/second_factor/confirm", &[("code", &code)]).await.expect(200);
    let codes: Vec<String> = text_of(&page, "recovery-codes").lines().map(str::to_owned).collect();
    assert_eq!(codes.len(), 10, "{codes:?}");
    house.clock.advance(STEP);
    Enrolled { browser, secret, codes }
}

/// Gives the password, and then a code.
async fn sign_in(browser: &Browser, name: &str, code: &str) -> Answer {
    let page = browser.sign_in(name, PASSWORD).await.expect(200);
    browser.send(&page, "/login/code", &[("code", code)]).await
}

#[tokio::test]
async fn a_password_alone_signs_nobody_in_who_has_a_second_factor() {
    let house = TestHouse::start().await;
    let ada = user_with_password(&house, "ada").await;
    let enrolled = enrol(&house, "ada").await;
    enrolled.browser.open("/account").await.expect(200);

    let browser = house.browser();
    browser.sign_in("ada", PASSWORD).await.expect(200);
    browser.open("/account").await.expect(303);
    let refused = sign_in(&browser, "ada", "000000").await.expect(401);
    assert!(refused.text().contains("The code is wrong, or was used before"), "{}", refused.text());
    browser.open("/account").await.expect(303);
    sign_in(&browser, "ada", &code(&house, &enrolled.secret)).await.expect(303);
    browser.open("/account").await.expect(200);
    // Keys cannot be guessed, and need no code.
    house.browser().sign_in("ada", ada.key()).await.expect(303);
}

#[tokio::test]
async fn each_code_is_good_once_and_for_a_step_around_now() {
    let house = TestHouse::start().await;
    user_with_password(&house, "ada").await;
    let Enrolled { secret, .. } = enrol(&house, "ada").await;
    let first = code(&house, &secret);
    sign_in(&house.browser(), "ada", &first).await.expect(303);
    sign_in(&house.browser(), "ada", &first).await.expect(401);
    house.clock.advance(STEP);
    sign_in(&house.browser(), "ada", &first).await.expect(401);
    let late = code(&house, &secret);
    house.clock.advance(STEP);
    sign_in(&house.browser(), "ada", &late).await.expect(303);
    house.clock.advance(10 * STEP);
    let old = code(&house, &secret);
    house.clock.advance(2 * STEP);
    sign_in(&house.browser(), "ada", &old).await.expect(401);
}

#[tokio::test]
async fn each_recovery_code_is_good_once() {
    let house = TestHouse::start().await;
    user_with_password(&house, "ada").await;
    let Enrolled { codes, .. } = enrol(&house, "ada").await;
    let browser = house.browser();
    sign_in(&browser, "ada", &codes[0].to_uppercase().replace('-', " ")).await.expect(303);
    assert_eq!(text_of(&browser.open("/account/security").await, "codes-left"), "9");
    sign_in(&house.browser(), "ada", &codes[0]).await.expect(401);
    sign_in(&house.browser(), "ada", &codes[1]).await.expect(303);
}

#[tokio::test]
async fn wrong_codes_are_limited() {
    let house = TestHouse::start().await;
    user_with_password(&house, "ada").await;
    let Enrolled { secret, .. } = enrol(&house, "ada").await;
    for _ in 0..5 {
        sign_in(&house.browser(), "ada", "000000").await.expect(401);
    }
    let refused = sign_in(&house.browser(), "ada", &code(&house, &secret)).await.expect(429);
    assert!(!refused.header("retry-after").is_empty());
    house.clock.advance(61_000);
    sign_in(&house.browser(), "ada", &code(&house, &secret)).await.expect(303);
}

#[tokio::test]
async fn what_the_first_step_gives_is_for_one_browser_and_for_minutes() {
    let house = TestHouse::start().await;
    let ada = user_with_password(&house, "ada").await;
    let Enrolled { codes, .. } = enrol(&house, "ada").await;
    let (one, other) = (house.browser(), house.browser());
    let page = one.sign_in("ada", PASSWORD).await.expect(200);
    let field = |name: &str| {
        let text = page.text();
        let rest = text.split_once(&format!("name=\"{name}\" value=\"")).expect("a field").1.to_owned();
        rest.split('"').next().unwrap_or_default().to_owned()
    };
    let foreign = other.open("/login").await.expect(200).text();
    let token = foreign.split_once("name=\"form_token\" value=\"").expect("a token").1.split('"').next();
    let fields = [
        ("form_token".to_owned(), token.unwrap_or_default().to_owned()),
        ("pending".to_owned(), field("pending")),
        ("code".to_owned(), codes[0].clone()),
    ];
    other.post("/login/code", &fields).await.expect(401);
    house.clock.advance(11 * 60_000);
    one.send(&page, "/login/code", &[("code", &codes[0])]).await.expect(401);
    // A changed password ends it, too.
    let page = one.sign_in("ada", PASSWORD).await.expect(200);
    ada.patch("/users/ada").json(json!({"password": "analytical engine"})).await.expect(200);
    one.send(&page, "/login/code", &[("code", &codes[0])]).await.expect(401);
}

#[tokio::test]
async fn turning_it_off_takes_the_password_and_a_code() {
    let house = TestHouse::start().await;
    user_with_password(&house, "ada").await;
    let Enrolled { browser, codes, .. } = enrol(&house, "ada").await;
    let off = "/account/second_factor/disable";
    let page = browser.open("/account/security").await.expect(200);
    browser.send(&page, off, &[("secret", "wrong"), ("code", &codes[0])]).await.expect(403);
    browser.send(&page, off, &[("secret", PASSWORD), ("code", "000000")]).await.expect(403);
    browser.send(&page, off, &[("secret", PASSWORD), ("code", &codes[0])]).await.expect(303);
    house.browser().sign_in("ada", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn a_site_administrator_resets_it() {
    let house = TestHouse::start().await;
    let ada = user_with_password(&house, "ada").await;
    let Enrolled { browser, .. } = enrol(&house, "ada").await;
    ada.delete("/users/ada/second_factor").await.refuses(403, "You may not do this");
    let shown = house.admin().get("/users/ada/second_factor").await.expect(200).json();
    assert_eq!((&shown["enabled"], &shown["recovery_codes"]), (&json!(true), &json!(10)));
    house.admin().delete("/users/ada/second_factor").await.expect(200);
    browser.open("/account").await.expect(303);
    house.browser().sign_in("ada", PASSWORD).await.expect(303);
    let log = house.admin().get("/audit").await.expect(200).text();
    assert!(log.contains("second_factor.enable") && log.contains("second_factor.reset"), "{log}");
    house.admin().delete("/users/ada/second_factor").await.expect(409);
}

#[tokio::test]
async fn an_organization_gives_rights_only_to_members_with_a_second_factor() {
    let house = TestHouse::start().await;
    let Readers { ada, bob, robot, token } = organization(&house).await;
    let rule = json!({"require_second_factor": true});
    bob.patch("/orgs/acme").json(rule.clone()).await.refuses(403, "You may not do this");
    ada.patch("/orgs/acme").json(rule.clone()).await.refuses(409, "Set up your own second factor first");
    enrol(&house, "ada").await;
    bob.get("/repos/acme/secret").await.expect(200);
    ada.patch("/orgs/acme").json(rule).await.expect(200);

    ada.get("/repos/acme/secret").await.expect(200);
    robot.get("/repos/acme/secret").await.expect(200);
    for person in [&bob, &token] {
        person.get("/repos/acme/secret").await.expect(404);
        assert_eq!(person.get("/orgs/acme").await.expect(200).json()["members"], json!(null));
    }
    let browser = house.browser();
    let landed = browser.sign_in("bob", PASSWORD).await.expect(303);
    assert_eq!(landed.header("location"), "/account/security");
    assert!(browser.open("/account/security").await.expect(200).text().contains("id=\"waiting\""));
    browser.open("/acme/secret").await.expect(404);
    assert_eq!(browser.open("/-/orgs/acme").await.expect(303).header("location"), "/account/security");

    house.clock.advance(STEP);
    enrol(&house, "bob").await;
    for person in [&bob, &token] {
        person.get("/repos/acme/secret").await.expect(200);
    }
    house.admin().delete("/users/bob/second_factor").await.expect(200);
    bob.get("/repos/acme/secret").await.expect(404);
    // Members may leave in any case.
    bob.delete("/orgs/acme/members/bob").await.expect(200);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one() {
    let house = TestHouse::start().await;
    let ada = user_with_password(&house, "ada").await;
    let (one, other) = (house.browser(), house.browser());
    one.sign_in("ada", PASSWORD).await.expect(303);
    other.sign_in("ada", ada.key()).await.expect(303);
    let listed = ada.get("/users/ada/sessions").await.expect(200).json();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|session| session["address"] == json!("127.0.0.1")), "{listed:?}");
    let of_key = listed.iter().find(|session| session["method"] == json!("API key")).expect("one by key");
    let id = of_key["id"].as_str().expect("an id");
    house.user("bob").await.get("/users/ada/sessions").await.refuses(403, "You may not do this");
    ada.delete(&format!("/users/ada/sessions/{id}")).await.expect(200);
    ada.delete(&format!("/users/ada/sessions/{id}")).await.expect(404);
    other.open("/account").await.expect(303);
    let page = one.open("/account/security").await.expect(200);
    assert!(page.text().contains("This one"), "{}", page.text());
    other.sign_in("ada", PASSWORD).await.expect(303);
    let page = one.open("/account/security").await.expect(200);
    one.send(&page, "/account/sessions/end_all", &[]).await.expect(303);
    other.open("/account").await.expect(303);
    one.open("/account").await.expect(200);
    house.admin().delete("/users/ada/sessions").await.expect(200);
    one.open("/account").await.expect(303);
}
