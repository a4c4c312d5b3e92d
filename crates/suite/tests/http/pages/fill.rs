//! Filling a version on its page: uploads with and without a script, publishing, discarding and signing.

use reqwest::Method;
use serde_json::json;
use suite::{Answer, Browser, Call, TestHouse};

use crate::{
    catalogue::new_version,
    content::{DAY, MEOW_SHA256, archives::zip, cat, published, read, stored, upload, upload_published},
    pages::manage::{assert_led, cat_at_home, fill_in, problem_of, shown, signed_in},
    signing::{is_signed, locked_cat, ring_of_server, signing_cat},
};

const PAGE: &str = "/ada/tools/cat/1.0";
const UPLOAD: &str = "/-/upload/ada/tools/cat/1.0";

/// Returns the upload of one file as the page's script sends it.
fn put(browser: &Browser, token: &str, rest: &str) -> Call {
    let call = browser.call(Method::PUT, &format!("{UPLOAD}{rest}")).header("sec-fetch-site", "same-origin");
    call.header("x-form-token", token)
}

/// Presses a button of the version's page.
async fn press(browser: &Browser, action: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.open(PAGE).await.expect(200);
    browser.send(&page, &format!("/-/{action}{PAGE}"), fields).await
}

#[tokio::test]
async fn a_form_with_files_stages_them_and_a_button_publishes_them() {
    let (house, ada, browser) = cat_at_home().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let token = browser.form_token().await;
    let fields = [("form_token", token.as_str()), ("folder", " /bin/ ")];
    let sent = browser.post_files(UPLOAD, &fields, &[("a.txt", "meow"), ("", ""), ("b c.txt", "purr")]).await;
    assert_led(&browser, sent, PAGE, "2 files stored.").await;
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["bin/a.txt", "bin/b c.txt"]);
    house.anyone().download("/ada/tools/bin/a.txt").await.expect(404);
    let page = browser.open(PAGE).await.expect(200);
    assert_eq!(shown(&page, "staged-count"), "2 files");
    assert!(page.text().contains(MEOW_SHA256), "{}", page.text());
    let done = press(&browser, "publish", &[]).await;
    assert_led(&browser, done, PAGE, "Published: 2 files.").await;
    assert_eq!(read(&house.anyone(), "/ada/tools/bin/a.txt").await, "meow");
    assert!(!browser.open(PAGE).await.text().contains("id=\"staged-count\""));
}

#[tokio::test]
async fn files_that_cannot_be_stored_are_named_and_the_others_stay() {
    let (_house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.txt", "meow").await;
    let token = browser.form_token().await;
    let fields = [("form_token", token.as_str()), ("publish", "1")];
    let files = [("a.txt", "other"), ("b.txt", "purr"), ("../c.txt", "hiss")];
    let page = browser.post_files(UPLOAD, &fields, &files).await.expect(409);
    let told = problem_of(&page);
    assert!(told.starts_with("1 file stored. a.txt: ") && told.contains("; ../c.txt: "), "{told}");
    assert_eq!(published(&ada, "ada/tools/cat").await, ["a.txt", "b.txt"]);
    assert_eq!(read(&ada, "/ada/tools/a.txt").await, "meow");
    let fields = [("form_token", token.as_str()), ("publish", "1"), ("override", "1")];
    browser.post_files(UPLOAD, &fields, &[("a.txt", "other")]).await.expect(303);
    assert_eq!(read(&ada, "/ada/tools/a.txt").await, "other");
    let page = browser.post_files(UPLOAD, &fields, &[("", "")]).await.expect(400);
    assert_eq!(problem_of(&page), "Choose a file to upload");
}

#[tokio::test]
async fn a_file_that_a_script_sends_is_answered_with_its_checksum() {
    let (_house, ada, browser) = cat_at_home().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let token = browser.form_token().await;
    let answer = put(&browser, &token, "/bin/a%20b.txt?publish=1").body("meow").await.expect(201);
    assert_eq!(answer.json(), json!({"path": "bin/a b.txt", "sha256": MEOW_SHA256}));
    assert_eq!(read(&ada, "/ada/tools/bin/a%20b.txt").await, "meow");
    put(&browser, &token, "/bin/a%20b.txt").body("purr").await.expect(409);
    put(&browser, &token, "/bin/a%20b.txt?override=1").body("purr").await.expect(201);
    assert_eq!(read(&ada, "/ada/tools/bin/a%20b.txt").await, "meow");
    put(&browser, &token, "/x.txt?publish=yes").body("meow").await.expect(400);
    let archive = put(&browser, &token, "/in.zip?explode=1").body(zip(&[("x.txt", "x"), ("y/y.txt", "y")])).await;
    assert_eq!(archive.expect(201).json()["sha256"], json!(null));
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["bin/a b.txt", "x.txt", "y/y.txt"]);
}

