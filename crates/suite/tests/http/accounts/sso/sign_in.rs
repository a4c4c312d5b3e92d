//! Signing in, and the users that come of it.

use serde_json::json;
use suite::TestHouse;

use super::{at_provider, begin, refused, sign_in, start};
use crate::pages::orgs::browser_of;

#[tokio::test]
async fn somebody_signs_in_and_gets_a_user() {
    let (house, _provider) = start(&[]).await;
    let browser = house.browser();
    let login = browser.open("/login?next=/account").await.expect(200).text();
    assert!(login.contains("href=\"/login/sso?next=/account\"") && login.contains("Sign in with Acme"), "{login}");
    let page = begin(&browser, "/login/sso?next=/account").await;
    for part in
        ["response_type=code", "code_challenge_method=S256", "nonce=", "scope=openid%20profile%20email%20groups"]
    {
        assert!(page.contains(part), "{page}");
    }
    let back = at_provider(&page, "7").await;
    let done = browser.open(&back).await.expect(303);
    assert_eq!(done.header("location"), "/account");
    assert!(!browser.cookies().contains("packhouse_sso="), "{}", browser.cookies());
    let account = browser.open("/account").await.expect(200).text();
    assert!(account.contains("ada.l") && account.contains("You sign in with Acme"), "{account}");
    let user = house.admin().get("/users/ada.l").await.expect(200).json();
    assert_eq!((&user["full_name"], &user["name"]), (&json!("Ada Lovelace"), &json!("ada.l")));
    // The same person gets the same user, and everybody else another one.
    sign_in(&house.browser(), "7").await.expect(303);
    sign_in(&house.browser(), "8").await.expect(303);
    house.admin().get("/users/admin-2").await.expect(200);
    house.admin().get("/users/ada.l-2").await.expect(404);
}

#[tokio::test]
async fn keys_of_a_provider_are_fetched_again_when_they_change() {
    let (house, mut provider) = start(&[]).await;
    sign_in(&house.browser(), "7").await.expect(303);
    provider.restart("RS256").await;
    house.clock.advance(11_000);
    sign_in(&house.browser(), "7").await.expect(303);
    provider.restart("ES256").await;
    house.clock.advance(11_000);
    sign_in(&house.browser(), "7").await.expect(303);
}

#[tokio::test]
async fn only_some_groups_get_users() {
    let (house, provider) = start(&[("oidc.create_groups", "release,ops")]).await;
    sign_in(&house.browser(), "7").await.expect(303);
    refused(sign_in(&house.browser(), "8").await, 403, "You have no user here");
    drop((house, provider));
    let (house, _provider) = start(&[("oidc.create_users", "false")]).await;
    refused(sign_in(&house.browser(), "7").await, 403, "You have no user here");
    house.admin().get("/users/ada.l").await.expect(404);
}

#[tokio::test]
async fn a_user_signs_in_with_the_provider_from_then_on() {
    let (house, _provider) = start(&[("oidc.create_users", "false")]).await;
    let bob = house.user("bob").await;
    let browser = browser_of(&house, &bob).await;
    let account = browser.open("/account").await.expect(200);
    let way = browser.send(&account, "/account/sso", &[]).await.expect(200).text();
    let page = way.split("href=\"").find(|part| part.starts_with("http://127")).expect("a link");
    let page = page.split('"').next().expect("its end").replace("&#38;", "&").replace("&amp;", "&");
    let back = at_provider(&page, "7").await;
    assert_eq!(browser.open(&back).await.expect(303).header("location"), "/account");
    let other = house.browser();
    sign_in(&other, "7").await.expect(303);
    let account = other.open("/account").await.expect(200);
    assert!(account.text().contains("href=\"/bob\""));
    // Nobody else can have the same identity.
    let eve = browser_of(&house, &house.user("eve").await).await;
    let page = eve.open("/account").await.expect(200);
    let way = eve.send(&page, "/account/sso", &[]).await.expect(200).text();
    let page = way.split("href=\"").find(|part| part.starts_with("http://127")).expect("a link");
    let page = page.split('"').next().expect("its end").replace("&#38;", "&").replace("&amp;", "&");
    eve.open(&at_provider(&page, "7").await).await.expect(409);
    other.send(&account, "/account/sso/remove", &[]).await.expect(303);
    sign_in(&house.browser(), "7").await.expect(403);
}

#[tokio::test]
async fn passwords_can_be_turned_off() {
    let (house, _provider) = start(&[("oidc.password_sign_in", "false")]).await;
    let bob = house.user("bob").await;
    let browser = house.browser();
    let login = browser.open("/login").await.expect(200).text();
    assert!(login.contains("id=\"sso\"") && !login.contains("name=\"secret\""), "{login}");
    bob.get("/users/bob").await.expect(200);
    sign_in(&browser, "7").await.expect(303);
}

#[tokio::test]
async fn without_a_provider_there_is_no_single_sign_on() {
    let house = TestHouse::start().await;
    let browser = house.browser();
    assert!(!browser.open("/login").await.expect(200).text().contains("id=\"sso\""));
    for path in ["/login/sso", "/login/sso/callback?code=a&state=b"] {
        browser.open(path).await.expect(404);
    }
}
