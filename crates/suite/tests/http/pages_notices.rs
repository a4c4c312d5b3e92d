//! Notices: the message on the page after a change, and which cookies are not trusted.

use suite::{Browser, TestHouse};

use crate::pages_manage::{ada_at_home, fill_in, shown, signed_in, success_of};

const SAVED: &str = "The repository has been changed.";
const EDIT: &str = "/-/edit/repo/ada/tools";

/// Returns the cookie with the notice of a change, as the browser received it.
async fn notice_cookie(browser: &Browser) -> String {
    let saved = fill_in(browser, EDIT, &[("desc", "Changed")]).await.expect(303);
    saved.header("set-cookie").to_owned()
}

/// Returns its value alone.
fn value(cookie: &str) -> &str {
    cookie.split(['=', ';']).nth(1).expect("a cookie has a value")
}

/// Returns a page with this value of the cookie, in addition to the browser's other cookies.
async fn page_with(house: &TestHouse, browser: &Browser, value: &str) -> String {
    let others: Vec<_> =
        browser.cookies().split("; ").filter(|pair| !pair.contains("_notice=")).map(str::to_owned).collect();
    let cookies = format!("{}; packhouse_notice={value}", others.join("; "));
    house.anyone().get("//ada/tools").header("accept", "text/html").header("cookie", &cookies).await.expect(200).text()
}

#[tokio::test]
async fn the_cookie_of_a_notice_is_short_lived_and_for_pages_of_this_site_only() {
    let (_house, ada, browser) = ada_at_home().await;
    ada.post("/repos/ada/tools").await.expect(201);
    let cookie = notice_cookie(&browser).await;
    assert!(cookie.starts_with("packhouse_notice="), "{cookie}");
    assert!(cookie.ends_with("; HttpOnly; Path=/; SameSite=Lax; Max-Age=60"), "{cookie}");
    let page = browser.open("/ada/tools").await.expect(200);
    assert_eq!(success_of(&page), SAVED);
    let removed = "packhouse_notice=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0";
    assert_eq!(page.header("set-cookie"), removed);
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.com")]).await;
    let (admin, browser) = (house.admin(), signed_in(&house, &house.admin()).await);
    admin.post("/repos/admin/tools").await.expect(201);
    let saved = fill_in(&browser, "/-/edit/repo/admin/tools", &[]).await.expect(303);
    let cookie = saved.header("set-cookie");
    assert!(cookie.starts_with("__Host-packhouse_notice=") && cookie.ends_with("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_notice_that_the_server_did_not_make_for_the_session_is_ignored() {
    let (house, ada, browser) = ada_at_home().await;
    ada.post("/repos/ada/tools").await.expect(201);
    let own = notice_cookie(&browser).await;
    let own = value(&own);
    assert!(page_with(&house, &browser, own).await.contains(SAVED), "the test sends the cookie as a browser does");
    // The same account in another browser: a notice belongs to its session.
    let other = signed_in(&house, &ada).await;
    let (mac, text) = own.split_once('.').expect("a MAC and a text");
    let other_own = notice_cookie(&other).await;
    let (other_mac, other_text) = value(&other_own).split_once('.').expect("a MAC and a text");
    assert!(text == other_text && mac != other_mac);
    let forged = [
        value(&other_own).to_owned(),
        // "+Sign in at evil.example", unsigned and with the MAC of another text.
        "K1NpZ24gaW4gYXQgZXZpbC5leGFtcGxl".to_owned(),
        format!("{mac}.K1NpZ24gaW4gYXQgZXZpbC5leGFtcGxl"),
        format!("{}.{text}", "0".repeat(64)),
        format!(".{text}"),
        format!("{mac}."),
        format!("{own}{own}"),
        format!("{mac}.{}", "A".repeat(8_000)),
        "%2Bfree".to_owned(),
    ];
    for value in forged {
        let page = page_with(&house, &browser, &value).await;
        assert!(!page.contains("id=\"notice\"") && !page.contains("evil.example"), "{value}: {page}");
    }
    // Without a session, no notice is shown.
    assert!(!page_with(&house, &house.browser(), own).await.contains("id=\"notice\""));
    // A URL cannot put text on a page either.
    let page = browser.open("/account?done=1&notice=Hello").await.expect(200);
    browser.open("/account").await.expect(200);
    assert!(!page.text().contains("Hello") && !page.text().contains("Saved."), "{}", page.text());
}

#[tokio::test]
async fn a_name_in_a_notice_is_text() {
    let (_house, ada, browser) = ada_at_home().await;
    ada.post("/repos/ada/tools").await.expect(201);
    let name = "<script>alert(1)<'\"&>";
    fill_in(&browser, "/-/new/package/ada/tools", &[("name", name)]).await.expect(303);
    let form = "/-/delete/package/ada/tools/%3Cscript%3Ealert(1)%3C'%22&%3E";
    let page = browser.open(form).await.expect(200);
    let action = form.replace('\'', "&#39;").replace('&', "&#38;").replace("&#38;#39;", "&#39;");
    assert!(page.text().contains(&format!("action=\"{action}\"")), "{}", page.text());
    let token = browser.form_token().await;
    let fields = [("form_token", token.as_str()), ("confirm", name)].map(|(k, v)| (k.to_owned(), v.to_owned()));
    assert_eq!(browser.post(form, &fields).await.expect(303).header("location"), "/ada/tools");
    let page = browser.open("/ada/tools").await.expect(200);
    let (_, main) = page.text().split_once("<main").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a page");
    assert!(main.contains("&#60;script&#62;alert(1)") && !main.contains("<script"), "{main}");
    assert!(shown(&page, "notice").starts_with("The package &#60;script"), "{main}");
}
