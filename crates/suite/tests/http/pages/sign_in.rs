//! Signing in and out on the pages: who may sign in, and which forms are refused.

use serde_json::json;
use suite::{Browser, TestHouse};

const WRONG: &str = "The user name, the password or the API key is wrong";
const PASSWORD: &str = "difference engine";

/// Starts a house with ada, who has a password.
pub(crate) async fn ada() -> (TestHouse, suite::Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.patch("/users/ada").json(json!({ "password": PASSWORD })).await.expect(200);
    (house, ada)
}

async fn is_signed_in(browser: &Browser) -> bool {
    browser.open("/").await.expect(200).text().contains("id=\"sign-out\"")
}

fn fields(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn a_password_and_an_api_key_both_sign_in() {
    let (house, ada) = ada().await;
    for secret in [PASSWORD, ada.key()] {
        let browser = house.browser();
        assert!(!is_signed_in(&browser).await);
        let answer = browser.sign_in("ada", secret).await.expect(303);
        assert_eq!(answer.header("location"), "/");
        assert!(is_signed_in(&browser).await);
    }
}

#[tokio::test]
async fn everyone_else_is_told_the_same() {
    let (house, _) = ada().await;
    house.user("bob").await;
    let bob_has_none = ("bob", PASSWORD);
    for (name, secret) in
        [("ada", "wrong password"), ("nobody", PASSWORD), bob_has_none, ("Ada", PASSWORD), ("a b", "x"), ("", "")]
    {
        let browser = house.browser();
        let page = browser.sign_in(name, secret).await.expect(401);
        assert!(page.text().contains(WRONG), "{}", page.text());
        assert!(page.header("www-authenticate").is_empty());
        assert!(!page.text().contains(PASSWORD) && !is_signed_in(&browser).await);
    }
}

#[tokio::test]
async fn the_cookie_is_for_pages_of_this_site_only() {
    let (house, ada) = ada().await;
    let answer = house.browser().sign_in("ada", ada.key()).await.expect(303);
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.starts_with("packhouse_session="), "{cookie}");
    assert!(cookie.ends_with("; HttpOnly; Path=/; SameSite=Lax; Max-Age=2592000"), "{cookie}");
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.com")]).await;
    let answer = house.browser().sign_in("admin", house.admin().key()).await.expect(303);
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.starts_with("__Host-packhouse_session=") && cookie.ends_with("; Secure"), "{cookie}");
}

#[tokio::test]
async fn signing_in_leads_to_where_one_wanted_to_go_and_never_to_another_site() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    let asked = browser.open("/account").await.expect(303);
    assert_eq!(asked.header("location"), "/login?next=/account");
    let page = browser.open(asked.header("location")).await.expect(200);
    let answer = browser.send(&page, "/login", &[("name", "ada"), ("secret", ada.key())]).await.expect(303);
    assert_eq!(answer.header("location"), "/account");
    assert_eq!(browser.open("/login?next=/ada").await.expect(303).header("location"), "/ada");
    for evil in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example"] {
        assert_eq!(browser.open(&format!("/login?next={evil}")).await.expect(303).header("location"), "/", "{evil}");
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_and_takes_the_cookie_away() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let cookies = browser.cookies();
    let page = browser.open("/").await;
    let answer = browser.send(&page, "/logout", &[]).await.expect(303);
    assert_eq!(answer.header("location"), "/");
    assert!(browser.cookies().is_empty() && !is_signed_in(&browser).await);
    let stolen = house.anyone().get("//account").header("accept", "text/html").header("cookie", &cookies);
    stolen.await.expect(303);
}

