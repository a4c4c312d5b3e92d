//! Attacks on sign-ins.

use super::{at_provider, begin, refused, sign_in, start};

#[tokio::test]
async fn a_sign_in_ends_in_the_browser_that_began_it() {
    let (house, _provider) = start(&[]).await;
    let (victim, mallory) = (house.browser(), house.browser());
    let back = at_provider(&begin(&mallory, "/login/sso").await, "8").await;
    // Mallory sends the victim an address that would sign the victim in as Mallory.
    refused(victim.open(&back).await, 403, "began in another browser");
    begin(&victim, "/login/sso").await;
    refused(victim.open(&back).await, 403, "began in another browser");
    assert!(!victim.cookies().contains("packhouse_session="), "{}", victim.cookies());
    mallory.open(&back).await.expect(303);
    // The code and the state are used up.
    mallory.open(&back).await.expect(403);
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused() {
    let (house, _provider) = start(&[]).await;
    for (from, to) in [
        ("iss=http%3A%2F%2F127.0.0.1", "iss=http%3A%2F%2Fevil.example"),
        ("&iss=", "&other="),
        ("state=", "state=0"),
        ("code=", "code=x"),
        ("code=", "other="),
        ("code=", "error=access_denied&code="),
    ] {
        let browser = house.browser();
        let back = at_provider(&begin(&browser, "/login/sso").await, "7").await;
        assert!(back.contains(from), "{back}");
        browser.open(&back.replacen(from, to, 1)).await.expect(403);
        assert!(!browser.cookies().contains("packhouse_session="), "{to}");
    }
    let browser = house.browser();
    let back = at_provider(&begin(&browser, "/login/sso").await, "nobody").await;
    let page = browser.open(&back).await.expect(403).text();
    assert!(page.contains("access_denied") && !page.contains("<script>alert"), "{page}");
    // Too late.
    let browser = house.browser();
    let back = at_provider(&begin(&browser, "/login/sso").await, "7").await;
    house.clock.advance(11 * 60 * 1_000);
    browser.open(&back).await.expect(403);
}

#[tokio::test]
async fn nobody_is_led_to_another_site() {
    let (house, _provider) = start(&[]).await;
    for next in ["//evil.example", "https://evil.example", "/%5Cevil.example", "javascript:alert(1)"] {
        let browser = house.browser();
        let page = begin(&browser, &format!("/login/sso?next={next}")).await;
        let done = browser.open(&at_provider(&page, "7").await).await.expect(303);
        assert_eq!(done.header("location"), "/", "{next}");
    }
}

#[tokio::test]
async fn a_session_of_before_is_not_kept() {
    let (house, _provider) = start(&[]).await;
    let browser = house.browser();
    let page = begin(&browser, "/login/sso").await;
    let bob = house.user("bob").await;
    browser.sign_in("bob", bob.key()).await.expect(303);
    let before = browser.cookies();
    browser.open(&at_provider(&page, "7").await).await.expect(303);
    let session = |cookies: &str| {
        let found = cookies.split("; ").find(|one| one.starts_with("packhouse_session=")).map(str::to_owned);
        found.expect("a session")
    };
    assert_ne!(session(&before), session(&browser.cookies()));
    let old = house.anyone().get("//account").header("cookie", &session(&before)).header("accept", "text/html");
    old.await.expect(303);
}

#[tokio::test]
async fn a_provider_that_is_down_affects_nothing_else() {
    let (house, mut provider) = start(&[]).await;
    let bob = house.user("bob").await;
    let browser = house.browser();
    let back = at_provider(&begin(&browser, "/login/sso").await, "7").await;
    provider.stop().await;
    let page = browser.open(&back).await.expect(503);
    assert!(page.text().contains("API keys and tokens work as before"), "{}", page.text());
    assert!(!page.header("retry-after").is_empty());
    bob.get("/users/bob").await.expect(200);
    house.browser().sign_in("bob", bob.key()).await.expect(303);
    provider.restart("RS256").await;
    house.clock.advance(11_000);
    sign_in(&house.browser(), "7").await.expect(303);
}