#[tokio::test]
async fn uploads_need_the_token_of_the_session_before_anything_is_stored() {
    let (house, ada, browser) = cat_at_home().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let foreign = signed_in(&house, &ada).await.form_token().await;
    let token = browser.form_token().await;
    for wrong in ["", "x", &foreign] {
        put(&browser, wrong, "/a.txt").body("meow").await.expect(403);
        browser.post_files(UPLOAD, &[("form_token", wrong)], &[("a.txt", "meow")]).await.expect(403);
    }
    // The token must not come after the files, either.
    browser.post_files(UPLOAD, &[("folder", "x"), ("form_token", &token)], &[("a.txt", "meow")]).await.expect(403);
    let call = browser.call(Method::PUT, &format!("{UPLOAD}/a.txt")).header("x-form-token", &token);
    call.header("sec-fetch-site", "same-site").body("meow").await.expect(403);
    house.browser().post_files(UPLOAD, &[("form_token", &token)], &[("a.txt", "meow")]).await.expect(401);
    ada.put(&format!("/{UPLOAD}/a.txt")).header("x-form-token", &token).body("meow").await.expect(401);
    browser.post(UPLOAD, &[("form_token".into(), token)]).await.expect(400);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn limits_of_uploads_are_those_of_the_api() {
    let house = TestHouse::start_with(&[("limits.upload_bytes", "10")]).await;
    let ada = house.user("ada").await;
    crate::catalogue::new_repo(&ada, "ada/tools").await;
    crate::catalogue::new_package(&ada, "ada/tools", "cat").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let browser = signed_in(&house, &ada).await;
    let token = browser.form_token().await;
    put(&browser, &token, "/a.txt").body("more than ten bytes").await.expect(413);
    let fields = [("form_token", token.as_str())];
    let page = browser.post_files(UPLOAD, &fields, &[("a.txt", "more than ten bytes"), ("b.txt", "meow")]).await;
    assert!(problem_of(&page.expect(413)).starts_with("1 file stored. a.txt: "));
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["b.txt"]);
}

#[tokio::test]
async fn a_large_file_of_a_form_arrives_whole() {
    let (_house, ada, browser) = cat_at_home().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let content = "\r\n--almost a boundary\r\n".repeat(200_000);
    let token = browser.form_token().await;
    let fields = [("form_token", token.as_str()), ("publish", "1")];
    browser.post_files(UPLOAD, &fields, &[("large.txt", &content), ("small.txt", "meow")]).await.expect(303);
    assert!(read(&ada, "/ada/tools/large.txt").await == content);
    assert_eq!(read(&ada, "/ada/tools/small.txt").await, "meow");
}

#[tokio::test]
async fn discarding_drops_what_waits_and_says_how_much() {
    let (_house, ada, browser) = cat_at_home().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.txt", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.txt", "purr").await;
    let done = press(&browser, "discard", &[]).await;
    assert_led(&browser, done, PAGE, "Discarded: 1 file.").await;
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.txt"]);
}

#[tokio::test]
async fn past_the_window_the_page_says_why_nothing_is_published() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.txt", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.txt", "purr").await;
    house.clock.advance(5 * DAY + 1_000);
    let browser = signed_in(&house, &ada).await;
    let page = press(&browser, "publish", &[]).await.expect(403);
    let told = problem_of(&page);
    assert!(told.contains("Version '1.0'") && told.contains("the limit is 5 days"), "{told}");
    assert_eq!(shown(&page, "staged-count"), "1 file");
    let token = browser.form_token().await;
    let refused = put(&browser, &token, "/c.txt").body("hiss").await.expect(403).text();
    assert!(refused.contains("the limit is 5 days"), "{refused}");
    house.anyone().download("/ada/tools/b.txt").await.expect(404);
}

#[tokio::test]
async fn a_version_is_signed_from_its_page() {
    let (house, ada) = signing_cat().await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": false})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let browser = signed_in(&house, &ada).await;
    assert!(!browser.open(PAGE).await.expect(200).text().contains("id=\"sign\""));
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    let done = press(&browser, "sign", &[("passphrase", "")]).await;
    assert_led(&browser, done, PAGE, "The version has been signed.").await;
    assert!(is_signed(&ring_of_server(&house).await, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn a_key_with_a_passphrase_is_opened_by_the_field_for_it() {
    let (house, ada, gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let browser = signed_in(&house, &ada).await;
    let page = press(&browser, "publish", &[]).await.expect(400);
    assert!(problem_of(&page).starts_with("Passphrase: the GPG key needs one"));
    let page = press(&browser, "publish", &[("passphrase", "guess")]).await.expect(400);
    assert_eq!(problem_of(&page), "Passphrase: it does not open the GPG key");
    assert!(!page.text().contains("guess"));
    press(&browser, "publish", &[("passphrase", "open sesame")]).await.expect(303);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    let token = browser.form_token().await;
    let fields = [("form_token", token.as_str()), ("publish", "1"), ("passphrase", "open sesame")];
    browser.post_files(UPLOAD, &fields, &[("dog.tar", "woof")]).await.expect(303);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/dog.tar").await);
    let call = put(&browser, &token, "/bird.tar?publish=1").header("x-gpg-passphrase", "open sesame");
    call.body("tweet").await.expect(201);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/bird.tar").await);
}

#[tokio::test]
async fn a_file_is_deleted_while_its_version_may_change() {
    let (house, ada, browser) = cat_at_home().await;
    for path in ["a.txt", "b.txt"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/bin/{path}"), "meow").await;
    }
    upload(&ada, "ada/tools/cat/1.0/bin/c.txt", "purr").await;
    let page = browser.open(PAGE).await.expect(200).text();
    for path in ["a.txt", "c.txt"] {
        let form = format!("/-/delete/file/ada/tools/bin/{path}");
        assert!(page.contains(&format!("href=\"{form}\"")), "{page}");
        let gone = fill_in(&browser, &form, &[("confirm", path)]).await;
        assert_led(&browser, gone, PAGE, &format!("The file {path} has been deleted.")).await;
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["bin/b.txt"]);
    house.clock.advance(5 * DAY + 1_000);
    let form = "/-/delete/file/ada/tools/bin/b.txt";
    let page = fill_in(&signed_in(&house, &ada).await, form, &[("confirm", "b.txt")]).await.expect(403);
    assert!(problem_of(&page).contains("the limit is 5 days"));
    assert_eq!(published(&ada, "ada/tools/cat").await, ["bin/b.txt"]);
}