#[tokio::test]
async fn signing_in_again_begins_another_session_and_ends_the_one_before() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let before = browser.cookies();
    let page = house.browser().open("/login").await.expect(200);
    let form = page.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let token = page
        .text()
        .split("name=\"form_token\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next().map(str::to_owned));
    let body = format!("form_token={}&name=ada&secret={}", token.expect("a token"), ada.key());
    let call = house.anyone().post("//login").header("cookie", &format!("{before}; {form}")).body(body);
    let after = call.await.expect(303).header("set-cookie").to_owned();
    assert!(!after.contains(&before), "{after}");
    house.anyone().get("//account").header("cookie", &before).await.expect(401);
}

#[tokio::test]
async fn a_form_that_is_not_of_this_browser_and_this_site_is_refused() {
    let (house, ada) = ada().await;
    let stale = "The form is out of date; open the page again";
    let given = [("name", "ada"), ("secret", ada.key())];
    let (browser, other) = (house.browser(), house.browser());
    browser.post("/login", &fields(&given)).await.expect(403);
    browser.open("/login").await.expect(200);
    assert!(browser.post("/login", &fields(&given)).await.expect(403).text().contains(stale));
    let foreign = other.open("/login").await.expect(200);
    assert!(browser.send(&foreign, "/login", &given).await.expect(403).text().contains(stale));
    browser.sign_in("ada", ada.key()).await.expect(303);
    let page = browser.open("/account").await.expect(200);
    other.sign_in("ada", ada.key()).await.expect(303);
    let theirs = other.open("/account").await.expect(200);
    for action in ["/logout", "/account/api_key", "/account/password"] {
        assert!(browser.post(action, &[]).await.expect(403).text().contains(stale), "{action}");
        assert!(browser.send(&theirs, action, &[]).await.expect(403).text().contains(stale), "{action}");
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let token = page
                .text()
                .split("name=\"form_token\" value=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next().map(str::to_owned));
            let sent = fields(&[("form_token", &token.expect("a token"))]);
            let answer = browser.form(action, &sent).header(name, value).await.expect(403);
            assert!(
                answer.text().contains("The request was sent by a page of another site"),
                "{action} {name}: {value}"
            );
        }
    }
    assert!(is_signed_in(&browser).await);
}

#[tokio::test]
async fn wrong_passwords_are_counted_by_name_and_keys_still_sign_in() {
    let (house, ada) = ada().await;
    for _ in 0..10 {
        house.browser().sign_in("ada", "wrong password").await.expect(401);
    }
    let refused = house.browser().sign_in("ada", PASSWORD).await.expect(429);
    assert_eq!(refused.header("retry-after"), "60");
    assert!(refused.text().contains("too many wrong passwords within a minute"), "{}", refused.text());
    house.browser().sign_in("ada", ada.key()).await.expect(303);
    house.clock.advance(60_000);
    house.browser().sign_in("ada", PASSWORD).await.expect(303);
    // Successful sign-ins do not count.
    for _ in 0..12 {
        house.browser().sign_in("ada", PASSWORD).await.expect(303);
    }
}

#[tokio::test]
async fn wrong_passwords_are_counted_by_address() {
    let (house, _) = ada().await;
    for number in 0..30 {
        house.browser().sign_in(&format!("name{number}"), "wrong password").await.expect(401);
    }
    house.browser().sign_in("ada", PASSWORD).await.expect(429);
    house.clock.advance(60_000);
    house.browser().sign_in("ada", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn the_log_tells_who_signed_in_and_out_and_no_secret() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", PASSWORD).await.expect(303);
    let page = browser.open("/").await;
    browser.send(&page, "/logout", &[]).await.expect(303);
    let log = house.admin().get("/audit").await.expect(200);
    let actions: Vec<String> = log
        .json()
        .as_array()
        .expect("a list")
        .iter()
        .take(2)
        .map(|entry| format!("{} {} {}", entry["actor"], entry["action"], entry["target"]).replace('"', ""))
        .collect();
    assert_eq!(actions, ["ada session.delete ada", "ada session.create ada"]);
    assert!(!log.text().contains(PASSWORD) && !log.text().contains(ada.key()));
}
